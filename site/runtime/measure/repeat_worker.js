// The worker behind "repeat until stopped". It repeats one kernel, posts each reading, and ends
// when the page sends {stop: true}.

import { module_parts } from "../kernels/detect.js";
import { open_modules } from "../kernels/kernel_module.js";
import { complete_params, kernel_of } from "../kernels/tasks.js";
import { known_choice, leaves_tile, race_tiles } from "./race.js";
import { repeat_kernel } from "./repeater.js";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const now = () => performance.now();

let stopped = false;

/**
 * `params` with the fastest tile in place of an open one: the stored choice, otherwise the winner
 * of a race.
 */
async function with_tile(module, kernel, params, { module: isa, browser, choices, x86 }) {
  if (!leaves_tile({ kernel, params })) return params;
  const known = known_choice(choices, module.registry, { module: isa, browser });
  const won = known ?? (await race_tiles({ module, x86, now, pause }));
  return won ? { ...params, tile: won.tile } : params;
}

async function run(job) {
  const has_it = (registry) => kernel_of(registry, job);
  const modules = await open_modules(
    job.urls,
    (registries) => !registries.some(has_it),
    (count) => module_parts(job.limit, count),
  );
  const [racing] = modules;
  const module = modules.find(({ registry }) => has_it(registry));
  const kernel = module && has_it(module.registry);
  if (!kernel) throw new Error("this kernel is missing from the module for this browser");
  const params = complete_params(kernel, job.params);
  const tell = (reading) => postMessage({ type: "reading", reading });
  const how = { now, pause, tell, is_stopped: () => stopped };
  const used = await with_tile(racing, kernel, params, job);
  const end = await repeat_kernel({ module, kernel, params: used, ...how });
  if (!end.verified) throw new Error("its result was wrong");
  return { ...end, params: used, unit: kernel.unit };
}

addEventListener("message", ({ data }) => {
  if (data.stop) stopped = true;
  else
    run(data).then(
      (suite) => postMessage({ type: "done", suite }),
      (error) => postMessage({ type: "failed", reason: String(error?.message ?? error) }),
    );
});
