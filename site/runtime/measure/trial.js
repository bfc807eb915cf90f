// Runs a trial of the lab, from the page's point of view: chooses the module for the trial, or
// finds out why the trial cannot run here.

import { choose_module, detect, memory_budget } from "../kernels/detect.js";
import { alone, in_worker, Unavailable } from "./measure.js";
import { most_threads } from "./trial_tasks.js";

const of_several_cores = new Set(["cores", "load"]);

/**
 * The plan of a trial in a browser with the features `found` (detect()): {file, threads}, or
 * {reason} in words.
 */
export function plan_of_trial(trial, found) {
  if (!found.workers)
    return {
      reason: "this browser has no workers, and measuring here would freeze the page",
    };
  const several = of_several_cores.has(trial);
  const { reason, module, file } = choose_module(found, { threads: several ? 2 : 1 });
  if (reason) return { reason };
  if (several && found.cores < 2) return { reason: "this browser reports one core" };
  if (several) return { file: "lab-shared.wasm", threads: Math.min(found.cores, most_threads) };
  return { file: trial === "pages" ? file : `lab-${module}.wasm`, threads: 1 };
}

/**
 * Runs "instructions", "pages", "cores" or "load". Resolves to the worker's answer
 * (trial_worker.js); rejects as measure() does.
 */
export async function run_trial(trial, { assets, on_progress, signal, patience_ms = 60_000 }) {
  const found = detect();
  const { reason, file, threads } = plan_of_trial(trial, found);
  if (reason) throw new Unavailable(reason);
  const url = new URL(`kernels/${file}`, assets).href;
  const job = { trial, url, threads, limit: memory_budget(globalThis, found.x86) };
  const worker = new URL("trial_worker.js", import.meta.url);
  return alone(() => in_worker(worker, job, { on_progress, signal, patience_ms }));
}
