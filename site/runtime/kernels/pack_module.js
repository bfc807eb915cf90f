// A module with kernels of a book (docs/reference/kernel-packs.md), with the interface
// of KernelModule, for the measuring worker.
//
// The module is foreign code, so it gets nothing but a memory whose maximum is fixed here. The page
// ends the worker when the module does not return in time (measure/packs.js). What kernels do, and
// how they are checked, comes from the manifest, with all expressions already evaluated:
//
//   pack    {module, integrity, pages (64 KiB each), most_pages, room (bytes), kernels: [{
//            ...description, number, check, works}]}, where `number` is the module's for it
//   works   {key of parameters: {flops, bytes, memory}}
//   check   {kind, tolerance, params, ...places in bytes from base}

import { own } from "../base/own.js";
import { compile, grow, page } from "./kernel_module.js";
import { complete_params } from "./tasks.js";

const most_args = 6;

/** The key of `works` for complete parameters. */
export const work_key = (kernel, params) => kernel.params.map(({ name }) => params[name]).join(" ");

export class PackModule {
  #exports;
  #memory;
  #args;
  #helper;
  #selected = "";

  /**
   * Loads the pack into a memory of at most `limit` bytes. `helper` is a KernelModule, whose canary
   * reads the clock. Throws Error with a message for readers.
   */
  static async open(pack, helper, limit) {
    const start = pack.pages * page;
    const wanted = start + pack.room;
    const most = Math.min(pack.most_pages, Math.floor(Math.min(wanted, limit) / page));
    if (most < pack.pages) throw new Error("its module needs more memory than this page gets here");
    const memory = new WebAssembly.Memory({ initial: pack.pages, maximum: most });
    try {
      const module = await compile(pack.module, pack.integrity);
      const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
      return new PackModule(exports, memory, { pack, helper });
    } catch (error) {
      throw new Error(said(error));
    }
  }

  constructor(exports, memory, { pack, helper }) {
    this.#exports = exports;
    this.#memory = memory;
    this.#helper = helper;
    this.registry = pack.kernels;
    this.heap_base = Math.ceil((pack.pages * page) / 4096) * 4096;
    this.canary_ops = helper.canary_ops;
    this.#args = this.#call(null, "args");
    const last = memory.buffer.byteLength - 8 * most_args;
    if (!(this.#args >= 0 && this.#args <= last && this.#args % 8 === 0))
      throw new Error("args() of its module is not the address of six doubles");
  }

  /** Calls an export. A trap becomes an error that names the kernel. */
  #call(kernel, name, ...values) {
    try {
      return this.#exports[name](...values);
    } catch (error) {
      throw new Error(`${kernel?.id ?? "its module"} stopped in ${name}: ${said(error)}`);
    }
  }

  select(kernel, params) {
    this.#selected = work_key(kernel, params);
    const values = new Float64Array(this.#memory.buffer, this.#args, kernel.params.length);
    kernel.params.forEach(({ name }, i) => {
      values[i] = params[name];
    });
  }

  #work(kernel) {
    return own(kernel.works, this.#selected) ?? { flops: 0, bytes: 0, memory: Infinity };
  }
  flops(kernel) {
    return this.#work(kernel).flops;
  }
  bytes(kernel) {
    return this.#work(kernel).bytes;
  }
  memory_needed(kernel) {
    return this.#work(kernel).memory;
  }
  prepare(kernel, base) {
    this.#call(kernel, "prepare", kernel.number, base);
  }
  run(kernel, base, reps) {
    this.#call(kernel, "run", kernel.number, base, reps);
  }
  canary(iterations) {
    this.#helper.canary(iterations);
  }

  /**
   * {error, tolerance} of a run with the parameters of the check. Throws Error if the check passes
   * although the kernel has not run, because such a check proves nothing.
   */
  verify(kernel, base) {
    const { tolerance = 0, params } = kernel.check;
    const error_of = (reps) => {
      this.select(kernel, complete_params(kernel, params));
      this.prepare(kernel, base);
      if (reps > 0) this.run(kernel, base, reps);
      return Number(this.#error(kernel, base));
    };
    if (error_of(0) <= tolerance)
      throw new Error(`the check of ${kernel.id} passes before the kernel has run`);
    return { error: error_of(1), tolerance };
  }

  #error(kernel, base) {
    const { check } = kernel;
    if (check.kind === "reference") return this.#call(kernel, "verify", kernel.number, base);
    return output_error(this.#memory.buffer, base, check);
  }

  reserve(bytes) {
    return grow(this.#memory, bytes);
  }
}

/** What the engine said, short enough for a sentence. */
const said = (error) => String(error?.message ?? error).slice(0, 120);

/** The error of a check of the kind "product" or "checksum". */
export const output_error = (buffer, base, check) =>
  (check.kind === "product" ? product_error : checksum_error)(buffer, base, check);

/**
 * Freivalds' check of C = A · B in floats: the largest difference between A · (B · x) and C · x for
 * a random x of ±1, as a share of the sum of the absolute products. It costs n² and misses a wrong
 * C about every second time, so it is repeated 20 times.
 */
function product_error(buffer, base, { m, n, k, a, b, c }) {
  const [A, B, C] = [
    [a, m * k],
    [b, k * n],
    [c, m * n],
  ].map(([at, count]) => new Float32Array(buffer, base + at, count));
  let worst = 0;
  for (let round = 0; round < 20; ++round) {
    const x = Float64Array.from({ length: n }, () => (Math.random() < 0.5 ? -1 : 1));
    const times = (matrix, rows, columns, vector, weight = (v) => v) =>
      Float64Array.from({ length: rows }, (_, i) => {
        let sum = 0;
        for (let j = 0; j < columns; ++j) sum += weight(matrix[i * columns + j]) * vector[j];
        return sum;
      });
    const found = times(C, m, n, x);
    const expected = times(A, m, k, times(B, k, n, x));
    const ones = new Float64Array(n).fill(1);
    const sizes = times(A, m, k, times(B, k, n, ones, Math.abs), Math.abs);
    for (let i = 0; i < m; ++i) {
      const error = Math.abs(found[i] - expected[i]) / Math.max(sizes[i], Number.MIN_VALUE);
      if (!(error <= worst) && !Number.isNaN(worst)) worst = error;
    }
  }
  return worst;
}

/** 0 if the 32-bit FNV-1a of the output is the expected one, otherwise 1. */
function checksum_error(buffer, base, { at, bytes, value }) {
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(buffer, base + at, bytes))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0") === value ? 0 : 1;
}
