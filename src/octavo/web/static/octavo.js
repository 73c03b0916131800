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

const KEYS = {
  "j": () => goTo(current + 1),
  "k": () => goTo(current - 1),
  "o": () => entries[current]?.querySelector("h2 a").click(),
  "v": () => document.querySelectorAll(".links a").length && (entries[current] ?? document).querySelector(".links a")?.click(),
  "a": () => entries[current]?.querySelector("details.abstract > summary")?.click(),
  "/": () => document.querySelector(".find input").select(),
  "?": () => { location.href = "/help#keys"; },
  "g h": () => { location.href = "/"; },
  "g l": () => { location.href = "/list"; },
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
  went = event.key === "g" ? Date.now() : 0;
  if (Object.hasOwn(KEYS, name)) {
    event.preventDefault();
    KEYS[name]();
  }
});
