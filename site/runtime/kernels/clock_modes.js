// Detects two kinds of core in one run: if the system moves a thread between them, the readings
// alternate between two clocks, or between two amounts of work per cycle. Pure.

import { median } from "../base/stats.js";

const fewest = 40; // fewest readings that can show two kinds
const least_share = 0.03; // smallest share of readings of a kind of core
// A kind with a smaller share of readings need not appear in both halves of the run.
const rare_share = 0.25;
const enough_share = 0.25; // results are for the faster kind if it has this share of readings
const least_apart = 1.12; // smallest ratio of the two clocks
// Fewest returns to the faster core. A core that slows down and recovers once is still one core.
const least_returns = 2;
const returns_of_rare = 1; // fewest returns if one of the kinds is rare
const most_unlike = 4; // largest ratio of a kind's shares in the two halves of a run
const near = 0.02; // relative difference of clocks that count as the same
const valley = 0.25; // maximum of readings between two kinds, as a share of those near either clock

/**
 * Replaces each reading by the median of three, so a single disturbed reading does not look like a
 * move to another core.
 */
const smoothed = (readings) =>
  readings.slice(2).map((last, i) => median([readings[i], readings[i + 1], last]));

/** The number of `sorted` readings near `ghz`. */
function crowd(sorted, ghz) {
  const below = (limit) => {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (sorted[middle] < limit) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  return below(ghz * (1 + near)) - below(ghz * (1 - near));
}

/**
 * The clock with the fewest readings between two clusters, {limit, count}; both sides have at least
 * the least share.
 */
function emptiest(sorted) {
  const edge = Math.ceil(sorted.length * least_share);
  let found = { from: 0, to: 0, count: Infinity };
  let is_adjoining = false;
  const last = sorted[sorted.length - 1 - edge];
  for (let limit = sorted[edge]; limit < last; limit *= 1 + near / 4) {
    const count = crowd(sorted, limit);
    if (count < found.count) found = { from: limit, to: limit, count };
    else if (count === found.count && is_adjoining) found.to = limit;
    is_adjoining = count === found.count;
  }
  return { limit: Math.sqrt(found.from * found.to), count: found.count };
}

/**
 * Whether the clock crossed `limit` repeatedly, and in both halves alike. A core that heats up
 * crosses it once.
 */
function is_by_turns(readings, limit) {
  const returns = readings.filter((ghz, i) => ghz >= limit && readings[i - 1] < limit);
  const fast = (part) => part.filter((ghz) => ghz >= limit).length / part.length;
  const all = fast(readings);
  if (Math.min(all, 1 - all) < rare_share && returns.length >= returns_of_rare) return true;
  if (returns.length < least_returns) return false;
  const half = Math.floor(readings.length / 2);
  const [first, second] = [fast(readings.slice(0, half)), fast(readings.slice(half))];
  const alike = (a, b) => Math.min(a, b) * most_unlike >= Math.max(a, b);
  return alike(first, second) && alike(1 - first, 1 - second);
}

/**
 * The band [from, to] of `all_readings` (clocks, or another quantity that is higher on the faster
 * core) that belongs to the kind of core that results are reported for: the faster one if it has at
 * least a quarter of the readings. If the readings are from one core, the band contains all of
 * them, even if it slowed down or was disturbed.
 */
export function home_band(all_readings) {
  const all = [0, Infinity];
  if (all_readings.length < fewest) return all;
  const readings = smoothed(all_readings);
  const sorted = Float64Array.from(readings).sort();
  const { limit, count } = emptiest(sorted);
  const at = sorted.findIndex((ghz) => ghz >= limit);
  const [slow, fast] = [sorted.subarray(0, at), sorted.subarray(at)].map((part) => median(part));
  if (count === Infinity || fast < slow * least_apart) return all;
  if (count > valley * Math.min(crowd(sorted, slow), crowd(sorted, fast))) return all;
  if (!is_by_turns(readings, limit)) return all;
  return sorted.length - at >= enough_share * sorted.length ? [limit, Infinity] : [0, limit];
}
