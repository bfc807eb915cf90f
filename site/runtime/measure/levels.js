// The caches of a machine, from where its own curves bend. A chase waits longer at each level that no
// longer holds its set, so latency shows every cache; bandwidth shows one where no chase reaches. A
// level's number is its place from the inside, and its size is told by two working sets: the largest
// that it held and the smallest that it did not. Pure.

import { median } from "../base/stats.js";

// Slopes are of the logarithms: 1 doubles the time when the set doubles.
const climbing = 0.15;
const steep = 0.3; // somewhere on every rise
const least_rise = 1.2; // from its foot to its top
const valley = 0.5; // of the lower of both slopes beside it: two rises, not one
const held = 0.05; // share of the way up to the next level that still counts as held
const gone = 0.1; // and that no longer does
export const clear = 2; // times the size at which the level inside ends: nearly nothing hits there
const fewest_points = 6;
const alike = 0.05; // latencies of one level
const own_reach = 4; // times what the walk found, beyond which it is another cache that no walk showed
const as_fast = 0.85; // of what a cache reads beyond memory's rate: still from that cache

/** The least-squares curve through positive `values` that never falls, in logarithms. */
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

/** Stretches of a curve that climb, as {foot, top}, points of it; split where one flattens out between. */
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

/** The climb from point `foot` to `top`, cut at each slope that is small beside those before and after. */
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
 * Where a curve of `times` over `sizes` leaves its levels: [{low, high}], the largest set that was held
 * and the smallest that was not.
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
 * Caches from the inside: [{low, high, chases, reads}] with the points at which hardly anything else
 * answers, and `beyond`, the points past the last of them. `chases` and `reads` rise with their set.
 * Reads alone do not tell how many caches there are, and give none.
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
 * A walk goes ten to a hundred times slower than a stream, so others have that much longer to displace what it comes back to: of a
 * cache that it shares it finds less. What is still read as fast as there lies in the last cache all the same, so that
 * ends where reads leave it, and `walked` is how far the walk found it.
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

/** Of `curve` the points of a level that ends at `low` and begins where the one inside ended. */
function points_in(curve, inner, low) {
  const within = curve.filter(({ params: { w } }) => w > inner && w <= low);
  const undisturbed = within.filter(({ params: { w } }) => w >= clear * inner);
  return undisturbed.length > 0 ? undisturbed : within.slice(-1);
}

/**
 * The latency of a level, from its chases by rising set: the level inside still answers some of the smaller ones, the
 * next one some of the larger ones. So what counts is where the curve climbs least, and all that lies near that. A set that a larger
 * one undercuts was disturbed: what fits a smaller set is answered no later.
 */
export function typical_latency(chases) {
  const times = chases.map((_, i) => Math.min(...chases.slice(i).map((r) => r.median)));
  const steps = times.slice(1).map((time, i) => Math.abs(Math.log(time / times[i])));
  const flattest = times[steps.indexOf(Math.min(...steps)) + 1];
  return median(times.filter((time) => Math.abs(time / flattest - 1) <= alike));
}
