// The clock canary: a chain of dependent one-cycle instructions, whose rate is the best estimate of
// the core's clock that a page can make. It runs before and after every sample, and distinguishes a
// slow kernel from a core that slowed down.

import { calibrate, time_edges } from "./clock.js";
import { median, plateau } from "../base/stats.js";
import { home_band } from "./clock_modes.js";

const around = 12; // readings on each side of a sample that determine its clock
const fewest_beside = 4; // fewest readings on each side for a plateau per side
// If readings scatter by more than this share of the clock, more of them are combined.
const finely_read = 0.02;
const most_around = 48;
const sure = 2.5; // scatters; a larger difference is not noise
// If readings scatter more than this, a high quantile would measure the scatter, so plateau()
// returns the median.
const coarsely_read = 0.015;
// Cores whose operations per cycle differ by less than this factor are the same kind of core.
const as_wide = 1.3;
const widely = 4; // scatters of a coarsely timed width probe, if these are more
// A reading is between two clocks if it is further than this factor from both.
const leap = 1.05;
const rare = 0.03; // a smaller share of readings is an exception
const there = 0.1; // share of readings in its band above which the known core is present
// The clock of earlier results may be at most this many times the best clock of this run, because
// heat and battery explain no more.
const most_slowed = 2.5;
// The best clock of this run may be at most this many times the clock of earlier results. Beyond
// that (on mains after battery, for example) the earlier clock is obsolete.
const most_sped_up = 1.5;
const spare_turn = 4; // readings per width probe if time is short
const drift = 0.03; // smallest change of the clock that counts as one, as a share of it

/**
 * The scatter of `readings` as a share of the clock, from the differences of neighbors, which drift
 * does not affect.
 */
function scatter_of(readings) {
  const steps = readings.slice(1).map((ghz, i) => Math.abs(ghz / readings[i] - 1));
  // For normal errors, the median of differences is 0.95 times the error.
  return 1.05 * median(steps);
}

/** The width probe does not run with each reading if time is short. */
const without_repeats = (values) => values.filter((value, i) => value !== values[i - 1]);

const is_whole = ([from, to]) => from === 0 && to === Infinity;
const is_in = ([from, to], value) => value >= from && value < to;

export class Canary {
  #module;
  #now;
  #step;
  #call_ms;
  #window_ms;
  #clock_error;
  #tick_ms;
  #seen = { count: 0 };
  #fastest = {}; // {found, count, ghz}: #own_best, for these statistics and this many readings
  #width;
  #is_spare;
  #home;
  #lost;
  #widths = []; // operations per cycle at each reading
  readings = [];

  /**
   * A reading takes 2 ms from edge to edge of the clock, or ten ticks of a coarse clock (five of a
   * very coarse one). With each reading, or less often if `is_spare` is set because time is short,
   * `width()` measures how many operations per nanosecond the core does. `home` is the core of
   * earlier results: {ghz, wide}, its clock and its operations per cycle. `lost` (lost_time.js)
   * detects whether another program has the core during a reading.
   */
  constructor(module, now, tick_ms, how = {}) {
    const { width = null, is_spare = false, home = null, lost = null } = how;
    this.#lost = lost;
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
    const { units, unit_ms } = calibrate(now, run, this.#window_ms / 100, tick_ms);
    this.#step = units;
    this.#call_ms = units * unit_ms;
  }

  /**
   * Statistics of the readings so far, recomputed when a tenth of them is new: {scatter, around,
   * band, kinds, usual}. `band` contains the values in `kinds` that belong to the home kind of
   * core. `kinds` are operations per cycle if these distinguish two kinds, otherwise GHz. `usual`
   * is the median of the operations per cycle, and readings within a factor of `as_wide_here` of it
   * are from the same kind.
   */
  get #found() {
    const { readings } = this;
    const { length } = readings;
    if (this.#seen.count === 0 || length > 1.1 * this.#seen.count || this.#seen.count > length) {
      const scatter =
        length > 2 * around ? Math.min(scatter_of(readings), this.#clock_error) : this.#clock_error;
      const wider = Math.round(around * Math.max(1, scatter / finely_read));
      const usual = median(this.#widths);
      const wide_scatter = scatter_of(without_repeats(this.#widths)) || 0;
      const as_wide_here = Math.max(as_wide, 1 + widely * wide_scatter);
      const reach = Math.min(most_around, wider);
      this.#seen = { count: length, scatter, around: reach, usual, as_wide_here, ...this.#kinds };
    }
    return this.#seen;
  }

  /**
   * How far the readings around a sample may be below its clock, as a share of the clock, before
   * the sample counts as disturbed.
   */
  get tolerance() {
    return Math.max(drift, Math.min(this.#clock_error, sure * this.#found.scatter));
  }

  /** The error of clock_at(), as a share of the clock. */
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

  /** Whether enough readings are within `band` for the known core to be present. */
  #is_there(band) {
    return this.#widths.filter((wide) => is_in(band, wide)).length > there * this.#widths.length;
  }

  /**
   * The clock of earlier results, if this is the same core and the `best` clock of this run is
   * close enough to it; otherwise 0.
   */
  #known_ghz(best) {
    const { ghz, wide } = this.#home ?? {};
    const is_it = this.#is_there([wide / as_wide, wide * as_wide]);
    return is_it && ghz < most_slowed * best && best < most_sped_up * ghz ? ghz : 0;
  }

  /** Whether the thread moved between two kinds of core. Results are then reported for one kind. */
  get is_of_two() {
    const { band, kinds } = this.#found;
    const away = kinds.filter((value) => !is_in(band, value)).length;
    return !is_whole(band) && away >= rare * kinds.length;
  }

  /**
   * Whether a reading is from the home kind of core. A short stay on another kind is detected by
   * its operations per cycle.
   */
  #is_home({ ghz, wide }) {
    const { band, kinds, usual, as_wide_here: most } = this.#found;
    if (is_whole(band) && this.#width) return is_in([usual / most, usual * most], wide);
    return is_in(band, kinds === this.#widths ? wide : ghz);
  }

  /**
   * The readings in [from, to) on the home kind of core; all readings if there is only one kind.
   */
  #at_home(from = 0, to = this.readings.length) {
    const { band, kinds } = this.#found;
    const near = this.readings.slice(from, to);
    const own = near.filter((_, i) => is_in(band, kinds[Math.max(from, 0) + i]));
    return own.length > 0 ? own : near;
  }

  /**
   * Whether to run the width probe now: always, or every fourth time if `is_spare` and recent
   * results agree.
   */
  get #is_due() {
    if (!this.#width) return false;
    const { length } = this.#widths;
    if (!this.#is_spare || length < around || length % spare_turn === 0) return true;
    const lately = this.#widths.slice(-around);
    return Math.max(...lately) > as_wide * Math.min(...lately);
  }

  /** Takes and stores one reading: {ghz, wide, at}, where `at` is its index. */
  read() {
    const run = (iterations) => this.#module.canary(iterations);
    const how = { lost: this.#lost, usual_ms: this.#call_ms };
    const timed = [this.#now, run, this.#step, this.#window_ms, this.#tick_ms];
    const { ms, units } = time_edges(...timed, how);
    const ghz = (units * this.#module.canary_ops) / (ms * 1e6);
    const wide = this.#is_due ? this.#width() / ghz : (this.#widths.at(-1) ?? 0);
    this.readings.push(ghz);
    if (this.#width) this.#widths.push(wide);
    return { ghz, wide, at: this.readings.length - 1 };
  }

  /**
   * The clock of the undisturbed core while a sample ran: the high plateau of the readings around
   * it. Of the plateaus before and after, the lower one counts, because a changing clock is higher
   * on one side. Heat, a power limit or another kind of core moves the clock during a run, while a
   * neighbor only disturbs single readings. If the two readings of the sample are clearly higher,
   * they count instead, because a moment on a faster core is not a disturbance.
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

  /** Whether the sample between these two readings ran on the home kind of core at its clock. */
  steady(before, after) {
    if (!this.#is_home(before) || !this.#is_home(after)) return false;
    const clock = this.clock_at({ before, after });
    return (before.ghz + after.ghz) / 2 >= clock * (1 - this.tolerance);
  }

  /**
   * The clock that results are scaled to: that of earlier results on this core if it is known,
   * otherwise the best of this run.
   */
  get clock_ghz() {
    const best = this.#own_best;
    return this.#known_ghz(best) || best;
  }

  /** The plateau of the fastest stretch of readings. */
  get #own_best() {
    const found = this.#found;
    const { length: count } = this.readings;
    if (this.#fastest.found === found && this.#fastest.count === count) return this.#fastest.ghz;
    const readings = this.#at_home();
    const { around: reach, scatter } = found;
    const length = Math.min(readings.length, 2 * reach + 1);
    let ghz = 0;
    for (let from = 0; from + length <= readings.length; from += reach)
      ghz = Math.max(ghz, plateau(readings.slice(from, from + length), scatter, coarsely_read));
    this.#fastest = { found, count, ghz };
    return ghz;
  }

  /**
   * The readings on the core of this run, identified by its clock and by its operations per cycle.
   */
  get #on_first_core() {
    const own = this.#at_home();
    if (!this.#width || own.length < this.readings.length) return own;
    const [low, high] = [this.#found.usual / as_wide, this.#found.usual * as_wide];
    const alike = this.readings.filter((_, i) => is_in([low, high], this.#widths[i]));
    return alike.length > 0 ? alike : own;
  }

  /** The median clock of the last fifth of the readings. */
  get sustained_ghz() {
    const readings = this.#on_first_core;
    return median(readings.slice(-Math.max(1, Math.floor(readings.length / 5))));
  }

  /**
   * Whether the core ended clearly slower than it began, because of heat, a battery limit or a busy
   * neighbor. False if the clock had been as low before and recovered: then the thread visited
   * another kind of core, and may be there again at the end.
   */
  get throttled() {
    const readings = this.#on_first_core;
    const n = Math.floor(readings.length / 5);
    return (
      n >= 3 && this.#is_slower_than(median(readings.slice(0, n))) && !this.#was_away(readings)
    );
  }

  /** Whether the clock had already fallen to its final value before, in one step, and recovered. */
  #was_away(readings) {
    const [low, high] = [this.sustained_ghz, this.clock_ghz];
    const limit = Math.sqrt(low * high);
    const is_low = readings.map((ghz) => ghz < limit);
    const between = readings.filter((ghz) => ghz > low * leap && ghz < high / leap);
    const stays = is_low.filter((is, i) => is && is_low[i + 1] && !is_low[i - 1]).length;
    return stays > 1 && between.length < rare * readings.length;
  }

  /** Whether the core was clearly slower than in an earlier run. */
  get is_below_best() {
    return this.#is_slower_than(this.#known_ghz(this.#own_best));
  }

  #is_slower_than(ghz) {
    return this.sustained_ghz < ghz * (1 - Math.max(0.1, this.told));
  }
}
