// Detects the time during which another program had the core. A page cannot read its CPU time.
// However, a scheduler takes a core away for milliseconds, so two clock readings with little work
// between them end up that far apart. This misses programs that take less than `least_ms` at a time
// and programs on the core's other hardware thread.

import { median } from "../base/stats.js";

const least_ms = 0.8; // a shorter gap may be an interrupt
const ticks = 3; // a gap of fewer ticks may come from the edges of a coarse clock
// A gap must exceed the usual time of a call by this share. Smaller differences come from the state
// of memory.
const share_of_call = 0.5;
const enough_calls = 5; // fewest calls in a sample whose median is the usual time
const long_ms = 2; // longer calls may be interrupted more often than not
const longest_watched_ms = 4;
// Calls whose longest takes at most this many times the shortest ran alike. If they all took longer
// than usual, the thread is on a slower core, because slices of other programs hit only some calls.
const alike = 1.25;
const spin_ms = 10;
const least_watched_ms = 300; // shortest watched time that gives a meaningful share
const coarsest_ms = 3; // with a coarser tick, slices of 4 to 8 ms are invisible

/** If other programs had more than this share of the time, results are reported as ranges. */
export const busy_share = 0.1;

export class LostTime {
  #least_ms;
  #watched_ms = 0;
  #lost_ms = 0;

  constructor(tick_ms) {
    this.#least_ms = tick_ms > coarsest_ms ? Infinity : Math.max(least_ms, ticks * tick_ms);
  }

  /** The share of the watched time during which another program had the core; null if unknown. */
  get share() {
    if (this.#least_ms === Infinity || this.#watched_ms < least_watched_ms) return null;
    return this.#lost_ms / this.#watched_ms;
  }

  /**
   * Whether another program had the core between two readings that are `ms` apart and have
   * `usual_ms` of work between them (default: unknown, so never).
   */
  is_gap(ms, usual_ms = Infinity) {
    return ms > usual_ms + Math.max(this.#least_ms, share_of_call * usual_ms);
  }

  /**
   * `durations` are the milliseconds of equal calls, and `usual_ms` is the usual duration of one.
   * If there are enough calls, their median replaces it for short calls. For long calls, most of
   * which may be interrupted, the smaller of both counts, unless all calls took equally long.
   * Returns the indices of the calls during which another program had the core, and counts the
   * watched and the lost time.
   */
  see(durations, usual_ms) {
    const own = durations.length < enough_calls ? usual_ms : median(durations);
    const usual = this.#is_steady(durations)
      ? Math.max(usual_ms, ...durations)
      : usual_ms < long_ms
        ? own
        : Math.min(usual_ms, own);
    const gone = [...durations.keys()].filter((i) => this.is_gap(durations[i], usual));
    // A slice is too short to be noticed in such a long call and would count as undisturbed time. A
    // single call may also be long because the thread is on a slower core.
    if (usual > longest_watched_ms || durations.length === 1) return gone;
    for (const i of gone) this.#lost_ms += durations[i] - usual;
    this.#watched_ms += durations.reduce((sum, ms) => sum + ms, 0);
    return gone;
  }

  /** Whether several calls took equally long, as far as the clock shows. */
  #is_steady(durations) {
    if (durations.length < 2) return false;
    const [shortest, longest] = [Math.min(...durations), Math.max(...durations)];
    return longest <= alike * shortest && longest - shortest < this.#least_ms;
  }

  /** Watches until the share is meaningful. A short run of long calls has hardly been watched. */
  watch_enough(now) {
    while (this.#least_ms < Infinity && this.#watched_ms < least_watched_ms) this.spin(now);
  }

  /** Reads the clock for `spin_ms` and does nothing else, so every gap is lost time. */
  spin(now) {
    if (this.#least_ms === Infinity) return;
    const start = now();
    let before = start;
    for (let t = start; t - start < spin_ms; before = t) {
      t = now();
      if (this.is_gap(t - before, 0)) this.#lost_ms += t - before;
    }
    this.#watched_ms += before - start;
  }
}
