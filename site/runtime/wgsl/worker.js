// The worker that runs a reader's program: one request, then the page ends it.

import { try_program } from "./trial.js";
import { compile, KernelModule } from "../kernels/kernel_module.js";

async function shaders_at(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error("the book was updated: reload the page");
  return response.json();
}

async function answer({ data: { program, module, shaders } }) {
  try {
    const reference = await KernelModule.instantiate(await compile(module));
    const outcome = await try_program(program, reference, {
      gpu: navigator.gpu,
      shaders: () => shaders_at(shaders),
      now: () => performance.now(),
      report: (fraction, text) => postMessage({ type: "progress", fraction, text }),
    });
    postMessage({ type: "done", outcome });
  } catch (error) {
    postMessage({
      type: "done",
      outcome: { reason: String(error?.message ?? error), problems: [] },
    });
  }
}

addEventListener("message", answer, { once: true });
