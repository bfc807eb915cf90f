// A browser on a simulated machine, for measure/measure.js and its worker: workers, timers, the
// clock, the properties of the navigator, and a screen that locks. The book's own code runs
// unchanged; only kernels are simulated.

import { KernelModule } from "../../../site/runtime/kernels/kernel_module.js";
import { ThreadPool } from "../../../site/runtime/measure/thread_pool.js";
import { SimulatedModule, SimulatedPage, TabKilled } from "./simulated_module.mjs";
import { SimulatedPool } from "./simulated_pool.mjs";
import { browser_modes } from "./simulate.mjs";

const agents = {
  chrome: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36",
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
  safari: "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15",
};
const assets = "https://book.example/_/0/";
const is_touched = new Set(["phone"]);

/** The event queue: timers and messages in the order in which they are due. */
class Events {
  #due = [];
  #next = 1;

  add(at, action, owner = null) {
    this.#due.push({ at, action, owner, id: this.#next });
    this.#due.sort((a, b) => a.at - b.at || a.id - b.id);
    return this.#next++;
  }
  cancel(wanted) {
    this.#due = this.#due.filter(({ id }) => id !== wanted);
  }
  forget(lost) {
    this.#due = this.#due.filter(({ owner }) => owner !== lost);
  }
  take() {
    return this.#due.shift();
  }
}

/** Listeners of a document, a worker or a worker's global scope. */
class Heard {
  #listeners = [];

  add = (type, listener) => this.#listeners.push({ type, listener });
  remove = (type, listener) => {
    this.#listeners = this.#listeners.filter((l) => l.type !== type || l.listener !== listener);
  };
  tell(type, event = {}) {
    for (const one of this.#listeners.filter((l) => l.type === type)) one.listener(event);
  }
}

export class SimulatedBrowser {
  #machine;
  #events = new Events();
  #hidden = new Heard();
  #loading = 0;
  #killed = null;
  #locks = 0; // wake locks held
  #is_hidden = false;
  #inside = null; // the worker whose code runs

  /**
   * `mode` is one of the machine's timers, `relaxed`: whether the engine has relaxed SIMD;
   * `counters` = {relaxed, simd128} are counting modules.
   */
  constructor(machine, { mode = machine.default_mode, kind, seed, counters, relaxed = true }) {
    this.#machine = machine;
    const timer = machine.timer?.[mode] ?? browser_modes[mode];
    this.is_isolated = timer.shared_memory;
    this.relaxed = relaxed;
    this.agent = agents[mode.split("_")[0]];
    const counter = counters[relaxed ? "relaxed" : "simd128"];
    this.page = new SimulatedPage(machine, { counter, timer, kind, seed });
  }

  /**
   * Runs `work(module of measure/measure.js)` in this browser. Rejects with TabKilled if the tab
   * was killed.
   */
  async run(work) {
    const names = Object.keys(this.#globals());
    const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    const real = { next: globalThis.setImmediate };
    const of_class = { instantiate: KernelModule.instantiate, gather: ThreadPool.gather };
    for (const [name, value] of Object.entries(this.#globals()))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    KernelModule.instantiate = async ({ url }, { limit } = {}) => {
      const { counter } = this.page;
      return new SimulatedModule(this.page, {
        ...{ limit, counter: url.includes("/layers-") ? counter.further : counter },
      });
    };
    ThreadPool.gather = async (_, most, limit) => new SimulatedPool(this.page, most, { limit });
    try {
      const script = await import("../../../site/runtime/measure/measure.js");
      return await this.#until_settled(work(script), real.next);
    } finally {
      Object.assign(KernelModule, { instantiate: of_class.instantiate });
      Object.assign(ThreadPool, { gather: of_class.gather });
      names.forEach((name, i) => {
        if (before[i]) Object.defineProperty(globalThis, name, before[i]);
        else delete globalThis[name];
      });
    }
  }

  /** Runs events, one after the other, until `promise` is settled. */
  async #until_settled(promise, next) {
    let settled = null;
    promise.then(
      (value) => (settled = { value }),
      (error) => (settled = { error }),
    );
    const { screen_locks_after_s: locks_after } = this.#machine.page_limits;
    if (locks_after) this.#events.add(this.page.time.ms + locks_after * 1e3, () => this.#lock());
    for (;;) {
      await new Promise((resolve) => next(resolve));
      if (this.#killed) throw this.#killed;
      if (settled?.error) throw settled.error;
      if (settled) return settled.value;
      if (this.#loading > 0) continue;
      const event = this.#events.take();
      if (!event) throw new Error("nothing is left to happen, and the measurement has not ended");
      if (event.at > this.page.time.ms) await this.page.pause(event.at - this.page.time.ms);
      this.#inside = event.owner;
      event.action();
    }
  }

  /** Nobody has touched the screen for a while, so it locks, unless a page holds a wake lock. */
  #lock() {
    if (this.#locks > 0) return;
    this.#is_hidden = true;
    this.#hidden.tell("visibilitychange");
  }

  #globals() {
    const browser = this;
    const time = this.page.time;
    return {
      document: this.#document(),
      navigator: this.#navigator(),
      performance: { now: () => time.now() },
      setTimeout: (action, ms = 0) =>
        this.#events.add(time.ms + Math.max(ms, 0), action, this.#inside),
      clearTimeout: (id) => this.#events.cancel(id),
      fetch: async (url) => ({ ok: true, arrayBuffer: async () => url }),
      crossOriginIsolated: this.is_isolated,
      WebAssembly: this.#wasm(),
      postMessage: (data) => this.#inside?.answer(data),
      addEventListener: (type, listener) => this.#inside?.inside.add(type, listener),
      Worker: class extends SimulatedWorker {
        constructor(url) {
          super(browser, url);
        }
      },
    };
  }

  #document() {
    const { is_hidden } = { is_hidden: () => this.#is_hidden };
    return {
      baseURI: assets,
      documentElement: { dataset: {} },
      querySelector: () => null,
      addEventListener: this.#hidden.add,
      removeEventListener: this.#hidden.remove,
      get hidden() {
        return is_hidden();
      },
      get visibilityState() {
        return is_hidden() ? "hidden" : "visible";
      },
    };
  }

  #navigator() {
    const { page_limits, cores, class: what } = this.#machine;
    const memory = page_limits.device_memory_gib;
    return {
      userAgent: this.agent,
      hardwareConcurrency: cores.logical_reported,
      maxTouchPoints: is_touched.has(what) ? 5 : 0,
      platform: this.#machine.os === "macOS" ? "MacIntel" : `Linux ${this.#machine.isa}`,
      ...(memory && this.agent === agents.chrome ? { deviceMemory: memory } : {}),
      wakeLock: {
        request: async () => {
          this.#locks += 1;
          return { release: async () => (this.#locks -= 1), addEventListener: () => {} };
        },
      },
    };
  }

  /**
   * Modules of a few bytes answer according to this machine's instructions; other modules are not
   * inspected.
   */
  #wasm() {
    const { relaxed } = this;
    const is_x86 = this.#machine.isa === "x86-64";
    const f = (...given) => (given.length === 1 ? (is_x86 ? -1 : 1) : 2 ** -24);
    const uses_relaxed = (bytes) => {
      const at = bytes.indexOf(0x85);
      return at > 0 && bytes[at - 1] === 0xfd && bytes[at + 1] === 0x02;
    };
    const Module = class {
      constructor(bytes) {
        if (uses_relaxed(bytes) && !relaxed) throw new Error("an instruction that is not known");
      }
    };
    return {
      ...{ Module, Memory: class {}, compile: async (url) => ({ url }) },
      validate: (bytes) => relaxed || !uses_relaxed(bytes),
      Instance: class {
        exports = { f };
      },
    };
  }

  /** Imports a worker's script again and starts it. */
  async load(worker, url) {
    this.#loading += 1;
    const before = this.#inside;
    this.#inside = worker;
    await import(`${url}?${this.page.machine.id}-${Math.random()}`);
    this.#inside = before;
    this.#loading -= 1;
  }

  soon(action, owner) {
    this.#events.add(this.page.time.ms, action, owner);
  }
  end(worker) {
    this.#events.forget(worker);
  }
  /** An error that a worker did not catch. */
  failed(error) {
    if (!(error instanceof TabKilled)) return false;
    this.#killed = error;
    return true;
  }
}

/** A worker of a SimulatedBrowser. Its code runs in this thread. */
class SimulatedWorker {
  #browser;
  #outside = new Heard();
  #loaded;
  inside = new Heard();

  constructor(browser, url) {
    this.#browser = browser;
    this.#loaded = browser.load(this, String(url));
  }
  addEventListener(...given) {
    this.#outside.add(...given);
  }
  postMessage(data) {
    this.#loaded.then(() =>
      this.#browser.soon(() => this.inside.tell("message", { data: structuredClone(data) }), this),
    );
  }
  /** Sends a message to the page, at the page's own time. */
  answer(data) {
    const copy = structuredClone(data);
    this.#browser.soon(() => this.#outside.tell("message", { data: copy }), null);
  }
  terminate() {
    this.#browser.end(this);
  }
}
