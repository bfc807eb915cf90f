// The clock canary: a chain of dependent one-cycle instructions, so its rate is the core's clock in
// GHz as far as a page can know it. Read before and after every sample, it tells a slow kernel from
// a slowed-down core.

import { calibrate, time_edges } from "./clock.js";
import { median, plateau } from "../base/stats.js";
import { home_band } from "./clock_modes.js";

const around = 12; // readings before and after a sample that tell the clock of that moment
const fewest_beside = 4; // readings on either side, for each to have a plateau
const finely_read = 0.02; // of a reading; where readings scatter more, more of them tell a moment's clock
const most_around = 48;
const sure = 2.5; // times the scatter of one reading: so far off is no accident
const coarsely_read = 0.015; // a high plateau of readings that scatter more is their scatter and not the clock
const as_wide = 1.3; // times what the core that is known does in a cycle, or by so much less, is still that core
const rare = 0.03; // of the readings are on another kind of core, for there to be one
const there = 0.1; // of the readings that are its own, for it to be the one
const most_slowed = 2.5; // times its best clock may be what it was: more is no matter of heat or battery
const most_sped_up = 1.5; // and so much less: beyond, as on mains after battery, nobody wants to hear the old one
const spare_turn = 4; // readings for each that asks for the width, where time is short
const drift = 0.03; // of the clock, that nothing smaller is taken for

/** How far one of `readings` is off, as a share of the clock: by what lies between neighbours, which drift does not touch. */
function scatter_of(readings) {
  const steps = readings.slice(1).map((ghz, i) => Math.abs(ghz / readings[i] - 1));
  return 1.05 * median(steps); // of a normal error, whose differences have a median of 0.95 of it
}

const is_whole = ([from, to]) => from === 0 && to === Infinity;
const is_in = ([from, to], value) => value >= from && value < to;

export class Canary {
  #module;
  #now;
  #step;
  #window_ms;
  #clock_error;
  #tick_ms;
  #seen = { count: 0 };
  #width;
  #is_spare;
  #home;
  #widths = []; // operations a cycle, beside each reading
  readings = [];

  /**
   * A reading takes 2 ms, or ten ticks where the clock is coarse (five of very coarse ones), from edge to edge of the clock. Where
   * `width()` tells how many operations the core does in a nanosecond, it is asked beside each, less often where
   * `is_spare` says that time is short. `home` is the core that earlier
   * numbers are told of: {ghz, wide}, the clock they are told at and its operations a cycle.
   */
  constructor(module, now, tick_ms, { width = null, is_spare = false, home = null } = {}) {
    this.#width = width;
    this.#is_spare = is_spare;
    this.#home = home;
    this.#module = module;
    this.#now = now;
    this.#tick_ms = tick_ms;
    this.#window_ms = Math.max(2, 5 * tick_ms, Math.min(10 * tick_ms, 20));
    this.#clock_error = tick_ms / this.#window_ms;
    const run = (iterations) => module.canary(iterations);
    for (let i = 0; i < 200; ++i) run(200);
    this.#step = calibrate(now, run, this.#window_ms / 100, tick_ms).units;
  }

  /**
   * What the readings so far say of themselves, looked at anew when a tenth of them is new: {scatter, around, band, kinds, usual}. The
   * `band` is that of the core's kind, among `kinds`: what the core does in a cycle where that tells two kinds apart, else its clock; `usual` what it mostly does in one.
   */
  get #found() {
    const { readings } = this;
    const { length } = readings;
    if (this.#seen.count === 0 || length > 1.1 * this.#seen.count || this.#seen.count > length) {
      const scatter =
        length > 2 * around ? Math.min(scatter_of(readings), this.#clock_error) : this.#clock_error;
      const wider = Math.round(around * Math.max(1, scatter / finely_read));
      const usual = median(this.#widths);
      const reach = Math.min(most_around, wider);
      this.#seen = { count: length, scatter, around: reach, usual, ...this.#kinds };
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

  get #kinds() {
    const own = [this.#home?.wide / as_wide, this.#home?.wide * as_wide];
    if (this.#is_there(own)) return { kinds: this.#widths, band: own };
    const band = home_band(this.#widths);
    return is_whole(band)
      ? { kinds: this.readings, band: home_band(this.readings) }
      : { kinds: this.#widths, band };
  }

  /** Is what the core does in a cycle within `band` often enough for it to be the core that is known? */
  #is_there(band) {
    return this.#widths.filter((wide) => is_in(band, wide)).length > there * this.#widths.length;
  }

  /** The clock that the numbers of the core that is known are told at, where this is it and its own `best` is not far from that; else 0. */
  #known_ghz(best) {
    const { ghz, wide } = this.#home ?? {};
    const is_it = this.#is_there([wide / as_wide, wide * as_wide]);
    return is_it && ghz < most_slowed * best && best < most_sped_up * ghz ? ghz : 0;
  }

  /** Did the thread move between two kinds of core, of which results are told of one? */
  get is_of_two() {
    const { band, kinds } = this.#found;
    const away = kinds.filter((value) => !is_in(band, value)).length;
    return !is_whole(band) && away >= rare * kinds.length;
  }

  /** A stay on another kind of core may be too short to make that a kind; what the core does in a cycle tells it all the same. */
  #is_home({ ghz, wide }) {
    const { band, kinds, usual } = this.#found;
    if (is_whole(band) && this.#width) return is_in([usual / as_wide, usual * as_wide], wide);
    return is_in(band, kinds === this.#widths ? wide : ghz);
  }

  /** The readings from one to before another on the kind of core that results are told of; all where none is. */
  #at_home(from = 0, to = this.readings.length) {
    const { band, kinds } = this.#found;
    const near = this.readings.slice(from, to);
    const own = near.filter((_, i) => is_in(band, kinds[Math.max(from, 0) + i]));
    return own.length > 0 ? own : near;
  }

  /** Is it time to ask for the width? Always, or where `is_spare` every fourth time while all those asked for lately were alike. */
  get #is_due() {
    if (!this.#width) return false;
    const { length } = this.#widths;
    if (!this.#is_spare || length < around || length % spare_turn === 0) return true;
    const lately = this.#widths.slice(-around);
    return Math.max(...lately) > as_wide * Math.min(...lately);
  }

  /** One reading, kept: {ghz, wide, at}, its place among all. */
  read() {
    const run = (iterations) => this.#module.canary(iterations);
    const { ms, units } = time_edges(this.#now, run, this.#step, this.#window_ms, this.#tick_ms);
    const ghz = (units * this.#module.canary_ops) / (ms * 1e6);
    const wide = this.#is_due ? this.#width() / ghz : (this.#widths.at(-1) ?? 0);
    this.readings.push(ghz);
    if (this.#width) this.#widths.push(wide);
    return { ghz, wide, at: this.readings.length - 1 };
  }

  /**
   * The clock of the undisturbed core while a sample ran: the high plateau of the readings around it, of those before and those after
   * the lower one, because a clock that rises or falls is higher on one side. Heat, a power limit or another kind of core moves it during a
   * run; a neighbour dents single readings. No less than its own two readings: a moment on a faster core among many on
   * a slower one is no slow moment.
   */
  clock_at({ before, after }) {
    const { around: reach, scatter } = this.#found;
    const [from, to] = [Math.max(0, before.at - reach), after.at + reach + 1];
    const plateau_of = (readings) => plateau(readings, scatter, coarsely_read);
    const sides = [this.#at_home(from, before.at + 1), this.#at_home(after.at, to)];
    const is_even = scatter > coarsely_read || sides.some((side) => side.length < fewest_beside);
    const near = is_even ? plateau_of(this.#at_home(from, to)) : Math.min(...sides.map(plateau_of));
    const own = (before.ghz + after.ghz) / 2;
    return own > near * (1 + this.tolerance) ? own : near;
  }

  /** Did a core of the kind that is told of run at its clock of that moment during a sample between these two readings? */
  steady(before, after) {
    if (!this.#is_home(before) || !this.#is_home(after)) return false;
    const clock = this.clock_at({ before, after });
    return (before.ghz + after.ghz) / 2 >= clock * (1 - this.tolerance);
  }

  /** The clock that results are told at: the one that earlier numbers of this core are, or its best. */
  get clock_ghz() {
    const best = this.#own_best;
    return this.#known_ghz(best) || best;
  }

  /** The clock at its best: the plateau of the fastest stretch of readings. */
  get #own_best() {
    const readings = this.#at_home();
    const { around: reach, scatter } = this.#found;
    const length = Math.min(readings.length, 2 * reach + 1);
    let best = 0;
    for (let from = 0; from + length <= readings.length; from += reach)
      best = Math.max(best, plateau(readings.slice(from, from + length), scatter, coarsely_read));
    return best;
  }

  /** The clock that was left in the end. */
  get sustained_ghz() {
    const readings = this.#at_home();
    return median(readings.slice(-Math.max(1, Math.floor(readings.length / 5))));
  }

  /** The core ended clearly slower than it began: heat, a battery limit, or company. */
  get throttled() {
    const readings = this.#at_home();
    const n = Math.floor(readings.length / 5);
    return n >= 3 && this.#is_slower_than(median(readings.slice(0, n)));
  }

  /** It was clearly slower than in an earlier run. */
  get is_below_best() {
    return this.#is_slower_than(this.#known_ghz(this.#own_best));
  }

  #is_slower_than(ghz) {
    return this.sustained_ghz < ghz * (1 - Math.max(0.1, this.told));
  }
}
