// What a list of guesses says about the reader: per kind or chapter, how far off they are and
// whether they always err to the same side. Pure functions over records with `guess` and `truth`
// (questions/guesses.js).

import { median } from "../base/stats.js";

/** In the order of the legend. */
export const kinds = ["memory", "compute", "latency", "scale"];

const of_memory = /\b(stream|matvec)\.|\bB\./;
const of_compute = /\b(peak|matmul|mlp|attention)\.|\bP\./;

/**
 * What a question is about, from the expression of its measured value. "scale" compares memory with
 * compute, or asks how large something is.
 */
export function kind_of(measured) {
  if (/\blatency\.|\.p99\b/.test(measured)) return "latency";
  const [memory, compute] = [of_memory, of_compute].map((form) => form.test(measured));
  if (memory === compute) return "scale";
  return memory ? "memory" : "compute";
}

/** The guess divided by the measured value. */
export const ratio_of = ({ guess, truth }) => guess / truth;

const same_side = 0.75; // of the typical error
const smallest_bias = 1.5;

/**
 * {side, factor}: "high" or "low" if the guesses are mostly off to one side, by the median factor;
 * otherwise "", and half of the guesses are within the factor. `ratios` must not be empty.
 */
export function bias_of(ratios) {
  const logs = ratios.map(Math.log10);
  const middle = median(logs);
  const typical = median(logs.map(Math.abs));
  const factor = 10 ** Math.abs(middle);
  if (factor >= smallest_bias && Math.abs(middle) >= same_side * typical)
    return { side: middle > 0 ? "high" : "low", factor };
  return { side: "", factor: 10 ** typical };
}

/** Groups records by `name_of(record)`, in the order of first appearance. */
export function grouped(records, name_of) {
  const groups = new Map();
  for (const record of records) {
    const name = name_of(record);
    groups.set(name, [...(groups.get(name) ?? []), record]);
  }
  return groups;
}

/** At most three questions to ask again: those that were farthest off. */
export const to_ask_again = (records) =>
  records
    .map((record) => ({ record, off: Math.abs(Math.log10(ratio_of(record.tries.at(-1)))) }))
    .sort((a, b) => b.off - a.off)
    .slice(0, 3)
    .map(({ record }) => record);
