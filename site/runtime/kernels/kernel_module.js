// One WebAssembly module of kernels: its registry, its memory, and calls by kernel index. The
// module has no allocator: this file lays out its memory and says no in words when there is not
// enough.

const page = 65536;
const alignment = 4096;

/**
 * Compiles `url`. Throws Error with words a reader understands. `response_ok` is false for a
 * missing file.
 */
export async function compile(url) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error("the measuring code could not be loaded: is the network there?");
  }
  if (!response.ok)
    throw new Error("the measuring code is gone, because the book was updated: reload the page");
  return WebAssembly.compile(await response.arrayBuffer());
}

export class KernelModule {
  #exports;
  #memory;
  #args;
  #limit;

  /** `module` is compiled; `memory` is needed only by the shared builds. `limit` caps its bytes. */
  static async instantiate(module, { memory, limit = 2 ** 31 } = {}) {
    const instance = await WebAssembly.instantiate(module, memory ? { env: { memory } } : {});
    return new KernelModule(instance.exports, memory ?? instance.exports.memory, limit);
  }

  constructor(exports, memory, limit) {
    this.#exports = exports;
    this.#memory = memory;
    this.#limit = limit;
    this.#args = exports.args();
    this.registry = Array.from({ length: exports.kernel_count() }, (_, i) => this.#describe(i));
    this.canary_ops = exports.canary_ops_per_iteration();
  }

  #describe(index) {
    const bytes = new Uint8Array(this.#memory.buffer, this.#exports.describe(index));
    return { ...JSON.parse(new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)))), index };
  }

  /**
   * Sets the parameters (every one the kernel declares, in its order) for the calls that follow,
   * and for a team kernel the number of threads.
   */
  select(kernel, params, threads = 1) {
    this.#exports.set_threads(threads);
    const values = new Float64Array(
      this.#memory.buffer,
      this.#args,
      Math.max(1, kernel.params.length),
    );
    kernel.params.forEach((param, i) => {
      values[i] = params[param.name];
    });
  }

  flops(kernel) {
    return this.#exports.flops(kernel.index);
  }
  bytes(kernel) {
    return this.#exports.bytes(kernel.index);
  }
  memory_needed(kernel) {
    return Number(this.#exports.memory_needed(kernel.index));
  }
  prepare(kernel, base) {
    this.#exports.prepare(kernel.index, base);
  }
  run(kernel, base, reps) {
    this.#exports.run(kernel.index, base, reps);
  }
  /** One thread's part of a team kernel's run; false when the team was not complete in time. */
  run_part(kernel, base, reps, thread) {
    return this.#exports.run_part(kernel.index, base, reps, thread) !== 0;
  }
  /** {error, tolerance}: the run was right when error <= tolerance. */
  verify(kernel, base) {
    return {
      error: this.#exports.verify(kernel.index, base),
      tolerance: this.#exports.tolerance(kernel.index),
    };
  }
  /** `count` floats, or whole numbers of 32 bits, of the memory at `base`; until it grows. */
  floats(base, count) {
    return new Float32Array(this.#memory.buffer, base, count);
  }
  words(base, count) {
    return new Uint32Array(this.#memory.buffer, base, count);
  }
  canary(iterations) {
    this.#exports.canary(iterations);
  }

  get heap_base() {
    return align(Number(this.#exports.heap_base()));
  }

  /**
   * Grows to hold `bytes` in all. False when the limit or the browser says no; nothing has changed
   * then.
   */
  reserve(bytes) {
    if (bytes > this.#limit) return false;
    const missing = Math.ceil((bytes - this.#memory.buffer.byteLength) / page);
    if (missing <= 0) return true;
    try {
      this.#memory.grow(missing);
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * The modules that hold what is asked for, the first always. A kernel lives in the first module whose registry has
 * it: of `urls` each further one is loaded only while `is_missing(registries)` holds of those before.
 * `limits(count)` = {first, further} are the bytes that their memories may have.
 */
export async function open_modules(urls, is_missing, limits) {
  const compiled = [];
  const registries = [];
  for (const url of urls) {
    if (registries.length > 0 && !is_missing(registries)) break;
    const code = await compile(url);
    compiled.push(code);
    registries.push((await KernelModule.instantiate(code)).registry);
  }
  const { first, further } = limits(compiled.length - 1);
  return Promise.all(
    compiled.map((code, i) => KernelModule.instantiate(code, { limit: i === 0 ? first : further })),
  );
}

/**
 * The runs that visit all that the selected kernel's region holds: more than one for a chase, whose run
 * is a walk of some thousand steps.
 */
export function runs_of_a_lap(module, kernel) {
  if (kernel.class !== "latency") return 1;
  return Math.ceil(module.memory_needed(kernel) / module.bytes(kernel));
}

/**
 * Next address that starts a page, plus an odd number of lines per region so that no two alias in a
 * cache set.
 */
export function align(address, line_offset = 0) {
  return Math.ceil(address / alignment) * alignment + line_offset * 64;
}
