// A kernel module that answers the requests of scripts/bench kernels like the native programs
// (twin.hpp), in a browser's worker and in Node.

import { calibrate } from "../../site/runtime/kernels/clock.js";
import { align, runs_of_a_lap } from "../../site/runtime/kernels/kernel_module.js";
import { complete_params, short_params } from "../../site/runtime/kernels/tasks.js";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const now = () => performance.now();
const tick_ms = globalThis.crossOriginIsolated === false ? 1 : 0.02; // the coarsest in use
const warm_passes = 4;
const warm_ms = 8;
const keep_bytes = 128 * 2 ** 20; // memory never shrinks: larger instances are dropped

export class WasmTwin {
  #make;
  #instance;
  #bytes = 0;
  #work;
  #warm = new Set(); // an engine drops compiled code with the instance

  /**
   * `make()` returns or promises a KernelModule, or a ThreadPool instead; a new one or the same.
   */
  constructor(make) {
    this.#make = make;
  }

  /** One line of the protocol; resolves to its answer. */
  async answer(line) {
    const [verb, ...words] = line.split(" ");
    try {
      if (verb === "prepare") return await this.#prepare(words);
      if (verb === "sample") return this.#sample(Number(words[0]));
      if (verb === "verify") return this.#verify();
      return { refused: "no such request" };
    } catch (error) {
      return { refused: String(error.message) };
    }
  }

  async #prepare([id, ...settings]) {
    const given = Object.fromEntries(settings.map((setting) => setting.split("=")));
    const { variant = "", ...numbers } = given;
    if (!this.#instance || this.#bytes > keep_bytes) {
      this.#instance = await this.#make();
    }
    const module = this.#instance;
    const kernel = module.registry.find((k) => k.id === id && (k.variant ?? "") === variant);
    if (!kernel) return { refused: "no such kernel" };
    const known = kernel.params.filter(({ name }) => name in numbers);
    const params = complete_params(
      kernel,
      Object.fromEntries(known.map(({ name }) => [name, Number(numbers[name])])),
    );
    module.select(kernel, params);
    const base = align(module.heap_base, 1);
    this.#bytes = base + module.memory_needed(kernel);
    if (!module.reserve(this.#bytes)) return { refused: "not enough memory" };
    const key = `${kernel.index} ${JSON.stringify(short_params(kernel, params))}`;
    if (!this.#warm.has(key)) await warm_up(module, kernel, params, base);
    this.#warm.add(key);
    module.select(kernel, params);
    module.prepare(kernel, base);
    module.run(kernel, base, 1);
    const lap = runs_of_a_lap(module, kernel);
    this.#work = { kernel, base, lap, asked: 0, reps: 0 };
    return {};
  }

  #sample(ms) {
    const module = this.#instance;
    const { kernel, base, lap } = this.#work;
    if (ms !== this.#work.asked) {
      const run = (reps) => module.run(kernel, base, reps);
      this.#work.reps = calibrate(now, run, ms, tick_ms).units;
      this.#work.asked = ms;
    }
    if (lap > 1) module.run(kernel, base, lap);
    const begin = now();
    module.run(kernel, base, this.#work.reps);
    const seconds = (now() - begin) / 1e3 / this.#work.reps;
    return { seconds, flops: module.flops(kernel), bytes: module.bytes(kernel) };
  }

  #verify() {
    return this.#instance.verify(this.#work.kernel, this.#work.base);
  }
}

/** Short calls on small data, with pauses in which the engine optimizes the code. */
async function warm_up(module, kernel, params, base) {
  module.select(kernel, short_params(kernel, params));
  module.prepare(kernel, base);
  for (let pass = 0; pass < warm_passes; ++pass) {
    const begin = now();
    for (let calls = 0; calls < 100 || now() - begin < warm_ms; ++calls) {
      module.run(kernel, base, 1);
      if (now() - begin > 20 * warm_ms) break;
    }
    await pause(30);
  }
}
