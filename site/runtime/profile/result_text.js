// Numbers and trust in words, the same wherever a result is shown.

import { digits } from "../base/digits.js";
import { heard, word } from "../base/language.js";
import { plain } from "./machine_name.js";
import { own } from "../base/own.js";
import { flag_words } from "./summary.js";

/** The spread with the decimals of the value it belongs to. */
function spread(value, mad) {
  const places = (digits(value).split(".")[1] ?? "").length;
  return mad.toFixed(places);
}

/** " (on 64 of 1000 rows)" where a product of squares was timed on a slice; else nothing. */
function slice_words({ kernel, params: { m, n, k } = {} }) {
  const is_slice = kernel?.startsWith("matmul.") && m > 0 && m < n && (k === 0 || k === n);
  return is_slice ? word(" (on {m} of {n} rows)", { m, n }) : "";
}

const reason_of = ({ reason }) => heard(plain(reason, 300));

/** "45.2 ± 0.3 GFLOP/s", with what it was measured on, or why there is no number. */
export function result_words(result) {
  if (result.status !== "measured")
    return word("unavailable, because {why}", { why: reason_of(result) });
  const { value, spread: around, rest } = result_parts(result);
  return value + around + rest;
}

/** The same of what was measured, in parts: {value: "45.2", spread: " ± 0.3", rest: " GFLOP/s"}. */
export const result_parts = (result) => ({
  value: digits(result.median),
  spread: ` ± ${spread(result.median, result.mad)}`,
  rest: ` ${plain(result.unit, 20)}${slice_words(result)}`,
});

const flag_said = (flag) => word(own(flag_words, flag) ?? "a flag that this book does not know");
const untrusted = new Set(["drift", "slow-tier", "hidden", "untrusted", "software"]);
/** Half of its samples lie further from it than half of it: no number, but an order of magnitude. */
const is_scattered = ({ median, mad }) => mad > median / 2;
export const is_doubtful = (result) =>
  is_scattered(result) || (result.flags ?? []).some((flag) => untrusted.has(flag));

/** The badge beside a result that was measured: {text, kind: "good" | "note" | "bad", why}. */
export function badge_of(result) {
  if (result.status !== "measured") return { text: "–", kind: "bad", why: reason_of(result) };
  const flags = (result.flags ?? []).map(flag_said);
  const scattered = is_scattered(result) ? [word("a spread of more than half of the value")] : [];
  const why = [...scattered, ...flags].join("; ");
  if (!result.verified) return { text: word("not checked"), kind: "bad", why };
  if (is_doubtful(result)) return { text: word("doubtful"), kind: "bad", why };
  return { text: word("checked"), kind: why ? "note" : "good", why };
}

/** What a reader calls this profile's machine; a name from a file is said to be one. */
export function machine_words(profile) {
  const name = plain(profile.name) || plain(profile.devices?.find((d) => d.kind === "cpu")?.name);
  if (name && profile.loaded) return word("“{name}” (from a file)", { name });
  return name || word("your machine");
}
