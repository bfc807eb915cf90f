// Runs kernels on several cores: one shared memory, one compiled module, and one worker per further
// core. A ThreadPool has the interface of a KernelModule, so the measuring protocol treats them
// alike. All members run a team kernel (matmul.parallel) together as one problem, with barriers
// inside the module. Of any other kernel, each member runs a copy on a separate region, and the
// pool counts the operations and bytes of all copies.
//
// The leader is the measuring worker. To start a call, it writes the order, increments each
// member's word and wakes the member. Members spin briefly before they sleep, so a call that
// follows another one starts at once. Of copies, each member does one run and then takes small
// chunks of the remaining runs, so the duration of a call is that of all cores together even if
// their speeds differ.

import { actions, Control } from "./thread_pool_control.js";
import { align, KernelModule } from "../kernels/kernel_module.js";

const stack_bytes = 65536;
const chunks_each = 64;
const start_ms = 30_000;
const silence_ms = 10_000; // of a member, while the leader has finished and waits

/**
 * The largest shared memory that the browser allows: {memory, limit}, the limit in bytes. It takes
 * space only as it grows. Throws Error if the browser refuses every size.
 */
function shared_memory() {
  for (const maximum of [65536, 32768, 16384, 8192]) {
    try {
      return {
        memory: new WebAssembly.Memory({ initial: 16, maximum, shared: true }),
        limit: Math.min(maximum * 65536, 2 ** 31),
      };
    } catch {
      // The browser may allow a smaller memory.
    }
  }
  throw new Error("the browser refused shared memory");
}

export class ThreadPool {
  #leader;
  #control;
  #most;
  #needed = 0;
  #size = 1;

  /**
   * Starts workers for `most` threads over `compiled`, with at most `budget` bytes of memory.
   * Throws Error with a message for readers if they do not start.
   */
  static async gather(compiled, most, budget = Infinity) {
    const { memory, limit: promised } = shared_memory();
    const limit = Math.min(promised, budget);
    const leader = await KernelModule.instantiate(compiled, { memory, limit });
    const control = Control.buffer_for(most);
    const stacks = leader.heap_base;
    if (!leader.reserve(stacks + most * stack_bytes)) throw new Error("out of memory");
    const tasks = [];
    for (let member = 1; member < most; ++member) {
      const stack = stacks + (member + 1) * stack_bytes;
      tasks.push({ member, stack, compiled, memory, control });
    }
    await start_members(tasks);
    return new ThreadPool(leader, new Control(control), most);
  }

  constructor(leader, control, most) {
    this.#leader = leader;
    this.#control = control;
    this.#most = most;
    this.registry = leader.registry;
    this.canary_ops = leader.canary_ops;
  }

  /** How many members the next measurements use; the rest sleep. */
  set size(threads) {
    if (!(threads >= 1 && threads <= this.#most)) throw new RangeError(`${threads} threads`);
    this.#size = threads;
  }
  get size() {
    return this.#size;
  }

  get heap_base() {
    return align(this.#leader.heap_base + this.#most * stack_bytes);
  }
  reserve(bytes) {
    return this.#leader.reserve(bytes);
  }

  /** Also wakes the members, so the following run starts on all cores at once. */
  select(kernel, params) {
    this.#leader.select(kernel, params, kernel.team ? this.#size : 1);
    this.#needed = this.#leader.memory_needed(kernel);
    this.#command(actions.stand_by, kernel, 0);
  }
  flops(kernel) {
    return this.#copies(kernel) * this.#leader.flops(kernel);
  }
  bytes(kernel) {
    return this.#copies(kernel) * this.#leader.bytes(kernel);
  }
  memory_needed(kernel) {
    return this.#copies(kernel) * this.#stride;
  }
  prepare(kernel, base) {
    if (kernel.team) this.#leader.prepare(kernel, base);
    else this.#command(actions.prepare, kernel, base);
  }
  run(kernel, base, reps) {
    this.#command(kernel.team ? actions.run_together : actions.run, kernel, base, reps);
  }
  canary(iterations) {
    this.#leader.canary(iterations);
  }
  /** A view of `count` 32-bit integers at `base` in the shared memory. */
  words(base, count) {
    return this.#leader.words(base, count);
  }

  #copies(kernel) {
    return kernel.team ? 1 : this.#size;
  }

  /** The worst result of all copies: {error, tolerance}. */
  verify(kernel, base) {
    let worst = { error: 0, tolerance: 1 };
    for (let member = 0; member < this.#copies(kernel); ++member) {
      const check = this.#leader.verify(kernel, base + member * this.#stride);
      if (!(check.error / check.tolerance <= worst.error / worst.tolerance)) worst = check;
      if (Number.isNaN(worst.error)) return worst; // no correct copy makes up for this one
    }
    return worst;
  }

  /**
   * The bytes from one copy's region to the next: some lines more than a multiple of the page, so
   * that regions do not use the same cache sets.
   */
  get #stride() {
    return align(this.#needed + 4096) + 320;
  }

  /**
   * Gives one order to all members, does this thread's part of it, and returns when all have
   * finished. Throws Error with a message for readers if a member failed or went silent.
   */
  #command(action, kernel, base, reps = 1) {
    const others = this.#size - 1;
    const together = action === actions.run_together;
    const runs = together ? reps : this.#size * (reps - 1);
    const chunk = Math.max(1, Math.ceil(runs / (chunks_each * this.#size)));
    this.#control.announce([action, kernel.index, base, this.#stride, chunk, runs], others);
    try {
      this.#control.take_part(0, this.#leader);
    } catch (error) {
      throw this.#control.failure ?? error; // the member's error is the cause
    }
    this.#control.join(others, silence_ms);
  }
}

/**
 * Asks the page to start the members. Resolves when they are ready for orders; rejects with an
 * Error if they do not start.
 */
function start_members(tasks) {
  return new Promise((resolve, reject) => {
    const late = "the workers for further cores did not start";
    setTimeout(() => reject(new Error(late)), start_ms);
    const heard = ({ data }) => {
      if (data.stop) return; // a message for worker.js
      removeEventListener("message", heard);
      if (data.reason) reject(new Error(data.reason));
      else resolve();
    };
    addEventListener("message", heard);
    postMessage({ type: "gather", tasks });
  });
}
