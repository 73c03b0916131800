// A published page works without this. It adds keys, folding, copying, and TeX for formulas that are copied.
"use strict";

for (const button of document.querySelectorAll("button[data-copy]")) {
  const label = button.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

for (const button of document.querySelectorAll("button[data-abstracts]")) {
  button.hidden = !document.querySelector("details.abstract");
  button.addEventListener("click", () => {
    const isOpen = button.dataset.abstracts !== "open";
    for (const details of document.querySelectorAll("details.abstract")) details.open = isOpen;
    button.dataset.abstracts = isOpen ? "open" : "";
    [button.textContent, button.dataset.other] = [button.dataset.other, button.textContent];
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

for (const text of document.querySelectorAll(".scroll, :is(h1, p):has(math)")) {
  if (text.scrollWidth > text.clientWidth) text.tabIndex = 0;
}

let current = -1;

function goTo(number) {
  const entries = document.querySelectorAll(".entry");
  if (!entries.length) return;
  current = Math.max(0, Math.min(entries.length - 1, number));
  entries[current].querySelector("h2 a").focus({ preventScroll: true });
  entries[current].scrollIntoView({ block: "nearest" });
}

const chosen = () => document.querySelectorAll(".entry")[current];
const KEYS = {
  "j": () => goTo(current + 1),
  "k": () => goTo(current - 1),
  "o": () => chosen()?.querySelector("h2 a").click(),
  "v": () => (chosen() ?? document).querySelector(".links a")?.click(),
  "a": () => chosen()?.querySelector("details.abstract > summary")?.click(),
  "c": () => document.querySelector("button[data-copy]")?.click(),
  "h": () => document.querySelector(".turning a[rel=prev]")?.click(),
  "l": () => document.querySelector(".turning a[rel=next]")?.click(),
  "/": () => document.querySelector(".find input")?.select(),
};

document.addEventListener("focusin", (event) => {
  const entry = event.target.closest(".entry");
  if (entry) current = [...document.querySelectorAll(".entry")].indexOf(entry);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input, textarea, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (Object.hasOwn(KEYS, event.key)) {
    event.preventDefault();
    KEYS[event.key]();
  }
});
