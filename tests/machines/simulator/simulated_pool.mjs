// Several cores of a simulated machine at once, with the interface of measure/thread_pool.js:
// copies of a kernel, one per thread, or one problem of a team.

import { align } from "../../../site/runtime/kernels/kernel_module.js";
import { at_curve, seats } from "./closed_forms.mjs";
import { plan_of } from "./kernel_plans.mjs";
import { SimulatedModule } from "./simulated_module.mjs";

const barrier_ns = 3000;
const stack_bytes = 65536;

const is_memory = ({ id, class: kind }) => kind === "memory" || id.endsWith(".chase");

export class SimulatedPool {
  #page;
  #leader;
  #most;
  #size = 1;
  #runs = new Map();

  /** `page` is a SimulatedPage; `most` threads and `limit` bytes at most. */
  constructor(page, most, { limit } = {}) {
    this.#page = page;
    this.#leader = new SimulatedModule(page, { limit });
    this.#most = most;
    this.registry = this.#leader.registry;
    this.canary_ops = this.#leader.canary_ops;
  }

  set size(threads) {
    if (!(threads >= 1 && threads <= this.#most)) throw new RangeError(`${threads} threads`);
    this.#size = threads;
    this.#page.time.threads = threads;
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
  select(kernel, params) {
    this.#leader.select(kernel, params, kernel.team ? this.#size : 1);
  }
  flops(kernel) {
    return this.#copies(kernel) * this.#leader.flops();
  }
  bytes(kernel) {
    return this.#copies(kernel) * this.#leader.bytes();
  }
  memory_needed(kernel) {
    return this.#copies(kernel) * this.#stride;
  }
  prepare(kernel, base) {
    for (let member = 0; member < this.#copies(kernel); ++member)
      this.#leader.prepare(kernel, base + member * this.#stride);
  }
  verify() {
    return this.#leader.verify();
  }
  canary(iterations) {
    this.#leader.canary(iterations);
  }

  run(kernel, base, reps) {
    const { time } = this.#page;
    const factor = reps * time.noise() * this.#page.slowness(kernel.id);
    const one = this.#run_of();
    time.work((core) => {
      if (one.window !== core.window) {
        one.window = core.window;
        one.run_ns = one.ns((kind) => (kind === core.kind ? core.ghz : core.ghz_of(kind)));
      }
      return factor * one.run_ns;
    });
  }

  /** A run of the selected kernel on all members, cached: {ns(ghz_of)}. */
  #run_of() {
    const { selected } = this.#leader;
    if (!this.#runs.has(selected)) this.#runs.set(selected, new Map());
    const of_size = this.#runs.get(selected);
    if (!of_size.has(this.#size)) {
      const ns = run_ns(this.#page.machine, selected, this.#size);
      of_size.set(this.#size, { window: -1, run_ns: 0, ns });
    }
    return of_size.get(this.#size);
  }

  #copies(kernel) {
    return kernel.team ? 1 : this.#size;
  }
  get #stride() {
    return align(this.#leader.memory_needed() + 4096) + 320;
  }
}

/** ns(ghz_of) of one run on `threads` threads, from the clock of each kind of core. */
export function run_ns(machine, selected, threads) {
  const { kernel } = selected;
  const taken = seats(machine.cores.groups, threads).filter(({ cores }) => cores > 0);
  const cores = taken.reduce((sum, seat) => sum + seat.cores, 0);
  const memory_gbs = at_curve(machine.memory.read_gbs_by_threads, cores) / cores;
  const groups = taken.map(({ kind, cores: own, siblings }) => {
    const gain = is_memory(kernel) ? 1 : machine.kinds[kind].smt.sum_gain_compute;
    const seat = { threads: own + siblings, memory_gbs };
    const alone = plan_of(machine, kind, selected, seat);
    const shared = plan_of(machine, kind, selected, { ...seat, siblings: true });
    const rate = (ghz) =>
      (own - siblings) / alone.ns(ghz, 0) + (siblings * gain) / shared.ns(ghz, 0);
    return { kind, rate, alone };
  });
  if (kernel.id.startsWith("allreduce."))
    return (ghz_of) => Math.max(...groups.map(({ kind, alone }) => alone.ns(ghz_of(kind), 0)));
  const copies = kernel.team ? 1 : threads;
  const waits = kernel.team ? barrier_ns * barriers(selected) : 0;
  return (ghz_of) =>
    waits + copies / groups.reduce((sum, { kind, rate }) => sum + rate(ghz_of(kind)), 0);
}

/** How often the team of a matmul waits for all members. */
const barriers = ({ params: { k, n } }) => 2 * Math.ceil((k || n) / 256) + 2;
