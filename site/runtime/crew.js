// Several cores at once: one shared memory, one compiled module, a worker for each further core.
// A Crew looks like a KernelModule, so the measuring protocol needs to know nothing of it: what it
// runs, every member runs on a region of its own, and its operations and bytes are those of all.
//
// The leader is the measuring worker itself. It hands out a call by writing it down, counting up
// each member's own word and waking it; members spin for a moment before they sleep, so that a call
// that follows another one starts at once. Everybody does one run; the rest is shared out in small
// chunks, so that the time of a call is that of all cores together even when they differ.

import { align, KernelModule } from "./kernel_module.js";

const stack_bytes = 65536;
const chunks_each = 64;
const start_ms = 15_000;
const idle_spin_ms = 0.5;

// The control block: the order as doubles (action, kernel, base, stride, chunk, runs to share out),
// then words that are counted, each on a cache line of its own (16 words of four bytes).
const order_length = 6;
const next_chunk = 16;
const done = 32;
const seat = (member) => 16 * (member + 3);
const control_bytes = (members) => 64 * (members + 3);
const actions = { stand_by: 0, prepare: 1, run: 2 };

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

/** One member's part of an order; the leader is member 0. */
function take_part(member, words, order, kernels) {
  const [action, kernel, base, stride, chunk, rest] = order;
  const own = base + member * stride;
  if (action === actions.prepare) kernels.prepare({ index: kernel }, own);
  if (action !== actions.run) return;
  kernels.run({ index: kernel }, own, 1);
  for (;;) {
    const begin = Atomics.add(words, next_chunk, 1) * chunk;
    if (begin >= rest) return;
    kernels.run({ index: kernel }, own, Math.min(chunk, rest - begin));
  }
}

/** A member's life: `exports` is its instance of the module, on its own stack. */
export function serve_crew({ member, control }, exports) {
  const words = new Int32Array(control);
  const order = new Float64Array(control, 0, order_length);
  const kernels = {
    prepare: ({ index }, base) => exports.prepare(index, base),
    run: ({ index }, base, reps) => exports.run(index, base, reps),
  };
  let seen = 0;
  for (;;) {
    const began = performance.now();
    while (Atomics.load(words, seat(member)) === seen) {
      if (performance.now() - began > idle_spin_ms) Atomics.wait(words, seat(member), seen);
    }
    seen = Atomics.load(words, seat(member));
    take_part(member, words, order, kernels);
    Atomics.add(words, done, 1);
    Atomics.notify(words, done);
  }
}

export class Crew {
  #leader;
  #words;
  #order;
  #most;
  #needed = 0;
  #size = 1;

  /** Workers for `most` threads over `compiled`. Throws Error in words when they do not start. */
  static async gather(compiled, most) {
    const { memory, limit } = shared_memory();
    const leader = await KernelModule.instantiate(compiled, { memory, limit });
    const control = new SharedArrayBuffer(control_bytes(most));
    const stacks = leader.heap_base;
    if (!leader.reserve(stacks + most * stack_bytes)) throw new Error("there is no memory");
    const started = [];
    for (let member = 1; member < most; ++member) {
      const stack = stacks + (member + 1) * stack_bytes;
      started.push(start_member({ member, stack, compiled, memory, control }));
    }
    await Promise.all(started);
    return new Crew(leader, control, most);
  }

  constructor(leader, control, most) {
    this.#leader = leader;
    this.#words = new Int32Array(control);
    this.#order = new Float64Array(control, 0, order_length);
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
    this.#leader.select(kernel, params);
    this.#needed = this.#leader.memory_needed(kernel);
    this.#command(actions.stand_by, kernel, 0);
  }
  flops(kernel) {
    return this.#size * this.#leader.flops(kernel);
  }
  bytes(kernel) {
    return this.#size * this.#leader.bytes(kernel);
  }
  memory_needed() {
    return this.#size * this.#stride;
  }
  prepare(kernel, base) {
    this.#command(actions.prepare, kernel, base);
  }
  run(kernel, base, reps) {
    this.#command(actions.run, kernel, base, reps);
  }
  canary(iterations) {
    this.#leader.canary(iterations);
  }

  /** The worst of all members' results. */
  verify(kernel, base) {
    let worst = { error: 0, tolerance: 1 };
    for (let member = 0; member < this.#size; ++member) {
      const check = this.#leader.verify(kernel, base + member * this.#stride);
      if (!(check.error / check.tolerance <= worst.error / worst.tolerance)) worst = check;
    }
    return worst;
  }

  /** Regions lie some lines apart from a multiple of the page, so that they share no cache set. */
  get #stride() {
    return align(this.#needed + 4096) + 320;
  }

  /** Everybody's part of one order, this thread's included; returns when all have finished. */
  #command(action, kernel, base, reps = 1) {
    const words = this.#words;
    const others = this.#size - 1;
    const rest = this.#size * (reps - 1);
    const chunk = Math.max(1, Math.ceil(rest / (chunks_each * this.#size)));
    this.#order.set([action, kernel.index, base, this.#stride, chunk, rest]);
    Atomics.store(words, next_chunk, 0);
    Atomics.store(words, done, 0);
    for (let member = 1; member <= others; ++member) {
      Atomics.add(words, seat(member), 1);
      Atomics.notify(words, seat(member));
    }
    take_part(0, words, this.#order, this.#leader);
    for (let spins = 0; ; ++spins) {
      const finished = Atomics.load(words, done);
      if (finished === others) return;
      if (spins > 20_000) Atomics.wait(words, done, finished, 10);
    }
  }
}

function start_member(task) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("crew_member.js", import.meta.url), { type: "module" });
    const late = "a worker for a further core did not start";
    setTimeout(() => reject(new Error(late)), start_ms);
    worker.addEventListener("message", resolve, { once: true });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      reject(new Error(event.message || late));
    });
    worker.postMessage(task);
  });
}
