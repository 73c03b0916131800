// Octavo's pages work without this. It adds keys, copying, and TeX for formulas that are copied.
"use strict";

// Copying: the buttons are there only with this script.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

// Saving and marking without loading the page anew; what goes wrong is sent as the page itself would send it.
const told = document.getElementById("told");

function show(button, shelf) {
  const isOn = Boolean(shelf[button.dataset.toggle === "save" ? "saved_at" : "read_at"]);
  const verb = button.dataset.toggle;
  button.textContent = isOn ? button.dataset.on : button.dataset.off;
  button.classList.toggle("on", isOn);
  button.value = `${isOn ? "un" : ""}${verb}:${button.value.split(":")[1]}`;
  if (verb === "read") button.closest(".entry")?.classList.toggle("read", isOn);
}

function tell(said, last) {
  told.replaceChildren(said);
  if (!said || !last) return;
  const undo = document.createElement("button");
  undo.setAttribute("form", "mine");
  undo.name = "do";
  undo.value = `undo:${last.number}`;
  undo.dataset.undoes = last.title ?? "";
  undo.textContent = told.dataset.undo;
  told.append(" ", undo);
}

document.addEventListener("submit", async (event) => {
  const button = event.submitter;
  if (!button?.dataset.toggle) return;
  event.preventDefault();
  const form = event.target;
  const sent = new URLSearchParams(new FormData(form, button));
  button.disabled = true;
  try {
    const answer = await fetch("/library.json", { method: "POST", body: sent });
    if (!answer.ok) throw new Error(answer.status);
    const { shelf, said, last } = await answer.json();
    button.disabled = false;
    show(button, shelf);
    tell(said, last);
    button.focus({ preventScroll: true });
  } catch {
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", button.name, button.value];
    form.append(field);
    form.submit();
  }
});

// A note that was begun and not kept is not left without a word.
for (const text of document.querySelectorAll("textarea[name=note]")) {
  const leave = (event) => { if (text.value !== text.defaultValue) event.preventDefault(); };
  addEventListener("beforeunload", leave);
  text.form.addEventListener("submit", () => removeEventListener("beforeunload", leave));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) text.form.requestSubmit(text.form.querySelector("button"));
  });
}

// All abstracts at once, and remembered: without this the same link loads the page anew.
for (const link of document.querySelectorAll("a[data-abstracts]")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const chosen = link.dataset.abstracts;
    for (const details of document.querySelectorAll("details.abstract")) details.open = chosen === "open";
    fetch(`/about.json?abstracts=${chosen}`).catch(() => {});
    link.dataset.abstracts = chosen === "open" ? "folded" : "open";
    link.href = link.href.replace(`abstracts=${chosen}`, `abstracts=${link.dataset.abstracts}`);
    [link.textContent, link.dataset.other] = [link.dataset.other, link.textContent];
  });
}

// Who copies a formula gets its TeX.
document.addEventListener("copy", (event) => {
  const selection = document.getSelection();
  if (!selection.rangeCount || !event.clipboardData) return;
  const copied = selection.getRangeAt(0).cloneContents();
  const formulas = copied.querySelectorAll("math[alttext]");
  if (!formulas.length) return;
  for (const formula of formulas) formula.replaceWith(`$${formula.getAttribute("alttext")}$`);
  event.clipboardData.setData("text/plain", copied.textContent);
  event.preventDefault();
});

// A formula or a table that is wider than the page can be moved with the keyboard, too.
for (const text of document.querySelectorAll(".scroll, :is(h1, p):has(math)")) {
  if (text.scrollWidth > text.clientWidth) text.tabIndex = 0;
}

// Keys, as readers of feeds know them; help lists them, and switches them off.
const entries = [...document.querySelectorAll(".entry")];
let current = -1;
let went = 0;

function goTo(number) {
  if (!entries.length) return;
  current = Math.max(0, Math.min(entries.length - 1, number));
  const link = entries[current].querySelector("h2 a");
  link.focus({ preventScroll: true });
  entries[current].scrollIntoView({ block: "nearest" });
}

function press(what) {
  const where = entries.length ? entries[current] : document;
  where?.querySelector(`button[data-toggle=${what}]`)?.click();
}

function note() {
  const details = document.getElementById("mine-note");
  if (details) {
    details.open = true;
    details.querySelector("textarea").focus();
  } else if (entries[current]) {
    location.href = `/paper/${entries[current].id}#mine-note`;
  }
}

// Only now: going to the place in the page would take the focus away again.
if (location.hash === "#mine-note") addEventListener("load", () => setTimeout(note));

// To the page before or after, of a list in pages or of days.
function turn(way) {
  document.querySelector(`.turning a[rel=${way}], .head a[rel=${way}]`)?.click();
}

const KEYS = {
  "j": () => goTo(current + 1),
  "k": () => goTo(current - 1),
  "o": () => entries[current]?.querySelector("h2 a").click(),
  "v": () => document.querySelectorAll(".links a").length && (entries[current] ?? document).querySelector(".links a")?.click(),
  "a": () => entries[current]?.querySelector("details.abstract > summary")?.click(),
  "h": () => turn("prev"),
  "l": () => turn("next"),
  "c": () => document.querySelector("button[data-copy]")?.click(),
  "s": () => press("save"),
  "m": () => press("read"),
  "n": () => note(),
  "/": () => document.querySelector(".find input").select(),
  "?": () => { location.href = "/help#keys"; },
  "g h": () => { location.href = "/"; },
  "g l": () => { location.href = "/list"; },
  "g b": () => { location.href = "/library"; },
  "g v": () => { location.href = "/venues"; },
  "g g": () => goTo(0),
  "G": () => goTo(entries.length - 1),
};

document.addEventListener("focusin", (event) => {
  const entry = event.target.closest(".entry");
  if (entry) current = entries.indexOf(entry);
});

document.addEventListener("keydown", (event) => {
  if (document.documentElement.dataset.keys === "off") return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const name = Date.now() - went < 1500 ? `g ${event.key}` : event.key;
  went = name === "g" ? Date.now() : 0;
  if (Object.hasOwn(KEYS, name)) {
    event.preventDefault();
    KEYS[name]();
  }
});
