// The size of a memory level. A sweep finds two working sets: the largest that fits and the
// smallest that does not. A profile stores the middle of that range by ratio (used by figures and
// expressions) and half its width, from which both ends follow. Pure.

import { digits } from "../base/digits.js";
import { word } from "../base/language.js";

/** The members of a level in a profile, for a range in bytes. */
export const range_members = (low, high) => ({
  bytes: Math.sqrt(low * high),
  bytes_error: (high - low) / 2,
});

/** {low, high} of a level in bytes; null if its size was not found. */
export function range_of({ bytes, bytes_error: half }) {
  if (!(bytes > 0) || !(half >= 0)) return null;
  const middle = Math.hypot(bytes, half);
  return { low: middle - half, high: middle + half };
}

/** The size in bytes at which the processor's last cache has certainly ended; 0 if unknown. */
export function end_of_caches(levels = []) {
  const ends = levels.filter(({ device }) => device !== "gpu").map((l) => range_of(l)?.high ?? 0);
  return Math.max(0, ...ends);
}

/** "between 512 KiB and 1 MiB"; an empty string if the size was not found. */
export function range_words(level) {
  const range = range_of(level);
  if (!range) return "";
  const [low, high] = [range.low, range.high].map(size_words);
  return word("between {low} and {high}", { low, high });
}

/** Bytes in a unit of 2^10 with up to three digits: "46 KiB", "1.4 MiB". */
export function size_words(bytes) {
  if (!(bytes >= 0)) return "–";
  if (bytes < 1) return word("less than 1 B");
  const units = ["B", "KiB", "MiB", "GiB"];
  // A power of two that a link has rounded to three digits is still shown as one.
  const whole = 2 ** Math.round(Math.log2(bytes));
  const exact = Math.abs(bytes / whole - 1) < 0.01 ? whole : bytes;
  const power = Math.min(units.length - 1, Math.floor(Math.log2(exact) / 10));
  const amount = exact / 2 ** (10 * power);
  return `${Number.isInteger(amount) ? amount : digits(amount, 3)} ${units[power]}`;
}
