// Additions to lists of chapters: how far each was read and, in the page's contents, buttons for
// the search and the reading options.

import { make } from "../base/element.js";
import { frame_word } from "../base/frame_language.js";
import { load_style } from "../page/dialog.js";
import { last_place, share_words } from "./record.js";

/** Adds a mark to each started chapter of a list, in a reserved place. */
export async function mark_read(list) {
  await load_style();
  for (const link of list.querySelectorAll(":scope > li > a, :scope > li > h3 > a")) {
    const share = share_words(link.pathname);
    if (!share || link.parentElement.querySelector(".read-share")) continue;
    const mark = make("span", { textContent: share === "read" ? "✓" : "◐", ariaHidden: "true" });
    const words = share === "read" ? frame_word("read") : share;
    const aloud = make("span", { className: "visually-hidden", textContent: ` (${words})` });
    link.after(make("span", { className: "read-share", title: words }, mark, aloud));
  }
}

/** Marks the chapters that were read in the strip at the end of a chapter. */
export function mark_spine(spine) {
  for (const link of spine.querySelectorAll("a")) {
    if (share_words(link.pathname) !== "read" || "read" in link.dataset) continue;
    link.dataset.read = "";
    link.title = link.ariaLabel = `${link.title} (${frame_word("read")})`;
  }
}

/** Replaces the link to the first chapter by one to where the last visit stopped. */
export function offer_to_continue(cards, link) {
  const place = last_place();
  const links = [...cards.querySelectorAll("h3 > a")];
  const chapter = links.find(({ pathname }) => pathname === place?.path);
  if (!chapter) return;
  const title = chapter.textContent.replace(/\s+/g, " ").trim();
  link.href = chapter.href + (place.at ? `#${place.at}` : "");
  const arrow = document.documentElement.dir === "rtl" ? "←" : "→";
  link.textContent = `${frame_word("Continue: {place}", { place: title })} ${arrow}`;
  link.parentElement.replaceChildren(link);
}

/** Fills the contents once, when they are opened. `tools` maps English labels to actions. */
export async function fill_contents(details, tools) {
  await load_style();
  const nav = details.querySelector("nav");
  if (nav.querySelector(".contents-tools")) return;
  mark_read(nav.querySelector(".contents-list"));
  const buttons = Object.entries(tools).map(([label, act]) => {
    const button = make("button", { type: "button", textContent: frame_word(label) });
    button.addEventListener("click", () => {
      details.open = false;
      act();
    });
    return button;
  });
  nav.append(make("div", { className: "contents-tools" }, ...buttons));
  nav.addEventListener("click", ({ target }) => {
    if (target.closest('a[href^="#"]')) details.open = false;
  });
}
