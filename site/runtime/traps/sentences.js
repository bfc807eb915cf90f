// The traps of /traps/ and what is said of their results. Pure.

import { digits } from "../base/digits.js";

/** From this ratio on (or below its inverse) a trap has bitten: less is within the noise. */
export const bitten = 1.15;

/**
 * `id` is that of the heading in the page; `wrong` and `right` name what was measured; `says` is
 * which way the wrong number errs. The other way round it is noise.
 */
export const traps = [
  trap("untouched-pages", "pages never written", "pages written before", "more"),
  trap("denormals", "denormal numbers", "ordinary numbers", "less"),
  trap("too-few-chains", "one sum", "eight sums", "less"),
  trap("an-index-in-the-chase", "indices", "addresses", "more"),
  trap("dead-code", "the sum that nobody reads", "the sum that is kept", "more"),
  trap("a-coarse-clock", "the best of 60 short readings", "the median between edges", "more"),
  trap("one-long-first-call", "one long first call", "the same code, warm", "less"),
  trap("aliased-rows", "rows of 4,096 bytes", "rows of 4,160 bytes", "more"),
];

function trap(id, wrong, right, says) {
  return { id, wrong, right, says };
}

const rate = (value, unit) =>
  Number.isFinite(value) ? `${digits(value)} ${unit}` : `more ${unit} than the clock can tell`;

const times = (ratio) => (Number.isFinite(ratio) ? `${digits(ratio)} times` : "infinitely");

/**
 * [state, words] for a worker's result: {id, unit, wrong, right, ratio, is_checked, reason}. Wrong
 * and right are medians in `unit`, `ratio` that of rounds in which both ran; `is_checked` tells
 * whether the wrong run's result stood the check.
 */
export function sentence({ id, unit, wrong, right, ratio, is_checked, reason }) {
  if (reason) return ["unavailable", `Unavailable, because ${reason}.`];
  const { says, ...names } = traps.find((one) => one.id === id);
  const seen = `Here: ${names.wrong} ${rate(wrong, unit)}, ${names.right} ${rate(right, unit)}.`;
  const far = says === "more" ? ratio : 1 / ratio;
  const errs = unit === "ns" ? "too long" : says === "more" ? "too high" : "too low";
  const verdict =
    far >= bitten
      ? `The wrong number is ${times(far)} ${errs}.`
      : "On this machine and in this browser the trap does not bite.";
  const check = is_checked ? "" : " The check catches it: nothing was computed.";
  return [far >= bitten ? "bites" : "harmless", `${seen} ${verdict}${check}`];
}

/** The longest words that `sentence` has for a result of this trap. */
export const longest = (id) => {
  const { says } = traps.find((one) => one.id === id);
  const ratio = says === "more" ? 1e6 : 1e-6;
  const endless = { wrong: Infinity, right: Infinity, unit: "GFLOP/s" };
  return sentence({ id, ...endless, ratio, is_checked: false })[1];
};
