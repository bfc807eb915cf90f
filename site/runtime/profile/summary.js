// Summarizes samples into one result of the profile, with flags for everything that may be wrong
// with it.

import { mad, median, plateau, quantile } from "../base/stats.js";
import { interval_from } from "./interval.js";
import { busy_share } from "../kernels/lost_time.js";

/**
 * Explains the flags of results. No sentence uses a number with "drift", "disturbed" or
 * "slow-tier".
 */
export const flag_words = {
  "coarse-tick": "the browser's clock is coarse, so small differences are lost",
  "few-samples": "fewer samples than usual",
  drift: "the processor's clock moved during the measurement",
  disturbed:
    "other programs took the core for part of the time, so this is a range: close them, and measure again",
  throttled:
    "the core ended slower than it began (heat, battery, or a busy neighbor), and this is its speed at its best",
  "below-best":
    "the core ran slower than in an earlier run (heat, battery, or a busy neighbor), and this is its speed at its best",
  "slow-tier":
    "the browser ran unoptimised code: close the developer tools, or switch its optimiser on, " +
    "and measure again",
  clamped: "the browser reports fewer cores than there are",
  "two-speeds":
    "it ran at two speeds, a quarter or more apart, so its typical value is only one of them",
  "in-cache": "no plateau was reached: the data may still be in a cache",
  hidden: "the page was hidden while measuring",
  "beyond-roof":
    "it was faster than its ceiling, which an earlier run found at another clock: measure everything again",
  "lifted-roof": "this kernel was faster than its probe and lifted the roof",
  unverified: "the result was wrong",
  "no-plateau": "the rate still grew at the largest size",
  software: "software on the CPU computed this, not a GPU",
};

/**
 * The value of a run in the kernel's unit: rates are work per second, "ns" is time per step (the
 * kernel counts steps as operations).
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
const as_fast = 1.08; // times the fastest; a shorter sample ran on one kind of core only

/**
 * If the thread moves between two kinds of core, the samples about as fast as the fastest. A long
 * sample may have used both even though it began and ended on one.
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

/** The three fastest samples per unit of work. */
function fastest_of(samples, canary) {
  const work = (sample) => sample.seconds * clock_of(sample, canary);
  return [...samples].sort((a, b) => work(a) - work(b)).slice(0, fewest_steady);
}

/**
 * The samples on a steady core: {kept, drifted}. If at least three are left, samples that another
 * program interrupted throughout are dropped first. If fewer than three are steady, all count, and
 * `drifted` is true.
 */
function steady_samples(all, canary) {
  const own = all.filter(({ is_gone }) => !is_gone);
  const samples = own.length >= fewest_steady ? own : all;
  const steady = samples.filter(({ before, after }) => canary.steady(before, after));
  const drifted = steady.length < fewest_steady;
  return { kept: drifted ? samples : all_at_home(steady, canary), drifted };
}

/**
 * The time per run of the samples that count and of those that another program interrupted, with
 * the interruptions, because the slowest runs are what a promise of a time depends on.
 */
const whole_times = (all, kept) =>
  all
    .filter((sample) => sample.is_gone || kept.includes(sample))
    .map(({ whole, seconds }) => whole ?? seconds);

const finest_told = 0.075; // largest error of the clock with which results are scaled
export const own_bytes = 2 ** 18; // sets up to this size are in caches that run at the core's clock
const clock_of = (sample, canary) => canary.clock_at?.(sample) ?? canary.clock_ghz;

/** Whether a kernel only moves data: a stream or a chase. */
export const is_moving = ({ unit, class: kind }) => unit === "ns" || kind === "memory";

const nearly = 0.25; // exponents this close to 0 or 1 differ from it only by noise

/**
 * How far `rates` follow the clock, from 0 (not at all) to 1: the median rate on the faster half of
 * the samples over that on the slower half, as an exponent of the ratio of the clocks. `shares` are
 * the samples' clocks.
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

/**
 * The clocks of the samples as shares of the best, and whether they differ enough to show what
 * follows them: {shares, is_varied}.
 */
function clocks_of(samples, canary) {
  const shares = samples.map((sample) => clock_of(sample, canary) / canary.clock_ghz);
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  return { shares, is_varied: high - low > Math.max(canary.told, (1 - low) / 2) };
}

/**
 * Whether a stream or chase that was sampled at several clocks followed them. False if that is
 * unknown.
 */
export function goes_by_clock({ kernel, samples, check }, canary) {
  if (!check || !is_moving(kernel) || !(canary.told <= finest_told)) return false;
  const { kept, drifted } = steady_samples(samples, canary);
  if (drifted) return false;
  const { shares, is_varied } = clocks_of(kept, canary);
  const rates = kept.map(({ seconds }) => 1 / seconds);
  return is_varied && power_of_clock(rates, shares) === 1;
}

/**
 * Factors that scale each sample to the best clock, and whether the kernel follows the clock:
 * {factors, follows}. A kernel that touches no memory follows the clock. Other kernels are scaled
 * as far as they followed the clock when it changed. If it did not change, a kernel follows it if
 * its set is within one that did (`is_within`), and otherwise as far as its bytes at the rate of
 * memory (`memory_gbs`) allow.
 */
function at_best_clock(rates, samples, how) {
  const { kernel, bytes, set, canary, memory_gbs = 0, is_within, threads, drifted } = how;
  const { shares, is_varied } = clocks_of(samples, canary);
  const is_fine = canary.told <= finest_told;
  const is_moved = is_fine && shares.some((share) => Math.abs(share - 1) > canary.told);
  const as_it_is = { factors: shares.map(() => 1), follows: false };
  if (!is_moved || threads > 1) return as_it_is; // the canary shows only one thread's clock
  if (drifted) return as_it_is; // the range of what really ran
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

/**
 * {sustained}: the rate, or latency, at the final clock, computed from that at the best clock; {}
 * if the clock did not fall.
 */
function sustained_of(value, unit, follows, canary) {
  if (!(canary.throttled || canary.is_below_best) || !follows) return {};
  const share = Math.min(1, canary.sustained_ghz / canary.clock_ghz);
  return { sustained: unit === "ns" ? value / share : value * share };
}

/** What a result says whose check failed. */
function wrong_result({ error, tolerance }) {
  if (error <= tolerance) return null;
  const [found, allowed] = [error, tolerance].map((x) => x.toPrecision(2));
  const reason = `its result was wrong (error ${found}, allowed ${allowed})`;
  return { status: "unavailable", reason, flags: ["unverified"], verified: false };
}

/**
 * One result in the format of the profile; `status` is "unavailable" with a reason if there is no
 * trustworthy number. Other programs had the core for `lost_share` of the time and used the share
 * `unit_share` of its units.
 */
export function summarise(state, module, how) {
  const { canary, memory_gbs, is_within, lost_share = null, unit_share = 0 } = how;
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
  const wrong = wrong_result(state.check);
  if (wrong) return { ...head, ...wrong };
  module.select(kernel, used);
  const flops = module.flops(kernel);
  const bytes = module.bytes(kernel);
  const { kept, drifted } = steady_samples(state.samples, canary);
  const raw = kept.map(({ seconds }) => value_of(kernel.unit, seconds, flops, bytes));
  const is_wait = kernel.unit === "ns";
  // A run of a chase visits only a part of its set. If the thread stays on one kind of core, the
  // early sample shows what the chase follows.
  const set = !is_wait ? bytes : canary.is_of_two ? used.w : Infinity;
  const { factors, follows } = at_best_clock(is_wait ? raw.map((v) => 1 / v) : raw, kept, {
    ...{ kernel, bytes, set, canary, memory_gbs, is_within, threads, drifted },
  });
  const values = raw.map((v, i) => (is_wait ? v / factors[i] : v * factors[i]));
  const times = whole_times(state.samples, kept);
  const busy = lost_share > busy_share ? lost_share : 0;
  const clock = median(kept.map((s) => s.clock_error));
  const result = {
    ...head,
    status: "measured",
    flags: flags_of({ clock, drifted, canary, values, is_busy: busy > 0 || unit_share > 0 }),
    best: is_wait ? -plateau(negated(values), clock) : plateau(values, clock),
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
  // If the clock is unknown, the numbers are not finite, and a profile cannot store them.
  if (![result.best, result.median, result.mad].every(Number.isFinite))
    return { ...head, status: "unavailable", reason: too_busy, flags: ["drift"] };
  const is_cut = kept.some((sample) => sample.is_cut) || !(state.unit_ms > short_call_ms);
  return { ...result, ...interval_from(result, { lost_share: busy, unit_share, is_cut }) };
}

export const too_busy = "other programs kept the core busy until time ran out";
const negated = (values) => values.map((v) => -v);

const short_call_ms = 1; // shorter calls are seldom interrupted, and if so, they are left out
const usual_samples = 5; // a result from fewer samples gets the flag "few-samples"
const leap = 1.25; // ratio of two rates that count as two speeds
const shift = 5; // median deviations between the first half and the second

/**
 * Whether the kernel ran at two speeds, one after the other or alternating. `values` are in sample
 * order.
 */
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

function flags_of({ clock, drifted, canary, values, is_busy }) {
  const flags = [];
  if (is_busy) flags.push("disturbed");
  if (!canary.throttled && has_two_speeds(values, clock)) flags.push("two-speeds");
  if (clock > 0.025) flags.push("coarse-tick");
  if (drifted) flags.push("drift");
  if (canary.throttled) flags.push("throttled");
  else if (canary.is_below_best) flags.push("below-best");
  if (values.length < usual_samples) flags.push("few-samples");
  return flags;
}
