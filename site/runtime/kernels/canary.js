// The clock canary: a chain of dependent one-cycle instructions, so its rate is the core's clock in
// GHz as far as a page can know it. Read before and after every sample, it tells a slow kernel from
// a slowed-down core.

import { calibrate, time_edges } from "./clock.js";
import { median, plateau } from "../base/stats.js";
import { home_band } from "./clock_modes.js";

const around = 12; // readings before and after a sample that tell the clock of that moment
const finely_read = 0.02; // of a reading; where readings scatter more, more of them tell a moment's clock
const most_around = 48;
const sure = 2.5; // times the scatter of one reading: so far off is no accident
const coarsely_read = 0.015; // a high plateau of readings that scatter more is their scatter and not the clock
const drift = 0.03; // of the clock, that nothing smaller is taken for

/** How far one of `readings` is off, as a share of the clock: by what lies between neighbours, which drift does not touch. */
function scatter_of(readings) {
  const steps = readings.slice(1).map((ghz, i) => Math.abs(ghz / readings[i] - 1));
  return 1.05 * median(steps); // of a normal error, whose differences have a median of 0.95 of it
}

export class Canary {
  #module;
  #now;
  #step;
  #window_ms;
  #clock_error;
  #tick_ms;
  #seen = { count: 0 };
  readings = [];

  /**
   * A reading takes 2 ms, or ten ticks where the clock is coarse (five of very coarse ones), from edge to edge of the clock.
   */
  constructor(module, now, tick_ms) {
    this.#module = module;
    this.#now = now;
    this.#tick_ms = tick_ms;
    this.#window_ms = Math.max(2, 5 * tick_ms, Math.min(10 * tick_ms, 20));
    this.#clock_error = tick_ms / this.#window_ms;
    const run = (iterations) => module.canary(iterations);
    for (let i = 0; i < 200; ++i) run(200);
    this.#step = calibrate(now, run, this.#window_ms / 100, tick_ms).units;
  }

  /** What the readings so far say of themselves, looked at anew when a tenth of them is new: {scatter, around, band}. */
  get #found() {
    const { readings } = this;
    const { length } = readings;
    if (this.#seen.count === 0 || length > 1.1 * this.#seen.count || this.#seen.count > length) {
      const scatter =
        length > 2 * around ? Math.min(scatter_of(readings), this.#clock_error) : this.#clock_error;
      const wider = Math.round(around * Math.max(1, scatter / finely_read));
      const band = home_band(readings);
      this.#seen = { count: length, scatter, around: Math.min(most_around, wider), band };
    }
    return this.#seen;
  }

  /** The share by which two readings beside a sample may lie below the clock of that moment. */
  get tolerance() {
    return Math.max(drift, Math.min(this.#clock_error, sure * this.#found.scatter));
  }

  /** The share by which the clock of a moment may be off, as many readings tell it. */
  get told() {
    const { scatter, around: reach } = this.#found;
    return Math.max(drift, (3 * scatter) / Math.sqrt(reach));
  }

  /** Did the thread move between two kinds of core, of which results are told of one? */
  get is_of_two() {
    const [from, to] = this.#found.band;
    return from > 0 || to < Infinity;
  }

  #is_home({ ghz }) {
    const [from, to] = this.#found.band;
    return ghz >= from && ghz < to;
  }

  /** `readings` on the kind of core that results are told of. */
  #at_home(readings) {
    const own = readings.filter((ghz) => this.#is_home({ ghz }));
    return own.length > 0 ? own : readings;
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
    const { around: reach } = this.#found;
    const from = Math.max(0, before.at - reach);
    const near = plateau(
      this.#at_home(this.readings.slice(from, after.at + reach + 1)),
      this.#found.scatter,
      coarsely_read,
    );
    const own = (before.ghz + after.ghz) / 2;
    return own > near * (1 + this.tolerance) ? own : near;
  }

  /** Did a core of the kind that is told of run at its clock of that moment during a sample between these two readings? */
  steady(before, after) {
    if (!this.#is_home(before) || !this.#is_home(after)) return false;
    const clock = this.clock_at({ before, after });
    return (before.ghz + after.ghz) / 2 >= clock * (1 - this.tolerance);
  }

  /** The clock at its best: the plateau of the fastest stretch of readings. */
  get clock_ghz() {
    const readings = this.#at_home(this.readings);
    const { around: reach, scatter } = this.#found;
    const length = Math.min(readings.length, 2 * reach + 1);
    let best = 0;
    for (let from = 0; from + length <= readings.length; from += reach)
      best = Math.max(best, plateau(readings.slice(from, from + length), scatter, coarsely_read));
    return best;
  }

  /** The clock that was left in the end. */
  get sustained_ghz() {
    const readings = this.#at_home(this.readings);
    return median(readings.slice(-Math.max(1, Math.floor(readings.length / 5))));
  }

  /** The core ended clearly slower than it began: heat, a battery limit, or company. */
  get throttled() {
    const readings = this.#at_home(this.readings);
    const n = Math.floor(readings.length / 5);
    if (n < 3) return false;
    const first = median(readings.slice(0, n));
    return this.sustained_ghz < first * (1 - Math.max(0.1, this.told));
  }
}
