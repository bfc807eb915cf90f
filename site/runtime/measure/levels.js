// Finds the caches of a machine from the bends of its curves. A chase slows down at each level that
// no longer holds its working set, so latency shows every cache. Bandwidth adds a cache beyond the
// largest chase. Levels are numbered from the core outward. The size of a level is a range: the
// largest working set that fits and the smallest that does not. Pure.

import { median } from "../base/stats.js";

// Slopes are those of logarithms: at slope 1, the time doubles when the set doubles.
const climbing = 0.15;
const steep = 0.3; // every rise is this steep somewhere
const least_rise = 1.2; // ratio of the times at its top and its foot
// A slope below this share of the lower of its neighbors separates two rises.
const valley = 0.5;
const held = 0.05; // share of the rise to the next level up to which a set still fits
const gone = 0.1; // share above which it no longer fits
// Times the size of the next inner level; at this size, hardly anything hits there.
export const clear = 2;
const fewest_points = 6;
const alike = 0.05; // relative difference of the latencies of one level
// Reads that bend beyond this multiple of the last size that chases found show another cache.
const own_reach = 4;
// Of a cache's read rate in excess of memory's; faster reads still come from the cache.
const as_fast = 0.85;

/**
 * The non-decreasing curve through positive `values` with the least squared error in logarithms.
 */
function rising(values) {
  const blocks = [];
  for (const value of values) {
    let block = { sum: Math.log(value), count: 1 };
    while (blocks.length > 0) {
      const last = blocks[blocks.length - 1];
      if (last.sum / last.count <= block.sum / block.count) break;
      blocks.pop();
      block = { sum: last.sum + block.sum, count: last.count + block.count };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, count }) => new Array(count).fill(Math.exp(sum / count)));
}

/**
 * The rises of a curve as {foot, top}, indices of its points. A rise that flattens in between
 * counts as two.
 */
function climbs(sizes, times) {
  const slopes = times
    .slice(1)
    .map((time, i) => Math.log(time / times[i]) / Math.log(sizes[i + 1] / sizes[i]));
  const found = [];
  let foot = null;
  for (let i = 0; i <= slopes.length; ++i) {
    if (slopes[i] > climbing) foot ??= i;
    else if (foot !== null) {
      found.push(...split(slopes, foot, i));
      foot = null;
    }
  }
  return found.filter(
    ({ foot: a, top }) =>
      Math.max(...slopes.slice(a, top)) >= steep && times[top] >= times[a] * least_rise,
  );
}

/**
 * Splits the rise from point `foot` to point `top` at each slope that is small compared with those
 * before and after it.
 */
function split(slopes, foot, top) {
  for (let i = foot + 1; i < top - 1; ++i) {
    const before = Math.max(...slopes.slice(foot, i));
    const after = Math.max(...slopes.slice(i + 1, top));
    const is_least = slopes[i] <= slopes[i - 1] && slopes[i] <= slopes[i + 1];
    if (is_least && slopes[i] < valley * Math.min(before, after))
      return [{ foot, top: i }, ...split(slopes, i + 1, top)];
  }
  return [{ foot, top }];
}

/**
 * Where a curve of times over `sizes` leaves its levels: [{low, high}], the largest set that fits
 * and the smallest that does not.
 */
export function bends(sizes, measured) {
  const times = rising(measured);
  const found = climbs(sizes, times);
  return found.map(({ foot, top }, i) => {
    const inside = times[foot];
    const outside = times[found[i + 1]?.foot ?? top];
    const share = (at) => (times[at] - inside) / (outside - inside);
    let low = foot;
    while (share(low + 1) <= held) ++low;
    let high = low + 1;
    while (share(high) <= gone) ++high;
    return { low: sizes[low], high: sizes[high] };
  });
}

/**
 * {caches, beyond}. `caches` are the caches from the core outward: [{low, high, chases, reads}]
 * with the points that hardly any other level answers. `beyond` are the reads past the last cache.
 * The arguments are results in ascending order of their sets. With too few chases there are no
 * caches, because reads alone do not show how many there are.
 */
export function find_levels(chases, reads) {
  const size = ({ params }) => params.w;
  const is_whole = chases.length >= fewest_points && size(chases[0]) <= size(reads[0]);
  if (!is_whole) return { caches: [], beyond: points_in(reads, 0, Infinity) };
  const ends = bends(
    chases.map(size),
    chases.map((r) => r.median),
  );
  const reach = size(chases[chases.length - 1]);
  const further = bends(
    reads.map(size),
    reads.map((r) => 1 / r.best),
  ).filter(({ low }) => low >= reach);
  const all = read_further([...ends, ...further], reads);
  const caches = all.map((end, i) => {
    const inner = all[i - 1]?.high ?? 0;
    return {
      ...{ low: end.low, high: end.high },
      chases: points_in(chases, inner, end.walked ?? end.low),
      reads: points_in(reads, inner, end.low),
    };
  });
  const last = all[all.length - 1]?.high ?? 0;
  return { caches, beyond: points_in(reads, last, Infinity) };
}

/**
 * A chase is ten to a hundred times slower than a stream, so other programs have that much longer
 * to evict its data, and it finds a shared cache smaller than it is. If larger sets are still read
 * as fast as the last cache delivers, they are in that cache. So this moves the end of the last
 * cache to where reads leave it; `walked` is then the size that the chase found.
 */
function read_further(ends, reads) {
  const end = ends.at(-1);
  const size = ({ params }) => params.w;
  const left = bends(
    reads.map(size),
    reads.map((r) => 1 / r.best),
  ).at(-1);
  if (!end || !left || left.low < end.high || left.low > own_reach * end.high) return ends;
  const rate = (w) => reads.findLast((r) => size(r) <= w)?.best;
  const outside = reads.at(-1).best;
  const is_same = rate(left.low) - outside >= as_fast * (rate(end.low) - outside);
  return is_same ? [...ends.slice(0, -1), { ...left, walked: end.low }] : ends;
}

/**
 * The points of `curve` in a level that ends at `low` and begins at `inner`, where the previous
 * level ended. Points close to `inner` are left out unless there are no others.
 */
function points_in(curve, inner, low) {
  const within = curve.filter(({ params: { w } }) => w > inner && w <= low);
  const undisturbed = within.filter(({ params: { w } }) => w >= clear * inner);
  return undisturbed.length > 0 ? undisturbed : within.slice(-1);
}

/**
 * The latency of a level in ns, from its chases in ascending order of their sets. The inner level
 * still answers some loads of the smaller sets, and the next level answers some of the larger ones.
 * So the typical latency is the median of those near the flattest part of the curve. If a set is
 * slower than a larger one, something disturbed it, so the time of the larger set replaces its
 * time.
 */
export function typical_latency(chases) {
  const times = chases.map((_, i) => Math.min(...chases.slice(i).map((r) => r.median)));
  const steps = times.slice(1).map((time, i) => Math.abs(Math.log(time / times[i])));
  const flattest = times[steps.indexOf(Math.min(...steps)) + 1];
  return median(times.filter((time) => Math.abs(time / flattest - 1) <= alike));
}
