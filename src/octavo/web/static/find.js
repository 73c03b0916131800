// Searches a published site in the browser: Pagefind's index lies beside the pages, and nothing else is asked.
const found = document.getElementById("found");
const hits = document.getElementById("hits");
const narrow = document.getElementById("narrow");
const more = document.getElementById("more");
const field = document.querySelector(".find input");
const shared = new URL(found.dataset.shared || "./", location.href);
const names = new Map([...document.querySelectorAll("#names option")].map((one) => [one.value, one.textContent]));
const STEP = 20;
const FACETS = ["topic", "venue", "year"];

// Where scripts are to be named by trusted addresses, the only one is the index's own worker.
window.trustedTypes?.createPolicy("default", {
  createScriptURL: (address) => {
    const wanted = new URL("pagefind/pagefind-worker.js", shared).href;
    if (new URL(address, location.href).href === wanted) return address;
    throw new TypeError("no other script is loaded");
  },
});

const asked = new URLSearchParams(location.search);
let shown = 0;
let results = [];
let turn = 0;

function filters() {
  const chosen = {};
  for (const name of FACETS) if (names.has(asked.get(name))) chosen[asked.get(name)] = "1";
  return chosen;
}

// The piece around the words, which are in <mark>; all else of it is text.
function piece(text) {
  const line = document.createElement("p");
  line.className = "piece";
  line.dir = "auto";
  const plain = (part) => part.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
  for (const [number, part] of text.split(/<\/?mark>/).entries()) {
    const node = number % 2 ? document.createElement("mark") : document.createTextNode("");
    node.textContent = plain(part);
    line.append(node);
  }
  return line;
}

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text ?? "";
  return made;
}

function entry(hit) {
  const article = element("article", "entry");
  const aside = element("div", "aside");
  aside.append(element("span", "place", hit.meta.place));
  const said = element("div", "said");
  const title = element("h2", "");
  title.dir = "auto";
  title.lang = "";
  const link = element("a", "", hit.meta.title);
  link.href = `${found.dataset.root}paper/${hit.url.split("/").pop()}`;
  title.append(link);
  said.append(title, element("div", "authors", hit.meta.authors));
  if (hit.meta.has_text) said.append(piece(hit.excerpt));
  article.append(aside, said);
  return article;
}

async function showMore() {
  const now = turn;
  const some = await Promise.all(results.slice(shown, shown + STEP).map((one) => one.data()));
  if (now !== turn) return;
  hits.append(...some.map(entry));
  shown += some.length;
  more.hidden = shown >= results.length;
}

function facet(name, counts) {
  const rows = Object.entries(counts).filter(([key]) => key.startsWith(`${name}-`)).map(([key, found]) => [key, found["1"]])
    .filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  if (rows.length < 2 && !asked.get(name)) return null;
  const section = element("section", "");
  section.append(element("h2", "", found.dataset[name]));
  const list = element("ul", "");
  for (const [value, n] of rows.slice(0, 12)) {
    const row = element("li", "");
    const isChosen = asked.get(name) === value;
    const link = element("a", "", names.get(value) ?? value);
    const next = new URLSearchParams(asked);
    if (isChosen) next.delete(name); else next.set(name, value);
    link.href = `?${next}`;
    if (isChosen) link.setAttribute("aria-current", "true");
    row.append(link, " ", element("span", "n", String(n)));
    list.append(row);
  }
  section.append(list);
  return section;
}

async function search(pagefind) {
  const now = ++turn;
  const query = asked.get("q")?.trim() ?? "";
  const answer = await pagefind.search(query || null, { filters: filters() });
  if (now !== turn) return;
  results = answer.results;
  shown = 0;
  hits.replaceChildren();
  narrow.replaceChildren(...FACETS.map((name) => facet(name, answer.filters ?? {})).filter(Boolean));
  const { none, one, many } = found.dataset;
  const n = results.length;
  document.getElementById("count").textContent = n === 0 ? none : n === 1 ? one : many.replace("#", n.toLocaleString("en"));
  await showMore();
}

async function begin() {
  field.value = asked.get("q") ?? "";
  if (!asked.get("q") && !Object.keys(filters()).length) field.focus();
  let pagefind;
  try {
    pagefind = await import(new URL("pagefind/pagefind.js", shared).href);
    await pagefind.options({ basePath: new URL("pagefind/", shared).pathname, excerptLength: 40 });
    await pagefind.init();
    await pagefind.filters();
  } catch {
    document.getElementById("fault").hidden = false;
    return;
  }
  let waiting;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      asked.set("q", field.value);
      history.replaceState(null, "", `?${asked}`);
      if (field.value.trim()) search(pagefind);
    }, 200);
  });
  more.addEventListener("click", showMore);
  if (asked.get("q") || Object.keys(filters()).length) await search(pagefind);
}

begin();
