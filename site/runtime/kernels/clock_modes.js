// Two machines in one run: a thread that the system moves between two kinds of core reads two clocks by turns, or does
// two amounts of work a cycle. Pure.

import { median } from "../base/stats.js";

const fewest = 40; // readings
const least_share = 0.03; // of all readings, for a kind of core to be one
const rare_share = 0.25; // of all readings: a kind of core with fewer need not be there in both halves alike
const enough_share = 0.25; // of all readings, for the faster one to be the one that is told
const least_apart = 1.12; // between both clocks
const least_returns = 2; // to the faster core: a core that slows down and recovers once is still the same
const returns_of_rare = 1; // and where one of both is rare
const most_unlike = 4; // times: the shares of a kind of core in the first and the second half of a run
const near = 0.02; // of a clock
const valley = 0.25; // of what lies near the clock of either: so few readings lie between two kinds of core

/** Each reading as the middle one of three: one that was disturbed is no move to another core. */
const smoothed = (readings) =>
  readings.slice(2).map((last, i) => median([readings[i], readings[i + 1], last]));

/** How many of the `sorted` readings lie near `ghz`. */
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

/** The emptiest clock between two crowds, {limit, count}: no fewer than the least share lie on either side. */
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
 * Did the clock go over and under `limit` by turns, and in both halves alike? Heat leaves a faster clock behind it, and
 * does so once.
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
 * The band of `all_readings`, [from, to], clocks or anything else that is more on the faster core, of the kind of core that results are told of: the faster one where a quarter of
 * the readings are its own. All clocks where the readings come from one core, slowed down or disturbed as it may be.
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
