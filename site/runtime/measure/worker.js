// The measuring worker. It handles one request; then, or to cancel, the page terminates it.

import { budget_parts, module_parts } from "../kernels/detect.js";
import { calibrate, measure_tick } from "../kernels/clock.js";
import { core_notes, judge_cores, rate_curve, thread_counts } from "./cores.js";
import { ThreadPool } from "./thread_pool.js";
import { jitter_of, work_ms } from "../kernels/jitter.js";
import { align, compile, open_modules } from "../kernels/kernel_module.js";
import { is_of_slow_tier, of_slow_tier } from "../kernels/tier_check.js";
import { known_choice, leaves_tile, race_tiles } from "./race.js";
import { measure_suite } from "./sampler.js";
import {
  complete_params,
  core_baseline,
  core_tasks,
  kernel_of,
  roof_tasks,
  select_kernels,
  task_key,
  task_of,
  with_judge,
} from "../kernels/tasks.js";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const now = () => performance.now();
const mebibyte = 2 ** 20;
const pool_batch_ms = 20;
const hidden = "the page was hidden before it was measured";

// True once the page is hidden. Nothing new begins then, and the finished results are the answer.
let stopped = false;
const is_stopped = () => stopped;

/**
 * The largest working set of a sweep in bytes, at most `set_limit`: 1 GiB (quick: 256 MiB), or less
 * if the browser refuses the memory for it and the smaller sets, or if the budget is too small.
 */
function largest_set(module, { pace, set_limit: limit }, budget) {
  const is_quick = pace === "quick";
  const share = is_quick ? 4 : 8;
  const others = Math.min(512, budget / mebibyte / 3);
  for (const set of [1024, 512, 256, 128, 64, 32]) {
    if (set * mebibyte > limit || (is_quick && set > 256)) continue;
    if (module.reserve(Math.min(set * share, set + others) * mebibyte)) return set * mebibyte;
  }
  return 16 * mebibyte;
}

/**
 * Whether a requested kernel is missing in `registries`. True for a pattern, because the next
 * module may have more kernels of the family.
 */
const lacks =
  ({ runs = [], only = [] }) =>
  (registries) =>
    runs.some((run) => !registries.some((registry) => kernel_of(registry, run))) ||
    only.some(
      (pattern) =>
        pattern.includes("*") ||
        !registries.some((registry) => select_kernels(registry, pattern).length > 0),
    );

/**
 * The tasks for a request: its runs, the probes behind the roofs, and all kernels that match its
 * patterns. The `home` of a task is the one of `modules` that has the kernel. A team kernel runs at
 * least on its smallest team, and several threads use only the first module. Returns {tasks,
 * missing}, where `missing` are runs of unknown kernels.
 */
function plan(modules, request, largest) {
  const { runs = [], roofs = false, only = [], params = {}, threads = 1, pace, x86 } = request;
  const { small_tlb } = request;
  const [first] = modules;
  const tasks = [];
  const missing = [];
  const add = (home, found) => tasks.push(...found.map((task) => ({ ...task, home })));
  if (roofs) add(first, roof_tasks(first.registry, { pace, largest, x86, small_tlb }));
  for (const run of runs) {
    const able = run.threads > 1 ? [first] : modules;
    const home = able.find(({ registry }) => kernel_of(registry, run));
    if (home) add(home, [task_of(home.registry, run)]);
    else missing.push(run);
  }
  for (const home of threads > 1 ? [first] : modules) {
    for (const pattern of only) {
      for (const kernel of select_kernels(home.registry, pattern)) {
        const own = Math.max(threads, kernel.team ?? 0);
        add(home, [{ kernel, params: complete_params(kernel, params), threads: own }]);
      }
    }
  }
  if (request.cores) add(first, core_baseline(first.registry));
  const seen = new Map();
  for (const task of tasks) if (!seen.has(task_key(task))) seen.set(task_key(task), task);
  return { tasks: [...seen.values()], missing };
}

function unavailable({ kernel, params = {}, threads = 1 }, reason) {
  return { kernel, params, threads, device: "cpu", status: "unavailable", reason, flags: [] };
}

function reporter(first, last) {
  return (fraction, text, samples = []) =>
    postMessage({ type: "progress", fraction: first + (last - first) * fraction, text, samples });
}

/**
 * Measures every task on one core, as well as the probe that detects unoptimized code, if the
 * module has it. `is_slow` is the verdict of that probe.
 */
async function measure_one(module, tasks, how, report) {
  const all = with_judge(module.registry, tasks);
  const suite = await measure_suite({ module, tasks: all, ...how, now, pause, report, is_stopped });
  const is_slow = suite.results.some(is_of_slow_tier);
  suite.results.length = tasks.length;
  return { ...suite, is_slow };
}

/**
 * Measures on one core, one module after the other. The first module runs even without tasks,
 * because its probe detects unoptimized code for all modules. Resolves to one {suites, results} per
 * module.
 */
async function measure_alone(modules, tasks, how, end) {
  if (tasks.length === 0) return [];
  const suites = [];
  let begin = 0;
  for (const module of modules) {
    const own = tasks.filter(({ home }) => home === module);
    const until = begin + (end * own.length) / tasks.length;
    suites.push(
      await measure_one(module, own, { ...how, prober: modules[0] }, reporter(begin, until)),
    );
    begin = until;
  }
  const [first, ...others] = suites;
  if (first.is_slow) for (const suite of others) suite.results = of_slow_tier(suite.results);
  return suites.map((suite) => ({ suites: [suite], results: suite.results }));
}

/** Times equal runs of the arithmetic probe on this core (jitter.js). */
async function measure_jitter(module, report) {
  const kernel = ["peak.fma", "peak.simd"]
    .map((id) => module.registry.find((k) => k.id === id))
    .find(Boolean);
  module.select(kernel, complete_params(kernel));
  const base = align(module.heap_base);
  module.reserve(base + module.memory_needed(kernel));
  module.prepare(kernel, base);
  const call = (reps) => module.run(kernel, base, reps);
  const tick_ms = measure_tick(now);
  const { units } = calibrate(now, call, work_ms, tick_ms);
  const once = () => {
    const begin = now();
    call(units);
    return now() - begin;
  };
  const rest = (fraction) => {
    report(fraction, "Repeating one run");
    return pause(0);
  };
  return jitter_of(once, { tick_ms, rest });
}

/** Groups `tasks` by their number of threads, smallest first: [[threads, tasks]]. */
function by_threads(tasks) {
  const groups = new Map();
  for (const task of tasks) groups.set(task.threads, [...(groups.get(task.threads) ?? []), task]);
  return [...groups].sort(([a], [b]) => a - b);
}

/**
 * Measures on several cores: the tasks for each number of threads, on one thread pool. Resolves to
 * {suites, problem}; `problem` says in words why the pool failed, or is "".
 */
async function measure_pool({ url, limit }, groups, report) {
  const suites = [];
  const most = Math.max(...groups.map(([n]) => n));
  try {
    const pool = await ThreadPool.gather(await compile(url), most, limit);
    for (const [i, [threads, tasks]] of groups.entries()) {
      if (stopped) throw new Error(hidden);
      pool.size = threads;
      const part = (fraction, text) =>
        report((i + fraction) / groups.length, `${text} on ${threads} threads`);
      const own = tasks.map((task) => ({ ...task, threads }));
      const how = { pace: "quick", batch_ms: pool_batch_ms, now, pause, report: part, is_stopped };
      suites.push(await measure_suite({ module: pool, tasks: own, ...how }));
    }
    return { suites, problem: "" };
  } catch (error) {
    return { suites, problem: String(error?.message ?? error) };
  }
}

/**
 * Measures with all cores: how many the page can use, what they gain, and the results of more than
 * one thread.
 */
async function measure_cores(
  { shared, reported, last_cache, x86 },
  { one_core, registry, won },
  report,
) {
  const how = {
    room: 0.8 * shared.limit, // the pool needs the rest
    chains: x86 ? 12 : 16, // fills four units, if there are enough registers
  };
  const tasks_on = (n) => with_tile(core_tasks(registry, n, reported, how), won);
  const groups = thread_counts(reported).map((n) => [n, tasks_on(n)]);
  const { suites, problem } = await measure_pool(shared, groups, report);
  if (problem) {
    const lost = core_tasks(registry, 2, 2, how).map((task) => unavailable(named(task), problem));
    return { suites: [], results: lost };
  }
  const all = suites.flatMap((suite) => suite.results);
  const results = all.filter(({ threads }) => threads > 1);
  const curve = rate_curve(all, groups[0][1][0].kernel.id);
  const notes = core_notes([...one_core, ...all], reported, last_cache);
  return { suites, cores: { ...judge_cores(reported, curve), curve, notes }, results };
}

const named = ({ kernel, params, threads = 2 }) => ({ kernel: kernel.id, params, threads });

/**
 * Measures the tasks for more than one thread. If that fails, their results are "unavailable" with
 * a reason.
 */
async function measure_threaded({ shared, why_not_shared }, tasks, report) {
  if (tasks.length === 0) return { suites: [], results: [] };
  const refused = (reason) => tasks.map((task) => unavailable(named(task), reason));
  if (!shared.url) return { suites: [], results: refused(why_not_shared) };
  const { suites, problem } = await measure_pool(shared, by_threads(tasks), report);
  const results = problem ? refused(problem) : suites.flatMap((suite) => suite.results);
  return { suites, results };
}

/**
 * {tasks, choices}: `tasks` with a tile for those that leave it open. A quick run uses the stored
 * choice if there is one; otherwise, a race decides.
 */
async function with_tiles(module, request, tasks) {
  if (!tasks.some(leaves_tile)) return { tasks, choices: [] };
  const { module: isa, browser, choices: kept, pace } = request;
  const known =
    pace === "quick" ? known_choice(kept, module.registry, { module: isa, browser }) : null;
  if (!known) postMessage({ type: "progress", fraction: 0, text: "Choosing the fastest tile" });
  const won = known ?? (await race_tiles({ module, x86: request.x86, now, pause }));
  if (!won) return { tasks, choices: [] };
  const entry = { kernel: "matmul.packed", device: "cpu", module: isa, browser, ...won };
  return { tasks: with_tile(tasks, won), choices: [entry] };
}

/** `tasks`, with the winning tile for those that leave it open; unchanged if there is no winner. */
function with_tile(tasks, won) {
  if (!won) return tasks;
  const choice = { tile: won.tile, why: won.why };
  return tasks.map((task) =>
    leaves_tile(task) ? { ...task, values: { ...task.params, tile: won.tile }, choice } : task,
  );
}

function budget_of({ memory_budget, cores, runs = [], threads = 1, urls }) {
  const threaded = urls.shared && (threads > 1 || runs.some((one) => one.threads > 1));
  return budget_parts(memory_budget, { cores, threaded });
}

/** A quick run relies on the known core (`home`), while a full run determines the core again. */
const pace_of = ({ pace, home, is_fused }) =>
  pace === "quick" && home ? { pace, home, is_fused } : { pace, is_fused };

/**
 * The largest share of the time that other programs had in any part of the run; null if unknown.
 */
function most_lost(suites) {
  const shares = suites.map(({ lost_share }) => lost_share ?? null).filter((one) => one !== null);
  return shares.length > 0 ? Math.max(...shares) : null;
}

/** The modules of a request: primer's own, and the one with kernels of the book (`pack`). */
async function modules_of({ pack, ...request }, budget) {
  const parts = (count) => module_parts(budget, count + (pack ? 1 : 0));
  const modules = await open_modules(request.urls.own, lacks(pack ? {} : request), parts);
  if (!pack) return modules;
  const { PackModule } = await import("../kernels/pack_module.js");
  return [...modules, await PackModule.open(pack, modules[0], parts(0).further)];
}

async function run(request) {
  const { own, shared: limit } = budget_of(request);
  const shared = { url: request.urls.shared, limit };
  const modules = await modules_of(request, own);
  const [module] = modules;
  const largest = largest_set(module, request, own);
  const { tasks: planned, missing } = plan(modules, request, largest);
  const { tasks, choices } = await with_tiles(module, request, planned);
  const single = tasks.filter(({ threads }) => threads === 1);
  const several = tasks.filter(({ threads }) => threads > 1);
  const end = shared.url && (several.length > 0 || request.cores) ? 0.6 : 1;
  const parts = await measure_alone(modules, single, pace_of(request), end);
  const begin = single.length > 0 ? end : 0;
  parts.push(await measure_threaded({ ...request, shared }, several, reporter(begin, 1)));
  if (request.cores) {
    const one_core = parts.flatMap((part) => part.results);
    const known = { one_core, registry: module.registry, won: choices[0] };
    parts.push(await measure_cores({ ...request, shared }, known, reporter(begin, 1)));
  }
  const results = parts.flatMap((part) => part.results);
  if (stopped && !results.some(({ status }) => status === "measured"))
    throw new Error("the page was hidden before anything was measured");
  for (const result of results) result.module = request.module;
  const why = "this kernel is missing from the module for this browser";
  results.push(...missing.map((m) => unavailable(m, why)));
  const [first] = parts.flatMap((part) => part.suites);
  const jitter =
    request.jitter && !stopped ? await measure_jitter(module, reporter(0.9, 1)) : undefined;
  return {
    results,
    choices,
    largest,
    tick_ms: first?.tick_ms ?? null,
    clock_ghz: first?.clock_ghz ?? null,
    clock_sustained_ghz: first?.clock_sustained_ghz,
    lost_share: most_lost(parts.flatMap((part) => part.suites)),
    cores: parts.find((part) => part.cores)?.cores,
    jitter,
  };
}

async function answer(data) {
  try {
    postMessage({ type: "done", suite: await run(data) });
  } catch (error) {
    postMessage({ type: "failed", reason: String(error?.message ?? error) });
  }
}

addEventListener("message", ({ data }) => {
  if (data.stop) stopped = true;
  else if (data.urls) answer(data); // other messages are for the pool
});
