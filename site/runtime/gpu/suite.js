// Handles a request in the GPU's worker: creates tasks from runs and patterns, opens a GPU,
// measures, and tries again if the device is lost. The environment is passed in, so that tests can
// replace it.

import { describe_gpu, NoGpu, open_gpu } from "./adapter.js";
import { Bench } from "./runner.js";
import { measure_gpu } from "./sampler.js";
import { complete_params, select_kernels, task_key, task_of } from "../kernels/tasks.js";

const total_ms = { quick: 9_000, full: 55_000, thorough: 300_000 };

/** Tasks for runs and patterns without duplicates; tasks that share large buffers come first. */
function plan(registry, { runs = [], only = [], params = {} }) {
  const tasks = runs.map((run) => task_of(registry, run) ?? { missing: run });
  for (const pattern of only)
    for (const kernel of select_kernels(registry, pattern))
      tasks.push({ kernel, params: complete_params(kernel, params), threads: 1 });
  const known = tasks.filter(({ missing }) => !missing);
  const seen = new Map(known.map((task) => [task_key(task), task]));
  const size = ({ params: p }) => (p.w === 0 ? Infinity : (p.w ?? 0));
  return {
    tasks: [...seen.values()].sort((a, b) => size(b) - size(a)),
    missing: tasks.filter(({ missing }) => missing).map(({ missing }) => missing),
  };
}

const unavailable = ({ kernel, params = {} }, reason) => ({
  kernel: kernel.id ?? kernel,
  params: { ...params, ...(kernel.variant ? { variant: kernel.variant } : {}) },
  threads: 1,
  device: "gpu",
  module: "wgsl",
  status: "unavailable",
  reason,
  flags: [],
});

async function attempt(reference, tasks, request, page) {
  const gpu = await open_gpu(page.gpu, { touch: request.touch });
  const bench = new Bench(gpu, reference, { shaders: await page.shaders(), now: page.now });
  gpu.lost.then((why) => {
    bench.gone = why;
  });
  try {
    const { pace, even_software, jitter } = request;
    const how = { total_ms: total_ms[pace], even_software, jitter, report: page.report };
    const { sustained, ...found } = await measure_gpu(bench, with_half(tasks, gpu.largest), how);
    return { ...found, device: { ...describe_gpu(gpu), sustained } };
  } catch (error) {
    throw bench.gone ? new Lost(bench.gone) : error;
  } finally {
    bench.close();
  }
}

/**
 * `tasks`, and a read of half the largest size, which tells whether the largest read left the
 * caches.
 */
function with_half(tasks, largest) {
  const whole = tasks.find(({ kernel, params }) => kernel.id === "gpu.read" && params.w === 0);
  return whole ? [...tasks, { ...whole, params: { ...whole.params, w: largest / 2 } }] : tasks;
}

class Lost extends Error {}

/** Tries once more if the device was lost; the second loss is reported as refused. */
async function with_patience(...all) {
  try {
    return await attempt(...all);
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
  }
  try {
    return await attempt(...all);
  } catch (error) {
    if (!(error instanceof Lost)) throw error;
    throw new NoGpu("refused", `the GPU was lost twice (${error.message})`);
  }
}

/**
 * Resolves to {results, choices, jitter, device}, or {results, choices, state, reason} without a
 * GPU. `reference` is webgpu.wasm. `page` is the environment: {gpu: navigator.gpu, shaders() (WGSL
 * by file name), now() in milliseconds, report(fraction, text)}.
 */
export async function measure_suite(request, reference, page) {
  const { tasks, missing } = plan(request.pack?.kernels ?? reference.registry, request);
  const lost = missing.map((run) => unavailable(run, "this book has no such kernel"));
  try {
    const found = await with_patience(reference, tasks, request, page);
    return { ...found, results: [...found.results, ...lost] };
  } catch (error) {
    if (!(error instanceof NoGpu)) throw error;
    const results = tasks.map((task) => unavailable(task, error.message));
    return {
      results: [...results, ...lost],
      choices: [],
      state: error.state,
      reason: error.message,
    };
  }
}
