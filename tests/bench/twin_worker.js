// A WasmTwin that answers messages: first {url, threads} of the module, then one request after the
// other.

import { KernelModule } from "../../site/runtime/kernels/kernel_module.js";
import { ThreadPool } from "../../site/runtime/measure/thread_pool.js";
import { WasmTwin } from "./wasm_twin.mjs";

let twin;

async function start({ url, threads }) {
  const module = await WebAssembly.compile(await (await fetch(url)).arrayBuffer());
  if (threads === 1) return new WasmTwin(() => KernelModule.instantiate(module));
  const pool = await ThreadPool.gather(module, threads);
  pool.size = threads;
  return new WasmTwin(() => pool);
}

addEventListener("message", async ({ data }) => {
  if (data.gathered) return; // for the thread pool, which has a listener
  try {
    if (twin) return postMessage(await twin.answer(data));
    twin = await start(data);
    postMessage({});
  } catch (error) {
    postMessage({ refused: String(error?.message ?? error) });
  }
});
