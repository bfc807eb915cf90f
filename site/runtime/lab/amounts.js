// Parses and formats amounts ("4 GFLOP", "2 GiB", "200 ms"). Pure.

import { digits } from "../base/digits.js";
import { word } from "../base/language.js";

const longest = 40; // in characters
const decimal = { "": 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };
const binary = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50 };
const fraction = { "": 1, m: 1e-3, u: 1e-6, µ: 1e-6, μ: 1e-6, n: 1e-9, p: 1e-12 };

/** The units, prefixes and limits of each field of the form. */
const kinds = {
  work: { unit: /^(?:FLOPs?|flops?|ops?|OPs?)$/, prefixes: decimal, low: 1, high: 1e27 },
  bytes: {
    unit: /^(?:B|bytes?)$/,
    prefixes: { ...decimal, ...binary },
    low: 1,
    high: 1e24,
  },
  seconds: { unit: /^s$/, prefixes: fraction, low: 1e-12, high: 1e9, bare: /^$/ },
  cores: { unit: /^$/, prefixes: { "": 1 }, low: 1, high: 4096, whole: true },
};
const words = { seconds: { min: 60, h: 3600 } };

/** {factor} for the unit after a number, or null. */
function factor_of(suffix, kind) {
  const { unit, prefixes } = kinds[kind];
  const named = words[kind]?.[suffix];
  if (named) return named;
  if (suffix === "") return 1;
  for (const [prefix, factor] of Object.entries(prefixes)) {
    if (!suffix.startsWith(prefix)) continue;
    const rest = suffix.slice(prefix.length);
    const is_short = rest === "" && prefix !== "" && kind !== "seconds"; // "4 G"
    if (is_short || unit.test(rest)) return factor;
  }
  return null;
}

/**
 * Parses an amount: {value} in FLOP, bytes, seconds or cores, or {error}, the end of a sentence
 * with the reason. `kind` is "work", "bytes", "seconds" or "cores".
 */
export function parse_amount(text, kind) {
  const said = String(text).trim();
  if (said === "") return { error: word("it is empty") };
  if (said.length > longest) return { error: word("it is too long") };
  if (/^\d{1,3}(,\d{3})+(?!\d)/.test(said))
    return { error: word("a comma is ambiguous here: write 4000 or 4e3") };
  const [, number, suffix] =
    /^((?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?)\s*([A-Za-zµμ]{0,8})$/.exec(said) ?? [];
  if (number === undefined) return { error: word("it is not a number with a unit") };
  const factor = factor_of(suffix, kind);
  if (factor === null) return { error: word("this field does not accept its unit") };
  return bounded(Number(number.replace(",", ".")) * factor, kind);
}

/** Checks a number from a link: {value} or {error}. */
export function bounded(value, kind) {
  const { low, high, whole } = kinds[kind];
  if (!(value >= low && value <= high))
    return { error: word("it is not between {low} and {high}", { low, high }) };
  if (whole && !Number.isInteger(value)) return { error: word("it is not a whole number") };
  return { value };
}

const steps = [
  [1e18, "E"],
  [1e15, "P"],
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/** "989 TFLOP/s" for 9.89e14 and "FLOP/s". */
export function amount_words(value, unit, count = 3) {
  const rounded = Number(value.toPrecision(count));
  const [step, prefix] = steps.find(([s]) => rounded >= s) ?? [1, ""];
  return `${digits(rounded / step, count)} ${prefix}${unit}`;
}

/** "200 ms" for 0.2. */
export function time_words(seconds) {
  const units = [
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "µs"],
    [1e-9, "ns"],
  ];
  const rounded = Number(seconds.toPrecision(3));
  const [step, unit] = units.find(([s]) => rounded >= s) ?? units[3];
  return `${digits(rounded / step)} ${unit}`;
}
