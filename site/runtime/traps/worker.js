// The measurements of /traps/: each mistake paired with correct code, in the same module and with
// the same clock. One request per worker: {url, limit}. Answers {type: "begin", id}, {type:
// "result", id, …} for sentences.js, then {type: "end"}.

import { calibrate, measure_tick, time_batch, time_edges } from "../kernels/clock.js";
import { align, KernelModule } from "../kernels/kernel_module.js";
import { LostTime } from "../kernels/lost_time.js";
import { median, middle_round } from "../base/stats.js";
import { first_that_fits, NoMemory } from "./memory.js";

const now = () => performance.now();
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const rounds = 9;
const short_calls = 150;

/** The duration of a sample in milliseconds: many ticks, from edge to edge of the clock. */
const sample_ms = (tick_ms) => Math.max(10, 15 * tick_ms);

const find = (module, id, variant = "") =>
  module.registry.find((kernel) => kernel.id === id && (kernel.variant ?? "") === variant);

/** A prepared kernel: {kernel, base, params, run}; its memory is at `base`. */
function ready(module, kernel, base, params = {}) {
  const all = Object.fromEntries(
    kernel.params.map(({ name, default: value }) => [name, params[name] ?? value]),
  );
  module.select(kernel, all);
  const end = base + module.memory_needed(kernel);
  if (!module.reserve(end)) throw new NoMemory("the browser refused the memory");
  module.prepare(kernel, base);
  const run = (reps) => {
    module.select(kernel, all);
    module.run(kernel, base, reps);
  };
  const rate = (seconds) => {
    module.select(kernel, all);
    if (kernel.unit === "ns") return (seconds / module.flops(kernel)) * 1e9;
    return (kernel.unit === "GB/s" ? module.bytes(kernel) : module.flops(kernel)) / seconds / 1e9;
  };
  const check = () => {
    module.select(kernel, all);
    const { error, tolerance } = module.verify(kernel, base);
    return error <= tolerance;
  };
  return { kernel, end, run, rate, check };
}

/** Short calls and pauses, so that the engine replaces its baseline code. */
async function warm_up(work) {
  for (let pass = 0; pass < 3; ++pass) {
    const begin = now();
    for (let i = 0; i < short_calls && now() - begin < 100; ++i) work.run(1);
    await pause(40);
  }
}

/** The reported numbers are from one round, so that their ratio is the reported ratio. */
function middle_of(wrong_rates, right_rates) {
  const { above, below, ratio } = middle_round(wrong_rates, right_rates);
  return { wrong: above, right: below, ratio };
}

/** Both rates in the unit of the right one, sampled in turns. */
async function side_by_side(wrong, right, { tick_ms, lost }) {
  const both = [wrong, right].map((work) => ({ work, rates: [] }));
  for (const entry of both) {
    await warm_up(entry.work);
    entry.step = calibrate(now, entry.work.run, sample_ms(tick_ms) / 50, tick_ms).units;
  }
  for (let round = 0; round < rounds; ++round) {
    for (const { work, rates, step } of both) {
      const { ms, units } = time_edges(now, work.run, step, sample_ms(tick_ms), tick_ms);
      rates.push(work.rate(ms / units / 1e3));
    }
    lost.spin(now);
    await pause(0);
  }
  if (!right.check()) throw new Error("a check rejected the correct result");
  return {
    unit: right.kernel.unit,
    ...middle_of(both[0].rates, both[1].rates),
    is_checked: wrong.check(),
  };
}

/** Two variants of one kernel in the same memory. */
const pair = (id, wrong, right) => async (tools) => {
  const module = await tools.fresh();
  const first = ready(module, find(module, id, wrong), align(module.heap_base, 1));
  const second = ready(module, find(module, id, right), align(first.end, 3));
  return side_by_side(first, second, tools);
};

/** Memory is untouched only once, so each side has its own instance. */
async function untouched_pages(tools) {
  const sizes = [256, 128, 64].map((mebibytes) => mebibytes * 2 ** 20);
  const within = sizes.filter((w) => w <= tools.limit);
  return await first_that_fits(within, async (w) => {
    const works = [];
    for (const variant of ["untouched", "touched"]) {
      const module = await tools.fresh();
      const kernel = find(module, "trap.pages", variant);
      works.push(ready(module, kernel, align(module.heap_base, 1), { w }));
    }
    return await side_by_side(...works, tools);
  });
}

/** One kernel timed badly and well: the best of 60 batches of three ticks, and edges. */
async function coarse_clock({ fresh, tick_ms, lost }) {
  const module = await fresh();
  const work = ready(module, find(module, "trap.sums", "several"), align(module.heap_base, 1));
  await warm_up(work);
  const few = calibrate(now, work.run, 3 * tick_ms, tick_ms).units;
  const step = calibrate(now, work.run, sample_ms(tick_ms) / 50, tick_ms).units;
  let best = 0;
  for (let i = 0; i < 60; ++i) {
    const { ms, units } = time_batch(now, work.run, few);
    best = Math.max(best, work.rate(ms / units / 1e3));
  }
  const rates = Array.from({ length: rounds }, () => {
    const { ms, units } = time_edges(now, work.run, step, sample_ms(tick_ms), tick_ms);
    lost.spin(now);
    return work.rate(ms / units / 1e3);
  });
  const right = median(rates);
  return {
    unit: work.kernel.unit,
    wrong: best,
    right,
    ratio: best / right,
    is_checked: work.check(),
  };
}

/** An engine may reuse its code for a known module; changed bytes make it a new one. */
function disguised(bytes) {
  const name = [1, "x".charCodeAt(0)];
  const noise = crypto.getRandomValues(new Uint8Array(8));
  return Uint8Array.from([...bytes, 0, name.length + noise.length, ...name, ...noise]);
}

async function first_call({ bytes, tick_ms, lost }) {
  const long = { steps: Math.max(20e6, Math.ceil(tick_ms) * 10e6) };
  const cold = [];
  const warm = [];
  let unit;
  let is_checked = true;
  for (let i = 0; i < 3; ++i) {
    const module = await KernelModule.instantiate(await WebAssembly.compile(disguised(bytes)));
    const kernel = find(module, "trap.steps");
    const base = align(module.heap_base, 1);
    const work = ready(module, kernel, base, long);
    cold.push(work.rate(time_batch(now, work.run, 1).ms / 1e3));
    is_checked &&= work.check();
    await warm_up(ready(module, kernel, base));
    const again = ready(module, kernel, base, long);
    warm.push(again.rate(time_batch(now, again.run, 1).ms / 1e3));
    is_checked &&= again.check();
    lost.spin(now);
    unit = kernel.unit;
  }
  return { unit, ...middle_of(cold, warm), is_checked };
}

const measurements = {
  "untouched-pages": untouched_pages,
  denormals: pair("trap.decay", "denormal", "normal"),
  "too-few-chains": pair("trap.sums", "one", "several"),
  "an-index-in-the-chase": pair("trap.chase", "index", "address"),
  "dead-code": pair("trap.sums", "dead", "several"),
  "a-coarse-clock": coarse_clock,
  "one-long-first-call": first_call,
  "aliased-rows": pair("trap.columns", "page", "padded"),
};

async function run({ url, limit }) {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new Error("the measuring code could not be loaded: reload the page");
  const bytes = new Uint8Array(await response.arrayBuffer());
  const compiled = await WebAssembly.compile(bytes);
  const fresh = () => KernelModule.instantiate(compiled);
  const tick_ms = measure_tick(now);
  const lost = new LostTime(tick_ms);
  const tools = { bytes, fresh, limit, tick_ms, lost };
  for (const [id, measure] of Object.entries(measurements)) {
    postMessage({ type: "begin", id });
    try {
      postMessage({ type: "result", id, ...(await measure(tools)) });
    } catch (error) {
      postMessage({ type: "result", id, reason: String(error?.message ?? error) });
    }
  }
  lost.watch_enough(now);
  postMessage({ type: "end", lost_share: lost.share });
}

addEventListener("message", async ({ data }) => {
  try {
    if (typeof WebAssembly === "undefined") throw new Error("this browser runs no WebAssembly");
    await run(data);
  } catch (error) {
    postMessage({ type: "failed", reason: String(error?.message ?? error) });
  }
});
