// One WebAssembly module of kernels: its registry, its memory, and calls by kernel index. The
// module has no allocator, so its user divides the memory that reserve() provides.

export const page = 65536; // bytes, of WebAssembly memory
const alignment = 4096;

/**
 * Compiles the module at `url`, whose hash must be `integrity` if that is given. Throws Error with
 * a message for readers.
 */
export async function compile(url, integrity) {
  let response;
  try {
    response = await fetch(url, { integrity });
  } catch {
    throw new Error("the measuring code could not be loaded: check your network connection");
  }
  if (!response.ok)
    throw new Error("an update of the book replaced the measuring code: reload the page");
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * Grows a WebAssembly memory to at least `bytes`. Returns false, and changes nothing, if the
 * browser refuses.
 */
export function grow(memory, bytes) {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / page);
  if (missing <= 0) return true;
  try {
    memory.grow(missing);
    return true;
  } catch {
    return false;
  }
}

export class KernelModule {
  #exports;
  #memory;
  #args;
  #limit;

  /**
   * `module` is compiled. `memory` is needed only by the shared builds. `limit` is the maximum size
   * of the memory in bytes.
   */
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
   * Sets the parameters for the following calls (all that the kernel declares, in its order) and,
   * for a team kernel, the number of threads.
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
  /** Runs one thread's part of a team kernel. False: the team was not complete in time. */
  run_part(kernel, base, reps, thread) {
    return this.#exports.run_part(kernel.index, base, reps, thread) !== 0;
  }
  /** {error, tolerance}: the run was correct if error <= tolerance. */
  verify(kernel, base) {
    return {
      error: this.#exports.verify(kernel.index, base),
      tolerance: this.#exports.tolerance(kernel.index),
    };
  }
  /** A view of `count` floats, or 32-bit integers, at `base`; valid until the memory grows. */
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
   * Grows the memory to at least `bytes`. Returns false, and changes nothing, if the limit or the
   * browser refuses.
   */
  reserve(bytes) {
    return bytes <= this.#limit && grow(this.#memory, bytes);
  }
}

/**
 * Opens the first of `urls`, and each further one as long as `is_missing(registries)` is true for
 * the modules so far. A kernel is looked up in the modules in this order. `limits(count)` = {first,
 * further} are the maximum bytes of their memories.
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
 * The number of runs that visit the whole region of the selected kernel: more than one for a chase,
 * whose run is a walk of a few thousand steps.
 */
export function runs_of_a_lap(module, kernel) {
  if (kernel.class !== "latency") return 1;
  return Math.ceil(module.memory_needed(kernel) / module.bytes(kernel));
}

/**
 * The next page boundary plus an odd number of lines per region, so that no two regions use the
 * same cache sets.
 */
export function align(address, line_offset = 0) {
  return Math.ceil(address / alignment) * alignment + line_offset * 64;
}
