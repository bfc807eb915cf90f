// Measures time with a coarse clock. `now` returns milliseconds and ticks every 5 µs to 16 ms,
// often with jitter. A sample therefore either spans many ticks or starts and ends on edges.

import { median } from "../base/stats.js";

/** The tick of `now` in milliseconds: the median step while spinning for at most `limit_ms`. */
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

/** Times one long call between two readings, with an error of one tick. Returns {ms, units}. */
export function time_batch(now, run, units) {
  const start = now();
  run(units);
  return { ms: now() - start, units };
}

const most_parts = 10;
const least_part_ticks = 5;

/**
 * Runs the same batch in several calls and leaves out those during which `lost` (lost_time.js)
 * finds another program on the core. `unit_ms` is the usual time per unit. Returns {ms, units,
 * cuts, is_gone, least_ms, whole_ms}: `cuts` is the number of calls left out, `least_ms` the
 * shortest time per unit, and `whole_ms` the time per unit of all calls. If another program
 * interrupted every call, none is left out and `is_gone` is true.
 */
export function time_parts(now, run, units, { lost, unit_ms, tick_ms }) {
  const whole = Math.floor((units * unit_ms) / (least_part_ticks * tick_ms));
  const parts = Math.max(1, Math.min(most_parts, units, whole));
  const part = Math.ceil(units / parts);
  const durations = [];
  for (let i = 0, before = now(); i < parts; ++i) {
    run(part);
    const t = now();
    durations.push(t - before);
    before = t;
  }
  return without_gone({ durations, step: part, lost, usual_ms: part * unit_ms, tick_ms });
}

const sum_of = (durations) => durations.reduce((sum, one) => sum + one, 0);

function without_gone({ durations, step, lost, usual_ms, tick_ms }) {
  const gone = new Set(lost.see(durations, usual_ms));
  const rest = durations.filter((_, i) => !gone.has(i));
  // On a coarse clock, calls shorter than a tick may seem to take no time.
  const is_gone = gone.size > 0 && sum_of(rest) < least_part_ticks * tick_ms;
  const kept = is_gone ? durations : rest;
  const cuts = durations.length - kept.length;
  const ms = sum_of(kept);
  const whole_ms = sum_of(durations) / (durations.length * step);
  const least_ms = Math.min(...kept) / step;
  return { ms, units: kept.length * step, cuts, is_gone, least_ms, whole_ms };
}

// Leaving out calls may lengthen a sample to at most this many times its target.
const most_lengthened = 3;

/**
 * Times calls of `step` units from one clock edge to another at least `target_ms` later. The sample
 * ends with the first call that crosses an edge after the target, so the error is one call, not one
 * tick. That call counts in full although it ends after the edge, on average by half of its
 * duration (half a tick, if that is shorter), so this time is added. Calls during which `lost`
 * (lost_time.js) finds another program on the core are left out, and the sample is extended by
 * their duration. `usual_ms` is the usual duration of a call. Returns {ms, units, cuts} and, with
 * `lost`, also {is_gone, least_ms, whole_ms}, as time_parts() does.
 */
export function time_edges(now, run, step, target_ms, tick_ms, { lost = null, usual_ms } = {}) {
  const start = next_edge(now);
  const durations = [];
  let before = start;
  for (let gone_ms = 0; ;) {
    run(step);
    const t = now();
    durations.push(t - before);
    if (lost?.is_gap(t - before, usual_ms)) gone_ms += t - before;
    const spent = Math.max(t - start - gone_ms, (t - start) / most_lengthened);
    if (spent >= target_ms && t > before) {
      const whole = { ms: t - start, units: durations.length * step, cuts: 0 };
      const left = lost ? without_gone({ durations, step, lost, usual_ms, tick_ms }) : whole;
      const call_ms = (left.ms * step) / left.units;
      return { ...left, ms: left.ms + Math.min(tick_ms, call_ms) / 2 };
    }
    before = t;
  }
}

/**
 * How to time a kernel: batches of max(50 ticks, floor_ms) if that is short enough, otherwise
 * aligned with edges, because a very coarse clock needs ten ticks. `quick`: batches of `quick_ms`
 * or 25 ticks, aligned with edges. Returns {ms, edges}.
 */
export function plan_batch(
  tick_ms,
  { quick = false, floor_ms = 4, quick_ms = 10, longest_ms = Math.max(60, 10 * tick_ms) } = {},
) {
  if (quick) return { ms: Math.min(longest_ms, Math.max(quick_ms, 25 * tick_ms)), edges: true };
  const long_enough = Math.max(50 * tick_ms, floor_ms);
  return long_enough <= longest_ms
    ? { ms: long_enough, edges: false }
    : { ms: longest_ms, edges: true };
}

/**
 * The same for calls of a thread pool, which are too long to look for edges between them: 50 ticks,
 * but at most 250 ms if these are twenty ticks or more.
 */
export const plan_pool_batch = (tick_ms, floor_ms) => ({
  ms: Math.max(floor_ms, Math.min(50 * tick_ms, Math.max(250, 20 * tick_ms))),
  edges: false,
});

/**
 * The number of units that take about `target_ms`. Doubles until a call takes at least `target_ms /
 * 4` and two ticks, two times in a row (the first may have been interrupted), then scales. Returns
 * {units, unit_ms}; a single unit may already take longer.
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
 * The share of a sample that the clock may have added or lost: a tick, or, with aligned edges, one
 * call and half a tick, because browsers move each edge at random within its tick.
 */
export function clock_error({ ms, edges }, tick_ms, call_ms) {
  return (edges ? Math.min(tick_ms, call_ms) + tick_ms / 2 : tick_ms) / ms;
}
