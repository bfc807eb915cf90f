// Jitter: how evenly a machine repeats the same work. Runs of about 2 ms are timed from the request
// to the result, because that is what a frame waits for.

import { quantile } from "../base/stats.js";

export const work_ms = 2;
const unseen = 20; // warm-up runs
const coarsest = 0.1; // clock tick as a share of a run

/**
 * {p50, p90, p99, samples} of the milliseconds that `once()` resolves to, or {reason} if a clock
 * with ticks of `tick_ms` is too coarse for such runs. `rest(fraction)` lets messages through.
 */
export async function jitter_of(once, { tick_ms, rest, repeats = 300 }) {
  if (tick_ms > coarsest * work_ms)
    return { reason: "the browser's clock is too coarse for runs of 2 ms" };
  const times = [];
  for (let i = 0; i < unseen + repeats; ++i) {
    if (i % 50 === 0) await rest(i / (unseen + repeats));
    const ms = await once();
    if (i >= unseen) times.push(ms);
  }
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((q) => quantile(times, q));
  return { p50, p90, p99, samples: times.length };
}
