// Measures the work per nanosecond of the core, for the canary.

import { calibrate, time_edges } from "../kernels/clock.js";
import { align } from "../kernels/kernel_module.js";
import { complete_params } from "../kernels/tasks.js";
import { width_task } from "../kernels/width.js";

const short_calls = 200;
const coarsest_ms = 2; // with a coarser tick, a reading takes longer than it is worth

/**
 * {read, bytes}: `read()` runs the probe from edge to edge of the clock and returns operations per
 * nanosecond; `bytes` is the memory that the probe uses, at the beginning of the heap. Null if the
 * module has no such probe, the clock is too coarse, or there is not enough memory.
 */
export function width_probe({ module, now, tick_ms }) {
  const { kernel, given } = width_task(module.registry) ?? {};
  if (!kernel || tick_ms > coarsest_ms) return null;
  const params = complete_params(kernel, given);
  const base = align(module.heap_base);
  module.select(kernel, params);
  const bytes = align(base + module.memory_needed(kernel)) - module.heap_base;
  if (!module.reserve(base + bytes)) return null;
  const flops = module.flops(kernel);
  const run = (reps) => module.run(kernel, base, reps);
  module.prepare(kernel, base);
  for (let i = 0; i < short_calls; ++i) run(1);
  const window_ms = Math.max(0.5, 3 * tick_ms);
  const step = calibrate(now, run, window_ms / 25, tick_ms).units;
  const read = () => {
    module.select(kernel, params);
    const { ms, units } = time_edges(now, run, step, window_ms, tick_ms);
    return (units * flops) / (ms * 1e6);
  };
  return { read, bytes };
}
