// The browser features that measuring needs, for Node: a document that is never hidden, workers
// (threads of Node), navigator.gpu (Dawn), and fetch for the book's kernels. With them,
// site/runtime measures here unchanged.
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker as Thread, getEnvironmentData, setEnvironmentData } from "node:worker_threads";

import { dawn_gpu } from "./dawn_gpu.mjs";

/** The apparent address of the book's files. Nothing is ever fetched from it. */
export const assets = "https://book.invalid/";
const settings_name = "page_in_node";

/** The texts of all shaders by name, in the format of the site's shaders.json. */
export function read_shaders(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".wgsl"));
  return Object.fromEntries(
    files.map((name) => [name.slice(0, -5), readFileSync(join(folder, name), "utf8")]),
  );
}

/** fetch() for `kernels/` below `assets` only. */
function fetch_kernels({ modules, shaders }) {
  return async (url) => {
    const name = String(url).startsWith(`${assets}kernels/`) && String(url).split("/").at(-1);
    if (!name) throw new TypeError(`${url} is none of the book's kernels`);
    if (name === "shaders.json") return new Response(JSON.stringify(read_shaders(shaders)));
    try {
      return new Response(readFileSync(join(modules, name)));
    } catch (error) {
      throw new TypeError(`${url}: ${error.message}`);
    }
  };
}

/** A browser's Worker, implemented with a thread of Node. */
class PageWorker extends EventTarget {
  #thread;

  constructor(script) {
    super();
    const begin = new URL("worker_in_node.mjs", import.meta.url);
    this.#thread = new Thread(begin, { workerData: { script: String(script) } });
    const tell = (type, more) => this.dispatchEvent(Object.assign(new Event(type), more));
    this.#thread.on("message", (data) => tell("message", { data }));
    this.#thread.on("error", ({ message }) => tell("error", { message }));
  }

  postMessage(data) {
    this.#thread.postMessage(data);
  }

  terminate() {
    this.#thread.terminate();
  }
}

const define = (name, value) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Globals of both pages and workers. */
function define_common(settings) {
  const [major] = process.versions.node.split(".");
  define("navigator", {
    userAgent: `Node/${major} (${process.platform === "linux" ? "Linux" : process.platform})`,
    hardwareConcurrency: availableParallelism(),
    maxTouchPoints: 0,
    gpu: dawn_gpu(settings),
  });
  define("crossOriginIsolated", true);
  define("fetch", fetch_kernels(settings));
}

/**
 * Turns this thread into a page. `modules` and `shaders` are the directories of the WebAssembly
 * modules and the WGSL. `default_limits` gives devices only the limits that WebGPU guarantees
 * (dawn_gpu.mjs). Call this before importing anything of site/runtime.
 */
export function become_page(settings) {
  setEnvironmentData(settings_name, settings);
  define_common(settings);
  define("Worker", PageWorker);
  const [addEventListener, removeEventListener] = [() => {}, () => {}];
  const documentElement = { dataset: {} };
  define("document", {
    ...{ hidden: false, baseURI: assets, documentElement },
    ...{ addEventListener, removeEventListener, querySelector: () => null },
  });
}

/** Turns this thread into a worker of that page, which sends and receives through `port`. */
export function become_worker(port) {
  define_common(getEnvironmentData(settings_name));
  define("postMessage", (data) => port.postMessage(data));
  define("addEventListener", (type, listener, { once = false } = {}) => {
    if (type === "message") port[once ? "once" : "on"]("message", (data) => listener({ data }));
  });
  define("removeEventListener", () => {});
}
