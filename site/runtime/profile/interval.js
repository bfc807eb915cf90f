// The interval around a number: a second run on the same machine falls inside it 9 times out of 10.
// The spread of the parts of a run shows what changes within seconds. In addition, runs of quiet
// machines differ by some minimum, because of the placement of their data and the engine's code,
// and the interval is never narrower than that. Pure.

import { median } from "../base/stats.js";

const own_bytes = 2 ** 18; // up to this size, data is in caches that belong to one core
const shared_bytes = 2 ** 22; // above this size, data is in memory or competes for a shared cache
// Smallest half of an interval, as a share of the value.
const between_runs = { own: 0.02, shared: 0.04, memory: 0.08 };
const parts = 3; // of a run's samples, in the order in which they were taken
// Times the range of the medians of this many parts, for the half that the difference of two runs
// exceeds once in ten times (Student's t).
const of_range = { 2: 4, 3: 1.4, 4: 0.95, 5: 0.7 };
const most_within = 0.5; // of the value; a few samples cannot show more than that
const of_mad = 3; // times the median absolute deviation, if a run has no samples

const ranged = ["disturbed", "drift"];
/**
 * Whether a result is a range instead of a number, because other programs used the core or its
 * clock moved.
 */
export const has_range = ({ flags = [] }) => flags.some((flag) => ranged.includes(flag));

/**
 * Where the data of a result probably is, given its size: "own" caches, "shared" ones or "memory".
 */
function place_of({ params = {}, unit, bytes = 0 }) {
  const set = unit === "ns" ? params.w : bytes;
  if (!(set > own_bytes)) return "own";
  return set > shared_bytes ? "memory" : "shared";
}

/** The medians of the parts of a run; if it has few samples, the samples. */
function part_medians(values) {
  if (values.length <= Math.max(...Object.keys(of_range))) return values;
  const size = values.length / parts;
  return Array.from({ length: parts }, (_, i) =>
    median(values.slice(Math.round(i * size), Math.round((i + 1) * size))),
  );
}

/** Half of the interval of an undisturbed result. */
function half_of(result) {
  const { median: value, values, mad = 0 } = result;
  const least = between_runs[place_of(result)] * value;
  const medians = part_medians(values ?? []);
  const within =
    medians.length >= 2
      ? of_range[medians.length] * (Math.max(...medians) - Math.min(...medians))
      : of_mad * mad;
  return Math.hypot(Math.min(within, most_within * value), least);
}

// Interrupted calls are left out, but interruptions still affect a result: caches are cold after
// them, and a single long call cannot be divided.
const left_of_cut = 0.2; // share of the lost time that still affects a result

/**
 * The interval of a result: {low, high}. `lost_share` is the share of the time that other programs
 * had the core; 0 unless that was too much for a single number. In that case, the interval spans
 * all samples and extends further on the fast side, because every sample may have been interrupted.
 * `is_cut`: interrupted calls were left out. `unit_share` is the share of the core's units that
 * other programs used at the same time; without them, the result may be that much faster. The
 * interval also spans all samples if the clock moved so much that they cannot be compared (the flag
 * "drift").
 */
export function interval_from(result, { lost_share = 0, unit_share = 0, is_cut = false } = {}) {
  const { median: value, values = [], unit } = result;
  if (!(lost_share > 0 || unit_share > 0) && !has_range(result)) {
    const half = half_of(result);
    return { low: Math.max(0, value - half), high: value + half };
  }
  const least = between_runs[place_of(result)] * value;
  const low = Math.min(value, ...values) - least;
  const high = Math.max(value, ...values) + least;
  const hidden = is_cut ? left_of_cut * lost_share : lost_share;
  const [alone, whole] = [hidden, unit_share].map((share) => 1 - Math.min(0.9, share));
  const faster = 1 / (alone * whole);
  return unit === "ns"
    ? { low: Math.max(0, low / faster), high }
    : { low: Math.max(0, low), high: high * faster };
}

/** The stored interval of a result, otherwise one computed from its other numbers. */
export function interval_of(result) {
  const { low, high } = result;
  return Number.isFinite(low) && high >= low ? { low, high } : interval_from(result);
}

/** Half of the interval of a result. */
export function around_of(result) {
  const { low, high } = interval_of(result);
  return (high - low) / 2;
}
