// Robust statistics for timings. Timing noise is positive, skewed and not independent, so nothing
// here uses means. The typical value is the median, the best one a high quantile, and the error a
// median absolute deviation. Pure functions over arrays of numbers; an empty array gives NaN, never
// an exception.

const ascending = (a, b) => a - b;

/** The q-quantile (0 … 1), interpolated linearly between neighbors. */
export function quantile(values, q) {
  if (values.length === 0) return NaN;
  const sorted = Float64Array.from(values).sort();
  const at = (sorted.length - 1) * Math.min(1, Math.max(0, q));
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

export const median = (values) => quantile(values, 0.5);

/** Median absolute deviation, unscaled: half of the values are within it of the median. */
export function mad(values) {
  const middle = median(values);
  return median(values.map((v) => Math.abs(v - middle)));
}

/**
 * The high plateau of rates: their 90th percentile. If the clock error is more than `coarse_limit`
 * of a sample, a high quantile would measure the clock instead of the machine, so this returns the
 * median.
 */
export function plateau(rates, clock_error = 0, coarse_limit = 0.025) {
  return clock_error > coarse_limit ? median(rates) : quantile(rates, 0.9);
}

const tie = 0.015; // a smaller lead may be gone tomorrow

/**
 * Ranks the entrants of a race ({value}, a rate; in order of preference). The winner is the first
 * one that ties with the fastest; the others follow, fastest first. Entrants without a rate are
 * left out.
 */
export function ranked(entrants) {
  const timed = entrants.filter(({ value }) => value > 0);
  const best = Math.max(...timed.map(({ value }) => value));
  const winner = timed.find(({ value }) => value >= best * (1 - tie));
  return timed.sort((a, b) => (b === winner) - (a === winner) || b.value - a.value);
}

/** Ratio of two kernels over rounds in which both ran, so that drift cancels: {ratio, mad}. */
export function paired_ratio(above, below) {
  const ratios = [];
  for (let i = 0; i < Math.min(above.length, below.length); ++i) {
    const ratio = above[i] / below[i];
    if (Number.isFinite(ratio)) ratios.push(ratio);
  }
  return { ratio: median(ratios), mad: mad(ratios) };
}

/**
 * The round with the median ratio, of those in which both ran: {above, below, ratio} of the same
 * round, so that they agree.
 */
export function middle_round(above, below) {
  const ran = above
    .slice(0, below.length)
    .map((value, i) => ({ above: value, below: below[i], ratio: value / below[i] }))
    .filter(({ ratio }) => !Number.isNaN(ratio))
    .sort((a, b) => ascending(a.ratio, b.ratio));
  if (ran.length === 0) return { above: NaN, below: NaN, ratio: NaN };
  return ran[Math.floor((ran.length - 1) / 2)];
}

/**
 * Splits a curve y[0…n) into at most `max_levels` plateaus (2 … 4 for caches) by dynamic
 * programming on the squared error of log y. Another plateau is accepted only if it explains at
 * least `gain` of the curve's spread and differs from its neighbor by the factor `step`. Returns
 * [{first, last, value}], where value is the median of y.
 */
export function plateaus(y, { max_levels = 4, gain = 0.02, step = 1.15 } = {}) {
  if (y.length === 0) return [];
  const log_y = y.map((v) => Math.log(v));
  const cost = segment_costs(log_y);
  const total = cost(0, y.length - 1);
  let chosen = [y.length - 1];
  let chosen_cost = total;
  for (let levels = 2; levels <= Math.min(max_levels, y.length); ++levels) {
    const { ends, error } = split(cost, y.length, levels);
    if (total === 0 || (chosen_cost - error) / total < gain) break;
    chosen = ends;
    chosen_cost = error;
  }
  return merge_alike(to_segments(chosen, y), y, step);
}

/** Cost of a segment in O(1) from prefix sums: the squared error around its mean. */
function segment_costs(values) {
  const sum = [0];
  const square = [0];
  for (const v of values) {
    sum.push(sum[sum.length - 1] + v);
    square.push(square[square.length - 1] + v * v);
  }
  return (first, last) => {
    const n = last - first + 1;
    const s = sum[last + 1] - sum[first];
    return Math.max(0, square[last + 1] - square[first] - (s * s) / n);
  };
}

function split(cost, n, levels) {
  let best = Array.from({ length: n }, (_, last) => ({ error: cost(0, last), ends: [last] }));
  for (let level = 2; level <= levels; ++level) {
    const next = best.slice();
    for (let last = level - 1; last < n; ++last) {
      next[last] = { error: Infinity, ends: [last] };
      for (let cut = level - 2; cut < last; ++cut) {
        const error = best[cut].error + cost(cut + 1, last);
        if (error < next[last].error) next[last] = { error, ends: [...best[cut].ends, last] };
      }
    }
    best = next;
  }
  return best[n - 1];
}

function to_segments(ends, y) {
  let first = 0;
  return ends.map((last) => {
    const segment = { first, last, value: median(y.slice(first, last + 1)) };
    first = last + 1;
    return segment;
  });
}

function merge_alike(segments, y, step) {
  const merged = [];
  for (const segment of segments) {
    const before = merged[merged.length - 1];
    const ratio = before
      ? Math.max(before.value, segment.value) / Math.min(before.value, segment.value)
      : Infinity;
    if (ratio >= step) {
      merged.push(segment);
    } else {
      before.last = segment.last;
      before.value = median(y.slice(before.first, before.last + 1));
    }
  }
  return merged;
}

/**
 * Sizes at which a curve leaves its plateaus: {size, error}, where error is half a step of the
 * sweep.
 */
export function knees(sizes, segments) {
  return segments.slice(0, -1).map(({ last }) => {
    const low = sizes[last];
    const high = sizes[last + 1];
    const size = Math.sqrt(low * high);
    return { size, error: (high - low) / 2 };
  });
}

export function sorted_unique(values) {
  return [...new Set(values)].sort(ascending);
}
