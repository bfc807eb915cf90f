// Measures the book's own kernels: evaluates the manifest's expressions for each run, and runs
// every module in a separate worker, so that a module that never returns costs only its own
// results.
//
//   runs of a page --> requests_of() --> one request per module --> measure_pack() --> profile
//                          |
//                     page.wasm evaluates flops, bytes, memory and places over the parameters

import { work_key } from "../kernels/pack_module.js";
import { complete_params, kernel_of } from "../kernels/tasks.js";
import { empty_profile } from "../profile/profile.js";

// A worker is ended when it is silent for this long, which is far longer than a call of a kernel
// should take, or when it has worked for this long.
const patience_ms = 15_000;
const longest_ms = { quick: 60_000, full: 180_000, thorough: 600_000 };
const slack = 2 ** 20; // bytes for the regions' distances, per run

/**
 * One request per module for those of `runs` that name a kernel of the book. `evaluate` resolves
 * an expression without names to a number.
 */
export async function requests_of(runs, registry, { assets, evaluate }) {
  const packs = new Map();
  for (const run of runs) {
    const described = kernel_of(registry, run);
    const { module, integrity, pages, most_pages, gpu } = described.pack;
    if (!packs.has(module)) {
      const url = new URL(module, assets).href;
      const head = { module: url, integrity, pages, most_pages, is_gpu: Boolean(gpu) };
      packs.set(module, { pack: { ...head, room: slack, kernels: [] }, runs: [], refused: [] });
    }
    const request = packs.get(module);
    try {
      await add_run(request, run, described, evaluate);
      request.runs.push(run);
    } catch (error) {
      request.refused.push(unavailable(run, error.message));
    }
  }
  return [...packs.values()];
}

async function add_run({ pack }, run, described, evaluate) {
  const { pack: about, ...description } = described;
  const params = complete_params(description, run.params);
  const value_of = (text, values) => evaluate(with_values(text, values));
  const checked = { ...complete_params(description), ...about.check.params };
  let kernel = pack.kernels.find(({ id }) => id === description.id);
  if (!kernel) {
    const check = { ...about.check, params: checked };
    for (const place of ["m", "n", "k", "a", "b", "c", "at", "bytes"])
      if (check[place] !== undefined) check[place] = await value_of(check[place], checked);
    kernel = { ...description, number: about.index, index: about.index, check, works: {} };
    if (about.gpu) kernel.shader = about.module.replace(/\.wgsl$/, "");
    pack.kernels.push(kernel);
  }
  const all_of = (texts, values) => Promise.all(texts.map((text) => value_of(text, values)));
  const work_with = async (values) => {
    const [flops, bytes, memory] = await all_of([about.flops, about.bytes, about.memory], values);
    if (!about.gpu) return { flops, bytes, memory };
    const { groups, buffers } = about.gpu;
    const gpu = { groups: await all_of(groups, values), buffers: await all_of(buffers, values) };
    return { flops, bytes, memory, ...gpu };
  };
  const [own, small] = [await work_with(params), await work_with(checked)];
  const memory = Math.max(own.memory, small.memory);
  if (!(memory <= 2 ** 31)) throw new Error("its manifest asks for more memory than a page has");
  if (about.gpu) kernel.works[work_key(kernel, checked)] ??= small;
  kernel.works[work_key(kernel, params)] = { ...own, memory };
  pack.room += memory + slack;
}

/** The expression with its parameters replaced by their values. */
const with_values = (text, values) =>
  text.replace(/[\w.]+/g, (word) => (Object.hasOwn(values, word) ? `(${values[word]})` : word));

const unavailable = ({ kernel, params = {} }, reason) => ({
  ...{ kernel, params, threads: 1, device: kernel.startsWith("gpu.") ? "gpu" : "cpu" },
  ...{ status: "unavailable", reason, flags: [] },
});

/**
 * Measures one request of requests_of(). `work(job, limits)` runs a job in a measuring worker and
 * resolves to a profile. Resolves to a profile in any case: if the module fails, its results are
 * unavailable with the reason. Rejects only if the reader or the browser ended the run.
 */
export async function measure_pack({ pack, runs, refused }, { pace = "quick", work, is_final }) {
  const named = pack.kernels.map(({ id }) => id).join(", ");
  const limits = {
    patience_ms,
    longest_ms: longest_ms[pace],
    why_ended: `${named} did not finish in time, so the browser ended it`,
  };
  let profile = empty_profile();
  if (runs.length > 0) {
    try {
      profile = await work({ runs, pack, pace }, limits);
    } catch (error) {
      if (is_final(error)) throw error;
      profile = { ...profile, results: runs.map((run) => unavailable(run, error.message)) };
    }
  }
  return { ...profile, results: [...profile.results, ...refused] };
}
