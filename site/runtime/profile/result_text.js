// Formats results and their trustworthiness, for every place that shows a result.

import { digits } from "../base/digits.js";
import { heard, word } from "../base/language.js";
import { around_of, has_range, interval_of } from "./interval.js";
import { plain } from "./machine_name.js";
import { own } from "../base/own.js";
import { flag_words } from "./summary.js";

/** " ± 0.3", for half of a number's interval, with one significant digit. */
export const spread_words = (half) => ` ± ${digits(Number(half.toPrecision(1)), 1)}`;

/** " (on 64 of 1000 rows)" if a square matmul was timed on a slice; otherwise "". */
function slice_words({ kernel, params: { m, n, k } = {} }) {
  const is_slice = kernel?.startsWith("matmul.") && m > 0 && m < n && (k === 0 || k === n);
  return is_slice ? word(" (on {m} of {n} rows)", { m, n }) : "";
}

const reason_of = ({ reason }) => heard(plain(reason, 300));

/** "45.2 ± 0.3 GFLOP/s" with the measured part, or the reason that there is no number. */
export function result_words(result) {
  if (result.status !== "measured")
    return word("unavailable, because {why}", { why: reason_of(result) });
  const { value, spread: around, rest } = result_parts(result);
  return value + around + rest;
}

/**
 * The parts of a measured result: {value: "45.2", spread: " ± 0.3", rest: " GFLOP/s"}. A second run
 * falls within the spread 9 times out of 10. On a busy machine, or if the clock moved, the value is
 * a range, "30 to 57", and there is no spread.
 */
export function result_parts(result) {
  const rest = ` ${plain(result.unit, 20)}${slice_words(result)}`;
  if (!has_range(result))
    return { value: digits(result.median), spread: spread_words(around_of(result)), rest };
  return { value: range_words(interval_of(result)), spread: "", rest };
}

/** "30 to 57" */
export const range_words = ({ low, high }) =>
  word("{low} to {high}", { low: digits(low, 2), high: digits(high, 2) });

const flag_said = (flag) => word(own(flag_words, flag) ?? "a flag that this book does not know");
/** Flags that keep a number out of sentences. */
export const untrusted = new Set([
  "drift",
  "disturbed",
  "beyond-roof",
  "slow-tier",
  "hidden",
  "untrusted",
  "software",
]);
/**
 * Whether half of the samples are further from the median than half of it. Such a result is an
 * order of magnitude, not a number.
 */
const is_scattered = ({ median, mad }) => mad > median / 2;
export const is_doubtful = (result) =>
  is_scattered(result) || (result.flags ?? []).some((flag) => untrusted.has(flag));

/** The badge of a measured result: {text, kind: "good" | "note" | "bad", why}. */
export function badge_of(result) {
  if (result.status !== "measured") return { text: "–", kind: "bad", why: reason_of(result) };
  const flags = (result.flags ?? []).map(flag_said);
  const scattered = is_scattered(result) ? [word("a spread of more than half of the value")] : [];
  const why = [...scattered, ...flags].join("; ");
  if (!result.verified) return { text: word("not checked"), kind: "bad", why };
  if (is_doubtful(result)) return { text: word("doubtful"), kind: "bad", why };
  return { text: word("checked"), kind: why ? "note" : "good", why };
}

/** The name of this profile's machine; a name from a file is marked as such. */
export function machine_words(profile) {
  const name = plain(profile.name) || plain(profile.devices?.find((d) => d.kind === "cpu")?.name);
  if (name && profile.loaded) return word("“{name}” (from a file)", { name });
  return name || word("your machine");
}
