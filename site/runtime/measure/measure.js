// A measurement seen from the page: one worker, progress, cancelling, and the profile that comes
// out of it. Nothing is shared with the page's own thread, so the page stays responsive and
// cancelling is immediate.

import { PoolWorkers } from "./thread_pool_workers.js";
import {
  choose_module,
  describe_browser,
  detect,
  memory_budget,
  set_limit,
} from "../kernels/detect.js";
import { script as trusted_script } from "../base/trusted.js";
import { derive_roofs, lift_roofs } from "./roofs.js";
import { empty_profile, merge_profiles } from "../profile/profile.js";

const lock_name = "primer.measure";

/** A measurement that gave no numbers; `message` is words for the reader. */
export class Unavailable extends Error {}
/** The reader ended it. */
export class Cancelled extends Error {}
/** The page was hidden before there was anything to keep; `message` is words for the reader. */
export class Hidden extends Error {}

/**
 * Runs `request` ({runs, roofs, cores, jitter, only, params, pace, threads, module, choices, last_cache, home}) and
 * resolves to a profile of what was measured; `pace` is "quick", "full" or "thorough" (sampler.js);
 * `choices` are a profile's, so that a quick run need
 * not repeat the tile race, `last_cache` the bytes at which its caches end, and `home` its core (profile/known_machine.js); `cores` also tries how many cores the page can use, and rejects
 * where the page is not isolated; `jitter` also repeats one run of 2 ms. Kernels called gpu.* run on the GPU, after the others. `assets` is the URL of the book's asset directory;
 * `on_progress(fraction, text)`; `signal` cancels; a worker that is silent for `patience_ms` counts
 * as killed (browsers do not tell). Rejects with Unavailable, Cancelled or Hidden. One measurement at a
 * time, over all tabs.
 */
export async function measure(
  request,
  { assets, on_progress = () => {}, signal, patience_ms = 60_000 } = {},
) {
  const { gpu, cpu } = by_device(request);
  const both = gpu && cpu;
  const part = (begin, end) => (fraction, text) =>
    on_progress(begin + (end - begin) * fraction, text);
  const how = { assets, signal, patience_ms };
  const mine = cpu && (await measure_cpu(cpu, { ...how, on_progress: part(0, both ? 0.5 : 1) }));
  if (!gpu) return mine;
  const { measure_gpu } = await import("../gpu/measure.js");
  const run = (job, options) =>
    alone(() =>
      in_worker(new URL("../gpu/worker.js", import.meta.url), job, { ...how, ...options }),
    );
  try {
    const theirs = await measure_gpu(gpu, { assets, run, on_progress: part(both ? 0.5 : 0, 1) });
    return mine ? merge_profiles(mine, theirs) : theirs;
  } catch (error) {
    if (mine && error instanceof Hidden) return mine;
    throw error;
  }
}

const is_gpu = (id) => id.startsWith("gpu.");

/** The request's parts for the GPU and for the processor; null for a part that asks nothing. */
function by_device(request) {
  const { runs = [], only = [], roofs, cores, jitter } = request;
  const part = (wanted) => ({
    ...request,
    runs: runs.filter(({ kernel }) => is_gpu(kernel) === wanted),
    only: only.filter((id) => is_gpu(id) === wanted),
  });
  const asks = ({ runs: r, only: o }) => r.length + o.length > 0;
  const gpu = part(true);
  const cpu = part(false);
  return {
    gpu: asks(gpu) ? gpu : null,
    cpu: asks(cpu) || roofs || cores || jitter || !asks(gpu) ? cpu : null,
  };
}

async function measure_cpu(request, { assets, on_progress, signal, patience_ms }) {
  const found = detect();
  if (!found.workers)
    throw new Unavailable("this browser has no workers, and measuring here would freeze the page");
  const own = choose_module(found, { wanted: request.module });
  if (own.reason) throw new Unavailable(own.reason);
  const shared = choose_module(found, { wanted: request.module, threads: 2 });
  if (request.cores && shared.reason) throw new Unavailable(shared.reason);
  const url_of = (file) => file && new URL(`kernels/${file}`, assets).href;
  const job = {
    ...request,
    urls: { own: [own.file, ...own.further].map(url_of), shared: url_of(shared.file) },
    why_not_shared: shared.reason,
    reported: found.cores,
    set_limit: set_limit(navigator),
    memory_budget: memory_budget(globalThis, found.x86),
    module: own.module,
    browser: describe_browser(navigator).browser,
    x86: found.x86,
  };
  const work = () =>
    in_worker(new URL("worker.js", import.meta.url), job, {
      ...{ on_progress, signal, patience_ms },
      can_stop: true,
    });
  const suite = await alone(work);
  return profile_of(suite, found);
}

/**
 * Holds a lock that all tabs of this book share, so that two measurements never disturb each other.
 */
export async function alone(work) {
  if (!navigator.locks) return work();
  return navigator.locks.request(lock_name, { ifAvailable: true }, (lock) => {
    if (!lock) throw new Unavailable("another tab is measuring: wait until it has finished");
    return work();
  });
}

/** Keeps the screen from locking, where that is offered, until the function that it gives is called. */
function stay_awake() {
  const lock = navigator.wakeLock?.request("screen").catch(() => null);
  return () => lock?.then((held) => held?.release()).catch(() => {});
}

/**
 * A worker's answer to one job. When the page is hidden, a worker that `can_stop` is asked to end with
 * what it has; its clock may stand still until the page is seen again, so nothing presses it. `stop` asks
 * the same; `on_reading` hears what a worker that repeats something has read.
 */
export async function in_worker(script, job, how) {
  const { on_progress, on_reading, signal, stop, patience_ms, can_stop = false } = how;
  if (signal?.aborted) throw new Cancelled("cancelled");
  if (document.hidden) throw new Hidden("the page is hidden");
  return new Promise((resolve, reject) => {
    let worker;
    let watchdog;
    const pool = new PoolWorkers();
    const sleep_again = stay_awake();
    const silent = () => finish(reject, new Unavailable("the browser ended the measuring worker"));
    const await_word = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(silent, patience_ms);
    };
    const finish = (settle, value) => {
      clearTimeout(watchdog);
      sleep_again();
      worker?.terminate();
      pool.end();
      signal?.removeEventListener("abort", cancelled);
      stop?.removeEventListener("abort", ask_to_stop);
      document.removeEventListener("visibilitychange", hidden);
      settle(value);
    };
    const cancelled = () => finish(reject, new Cancelled("cancelled"));
    const ask_to_stop = () => worker.postMessage({ stop: true });
    const hidden = () => {
      if (!document.hidden) {
        await_word();
      } else if (can_stop) {
        clearTimeout(watchdog);
        ask_to_stop();
      } else {
        finish(reject, new Hidden("the page was hidden, so the run was thrown away"));
      }
    };
    signal?.addEventListener("abort", cancelled);
    stop?.addEventListener("abort", ask_to_stop);
    document.addEventListener("visibilitychange", hidden);
    const heard = ({ data }) => {
      if (!document.hidden) await_word();
      if (data.type === "progress") on_progress(data.fraction, data.text);
      else if (data.type === "reading") on_reading(data.reading);
      else if (data.type === "gather") start_pool(pool, data.tasks, worker);
      else if (data.type === "done") finish(resolve, data.suite);
      else if (data.type === "failed") finish(reject, refusal(data.reason));
    };
    const failed = (event) => {
      event.preventDefault();
      const gone = "the measuring code is gone, because the book was updated: reload the page";
      finish(reject, new Unavailable(event.message || gone));
    };
    worker = new Worker(trusted_script(script), { type: "module" });
    worker.addEventListener("message", heard);
    worker.addEventListener("error", failed);
    worker.postMessage(job);
    await_word();
  });
}

const refusal = (reason) => new (document.hidden ? Hidden : Unavailable)(reason);

/** Starts the workers of further cores for `worker`, which waits to be told. */
function start_pool(pool, tasks, worker) {
  return pool.start(tasks).then(
    () => worker.postMessage({}),
    ({ message }) => worker.postMessage({ reason: message }),
  );
}

/**
 * The suite's results with the machine they belong to, roofs and levels derived from its own
 * probes.
 */
function profile_of(suite, found) {
  const { levels, roofs, notes } = derive_roofs(suite.results);
  const empty = empty_profile();
  const run = empty.created; // what it was measured with stands beside each number: later runs may differ
  const results = suite.results.map((r) => ({
    ...r,
    run,
    flags: [...r.flags, ...context_flags(r, notes)],
  }));
  return {
    ...empty,
    ...describe_browser(navigator),
    isolated: found.isolated,
    timer_us: suite.tick_ms === null ? null : suite.tick_ms * 1e3,
    cores: { reported: found.cores, ...suite.cores },
    clock_ghz: suite.clock_ghz,
    clock_sustained_ghz: suite.clock_sustained_ghz ?? null,
    devices: [
      {
        id: "cpu",
        kind: "cpu",
        name: "",
        vendor: "",
        architecture: "",
        state: "hardware",
        memory: "own",
        features: features_of(found),
        limits: { memory: suite.largest },
      },
    ],
    levels,
    results,
    roofs: roofs.map((roof) => ({ ...roof, run, clock_ghz: suite.clock_ghz })),
    choices: suite.choices,
    ...(suite.jitter ? { jitter: { cpu: suite.jitter } } : {}),
  };
}

/** What the browser can run; with relaxed SIMD also whether its multiply-add rounds once. */
function features_of(found) {
  const known = ["simd", "relaxed", "shared"].filter((name) => found[name]);
  return found.relaxed ? [...known, found.fused ? "fused" : "unfused"] : known;
}

/** "Still in a cache" is a property of the sweep, carried by its largest working set. */
function context_flags(result, notes) {
  return result.kernel === "stream.read" && notes.largest === result.params.w ? notes.flags : [];
}

/** What `fresh` adds to what is known, roofs lifted where a kernel proves them too low. */
export async function add_to_profile(known, fresh) {
  const profile = lift_roofs(known ? merge_profiles(known, fresh) : fresh);
  if (!profile.gpu) return profile;
  const { with_gpu } = await import("../gpu/state.js");
  return with_gpu(profile);
}
