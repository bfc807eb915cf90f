// The search dialog. head.js loads this when it is first opened. Pagefind and its index are then
// loaded from the book's site, about a hundred kilobytes in a few requests.

import { make } from "../base/element.js";
import { frame_heard, frame_word } from "../base/frame_language.js";
import { once } from "../base/once.js";
import { book_url, load_style, make_dialog } from "../page/dialog.js";
import { as_read, parts_of, queries_of } from "./index_words.js";

const first_shown = 4; // each further result fetches another file
// Many words start with the same one or two letters, so fetch their results only when typing stops.
const few_letters = 2;
const pause_ms = 250;
const index_url = new URL("search/", book_url);

const page_language = document.documentElement.lang;
/** In words, or in characters for languages without spaces (index_words.js). */
const excerpt_length = /^(zh|ja|ko)\b/.test(page_language) ? 60 : 22;

const engine = once(async () => {
  const lost = () => new Error("you are offline, or the search index is missing");
  const pagefind = await import(new URL("pagefind.js", index_url).href).catch(() => {
    throw lost();
  });
  await pagefind.destroy(); // an earlier one may have failed to load its files
  await pagefind.options({
    basePath: index_url.pathname,
    baseUrl: "/",
    excerptLength: excerpt_length,
  });
  // Pagefind loads files itself and never rejects if they are missing.
  const failure = new Promise((_, reject) => {
    addEventListener("unhandledrejection", (event) => {
      if (!/Pagefind/.test(event.reason?.message)) return;
      event.preventDefault();
      reject(lost());
    });
  });
  await pagefind.init();
  await Promise.race([pagefind.search(""), failure]);
  return pagefind;
});

/** The matching sections, first those that contain the words as typed. */
async function sections_of(words) {
  const pagefind = await engine();
  const found = new Map();
  for (const query of queries_of(words, page_language)) {
    const { results } = await pagefind.search(query);
    for (const result of results) if (!found.has(result.id)) found.set(result.id, result);
  }
  return [...found.values()];
}

const panel = once(async () => {
  await load_style();
  const label = frame_word("Search the book");
  const input = make("input", {
    type: "search",
    placeholder: frame_word("ridge, cache, HBM …"),
    autocomplete: "off",
    spellcheck: false,
    enterKeyHint: "search",
    ariaLabel: label,
  });
  const status = make("p", { className: "panel-status" });
  status.setAttribute("role", "status");
  const list = make("ol", { className: "found" });
  const form = make("form", { className: "panel-form" }, input);
  const dialog = make_dialog(label, form, status, list);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  list.addEventListener("click", ({ target }) => {
    if (target.closest("a")) dialog.close();
  });
  const found = { dialog, input, status, list, asked: 0 };
  dialog.addEventListener("keydown", (event) => step(event, found));
  input.addEventListener("input", () => answer(found, input.value));
  return found;
});

/** Arrow keys move through the results and up to the field; Escape closes from everywhere. */
function step(event, { dialog, input, list }) {
  if (event.key === "Escape") {
    event.preventDefault(); // by default, it would only clear the search field
    dialog.close();
    return;
  }
  const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const stops = [input, ...list.querySelectorAll("a, button")];
  const at = stops.indexOf(document.activeElement);
  if (!direction || at < 0) return;
  event.preventDefault();
  stops[Math.min(Math.max(at + direction, 0), stops.length - 1)].focus();
}

/** Opens the dialog with the last query. Throws if the index is missing. */
export async function open_search() {
  const { dialog, input, status } = await panel();
  if (!dialog.open) dialog.showModal();
  input.select();
  try {
    await engine();
  } catch (error) {
    status.textContent = frame_word("Unavailable, because {why}.", {
      why: frame_heard(error.message),
    });
  }
}

/** Shows the results for `words`, unless the query has changed in the meantime. */
async function answer(found, words, limit = first_shown) {
  const turn = ++found.asked;
  const is_late = () => turn !== found.asked;
  if (words.split(/\s/).at(-1).length <= few_letters) {
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
    if (is_late()) return;
  }
  try {
    const results = await sections_of(words);
    if (is_late()) return;
    const shown = await Promise.all(results.slice(0, limit).map((result) => result.data()));
    if (is_late()) return;
    const rest = results.length - shown.length;
    const items = shown.map(item_of);
    if (rest > 0) items.push(more_of(found, words, limit, rest));
    found.list.replaceChildren(...items);
    found.dialog.dataset.answered = words;
    announce(found.status, words.trim() ? count_words(results.length, shown.length) : "");
  } catch (error) {
    if (is_late()) return;
    found.list.replaceChildren();
    found.status.textContent = frame_word("Search failed: {why}.", {
      why: frame_heard(error.message),
    });
  }
}

function count_words(count, shown) {
  if (count === 0) return frame_word("Nothing found.");
  if (count === 1) return frame_word("One section.");
  const all = shown === count;
  return frame_word(all ? "{n} sections." : "{n} sections, the first {shown} shown.", {
    n: count,
    shown,
  });
}

let announcing = null;
/** Announces the status after a pause, so that a screen reader does not read one per letter. */
function announce(status, words) {
  clearTimeout(announcing);
  announcing = setTimeout(() => {
    if (status.textContent !== words) status.textContent = words;
  }, 400);
}

function item_of({ raw_url, url, meta, excerpt }) {
  const address = (raw_url ?? url).replace(/^\//, "");
  const link = make(
    "a",
    { href: new URL(address, book_url) },
    make("b", { textContent: as_read(meta.title) }),
  );
  if (meta.chapter && meta.chapter !== meta.title)
    link.append(" ", make("small", { textContent: as_read(meta.chapter) }));
  link.append(make("span", {}, ...excerpt_nodes(excerpt)));
  return make("li", {}, link);
}

const letters = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["#39", "'"],
  ["#x27", "'"],
]);
const text_of = (html) => html.replace(/&([#\w]+);/g, (whole, name) => letters.get(name) ?? whole);

/** Pagefind marks the words that it found, and escapes all other text. */
function excerpt_nodes(html) {
  return parts_of(html).map(({ text, is_marked }) => {
    const textContent = text_of(text);
    return is_marked ? make("mark", { textContent }) : textContent;
  });
}

function more_of(found, words, limit, rest) {
  const textContent = frame_word("{n} more", { n: Math.min(rest, 10) });
  const button = make("button", { type: "button", textContent });
  button.addEventListener("click", async () => {
    await answer(found, words, limit + 10);
    found.list.querySelectorAll("a")[limit]?.focus();
  });
  return make("li", {}, button);
}
