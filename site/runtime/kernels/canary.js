// The clock canary: a chain of dependent one-cycle instructions, so its rate is the core's clock in
// GHz as far as a page can know it. Read before and after every sample, it tells a slow kernel from
// a slowed-down core.

import { calibrate, time_edges } from "./clock.js";
import { median, plateau } from "../base/stats.js";

const around = 12; // readings before and after a sample that tell the clock of that moment

export class Canary {
  #module;
  #now;
  #step;
  #window_ms;
  #clock_error;
  #tick_ms;
  readings = [];

  /**
   * A reading takes 2 ms, or five ticks where the clock is coarse, from edge to edge of the clock.
   */
  constructor(module, now, tick_ms) {
    this.#module = module;
    this.#now = now;
    this.#tick_ms = tick_ms;
    this.#window_ms = Math.max(2, 5 * tick_ms);
    this.#clock_error = tick_ms / this.#window_ms;
    this.tolerance = Math.max(0.03, this.#clock_error);
    const run = (iterations) => module.canary(iterations);
    for (let i = 0; i < 200; ++i) run(200);
    this.#step = calibrate(now, run, this.#window_ms / 100, tick_ms).units;
  }

  /** One reading, kept: {ghz, at}, its place among all. */
  read() {
    const run = (iterations) => this.#module.canary(iterations);
    const { ms, units } = time_edges(this.#now, run, this.#step, this.#window_ms, this.#tick_ms);
    const ghz = (units * this.#module.canary_ops) / (ms * 1e6);
    this.readings.push(ghz);
    return { ghz, at: this.readings.length - 1 };
  }

  /**
   * The clock of the undisturbed core while a sample ran: the high plateau of the readings around it. Heat, a
   * power limit or another kind of core moves it during a run; a neighbour dents single readings. No less than its own two readings: a moment on a faster core among many on
   * a slower one is no slow moment.
   */
  clock_at({ before, after }) {
    const from = Math.max(0, before.at - around);
    const near = this.readings.slice(from, after.at + around + 1);
    return Math.max(plateau(near, this.#clock_error), (before.ghz + after.ghz) / 2);
  }

  /** Did the core run at its clock of that moment during a sample between these two readings? */
  steady(before, after) {
    const clock = this.clock_at({ before, after });
    return (before.ghz + after.ghz) / 2 >= clock * (1 - this.tolerance);
  }

  /** The clock at its best: the median of the fastest stretch of readings. */
  get clock_ghz() {
    const { readings } = this;
    const length = Math.min(readings.length, 2 * around + 1);
    let best = 0;
    for (let from = 0; from + length <= readings.length; from += around)
      best = Math.max(best, plateau(readings.slice(from, from + length), this.#clock_error));
    return best;
  }

  /** The clock that was left in the end. */
  get sustained_ghz() {
    return median(this.readings.slice(-Math.max(1, Math.floor(this.readings.length / 5))));
  }

  /** The core ended clearly slower than it began: heat, a battery limit, or company. */
  get throttled() {
    const n = Math.floor(this.readings.length / 5);
    if (n < 3) return false;
    const first = median(this.readings.slice(0, n));
    return this.sustained_ghz < first * (1 - Math.max(0.1, this.tolerance));
  }
}
