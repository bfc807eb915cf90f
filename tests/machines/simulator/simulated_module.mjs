// A simulated machine instead of a module of kernels: the requests of measure/sampler.js to a
// KernelModule are answered from a machine file, and time passes only as the file says. The
// registry, the operations and the bytes come from the real module.

import { CachedSets } from "./cached_sets.mjs";
import { CoreTime } from "./core_time.mjs";
import { plan_of } from "./kernel_plans.mjs";

const mebibyte = 2 ** 20;
const unoptimised = 8;
const soon_optimised = 50; // calls, without a pause
const writes_gbs = 4; // of preparing data

/** The browser killed the tab because of the memory that its page wrote: no message, no result. */
export class TabKilled extends Error {}

/** The bytes that a page has written, each counted once. Pages do not return memory. */
class Written {
  #spans = [];

  add(base, bytes) {
    let [from, to] = [base, base + bytes];
    const apart = [];
    for (const span of this.#spans) {
      if (span[1] < from || span[0] > to) {
        apart.push(span);
        continue;
      }
      from = Math.min(from, span[0]);
      to = Math.max(to, span[1]);
    }
    this.#spans = [...apart, [from, to]];
  }

  get bytes() {
    return this.#spans.reduce((sum, [from, to]) => sum + to - from, 0);
  }
}

/**
 * State that the modules of one page share: time, caches, memory, and which code is optimized.
 */
export class SimulatedPage {
  #calls = new Map();
  #written = new Map();

  constructor(machine, { counter, timer, kind, seed = 1 }) {
    this.machine = machine;
    this.counter = counter;
    this.time = new CoreTime(machine, { timer, kind, seed });
    this.sets = new CachedSets();
    this.walked = new Map(); // bytes that the chase at an address has walked in its order
  }

  now = () => this.time.now();
  pause = async (ms) => {
    this.time.rest(ms);
    for (const [code, calls] of this.#calls) if (calls > 1) this.#calls.set(code, soon_optimised);
  };

  /** How many times slower the code `name` runs now than after optimization. */
  slowness(name) {
    const calls = this.#calls.get(name) ?? 0;
    if (calls >= soon_optimised) return 1;
    this.#calls.set(name, calls + 1);
    return unoptimised;
  }

  /** `memory` names one of the page's memories. */
  write(memory, base, bytes) {
    if (!this.#written.has(memory)) this.#written.set(memory, new Written());
    this.#written.get(memory).add(base, bytes);
    const most = this.machine.page_limits.tab_killed_above_mib;
    if (most && this.written_mib > most)
      throw new TabKilled(
        `the page wrote ${Math.ceil(this.written_mib)} MiB, and its tab ends at ${most}`,
      );
  }

  get written_mib() {
    return [...this.#written.values()].reduce((sum, { bytes }) => sum + bytes, 0) / mebibyte;
  }
}

/** Has the interface of a KernelModule; `page` is a SimulatedPage. */
export class SimulatedModule {
  #page;
  #counter;
  #plans = new Map();
  #selected = null;
  #kept = null;

  constructor(page, { limit = 2 ** 31, counter = page.counter } = {}) {
    this.#page = page;
    this.#counter = counter;
    const { machine } = page;
    this.registry = counter.registry;
    this.canary_ops = counter.canary_ops;
    this.heap_base = counter.heap_base;
    this.limit = Math.min(limit, machine.page_limits.wasm_memory_max_mib * mebibyte);
  }

  select(kernel, params, threads = 1) {
    if (
      this.#kept?.kernel === kernel &&
      this.#kept.params === params &&
      this.#kept.threads === threads
    )
      return;
    const counter = this.#counter;
    this.#kept = { kernel, params, threads };
    const key = `${kernel.index} ${threads} ${kernel.params.map(({ name }) => params[name])}`;
    if (!this.#plans.has(key)) {
      counter.select(kernel, params, threads);
      const [flops, bytes] = [counter.flops(kernel), counter.bytes(kernel)];
      const counted = { flops, bytes, memory: counter.memory_needed(kernel) };
      this.#plans.set(key, { kernel, params, team: threads, counted, of: new Map() });
    }
    this.#selected = this.#plans.get(key);
  }

  /** The selection: {kernel, params, team, counted}. */
  get selected() {
    return this.#selected;
  }
  flops() {
    return this.#selected.counted.flops;
  }
  bytes() {
    return this.#selected.counted.bytes;
  }
  memory_needed() {
    return this.#selected.counted.memory;
  }
  reserve(bytes) {
    return bytes <= this.limit;
  }

  prepare(kernel, base) {
    const { memory } = this.#selected.counted;
    this.#page.walked.set(base, 0);
    this.#page.write(this, base, memory);
    this.#page.sets.write(base, this.plan(this.#page.time.kind).bytes);
    this.#page.time.work(() => memory / writes_gbs);
  }

  run(kernel, base, reps) {
    const { time, sets } = this.#page;
    const plan = this.plan(time.kind);
    const walked = sets.walk(base, plan.bytes, plan.way * reps);
    const factor = time.noise() * this.#page.slowness(kernel.id);
    const learned = kernel.class === "latency" ? this.#learned(base, plan, reps) : 0;
    time.work((core) => factor * this.#walk_ns(this.plan(core.kind), core.ghz, walked, learned));
  }

  /** The share of a walk through a chase whose order a prefetcher has learned in earlier laps. */
  #learned(base, { bytes, way }, reps) {
    const begin = this.#page.walked.get(base) ?? 0;
    const end = begin + way * reps;
    this.#page.walked.set(base, end);
    const { repeated_chase_learned_by_prefetcher: prefetcher } = this.#page.machine.memory;
    if (!prefetcher || bytes > prefetcher.laps_of_at_most_mib * mebibyte) return 0;
    const known_from = (prefetcher.from_lap - 1) * bytes;
    return Math.min(1, Math.max(0, (end - known_from) / (end - begin)));
  }

  /** The plan of the selected kernel on a core of `kind`. */
  plan(kind) {
    const { of } = this.#selected;
    if (!of.has(kind)) {
      const { machine } = this.#page;
      of.set(kind, { hot_ghz: 0, hot_ns: 0, ...plan_of(machine, kind, this.#selected) });
    }
    return of.get(kind);
  }

  #walk_ns(plan, ghz, walked, learned) {
    if (learned > 0)
      return walked.reduce(
        (sum, { bytes, others }) => sum + (bytes / plan.way) * plan.ns(ghz, others, learned),
        0,
      );
    if (plan.hot_ghz !== ghz) {
      plan.hot_ghz = ghz;
      plan.hot_ns = plan.ns(ghz, 0);
    }
    let ns = 0;
    for (const { bytes, others } of walked)
      ns += (bytes / plan.way) * (others === 0 ? plan.hot_ns : plan.ns(ghz, others));
    return ns;
  }

  verify() {
    return { error: 0, tolerance: 1e-5 };
  }

  canary(iterations) {
    const { time } = this.#page;
    const factor = time.noise() * this.#page.slowness("canary");
    time.work((core) => (factor * iterations * this.canary_ops) / core.ghz);
  }
}
