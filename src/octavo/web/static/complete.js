// Completion under the search boxes, and jumping by Ctrl-K. Without it they are plain search boxes.
"use strict";

{
  const WAIT = 40;
  const palette = document.getElementById("palette");
  let boxes = 0;

  // The letters of a text without case and accents, one for each of its own, so that places stay the same.
  function plain(text) {
    return [...text].map((letter) => {
      const bare = letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
      return bare.length === letter.length ? bare : letter.toLowerCase().slice(0, letter.length).padEnd(letter.length);
    }).join("");
  }

  // A text with the beginnings of words that were typed set off.
  function marked(text, typed) {
    const piece = document.createElement("bdi");
    const there = plain(text);
    const words = plain(typed.replace(/^.*:/u, "")).match(/[\p{L}\p{N}]+/gu) ?? [];
    const marks = new Array(text.length).fill(false);
    for (const word of words) {
      for (let at = there.indexOf(word); at >= 0; at = there.indexOf(word, at + 1)) {
        const before = there.slice(0, at);
        if (/[\p{L}\p{N}]$/u.test(before) && !/\p{Script=Han}/u.test(word)) continue;
        marks.fill(true, at, at + word.length);
      }
    }
    for (let at = 0; at < text.length;) {
      let end = at;
      while (end < text.length && marks[end] === marks[at]) end += 1;
      const part = document.createElement(marks[at] ? "b" : "span");
      part.textContent = text.slice(at, end);
      piece.append(part);
      at = end;
    }
    piece.lang = "";
    return piece;
  }

  function piece(kind, text) {
    const span = document.createElement("span");
    span.className = kind;
    span.textContent = text;
    return span;
  }

  function goTo(item) {
    if (!item.choice) {
      location.href = item.address;
      return;
    }
    const here = new URL(location.href);
    here.searchParams.set(...item.choice);
    location.href = here;
  }

  // An input with a list of options below it, as ARIA's combobox: the focus stays in the input.
  class Box {
    constructor(input, purpose) {
      this.input = input;
      this.purpose = purpose;
      this.items = [];
      this.current = -1;
      this.asked = 0;
      this.timer = 0;
      this.shown = null;
      this.isEntered = false;
      this.name = `offers-${boxes += 1}`;
      this.list = document.createElement("ul");
      this.list.id = this.name;
      this.list.className = "offers";
      this.list.setAttribute("role", "listbox");
      this.list.setAttribute("aria-label", palette.dataset.offers);
      this.status = piece("unseen", "");
      this.status.setAttribute("role", "status");
      this.read = document.createElement("p");
      this.read.className = "read";
      this.panel = document.createElement("div");
      this.panel.className = "panel";
      this.panel.hidden = true;
      this.panel.append(this.read, this.list);
      input.form.append(this.panel, this.status);
      for (const [name, value] of [
        ["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", this.name],
      ]) input.setAttribute(name, value);
      input.addEventListener("input", () => this.wait());
      input.addEventListener("keydown", (event) => this.key(event));
      input.addEventListener("blur", () => this.close());
      input.addEventListener("focus", () => { if (!input.value) this.ask(); }, { once: true });
      this.panel.addEventListener("pointerdown", (event) => event.preventDefault());
      this.list.addEventListener("click", (event) => {
        const option = event.target.closest("[role=option]");
        if (option) this.choose(Number(option.dataset.number));
      });
    }

    wait() {
      this.isEntered = false;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), WAIT);
    }

    async ask() {
      const number = this.asked += 1;
      const text = this.input.value;
      const query = new URLSearchParams({ q: text });
      if (this.purpose) query.set("for", this.purpose);
      let found = { items: [] };
      try {
        const answer = await fetch(`/complete.json?${query}`);
        if (answer.ok) found = await answer.json();
      } catch {
        found = { items: [] };
      }
      // Answers may overtake each other, and the reader may have gone on.
      if (number !== this.asked || document.activeElement !== this.input) return;
      this.show(found, text);
      if (this.isEntered) this.enter();
    }

    // Enter in jumping: to the first, where it begins as was typed, else to a search.
    enter() {
      this.isEntered = false;
      if (!this.input.value.trim()) return;
      const first = this.items[0];
      if (first && plain(first.text).startsWith(plain(this.input.value.trim()))) this.choose(0);
      else this.input.form.submit();
    }

    show(found, typed) {
      this.items = found.items;
      this.shown = typed;
      this.current = -1;
      const options = this.items.map((item, number) => {
        const option = document.createElement("li");
        option.id = `${this.name}-${number}`;
        option.dataset.number = number;
        option.dataset.kind = item.kind;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        option.append(piece("label", item.label), marked(item.text, found.read_as ?? typed));
        if (item.beside) option.append(" ", piece("beside", item.beside));
        return option;
      });
      this.list.replaceChildren(...options);
      this.panel.hidden = !options.length;
      this.input.setAttribute("aria-expanded", String(options.length > 0));
      this.input.removeAttribute("aria-activedescendant");
      this.read.textContent = found.read_as ? palette.dataset.read.replace("{words}", found.read_as) : "";
      this.read.hidden = !found.read_as;
      const { found: many, none } = palette.dataset;
      const said = options.length ? many.replace("{n}", options.length) : typed.trim() ? none : "";
      this.status.textContent = `${this.read.textContent} ${said}`.trim();
    }

    close() {
      this.asked += 1;
      clearTimeout(this.timer);
      this.show({ items: [] }, "");
    }

    point(number) {
      const options = this.list.children;
      options[this.current]?.setAttribute("aria-selected", "false");
      // Past an end one is in the input again, then at the other end.
      const places = options.length + 1;
      this.current = ((number + 1 + places) % places) - 1;
      const option = options[this.current];
      if (!option) {
        this.input.removeAttribute("aria-activedescendant");
        return;
      }
      option.setAttribute("aria-selected", "true");
      option.scrollIntoView({ block: "nearest" });
      this.input.setAttribute("aria-activedescendant", option.id);
    }

    choose(number) {
      const item = this.items[number];
      if (!item) return;
      if (item.address) {
        goTo(item);
        return;
      }
      this.input.value = item.query;
      this.input.setSelectionRange(item.query.length, item.query.length);
      this.ask();
    }

    key(event) {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const isOpen = !this.panel.hidden;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (isOpen) this.point(this.current + (event.key === "ArrowDown" ? 1 : -1));
        else this.ask();
      } else if (event.key === "Enter" && isOpen && this.current >= 0) {
        event.preventDefault();
        this.choose(this.current);
      } else if (event.key === "Enter" && this.purpose === "jump") {
        event.preventDefault();
        if (this.shown === this.input.value) {
          this.enter();
        } else {
          // Typed faster than answered.
          this.isEntered = true;
          clearTimeout(this.timer);
          this.ask();
        }
      } else if (event.key === "Escape" && isOpen && !this.purpose) {
        // Only the list goes; a second one leaves the box.
        event.preventDefault();
        event.stopPropagation();
        this.close();
      }
    }
  }

  for (const input of document.querySelectorAll("input[data-complete]")) new Box(input, input.dataset.complete);

  if (palette) {
    const input = palette.querySelector("input");
    const box = new Box(input, "jump");
    const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
    palette.addEventListener("close", () => box.close());
    palette.addEventListener("click", (event) => { if (event.target === palette) palette.close(); });
    document.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "k" || event.shiftKey || event.altKey || event.isComposing) return;
      if (!(isMac ? event.metaKey : event.ctrlKey) || document.documentElement.dataset.keys === "off") return;
      event.preventDefault();
      if (palette.open) {
        palette.close();
        return;
      }
      input.value = "";
      palette.showModal();
      input.focus();
      box.ask();
    });
  }
}
