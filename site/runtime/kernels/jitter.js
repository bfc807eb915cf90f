// Jitter: how evenly a machine does the same work again and again. Equal runs of about 2 ms, each timed
// from asking for it to having it, because that is what a picture waits for.

import { quantile } from "../base/stats.js";

export const work_ms = 2;
const unseen = 20; // runs before the first that counts
const coarsest = 0.1; // step of the clock over a run

/**
 * {p50, p90, p99, samples} of the milliseconds that `once()` resolves to, or {reason} where a clock that
 * moves in steps of `tick_ms` cannot tell such runs apart. `rest(fraction)` lets messages through.
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
