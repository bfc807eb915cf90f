// The interface for the console of /machine/, which scripts/measure also calls. It measures any
// registered kernel with any allowed parameters and resolves to a profile:
//
//  await primer.measure({only: ["matmul.packed"], params: {n: 480}, module: "relaxed"})

import { add_to_profile, measure } from "./measure.js";
import { assets, registry } from "../page/page.js";
import { select_kernels } from "../kernels/tasks.js";

/**
 * `only` lists ids, "id:variant" or "family.*" (default: every kernel and the roofs). A kernel
 * ignores `params` that it does not declare, but a name that no selected kernel declares throws a
 * RangeError. A software GPU is measured only with `even_software`. `jitter` is as in measure.js.
 * The profile is returned, not stored.
 */
export async function measure_here(options = {}) {
  const {
    only,
    params = {},
    threads = 1,
    module,
    quick = false,
    roofs = only === undefined,
    runs = [],
    even_software = false,
    jitter = false,
  } = options;
  const known = await registry();
  const patterns = only ?? ["*"];
  const selected = patterns.flatMap((pattern) => {
    const kernels = select_kernels(known, pattern);
    if (kernels.length === 0) throw new RangeError(`no kernel matches "${pattern}"`);
    return kernels;
  });
  for (const name of Object.keys(params)) {
    if (!selected.some((kernel) => kernel.params.some((p) => p.name === name))) {
      throw new RangeError(`none of the selected kernels has a parameter "${name}"`);
    }
  }
  const pace = quick ? "quick" : "full";
  const request = {
    only: patterns,
    params,
    runs,
    threads,
    module,
    roofs,
    pace,
    even_software,
    jitter,
  };
  const { on_progress, signal } = options;
  return add_to_profile(null, await measure(request, { assets, on_progress, signal }));
}
