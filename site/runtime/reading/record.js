// The reading history in this browser: for each page how far it was read, where the reader stopped,
// and a digest of each section at that time. Invalid stored data counts as none.

import { own } from "../base/own.js";
import { forget, set_stored, stored } from "../base/storage.js";

const name = "reading.v1";

function load() {
  try {
    const pages = JSON.parse(stored(name))?.pages;
    return pages && typeof pages === "object" ? pages : {};
  } catch {
    return {};
  }
}

const share_of = (value) => (value >= 0 && value <= 1 ? value : 0);

/** {share, at, within, when, sections} of a page's path, or null. */
export function record_of(path) {
  const record = own(load(), path);
  if (!record || typeof record !== "object") return null;
  return {
    share: share_of(record.share),
    at: typeof record.at === "string" ? record.at : "",
    within: share_of(record.within),
    when: Number.isFinite(record.when) ? record.when : 0,
    sections: record.sections && typeof record.sections === "object" ? record.sections : {},
  };
}

export function store_record(path, record) {
  try {
    set_stored(name, JSON.stringify({ schema: 1, pages: { ...load(), [path]: record } }));
  } catch {
    // Storage is denied or full: this visit is not recorded.
  }
}

export const forget_records = () => forget(name);

/** The path and the section of the last page: {path, at}; null before the first. */
export function last_place() {
  const places = Object.keys(load()).map((path) => ({ path, ...record_of(path) }));
  const last = places.sort((a, b) => b.when - a.when)[0];
  return last?.when > 0 ? { path: last.path, at: last.at } : null;
}

const read_share = 0.97;
/** How far a page was read: "read", "40 %", or "" if it was not started. */
export function share_words(path) {
  const share = record_of(path)?.share ?? 0;
  if (share >= read_share) return "read";
  return share < 0.02 ? "" : `${Math.max(5, 5 * Math.round(share * 20))} %`;
}
export const is_read = (path) => share_words(path) === "read";
