// The traps of /traps/, and sentences about their results. Pure.

import { digits } from "../base/digits.js";
import { heard, word } from "../base/language.js";

/**
 * The least ratio (or the inverse of the greatest) at which a trap has an effect; less is noise.
 */
export const bitten = 1.15;

/**
 * `id` is the id of the heading in the page; `wrong` and `right` name the two measurements; `says`
 * is the direction of the error. The opposite direction is noise.
 */
export const traps = [
  trap("untouched-pages", word("pages never written"), word("pages written before"), "more"),
  trap("denormals", word("denormal numbers"), word("ordinary numbers"), "less"),
  trap("too-few-chains", word("one sum"), word("eight sums"), "less"),
  trap("an-index-in-the-chase", word("indices"), word("addresses"), "more"),
  trap("dead-code", word("the sum that nobody reads"), word("the sum that is kept"), "more"),
  trap(
    "a-coarse-clock",
    word("the best of 60 short readings"),
    word("the median between edges"),
    "more",
  ),
  trap("one-long-first-call", word("one long first call"), word("the same code, warm"), "less"),
  trap("aliased-rows", word("rows of 64 lines"), word("rows of 65 lines"), "more"),
];

function trap(id, wrong, right, says) {
  return { id, wrong, right, says };
}

const rate = (value, unit) =>
  Number.isFinite(value)
    ? `${digits(value)} ${unit}`
    : word("more {unit} than the clock can resolve", { unit });

/**
 * How far off the wrong number is, as whole sentences, because languages compare in different ways.
 */
function verdict_of(errs, ratio) {
  const is_endless = !Number.isFinite(ratio);
  const n = is_endless ? "" : digits(ratio);
  if (errs === "long") {
    return is_endless
      ? word("The wrong number is infinitely too long.")
      : word("The wrong number is {n} times too long.", { n });
  }
  if (errs === "high") {
    return is_endless
      ? word("The wrong number is infinitely too high.")
      : word("The wrong number is {n} times too high.", { n });
  }
  return is_endless
    ? word("The wrong number is infinitely too low.")
    : word("The wrong number is {n} times too low.", { n });
}

/**
 * [state, words] for a worker's result: {id, unit, wrong, right, ratio, is_checked, reason}.
 * `wrong` and `right` are in `unit`, from the round with the median `ratio`; `is_checked` is
 * whether the wrong run's result passed the check.
 */
export function sentence({ id, unit, wrong, right, ratio, is_checked, reason }) {
  if (reason) return ["unavailable", word("Unavailable, because {why}.", { why: heard(reason) })];
  const { says, ...names } = traps.find((one) => one.id === id);
  const seen = word("Here: {wrong} {a}, {right} {b}.", {
    wrong: names.wrong,
    right: names.right,
    a: rate(wrong, unit),
    b: rate(right, unit),
  });
  const far = says === "more" ? ratio : 1 / ratio;
  const errs = unit === "ns" ? "long" : says === "more" ? "high" : "low";
  const verdict =
    far >= bitten
      ? verdict_of(errs, far)
      : word("On this machine and in this browser the trap makes no difference.");
  const check = is_checked ? "" : word(" The check catches it: nothing was computed.");
  return [far >= bitten ? "bites" : "harmless", `${seen} ${verdict}${check}`];
}

/** The longest text of `sentence` for a result of this trap. */
export const longest = (id) => {
  const { says } = traps.find((one) => one.id === id);
  const ratio = says === "more" ? 1e6 : 1e-6;
  const endless = { wrong: Infinity, right: Infinity, unit: "GFLOP/s" };
  return sentence({ id, ...endless, ratio, is_checked: false })[1];
};
