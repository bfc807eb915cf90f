// The reader's result as one object and one headline. The home page, the chip and the card all take
// their numbers from here, so that they cannot disagree. The state is one of
//
//  steady   both roofs of one core are trustworthy: {ceiling, slope, ridge, half}, where `half` is
//           half of the interval of the ridge, or 0 if it is unknown
//  range    they are not, because other programs had the core (`is_busy`) or its clock moved:
//           {arithmetic, memory}, each {low, high} or null
//  none     the page shows the reference machine
//
// Only the steady state has a ridge, because a ratio of doubtful numbers would look like a result.
// Pure, except that the words are in the page's language.

import { digits } from "../base/digits.js";
import { word } from "../base/language.js";
import { busy_share } from "../kernels/lost_time.js";
import { corner_of } from "./machine_summary.js";
import { spread_words } from "./result_text.js";

const is_range = (range) => Number.isFinite(range?.low) && range.low > 0 && range.high >= range.low;

/** The state of a profile, in GFLOP/s, GB/s and FLOP/B; `profile` may be null. */
export function standing_of(profile) {
  if (!profile) return { state: "none" };
  const { ceiling, slope, around } = corner_of(profile);
  if (ceiling > 0 && slope > 0) {
    const ridge = ceiling / slope;
    return { state: "steady", ceiling, slope, ridge, half: ridge * around };
  }
  const [arithmetic, memory] = ["arithmetic", "memory"].map((name) => {
    const range = profile.disturbed?.[name];
    return is_range(range) ? range : null;
  });
  const { lost_share } = profile; // missing in profiles of earlier versions, whose cores were busy
  const is_busy = lost_share === undefined || lost_share > busy_share;
  return arithmetic || memory ? { state: "range", is_busy, arithmetic, memory } : { state: "none" };
}

/** The core whose numbers a page shows: the reader's after a steady run, or the reference. */
export function core_of(own, reference) {
  const standing = standing_of(own);
  return standing.state === "steady"
    ? { ...standing, is_readers: true }
    : { ...corner_of(reference), is_readers: false };
}

/**
 * The headline for a result; "" in the state "none". `needs` is the ridge of an H100 in FLOP/B, or
 * null if the book has no H100, and `guess` the ridge that the reader guessed, or null if they did
 * not guess.
 */
export function headline_of(standing, { needs, guess = null }) {
  if (standing.state === "range") return range_headline(standing);
  if (standing.state !== "steady") return "";
  const { ridge, half } = standing;
  const n = digits(ridge, 2) + (half > 0 ? spread_words(half) : "");
  const answer =
    needs > 0
      ? word("{n} FLOPs per byte. An H100 needs {needs}.", { n, needs: digits(needs, 3) })
      : word("{n} FLOPs per byte.", { n });
  return guess > 0 ? `${answer} ${word("You guessed {n}.", { n: digits(guess, 2) })}` : answer;
}

function range_headline({ is_busy, arithmetic, memory }) {
  const { low, high } = arithmetic ?? memory;
  const ends = { low: digits(low, 2), high: digits(high, 2) };
  if (!is_busy)
    return arithmetic
      ? word("Your core's clock moved: between {low} and {high} GFLOP/s", ends)
      : word("Your core's clock moved: between {low} and {high} GB/s", ends);
  return arithmetic
    ? word("Your machine was busy: between {low} and {high} GFLOP/s", ends)
    : word("Your machine was busy: between {low} and {high} GB/s", ends);
}

/** "56 GFLOP/s" and "27 GB/s"; a roof that was not measured is left out. */
export function roof_words(profile) {
  const { ceiling, slope } = corner_of(profile);
  return [
    ceiling > 0 ? `${digits(ceiling, 2)} GFLOP/s` : "",
    slope > 0 ? `${digits(slope, 2)} GB/s` : "",
  ].filter(Boolean);
}
