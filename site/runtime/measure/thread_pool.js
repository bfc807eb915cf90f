// Several cores at once: one shared memory, one compiled module, a worker for each further core.
// A ThreadPool looks like a KernelModule, so the measuring protocol needs to know nothing of it. A team
// kernel (matmul.parallel) is one problem that all members run together, with barriers inside the
// module. Of any other, every member runs a copy on a region of its own, and its operations and
// bytes are those of all.
//
// The leader is the measuring worker itself. It hands out a call by writing it down, counting up
// each member's own word and waking it; members spin for a moment before they sleep, so that a call
// that follows another one starts at once. Of copies everybody does one run; the rest is shared out
// in small chunks, so that the time of a call is that of all cores together even when they differ.

import { actions, Control } from "./thread_pool_control.js";
import { align, KernelModule } from "../kernels/kernel_module.js";

const stack_bytes = 65536;
const chunks_each = 64;
const start_ms = 30_000;
const silence_ms = 10_000; // of a member, while the leader has finished and waits

/** The largest shared memory that this browser promises; it takes room only as it grows. */
function shared_memory() {
  for (const maximum of [65536, 32768, 16384, 8192]) {
    try {
      return {
        memory: new WebAssembly.Memory({ initial: 16, maximum, shared: true }),
        limit: Math.min(maximum * 65536, 2 ** 31),
      };
    } catch {
      // Less may be possible.
    }
  }
  throw new Error("the browser refused memory that workers can share");
}

export class ThreadPool {
  #leader;
  #control;
  #most;
  #needed = 0;
  #size = 1;

  /**
   * Workers for `most` threads over `compiled`, with at most `budget` bytes of memory. Throws Error in
   * words when they do not start.
   */
  static async gather(compiled, most, budget = Infinity) {
    const { memory, limit: promised } = shared_memory();
    const limit = Math.min(promised, budget);
    const leader = await KernelModule.instantiate(compiled, { memory, limit });
    const control = Control.buffer_for(most);
    const stacks = leader.heap_base;
    if (!leader.reserve(stacks + most * stack_bytes)) throw new Error("there is no memory");
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

  /** How many members the next measurements use; the others sleep. */
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

  /** Also wakes the members, so that a run that follows starts on all cores at once. */
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
  /** Whole numbers of 32 bits of the memory that all share. */
  words(base, count) {
    return this.#leader.words(base, count);
  }

  #copies(kernel) {
    return kernel.team ? 1 : this.#size;
  }

  /** The worst of all copies' results. */
  verify(kernel, base) {
    let worst = { error: 0, tolerance: 1 };
    for (let member = 0; member < this.#copies(kernel); ++member) {
      const check = this.#leader.verify(kernel, base + member * this.#stride);
      if (!(check.error / check.tolerance <= worst.error / worst.tolerance)) worst = check;
      if (Number.isNaN(worst.error)) return worst; // no copy that is right makes it good
    }
    return worst;
  }

  /** Regions lie some lines apart from a multiple of the page, so that they share no cache set. */
  get #stride() {
    return align(this.#needed + 4096) + 320;
  }

  /**
   * Everybody's part of one order, this thread's included; returns when all have finished. Throws
   * Error in words when a member failed or went silent.
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
      throw this.#control.failure ?? error; // whose absence the leader may only have noticed
    }
    this.#control.join(others, silence_ms);
  }
}

/** Asks the page to start the members; it answers when they are ready for orders. */
function start_members(tasks) {
  return new Promise((resolve, reject) => {
    const late = "the workers for further cores did not start";
    setTimeout(() => reject(new Error(late)), start_ms);
    const heard = ({ data }) => {
      if (data.stop) return; // another's message (worker.js)
      removeEventListener("message", heard);
      if (data.reason) reject(new Error(data.reason));
      else resolve();
    };
    addEventListener("message", heard);
    postMessage({ type: "gather", tasks });
  });
}
