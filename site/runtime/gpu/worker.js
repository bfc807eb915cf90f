// The GPU's measuring worker: handles one request. The page's thread stays free, and a measurement
// is canceled by terminating the worker.

import { measure_suite } from "./suite.js";
import { compile, KernelModule } from "../kernels/kernel_module.js";

async function fetched(url, integrity) {
  const response = await fetch(url, { integrity });
  if (!response.ok) throw new Error("the book was updated: reload the page");
  return response;
}

/** The shaders of primer, and the one of a pack. */
async function fetch_shaders({ shaders, pack }) {
  const all = await (await fetched(shaders)).json();
  if (!pack) return all;
  const [{ shader }] = pack.kernels;
  return { ...all, [shader]: await (await fetched(pack.module, pack.integrity)).text() };
}

async function run(request) {
  const reference = await KernelModule.instantiate(await compile(request.module));
  return measure_suite(request, reference, {
    gpu: navigator.gpu,
    shaders: () => fetch_shaders(request),
    now: () => performance.now(),
    report: (fraction, text) => postMessage({ type: "progress", fraction, text }),
  });
}

async function answer({ data }) {
  try {
    postMessage({ type: "done", suite: await run(data) });
  } catch (error) {
    postMessage({ type: "failed", reason: String(error?.message ?? error) });
  }
}

addEventListener("message", answer, { once: true });
