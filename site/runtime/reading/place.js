// Tracks the reader's place in the book, and caches the text for reading offline.
import { part_of_page } from "../base/first_words.js";
import { once_loaded } from "../base/on_demand.js";
import { stored } from "../base/storage.js";

/** Tracks the place in a chapter from the first scroll; a stored place is used immediately. */
export function keep_place() {
  const follow = () =>
    part_of_page(() => import("./reading.js"))
      .then(({ follow }) => follow())
      .catch(() => {});
  const begun = stored("reading.v1") !== null;
  const list = document.querySelector("main > :is(.contents-list, .cards)");
  const spine = document.querySelector(".spine");
  if (begun && (list || spine))
    part_of_page(() => import("./contents.js"))
      .then(({ mark_read, mark_spine, offer_to_continue }) => {
        const start = document.querySelector(".hero .bench-try a");
        if (list) mark_read(list);
        if (list && start) offer_to_continue(list, start);
        if (spine) mark_spine(spine);
      })
      .catch(() => {});
  if (!document.querySelector("main.chapter")) return;
  if (begun) follow();
  else addEventListener("scroll", follow, { once: true, passive: true });
}

/**
 * Caches the text of a published book from the second page of a visit, or after half a minute on
 * one page, once the page is idle. A reader who only looks at one page downloads only that page.
 */
export function keep_text() {
  // A frame that is sandboxed refuses even to say whether there are service workers.
  if (top !== self || !document.querySelector('link[rel="canonical"]')) return;
  if (!navigator.serviceWorker) return;
  const stays_ms = 30_000;
  const quiet_ms = 2000;
  const is_first = !document.referrer.startsWith(
    new URL(document.documentElement.dataset.root ?? "./", document.baseURI).href,
  );
  const keep = () =>
    part_of_page(() => import("./offline.js"))
      .then(({ keep_text }) => keep_text())
      .catch(() => {});
  once_loaded(() => setTimeout(keep, is_first ? stays_ms : quiet_ms));
}
