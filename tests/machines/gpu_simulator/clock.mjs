// Virtual time, which passes only if the simulated machine advances it, and everything that waits
// for it. A promise of the simulated browser is resolved when nothing else can run and its time is
// next.

export class VirtualClock {
  #ns = 0;
  #waiting = [];
  #is_scheduled = false;

  /** `tick_ms`: the resolution of performance.now(). */
  constructor({ tick_ms = 0.1 } = {}) {
    this.tick_ms = tick_ms;
  }

  get ns() {
    return this.#ns;
  }

  advance(ns) {
    this.#ns += ns;
  }

  /** performance.now() as the page sees it. A call takes half a microsecond. */
  now = () => {
    this.advance(500);
    return Math.floor(this.#ns / 1e6 / this.tick_ms) * this.tick_ms;
  };

  /** Resolves at `ns`, or immediately if it has passed. */
  until(ns) {
    return new Promise((resolve) => {
      this.#waiting.push({ ns, keep: resolve });
      this.#schedule();
    });
  }

  #schedule() {
    if (this.#is_scheduled) return;
    this.#is_scheduled = true;
    setImmediate(() => {
      this.#is_scheduled = false;
      this.#keep_next();
    });
  }

  #keep_next() {
    const next = this.#waiting.reduce((a, b) => (b.ns < a.ns ? b : a), { ns: Infinity });
    if (next.ns === Infinity) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#ns = Math.max(this.#ns, next.ns);
    next.keep();
    if (this.#waiting.length > 0) this.#schedule();
  }
}

/** Repeatable numbers in [0, 1): mulberry32. */
export function random_of(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
