// The worker behind the lab's trials: single instructions, pages, cores, and latency under load. It
// runs one trial and is then terminated.

import { calibrate, measure_tick, time_batch } from "../kernels/clock.js";
import { compile, KernelModule } from "../kernels/kernel_module.js";
import { complete_params } from "../kernels/tasks.js";
import { own } from "../base/own.js";
import { median } from "../base/stats.js";
import { measure_suite } from "./sampler.js";
import { ThreadPool } from "./thread_pool.js";
import { core_tasks_of, instruction_tasks, loads, page_tasks } from "./trial_tasks.js";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const now = () => performance.now();
const report = (fraction, text) => postMessage({ type: "progress", fraction, text });

const words_apart = 16; // between the counters of two threads in loaded.cpp
const load_samples = 3;
const load_ms = 120;
const set_bytes = { w: 2 ** 26, data: 2 ** 27 };

async function on_one_core({ url, limit }, tasks_of) {
  const module = await KernelModule.instantiate(await compile(url), { limit });
  const tasks = tasks_of(module.registry);
  const suite = await measure_suite({ module, tasks, pace: "quick", now, pause, report });
  const results = suite.results.map((result, i) => {
    const { pages, spread } = tasks[i];
    const { title } = tasks[i].kernel;
    return { ...result, title, ...(pages ? { pages, spread } : {}) };
  });
  return { results, clock_ghz: suite.clock_ghz };
}

async function between_cores({ url, limit, threads }) {
  const pool = await ThreadPool.gather(await compile(url), threads, limit);
  pool.size = threads;
  const tasks = core_tasks_of(pool.registry, threads);
  const how = { pace: "quick", batch_ms: 20, now, pause, report };
  const { results } = await measure_suite({ module: pool, tasks, ...how });
  return { results, threads };
}

/**
 * Resolves to {curve, threads}. The points of the curve are {gbs, ns}: the rate at which the other
 * threads read, and the latency of a load meanwhile.
 */
async function under_load({ url, limit, threads }) {
  const pool = await ThreadPool.gather(await compile(url), threads, limit);
  pool.size = threads;
  const kernel = pool.registry.find(({ id }) => id === "core.loaded");
  const given = (load) => {
    const readers = Math.min(load.readers, threads - 1);
    return complete_params(kernel, { ...set_bytes, readers, pause: load.pause });
  };
  pool.select(kernel, given(loads[0]));
  const base = pool.heap_base;
  if (!pool.reserve(base + pool.memory_needed(kernel)))
    throw new Error("it needs more memory than this page gets");
  report(0, "Warming up");
  pool.prepare(kernel, base);
  const tick_ms = measure_tick(now);
  const curve = [];
  for (const [i, load] of loads.entries()) {
    report(i / loads.length, "Measuring latency under load");
    await pause(0);
    pool.select(kernel, given(load));
    curve.push(point_of(pool, kernel, base, tick_ms));
  }
  const { error, tolerance } = pool.verify(kernel, base);
  if (!(error <= tolerance)) throw new Error("its result was wrong");
  return { curve, threads };
}

function point_of(pool, kernel, base, tick_ms) {
  const run = (reps) => pool.run(kernel, base, reps);
  const read_bytes = () => {
    const counts = pool.words(base, pool.size * words_apart);
    let kib = 0;
    for (let thread = 1; thread < pool.size; ++thread) kib += counts[thread * words_apart];
    return kib * 1024;
  };
  run(1);
  const { units } = calibrate(now, run, load_ms, tick_ms);
  const samples = Array.from({ length: load_samples }, () => {
    const before = read_bytes();
    const { ms } = time_batch(now, run, units);
    const steps = units * pool.flops(kernel);
    return { ns: (ms * 1e6) / steps, gbs: (read_bytes() - before) / (ms * 1e6) };
  });
  return { ns: median(samples.map((s) => s.ns)), gbs: median(samples.map((s) => s.gbs)) };
}

const trials = {
  instructions: (job) => on_one_core(job, instruction_tasks),
  pages: (job) => on_one_core(job, (registry) => page_tasks(registry)),
  cores: between_cores,
  load: under_load,
};

addEventListener("message", ({ data }) => {
  const run = own(trials, data.trial ?? "");
  if (!run) return; // a message for the thread pool
  run(data).then(
    (suite) => postMessage({ type: "done", suite }),
    (error) => postMessage({ type: "failed", reason: String(error?.message ?? error) }),
  );
});
