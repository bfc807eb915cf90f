// The head of a page: theme, search, reading options and contents, with their keyboard shortcuts.
// Dialogs are imported when the reader opens them.
import { make } from "../base/element.js";
import { language, part_of_page } from "../base/first_words.js";
import { on_demand } from "../base/on_demand.js";
import { set_stored, stored } from "../base/storage.js";

const root = document.documentElement;
const search = document.querySelector(".search-open"); // present if the site has an index

/**
 * Light, dark, or the system's theme; theme.js applies the choice before the next page's first
 * paint.
 */
export function add_theme_switch() {
  const button = document.querySelector(".theme-switch");
  if (!button) return;
  const themes = ["system", "light", "dark"];
  const say = () => {
    const words = button.dataset[root.dataset.theme ?? "system"];
    button.title = words;
    button.querySelector("span").textContent = words;
  };
  say();
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % themes.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    say();
    try {
      set_stored("theme", next);
    } catch {
      /* storage refused: this page only */
    }
  });
}

const apologise = (words) => {
  const sorry = make("p", {
    className: "visit",
    role: "alert",
    lang: language,
    textContent: words,
  });
  document.body.append(sorry);
  setTimeout(() => sorry.remove(), 8000);
};

const open_search = () =>
  on_demand(
    () => part_of_page(() => import("./search.js")),
    ({ open_search }) => open_search(),
    apologise,
  );

const open_options = () =>
  on_demand(
    () => part_of_page(() => import("./options.js")),
    ({ open_options }) => open_options(),
    apologise,
  );

export function add_search() {
  if (!search) return;
  search.hidden = false;
  search.addEventListener("click", open_search);
}

/** Escape, a click outside and a moved focus close what opens over the page. */
export function close_outside(details) {
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    details.querySelector("summary").focus();
  });
  addEventListener("click", (event) => {
    if (details.open && !details.contains(event.target)) details.open = false;
  });
  // It covers the text, so close it when the focus moves into the text.
  details.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !details.contains(relatedTarget)) details.open = false;
  });
}

/** Adds this page's sections to the contents before they are opened, so that nothing moves. */
function add_sections(nav) {
  const here = nav.querySelector("[aria-current]");
  const headings = [...document.querySelectorAll("main h2[id]")];
  if (!here || headings.length === 0) return;
  const items = headings.map(({ id, textContent }) =>
    make(
      "li",
      {},
      make("a", { href: `#${id}`, textContent: textContent.replace(/\s+/g, " ").trim() }),
    ),
  );
  here.parentElement.append(
    make("ol", { className: "contents-sections", lang: language }, ...items),
  );
}

export function tame_contents() {
  const contents = document.querySelector("details.contents");
  if (!contents) return;
  const tools = { ...(search && { Search: open_search }), "Reading options": open_options };
  const add = () => add_sections(contents.querySelector("nav"));
  contents.querySelector("summary").addEventListener("click", add, { once: true });
  contents.addEventListener("toggle", () => {
    if (!contents.open) return;
    part_of_page(() => import("./contents.js"))
      .then(({ fill_contents }) => fill_contents(contents, tools))
      .catch(() => {});
  });
}

/**
 * Single-key shortcuts, unless the reader is typing or has switched them off in the reading
 * options.
 */
export function watch_keys() {
  const press = (selector) => document.querySelector(selector)?.click();
  const does = {
    "?": open_options,
    c: () => {
      document.querySelector(".contents > summary")?.focus();
      press(".contents > summary");
    },
    n: () => press('.turn [rel="next"], .problem-next'),
    p: () => press('.turn [rel="prev"], .problem-previous'),
    ...(search && { "/": open_search }),
  };
  addEventListener("keydown", (event) => {
    const { key } = event;
    const [target] = event.composedPath(); // inside a shadow root, too
    const is_taken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
    if (is_taken || !Object.hasOwn(does, key) || stored("keys") === "off") return;
    if (target.closest?.("input, select, textarea, dialog, [contenteditable]")) return;
    event.preventDefault();
    does[key]();
  });
}

/** Adds the part of the page in the address to the link for reporting a mistake. */
export function place_report() {
  const link = document.getElementById("report");
  link?.addEventListener("click", () => {
    const url = new URL(link.href);
    const page = url.searchParams.get("page")?.split("#")[0];
    if (page && location.hash) url.searchParams.set("page", page + location.hash);
    link.href = url.href;
  });
}
