// From samples to one result of the profile, with everything that may be wrong with it said in
// flags.

import { mad, median, plateau, quantile } from "../base/stats.js";

/**
 * Words for the flags that results carry. "drift" and "slow-tier" keep a number out of sentences.
 */
export const flag_words = {
  "coarse-tick": "the browser's clock is coarse, so small differences are lost",
  "few-samples": "fewer samples than usual",
  drift: "the processor's clock moved during the measurement",
  throttled:
    "the core ended slower than it began (heat, battery, or a busy neighbour), and this is its speed at its best",
  "below-best":
    "the core ran slower than in an earlier run (heat, battery, or a busy neighbour), and this is its speed at its best",
  "slow-tier":
    "the browser ran unoptimised code: close the developer tools, or switch its optimiser on, " +
    "and measure again",
  clamped: "the browser reports fewer cores than there are",
  "two-speeds":
    "it ran at two speeds, a quarter or more apart, so its typical value is only one of them",
  "in-cache": "no plateau was reached: the data may still be in a cache",
  hidden: "the page was hidden while measuring",
  "lifted-roof": "this kernel was faster than its probe and lifted the roof",
  unverified: "the result was wrong",
  "no-plateau": "the rate still grew at the largest size",
  software: "a program on the processor computed this, no GPU",
};

/**
 * A value per run in the kernel's unit: rates count work per second, "ns" is time per step (the
 * kernel counts its steps as its operations).
 */
export function value_of(unit, seconds, flops, bytes) {
  switch (unit) {
    case "GB/s":
      return bytes / seconds / 1e9;
    case "ns":
      return (seconds * 1e9) / (flops || 1);
    default:
      return flops / seconds / 1e9;
  }
}

const fewest_steady = 3;
const as_fast = 1.08; // times the fastest: a sample of that length was all on one kind of core

/**
 * Of a thread that moves between two kinds of core, the samples that are as fast as the fastest: a long one may have been on both
 * though it began and ended on one.
 */
export function on_one_kind(samples, canary) {
  const work = samples.map((sample) => sample.seconds * clock_of(sample, canary));
  return samples.filter((_, i) => work[i] <= as_fast * Math.min(...work));
}

function all_at_home(samples, canary) {
  if (!canary.is_of_two) return samples;
  const alike = on_one_kind(samples, canary);
  return alike.length >= fewest_steady ? alike : fastest_of(samples, canary);
}

/** The three that took the least work. */
function fastest_of(samples, canary) {
  const work = (sample) => sample.seconds * clock_of(sample, canary);
  return [...samples].sort((a, b) => work(a) - work(b)).slice(0, fewest_steady);
}

/** The samples whose canaries held; all of them, flagged, when fewer than three did. */
function steady_samples(samples, canary) {
  const steady = samples.filter(({ before, after }) => canary.steady(before, after));
  const drifted = steady.length < fewest_steady;
  return { kept: drifted ? samples : all_at_home(steady, canary), drifted };
}

const finest_told = 0.075; // of a clock: by one that is known less well nothing is put on another
export const own_bytes = 2 ** 18; // so little lies in caches that run at their core's clock
const clock_of = (sample, canary) => canary.clock_at?.(sample) ?? canary.clock_ghz;

/** Does a kernel move data and nothing else, a stream or a chase? */
export const is_moving = ({ unit, class: kind }) => unit === "ns" || kind === "memory";

const nearly = 0.25; // of a power of the clock: what is that near to all or nothing is so, and off by noise

/**
 * How far `rates` went by the clock, from 0, not at all, to 1: the median rate of the samples on its faster half over that of
 * those on its slower one, as a power of the ratio of both clocks. `shares` are the samples' clocks.
 */
function power_of_clock(rates, shares) {
  const middle = (Math.min(...shares) + Math.max(...shares)) / 2;
  const ratio_of = (values) =>
    median(values.filter((_, i) => shares[i] >= middle)) /
    median(values.filter((_, i) => shares[i] < middle));
  const power = Math.log(ratio_of(rates)) / Math.log(ratio_of(shares));
  if (power > 1 - nearly) return 1;
  return power < nearly ? 0 : power;
}

/** The samples' clocks as shares of the best, and whether they lie far enough apart to tell what follows them. */
function clocks_of(samples, canary) {
  const shares = samples.map((sample) => clock_of(sample, canary) / canary.clock_ghz);
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  return { shares, is_varied: high - low > Math.max(canary.told, (1 - low) / 2) };
}

/** Did a stream or chase that was sampled at several clocks go by them? False where that cannot be told. */
export function goes_by_clock({ kernel, samples, check }, canary) {
  if (!check || !is_moving(kernel) || !(canary.told <= finest_told)) return false;
  const { kept, drifted } = steady_samples(samples, canary);
  if (drifted) return false;
  const { shares, is_varied } = clocks_of(kept, canary);
  const rates = kept.map(({ seconds }) => 1 / seconds);
  return is_varied && power_of_clock(rates, shares) === 1;
}

/**
 * What the clock at its best would have made of each sample's value, as a factor, and whether the kernel follows the clock: {factors, follows}.
 * What touches no memory goes by that clock, and of the rest what did so as the clock moved, as far as it did. Where that
 * does not tell, as when all ran at one clock, it goes by that clock where it lies within a set that did (`is_within`), and else as far as its bytes, at the rate of memory (`memory_gbs`), would let it.
 */
function at_best_clock(rates, samples, how) {
  const { kernel, bytes, set, canary, memory_gbs = 0, is_within } = how;
  const { shares, is_varied } = clocks_of(samples, canary);
  const is_fine = canary.told <= finest_told;
  const is_moved = is_fine && shares.some((share) => Math.abs(share - 1) > canary.told);
  const as_it_is = { factors: shares.map(() => 1), follows: false };
  if (!is_moved) return as_it_is;
  const by = (p) => ({ factors: shares.map((s) => s ** -p), follows: p > 0.5 });
  if (bytes === 0) return by(1);
  if (is_varied) return by(power_of_clock(rates, shares));
  if (is_within || set <= own_bytes) return by(1);
  if (is_moving(kernel)) return as_it_is;
  const bytes_s = bytes / (memory_gbs * 1e9);
  const seconds = samples.map((sample) => sample.seconds);
  if (!(bytes_s < median(seconds))) return as_it_is;
  const limited = (s, i) => Math.max(seconds[i] * s, Math.min(seconds[i], bytes_s));
  return { factors: shares.map((s, i) => seconds[i] / limited(s, i)), follows: true };
}

/** The rate, or the wait, that the clock of the end leaves of one at its best; nothing where it did not fall. */
function sustained_of(value, unit, follows, canary) {
  if (!(canary.throttled || canary.is_below_best) || !follows) return {};
  const share = Math.min(1, canary.sustained_ghz / canary.clock_ghz);
  return { sustained: unit === "ns" ? value / share : value * share };
}

/**
 * One result in the profile's form; `status` is "unavailable" with a reason when there is no number
 * to trust.
 */
export function summarise(state, module, { canary, memory_gbs, is_within }) {
  const { kernel, params, values: used = params, threads = 1, choice } = state;
  const variant = kernel.variant ? { variant: kernel.variant } : {};
  const head = {
    kernel: kernel.id,
    params: { ...params, ...variant },
    threads,
    device: "cpu",
    unit: kernel.unit,
    roof_class: kernel.class,
    ...(choice ? { choice } : {}),
  };
  if (state.reason) return { ...head, status: "unavailable", reason: state.reason, flags: [] };
  const { error, tolerance } = state.check;
  if (!(error <= tolerance)) {
    const [found, allowed] = [error, tolerance].map((x) => x.toPrecision(2));
    const reason = `its result was wrong (error ${found}, allowed ${allowed})`;
    return { ...head, status: "unavailable", reason, flags: ["unverified"], verified: false };
  }
  module.select(kernel, used);
  const flops = module.flops(kernel);
  const bytes = module.bytes(kernel);
  const { kept, drifted } = steady_samples(state.samples, canary);
  const raw = kept.map(({ seconds }) => value_of(kernel.unit, seconds, flops, bytes));
  const is_wait = kernel.unit === "ns";
  // Of a chase a run visits a part. Where nothing moves the thread, the early sample tells what it goes by.
  const set = !is_wait ? bytes : canary.is_of_two ? used.w : Infinity;
  const { factors, follows } = at_best_clock(is_wait ? raw.map((v) => 1 / v) : raw, kept, {
    ...{ kernel, bytes, set, canary, memory_gbs, is_within },
  });
  const values = raw.map((v, i) => (is_wait ? v / factors[i] : v * factors[i]));
  const times = kept.map(({ seconds }) => seconds);
  const clock = median(kept.map((s) => s.clock_error));
  return {
    ...head,
    status: "measured",
    flags: flags_of(state, { clock, drifted, canary, values }),
    best:
      kernel.unit === "ns"
        ? -plateau(
            values.map((v) => -v),
            clock,
          )
        : plateau(values, clock),
    median: median(values),
    ...sustained_of(median(values), kernel.unit, follows, canary),
    mad: Math.max(mad(values), (median(values) * clock) / 2),
    p90: quantile(times, 0.9),
    p99: quantile(times, 0.99),
    samples: kept.length,
    values: values.map((v) => Number(v.toPrecision(5))),
    verified: true,
    flops,
    bytes,
    ...(kernel.unit.startsWith("G") && kernel.unit !== "GB/s"
      ? { per_cycle: median(raw.map((v, i) => v / clock_of(kept[i], canary))) }
      : {}),
  };
}

const leap = 1.25; // of the best over the median
const shift = 5; // median deviations between the first half and the second

/** Did the kernel run at two speeds, one after the other or by turns? `values` in the order of their samples. */
function has_two_speeds(values, clock) {
  if (values.length < 6) return false;
  const half = Math.floor(values.length / 2);
  const [first, second] = [median(values.slice(0, half)), median(values.slice(-half))];
  const own = Math.max(mad(values.slice(0, half)), mad(values.slice(-half)), (first * clock) / 2);
  const apart = Math.abs(first - second);
  if (apart > shift * own && apart > (leap - 1) * Math.min(first, second)) return true;
  const [low, middle, high] = [0.1, 0.5, 0.9].map((q) => quantile(values, q));
  return high > leap * middle || middle > leap * low;
}

function flags_of(state, { clock, drifted, canary, values }) {
  const flags = [];
  if (!canary.throttled && has_two_speeds(values, clock)) flags.push("two-speeds");
  if (clock > 0.025) flags.push("coarse-tick");
  if (drifted) flags.push("drift");
  if (canary.throttled) flags.push("throttled");
  else if (canary.is_below_best) flags.push("below-best");
  if (state.samples.length < 5) flags.push("few-samples");
  return flags;
}
