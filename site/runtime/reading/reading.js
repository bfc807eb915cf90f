// The reader's place in a chapter and what the next visit does with it: an offer to continue, and
// the read sections that have changed since. Nothing scrolls automatically. place.js loads this at
// the first scroll, or immediately if an earlier visit is stored.

import { make } from "../base/element.js";
import { frame_word } from "../base/frame_language.js";
import { language } from "../base/language.js";
import { load_style } from "../page/dialog.js";
import { is_read, record_of, store_record } from "./record.js";
import { digests_of, headings_of } from "./sections.js";
import { place_stopped } from "./stopped.js";

const path = location.pathname.replace(/index\.html$/, "");
const main = document.querySelector("main");
const headings = headings_of(main);
const sections = headings.filter((heading) => heading.matches("h2"));
let shown = null; // the current section, in the head of the page
const day = (when) =>
  new Date(when).toLocaleDateString(document.documentElement.lang, {
    day: "numeric",
    month: "long",
  });
const title_of = (heading) => heading.textContent.replace(/\s+/g, " ").trim();

const is_folded = (heading) => heading.closest("details.fold:not([open]) > :not(summary)") !== null;

/** The heading of the section at the upper third of the window; null before the first. */
function current() {
  const line = innerHeight / 3;
  const is_above = (heading) => heading.getBoundingClientRect().top <= line;
  return headings.findLast((heading) => !is_folded(heading) && is_above(heading)) ?? null;
}

/** Top and height of a heading's section, relative to the page. */
function extent_of(heading) {
  const next = headings[headings.indexOf(heading) + 1];
  const top = heading.getBoundingClientRect().top + scrollY;
  const end = next ? next.getBoundingClientRect().top : main.getBoundingClientRect().bottom;
  return { top, height: Math.max(1, end + scrollY - top) };
}

/** Shows the current section in the head of the page, in the margin and in a link to report it. */
function show_place() {
  const line = innerHeight / 3;
  const section = sections.findLast((one) => one.getBoundingClientRect().top <= line) ?? null;
  if (section === shown) return;
  shown = section;
  const place = document.querySelector(".place-section");
  if (place) place.textContent = section ? title_of(section) : "";
  place_stopped(section, sections[sections.indexOf(section) + 1]);
  for (const link of document.querySelectorAll(".rail a")) {
    if (section && link.hash === `#${section.id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function note_place(record, digests) {
  const { top, height } = main.getBoundingClientRect();
  const heading = current();
  const share = Math.min(1, Math.max(0, (innerHeight - top) / height));
  record.share = Math.max(record.share, share);
  record.when = Date.now();
  record.at = heading?.id ?? "";
  const { top: from, height: of } = heading ? extent_of(heading) : { top: 0, height: 1 };
  record.within = heading ? Math.min(1, Math.max(0, (scrollY + innerHeight / 3 - from) / of)) : 0;
  record.sections[record.at] = digests[record.at];
  store_record(path, record);
}

/** Starts tracking, and offers to continue an earlier visit. */
export function follow() {
  const digests = digests_of(main);
  const before = record_of(path);
  const record = before ?? { share: 0, at: "", within: 0, when: 0, sections: {} };
  // The page may have been left while its notice was loading.
  if (before) offer(before, changed_since(before, digests), digests).catch(() => {});
  let waiting = null;
  let drawing = null;
  const show_soon = () => {
    drawing ??= requestAnimationFrame(() => {
      drawing = null;
      show_place();
    });
  };
  addEventListener("scroll", show_soon, { passive: true });
  show_soon();
  const note_soon = () => {
    waiting ??= setTimeout(() => {
      waiting = null;
      note_place(record, digests);
    }, 400);
  };
  addEventListener("scroll", note_soon, { passive: true });
  if (!before && scrollY > 0) note_soon(); // the scroll that started this
}

/** Headings of read sections whose text has changed. */
const changed_since = ({ sections }, digests) =>
  headings.filter(({ id }) => Object.hasOwn(sections, id) && sections[id] !== digests[id]);

async function offer(before, changed, digests) {
  const stopped = headings.find(({ id }) => id === before.at);
  const is_at_top = scrollY < 100 && location.hash === "";
  const goes_on = stopped && is_at_top && !is_read(path);
  if (!goes_on && changed.length === 0) return;
  await load_style();
  const notice = make("div", { className: "reading-notice" });
  notice.setAttribute("role", "status");
  document.body.append(notice); // before its text, so that screen readers announce it
  // Its button is the last one of the page, so Escape closes it, too, after anything that covers
  // it.
  addEventListener("keydown", ({ key }) => {
    const is_under = document.querySelector("dialog[open], .contents[open]");
    if (key === "Escape" && notice.isConnected && !is_under) notice.querySelector("button").click();
  });
  if (goes_on) notice.append(...continue_words(before, stopped, notice));
  if (changed.length > 0) notice.append(...changed_words(before, changed));
  notice.append(closing(notice, before, changed, digests));
}

function continue_words({ when, within }, heading, notice) {
  const link = make("a", { href: `#${heading.id}`, textContent: frame_word("Continue there") });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    const { top, height } = extent_of(heading);
    scrollTo({ top: top + within * height - innerHeight / 3 });
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    notice.remove();
  });
  const place = { day: day(when), place: title_of(heading) };
  return [
    make("span", { textContent: frame_word("On {day} you stopped at {place}.", place) }),
    link,
  ];
}

function changed_words({ when }, changed) {
  const links = changed.map((heading) =>
    make("li", {}, make("a", { href: `#${heading.id}`, textContent: title_of(heading) })),
  );
  return [
    make("span", {
      textContent: frame_word("Changed since you read it on {day}:", { day: day(when) }),
    }),
    make("ul", { lang: language }, ...links),
  ];
}

/** Closing the notice records that the changes are known. */
function closing(notice, record, changed, digests) {
  const button = make("button", { type: "button", textContent: frame_word("Close") });
  button.addEventListener("click", () => {
    for (const { id } of changed) record.sections[id] = digests[id];
    store_record(path, record);
    notice.remove();
  });
  return button;
}
