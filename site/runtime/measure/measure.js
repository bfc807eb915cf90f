// Measures from the page's point of view: starts a worker, shows progress, cancels, and builds a
// profile from the results. The worker shares nothing with the page's thread, so the page stays
// responsive and canceling takes effect at once.

import { PoolWorkers } from "./thread_pool_workers.js";
import {
  choose_module,
  describe_browser,
  detect,
  may_have_small_tlb,
  memory_budget,
  set_limit,
} from "../kernels/detect.js";
import { script as trusted_script } from "../base/trusted.js";
import { derive_roofs, lift_roofs, ranges_of } from "./roofs.js";
import { empty_profile, merge_profiles } from "../profile/profile.js";

const lock_name = "primer.measure";
const longest_timer_ms = 2 ** 31 - 1;
const ended_by_browser = "the browser ended the measuring worker";

/** The measurement gave no numbers; `message` is for readers. */
export class Unavailable extends Error {}
/** The reader canceled the measurement. */
export class Cancelled extends Error {}
/** The page was hidden before there were results; `message` is for readers. */
export class Hidden extends Error {}

/**
 * Runs `request` and resolves to a profile of the results. Rejects with Unavailable, Cancelled or
 * Hidden. Only one measurement runs at a time, over all tabs. Members of the request, all optional:
 *
 *  runs, only, params, threads  what to measure: runs of a page, or kernels as in console.js
 *  roofs                        also the probes behind the roofs
 *  cores                        also how many cores the page can use; needs an isolated page
 *  jitter                       also one run of 2 ms, repeated
 *  packs                        kernels of the book itself, as requests_of() in packs.js returns
 *  pace                         "quick", "full" or "thorough" (sampler.js)
 *  module                       "simd128" or "relaxed"; default: the best that the browser has
 *  choices, last_cache, home    known facts that a quick run reuses (profile/known_machine.js)
 *
 * Kernels named gpu.* run on the GPU, after the others. `assets` is the URL of the book's asset
 * directory, and `signal` cancels. A worker that is silent for `patience_ms` counts as killed,
 * because browsers do not report that.
 */
export async function measure(
  request,
  { assets, on_progress = () => {}, signal, patience_ms = 60_000 } = {},
) {
  if (globalThis.origin === "null")
    throw new Unavailable("this frame is sandboxed and allows no workers: open the page itself");
  const { gpu, cpu, packs } = by_device(request);
  const parts = [
    ...(cpu ? [(how) => measure_cpu(cpu, how)] : []),
    ...packs.map((pack) => (how) => measure_own(pack, request, how)),
    ...(gpu ? [(how) => measure_on_gpu(gpu, how)] : []),
  ];
  let profile = null;
  for (const [i, measure_part] of parts.entries()) {
    const shown = (fraction, text, samples) =>
      on_progress((i + fraction) / parts.length, text, samples);
    try {
      const fresh = await measure_part({ assets, signal, patience_ms, on_progress: shown });
      profile = profile ? merge_profiles(profile, fresh) : fresh;
    } catch (error) {
      if (profile && error instanceof Hidden) return profile;
      throw error;
    }
  }
  return profile;
}

async function measure_on_gpu(gpu, { on_progress, ...how }) {
  const { measure_gpu } = await import("../gpu/measure.js");
  const run = (job, options) =>
    alone(() =>
      in_worker(new URL("../gpu/worker.js", import.meta.url), job, { ...how, ...options }),
    );
  return measure_gpu(gpu, { assets: how.assets, run, on_progress });
}

/** Measures the kernels of one of the book's own modules. */
async function measure_own(request, { pace, home, choices, even_software }, how) {
  const { measure_pack } = await import("./packs.js");
  const work = (job, limits) =>
    job.pack.is_gpu
      ? measure_on_gpu({ even_software, ...job }, { ...how, ...limits })
      : measure_cpu({ home, choices, ...job }, { ...how, ...limits });
  const is_final = (error) => error instanceof Cancelled || error instanceof Hidden;
  return measure_pack(request, { pace, work, is_final });
}

const is_gpu = (id) => id.startsWith("gpu.");

/** Splits the request into {gpu, cpu, packs}; gpu or cpu is null if it has no work. */
function by_device(request) {
  const { runs = [], only = [], packs = [], roofs, cores, jitter } = request;
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
    cpu: asks(cpu) || roofs || cores || jitter || !(asks(gpu) || packs.length > 0) ? cpu : null,
    packs,
  };
}

async function measure_cpu(request, { assets, ...how }) {
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
    is_fused: found.fused,
    small_tlb: may_have_small_tlb(navigator, found.x86),
  };
  const work = () =>
    in_worker(new URL("worker.js", import.meta.url), job, {
      ...how,
      can_stop: true,
    });
  const suite = await alone(work);
  return profile_of(suite, found);
}

/**
 * Runs `work` under a lock that all tabs of this book share, so that two measurements never disturb
 * each other. Rejects with Unavailable if another tab has the lock.
 */
export async function alone(work) {
  if (!navigator.locks) return work();
  return navigator.locks.request(lock_name, { ifAvailable: true }, (lock) => {
    if (!lock) throw new Unavailable("another tab is measuring: wait until it has finished");
    return work();
  });
}

/**
 * Prevents the screen from locking, if the browser supports that, until the returned function is
 * called.
 */
function stay_awake() {
  const lock = navigator.wakeLock?.request("screen").catch(() => null);
  return () => lock?.then((held) => held?.release()).catch(() => {});
}

/**
 * Sends `job` to a new worker and resolves to its answer. A worker that is silent for
 * `patience_ms`, or works for `longest_ms`, is ended with the reason `why_ended`. When the page is
 * hidden, a worker that `can_stop` is asked to end with its results so far, and any other worker is
 * discarded. The clock of a hidden page may stop, so silence does not count until the page is
 * visible again. `stop` (an AbortSignal) also asks the worker to end. `on_reading` receives the
 * readings of a worker that repeats a kernel.
 */
export async function in_worker(script, job, how) {
  const { on_progress, on_reading, signal, stop, can_stop = false } = how;
  const { patience_ms, longest_ms = longest_timer_ms, why_ended = ended_by_browser } = how;
  if (signal?.aborted) throw new Cancelled("canceled");
  if (document.hidden) throw new Hidden("the page is hidden");
  return new Promise((resolve, reject) => {
    let worker;
    let watchdog;
    const pool = new PoolWorkers();
    const sleep_again = stay_awake();
    const silent = () => finish(reject, new Unavailable(why_ended));
    const deadline = setTimeout(silent, longest_ms);
    const await_word = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(silent, patience_ms);
    };
    const finish = (settle, value) => {
      clearTimeout(watchdog);
      clearTimeout(deadline);
      sleep_again();
      worker?.terminate();
      pool.end();
      signal?.removeEventListener("abort", cancelled);
      stop?.removeEventListener("abort", ask_to_stop);
      document.removeEventListener("visibilitychange", hidden);
      settle(value);
    };
    const cancelled = () => finish(reject, new Cancelled("canceled"));
    const ask_to_stop = () => worker.postMessage({ stop: true });
    const hidden = () => {
      if (!document.hidden) return await_word();
      if (!can_stop)
        return finish(reject, new Hidden("the page was hidden, so the run was discarded"));
      clearTimeout(watchdog);
      ask_to_stop();
    };
    signal?.addEventListener("abort", cancelled);
    stop?.addEventListener("abort", ask_to_stop);
    document.addEventListener("visibilitychange", hidden);
    const heard = ({ data }) => {
      if (!document.hidden) await_word();
      if (data.type === "progress") on_progress(data.fraction, data.text, data.samples);
      else if (data.type === "reading") on_reading(data.reading);
      else if (data.type === "gather") start_pool(pool, data.tasks, worker);
      else if (data.type === "done") finish(resolve, data.suite);
      else if (data.type === "failed") finish(reject, refusal(data.reason));
    };
    const failed = (event) => {
      event.preventDefault();
      const gone = "an update of the book replaced the measuring code: reload the page";
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

/** Starts the workers of further cores for `worker` and then notifies it of success or failure. */
function start_pool(pool, tasks, worker) {
  return pool.start(tasks).then(
    () => worker.postMessage({}),
    ({ message }) => worker.postMessage({ reason: message }),
  );
}

/**
 * The profile of a suite: its results, the machine, and the levels and roofs derived from its
 * probes.
 */
function profile_of(suite, found) {
  const { levels, roofs, notes } = derive_roofs(suite.results);
  const empty = empty_profile();
  // Each result records its run, because later runs may differ.
  const run = empty.created;
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
    lost_share: suite.lost_share ?? null,
    disturbed: ranges_of(suite),
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

/**
 * The features that the browser supports, including whether the multiply-add of relaxed SIMD rounds
 * once.
 */
function features_of(found) {
  const known = ["simd", "relaxed", "shared"].filter((name) => found[name]);
  return found.relaxed ? [...known, found.fused ? "fused" : "unfused"] : known;
}

/**
 * "in-cache" is a property of the sweep; the result of its largest working set carries the flag.
 */
function context_flags(result, notes) {
  return result.kernel === "stream.read" && notes.largest === result.params.w ? notes.flags : [];
}

/** Merges `fresh` into the profile `known` (or null) and raises each roof that a kernel beats. */
export async function add_to_profile(known, fresh) {
  const profile = lift_roofs(known ? merge_profiles(known, fresh) : fresh);
  if (!profile.gpu) return profile;
  const { with_gpu } = await import("../gpu/state.js");
  return with_gpu(profile);
}
