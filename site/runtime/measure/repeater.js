// Repeats one kernel until stopped: one reading every tenth of a second, each between two readings
// of the core's clock, and a check of the last result at the end. There is no DOM here: `now` is a
// clock in milliseconds and `pause(ms)` a promise.

import { calibrate, measure_tick, time_batch } from "../kernels/clock.js";
import { Canary } from "../kernels/canary.js";
import { align } from "../kernels/kernel_module.js";
import { short_params } from "../kernels/tasks.js";
import { value_of } from "../profile/summary.js";

const reading_ms = 100;
const ticks_of_a_reading = 50;
// Passes of short calls, until the engine has compiled its best code.
const warm_ms = 20;
const warm_passes = 6;
export const longest_ms = 30 * 60 * 1000;

/**
 * Repeats `kernel` with `params` until `is_stopped()` returns true, but at most for half an hour.
 * Calls `tell({at, value, ghz})` with each reading: seconds since the start, the rate in the
 * kernel's unit, and the core's clock at that moment. Resolves to {tick_ms, readings, verified,
 * error, tolerance}, where `readings` is their number. Throws Error with a message for readers if
 * there is not enough memory.
 */
export async function repeat_kernel({ module, kernel, params, now, pause, tell, is_stopped }) {
  const base = align(module.heap_base);
  module.select(kernel, params);
  if (!module.reserve(base + module.memory_needed(kernel)))
    throw new Error("it needs more memory than this page gets");
  const tick_ms = measure_tick(now);
  const canary = new Canary(module, now, tick_ms);
  await warm_up({ module, kernel, params, base, now, pause });
  module.select(kernel, params);
  module.prepare(kernel, base);
  const [flops, bytes] = [module.flops(kernel), module.bytes(kernel)];
  const run = (reps) => module.run(kernel, base, reps);
  const began = now();
  const wanted_ms = Math.max(reading_ms, ticks_of_a_reading * tick_ms);
  const { units } = calibrate(now, run, wanted_ms, tick_ms);
  let readings = 0;
  let before = canary.read();
  while (!is_stopped() && now() - began < longest_ms) {
    const { ms } = time_batch(now, run, units);
    const after = canary.read();
    const value = value_of(kernel.unit, ms / units / 1e3, flops, bytes);
    tell({ at: (now() - began) / 1e3, value, ghz: canary.clock_at({ before, after }) });
    before = after;
    ++readings;
    await pause(0);
  }
  if (readings === 0) run(1);
  const { error, tolerance } = module.verify(kernel, base);
  return { tick_ms, readings, verified: error <= tolerance, error, tolerance };
}

/**
 * Warms up with short calls on small data and pauses for the compiler, as before any measurement.
 */
async function warm_up({ module, kernel, params, base, now, pause }) {
  module.select(kernel, short_params(kernel, params));
  for (let pass = 0; pass < warm_passes; ++pass) {
    module.prepare(kernel, base);
    const start = now();
    do module.run(kernel, base, 1);
    while (now() - start < warm_ms);
    await pause(20);
  }
}
