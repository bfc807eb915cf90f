// The clock canary: a chain of dependent one-cycle instructions, so its rate is the core's clock in
// GHz as far as a page can know it. Read before and after every sample, it tells a slow kernel from
// a slowed-down core.

import { calibrate, time_edges } from "./clock.js";
import { median, plateau } from "../base/stats.js";

export class Canary {
  #module;
  #now;
  #step;
  #window_ms;
  #clock_error;
  readings = [];

  /**
   * A reading takes 2 ms, or five ticks where the clock is coarse, from edge to edge of the clock.
   */
  constructor(module, now, tick_ms) {
    this.#module = module;
    this.#now = now;
    this.#window_ms = Math.max(2, 5 * tick_ms);
    this.#clock_error = tick_ms / this.#window_ms;
    this.tolerance = Math.max(0.03, this.#clock_error);
    const run = (iterations) => module.canary(iterations);
    for (let i = 0; i < 200; ++i) run(200);
    this.#step = calibrate(now, run, this.#window_ms / 100, tick_ms).units;
  }

  /** One reading in GHz, kept. */
  read() {
    const run = (iterations) => this.#module.canary(iterations);
    const { ms, units } = time_edges(this.#now, run, this.#step, this.#window_ms);
    const ghz = (units * this.#module.canary_ops) / (ms * 1e6);
    this.readings.push(ghz);
    return ghz;
  }

  /** The clock of the undisturbed core: the high plateau of all readings so far. */
  get clock_ghz() {
    return plateau(this.readings, this.#clock_error);
  }

  /** Did the core run at its usual clock during a sample between these two readings? */
  steady(before, after) {
    return (before + after) / 2 >= this.clock_ghz * (1 - this.tolerance);
  }

  /** The core ended clearly slower than it began: heat, a battery limit, or company. */
  get throttled() {
    const n = Math.floor(this.readings.length / 5);
    if (n < 3) return false;
    const first = median(this.readings.slice(0, n));
    const last = median(this.readings.slice(-n));
    return last < first * (1 - Math.max(0.1, this.tolerance));
  }
}
