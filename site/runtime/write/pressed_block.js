// Which block was pressed in the preview, and what of it may run here. The frame says an id and no more. What runs stands in the data of the page, which
// primer.wasm made, and is held against the registry once more, for the case that it errs.
import { own } from "../base/own.js";
import { complete_params, kernel_of } from "../kernels/tasks.js";

/** Why something does not run here. */
export const not_here = () => new Error("it asks for what the book does not have");

const most_runs = 100;
const most_threads = 1024;

/** {id, tag, plan} of a measurement or {id, tag, model} that a message of the frame names; undefined for any other message. */
export function pressed_block(message, { benches = [], models = {} }) {
  const id = message?.pressed;
  if (typeof id !== "string") return undefined;
  const plan = benches.find((bench) => bench.id === id);
  if (plan) return { id, tag: "primer-bench", plan };
  const model = own(models, id)?.model;
  return model && { id, tag: "figure", model };
}

const is_threads = (threads) =>
  Number.isInteger(threads) && threads >= 1 && threads <= most_threads;

/** The run as the registry knows it. Throws Error for one that it does not know. */
function allowed_run(run, registry) {
  const kernel = kernel_of(registry, run);
  const { params = {}, threads = 1 } = run;
  const is_known = (name) => kernel.params.some((param) => param.name === name);
  if (!kernel || !Object.keys(params).every(is_known) || !is_threads(threads))
    throw new RangeError("none");
  const { id, variant } = kernel;
  return {
    kernel: id,
    ...(variant && { variant }),
    params: complete_params(kernel, params),
    threads,
  };
}

/** A measurement's plan, of which nothing but this is run. Throws Error in words. */
export function allowed_plan({ runs = [], roofs, quick }, registry) {
  try {
    if (runs.length > most_runs) throw new RangeError("too many");
    const allowed = runs.map((run) => allowed_run(run, registry));
    return { runs: allowed, roofs: roofs === true, quick: quick !== false };
  } catch {
    throw not_here();
  }
}
