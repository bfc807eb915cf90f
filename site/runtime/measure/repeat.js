// Repeats one kernel until stopped, from the page's point of view: starts a worker, passes on its
// readings, and stops it. Hiding the page also stops it and keeps the readings so far.

import { choose_module, describe_browser, detect, memory_budget } from "../kernels/detect.js";
import { alone, in_worker, Unavailable } from "./measure.js";

/**
 * Repeats {kernel, variant, params, choices} until `stop` (an AbortSignal) is raised or the page is
 * hidden. Calls `on_reading({at, value, ghz})` with each reading. Resolves to {params, unit,
 * tick_ms, readings, module, browser, engine, os}. Rejects with Unavailable, or with Hidden if the
 * page was hidden before it began.
 */
export async function repeat(asked, { assets, on_reading, stop, patience_ms = 60_000 }) {
  const found = detect();
  if (!found.workers)
    throw new Unavailable("this browser has no workers, and measuring here would freeze the page");
  const { module, file, further, reason } = choose_module(found);
  if (reason) throw new Unavailable(reason);
  const about = describe_browser(navigator);
  const job = {
    ...{ variant: "", params: {}, choices: [], ...asked },
    urls: [file, ...further].map((name) => new URL(`kernels/${name}`, assets).href),
    limit: memory_budget(globalThis, found.x86),
    module,
    browser: about.browser,
    x86: found.x86,
  };
  const how = { patience_ms, can_stop: true, stop, on_reading, on_progress: () => {} };
  const end = await alone(() => in_worker(new URL("repeat_worker.js", import.meta.url), job, how));
  return { ...end, module, ...about };
}
