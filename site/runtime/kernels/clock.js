// Reading a coarse clock well. `now` gives milliseconds and ticks by anything from 5 µs to 16 ms,
// often with jitter, so the tick is measured, and a sample either spans many ticks or begins and
// ends on one's edge.

import { median } from "../base/stats.js";

/**
 * The tick of `now` in milliseconds: the median step seen while spinning for at most `limit_ms`.
 */
export function measure_tick(now, limit_ms = 150, wanted = 40) {
  const steps = [];
  const start = now();
  let before = start;
  while (steps.length < wanted && before - start < limit_ms) {
    const t = now();
    if (t > before) steps.push(t - before);
    before = t;
  }
  return steps.length ? median(steps) : limit_ms;
}

/** Spins to the next tick and returns its time. */
export function next_edge(now) {
  const start = now();
  let t = start;
  while (t === start) t = now();
  return t;
}

/** One long call between two readings. Error: one tick in `ms`. Returns {ms, units}. */
export function time_batch(now, run, units) {
  const start = now();
  run(units);
  return { ms: now() - start, units };
}

/**
 * From one edge of the clock to another at least `target_ms` later, in calls of `step` units. The
 * end is the first edge after the target that a call crosses, so the error is one call, not one
 * tick. That call is counted whole, though it ended after the edge: on the average by half of itself, or of
 * the tick where that is shorter, which is added to the time.
 */
export function time_edges(now, run, step, target_ms, tick_ms) {
  const start = next_edge(now);
  let units = 0;
  let before = start;
  for (;;) {
    run(step);
    units += step;
    const t = now();
    if (t - start >= target_ms && t > before) {
      const call_ms = ((t - start) * step) / units;
      return { ms: t - start + Math.min(tick_ms, call_ms) / 2, units };
    }
    before = t;
  }
}

/**
 * How a kernel is timed: batches of max(50 ticks, floor_ms) when that is short enough, else
 * edge-aligned. `quick` means edge-aligned batches of `quick_ms`, or 25 ticks. {ms, edges}.
 */
export function plan_batch(
  tick_ms,
  { quick = false, floor_ms = 4, quick_ms = 10, longest_ms = 60 } = {},
) {
  if (quick) return { ms: Math.min(longest_ms, Math.max(quick_ms, 25 * tick_ms)), edges: true };
  const long_enough = Math.max(50 * tick_ms, floor_ms);
  return long_enough <= longest_ms
    ? { ms: long_enough, edges: false }
    : { ms: longest_ms, edges: true };
}

/**
 * Units for about `target_ms`, found by doubling until a call takes at least `target_ms / 4` and
 * two ticks, twice over (the first may have been interrupted), then scaling. Returns {units,
 * unit_ms}; one unit alone may already take longer.
 */
export function calibrate(now, run, target_ms, tick_ms) {
  const enough = Math.max(target_ms / 4, 2 * tick_ms);
  for (let units = 1; ; units *= 2) {
    let { ms } = time_batch(now, run, units);
    if (ms >= enough && ms < 100) ms = Math.min(ms, time_batch(now, run, units).ms);
    if (ms >= enough || units >= 2 ** 30) {
      const unit_ms = ms / units;
      return { units: Math.max(1, Math.round(target_ms / unit_ms)), unit_ms };
    }
  }
}

/**
 * Share of a sample that the clock may have added or lost: a tick, or with aligned edges one call
 * and half a tick, because browsers also move each edge at random within its tick.
 */
export function clock_error({ ms, edges }, tick_ms, call_ms) {
  return (edges ? Math.min(tick_ms, call_ms) + tick_ms / 2 : tick_ms) / ms;
}
