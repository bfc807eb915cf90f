// Decides what may run after a press in the preview. The frame sends only the id of a block. The
// plan comes from the page data that primer.wasm wrote. It is checked against the registry again,
// as a second line of defense if the program has a bug.
import { own } from "../base/own.js";
import { complete_params, kernel_of } from "../kernels/tasks.js";

/** The error for a block that may not run here. */
export const not_here = () => new Error("it asks for what the book does not have");

const most_runs = 100;
const most_threads = 1024;

/**
 * Returns {id, tag, plan} for a measurement or {id, tag, model} for a model that a message of the
 * frame names, and undefined for any other message.
 */
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

/** Copies a run with the registry's kernel and parameters. Throws Error for anything unknown. */
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

/**
 * Returns a copy of a measurement's plan that is safe to run. Throws Error with a message for the
 * author.
 */
export function allowed_plan({ runs = [], roofs, quick }, registry) {
  try {
    if (runs.length > most_runs) throw new RangeError("too many");
    const allowed = runs.map((run) => allowed_run(run, registry));
    return { runs: allowed, roofs: roofs === true, quick: quick !== false };
  } catch {
    throw not_here();
  }
}
