// Simulates the time of a core, in milliseconds: its clock under load and after rest, other
// programs and interrupts, and the coarse clock through which a page sees them.

import { at_curve, clock_at, rested } from "./closed_forms.mjs";
import { exponential, fixed_chance, folded_normals, uniform } from "./random.mjs";

const asks_ms = 5e-5; // duration of one reading of the clock
const long_rest_ms = 20;
const least_pause_ms = 4; // minimum of nested timers in browsers
const interrupts_every_ms = 800; // mean time under load; this hits one in 200 batches of 4 ms
const clock_holds_ms = { waking: 0.5, else: 5 };
// Mean time away from the measuring kind of core if the machine file has no `stretch_ms`.
export const usual_stretch_ms = { stolen: 5, other: 500 };

export class CoreTime {
  #machine;
  #chance;
  #seed;
  #tick;
  #normals;
  #noise;
  #next_normal = 0;
  #load_s = 0;
  #woke = 0;
  #clock_until = 0;
  #next_interrupt;
  #next_move = Infinity;
  #next_slice = Infinity;
  #slice_ms = 0;
  #asked = 0;
  #others; // time at home and away, and whether the thread is away now
  ms = 5000;
  threads = 1;
  kind;
  ghz = 1;
  window = 0; // number of times that the clock was computed

  /** `timer` = {tick_ms, jitter, edge_share}. `kind` restricts the thread to cores of that kind. */
  constructor(machine, { timer, kind, seed }) {
    this.#machine = machine;
    this.#seed = seed;
    this.#chance = uniform(seed);
    this.#tick = timer;
    this.#noise = machine.class === "vm" ? 0.02 : 0.004;
    this.#normals = folded_normals(this.#chance);
    this.#next_interrupt = this.ms + exponential(this.#chance, interrupts_every_ms);
    this.#woke = this.ms;
    const seat = machine.measuring_thread;
    this.kind = kind ?? seat.kind;
    if (!kind && seat.share_of_time < 1 && seat.other) {
      const { other, share_of_time: share } = seat;
      const away = seat.stretch_ms ?? usual_stretch_ms[other === "stolen" ? "stolen" : "other"];
      this.#others = { other, away, home: (away * share) / (1 - share), is_away: false };
      this.#next_move = this.ms + exponential(this.#chance, this.#others.home);
    }
    if (machine.stolen_slices) this.#await_slice();
    this.#read_ghz();
  }

  /**
   * Schedules the next slice: another program takes the core for a few milliseconds, returns it,
   * and takes it again. With `turns_s`, this happens only during the busy periods.
   */
  #await_slice() {
    const { share_of_time: share, slice_ms, turns_s } = this.#machine.stolen_slices;
    this.#slice_ms = this.#between(slice_ms);
    this.#next_slice = this.ms + (this.#between(slice_ms) * (1 - share)) / share;
    if (!turns_s) return;
    const [busy_ms, quiet_ms] = turns_s.map((seconds) => 1e3 * seconds);
    const into = this.#next_slice % (busy_ms + quiet_ms);
    if (into > busy_ms) this.#next_slice += busy_ms + quiet_ms - into;
  }

  #between([low, high]) {
    return low + (high - low) * this.#chance();
  }

  /** A factor of at least 1 for the time of a call. */
  noise() {
    this.#next_normal = (this.#next_normal + 1) % this.#normals.length;
    return 1 + this.#noise * this.#normals[this.#next_normal];
  }

  /** Seconds of load that still affect the core's heat and power. */
  get load_s() {
    return this.#load_s;
  }

  /** The clock in GHz of a core of `kind` under the current load. */
  ghz_of(kind) {
    const cores = this.#machine.cores.groups.reduce((sum, { count }) => sum + count, 0);
    const load = { load_s: this.#load_s, threads: this.threads, cores };
    return clock_at(this.#machine.kinds[kind].clock, load);
  }

  #read_ghz() {
    this.window += 1;
    const { clock } = this.#machine.kinds[this.kind];
    const since = this.ms - this.#woke;
    const is_waking = since < clock.wake_ramp_ms.at(-1)[0];
    const limit = is_waking ? at_curve(clock.wake_ramp_ms, since) : Infinity;
    this.ghz = Math.min(limit, this.ghz_of(this.kind));
    this.#clock_until = this.ms + clock_holds_ms[is_waking ? "waking" : "else"];
  }

  /**
   * Advances the time by work that takes `ns_at(core)` with the current clock and kind of core. The
   * rest of the work is computed again whenever these change.
   */
  work(ns_at) {
    this.#asked = 0;
    let left = 1;
    for (;;) {
      if (this.ms >= this.#clock_until) this.#read_ghz();
      const whole = ns_at(this) / 1e6;
      const comes = Math.min(this.#next_move, this.#next_slice, this.#next_interrupt);
      const until = Math.min(this.#clock_until, comes);
      if (this.ms + left * whole <= until) {
        this.#busy(left * whole);
        return;
      }
      const spent = Math.max(0, until - this.ms);
      left -= spent / whole;
      this.#busy(spent);
      this.#pass_events();
    }
  }

  #busy(ms) {
    this.ms += ms;
    this.#load_s += ms / 1e3;
  }

  #pass_events() {
    if (this.ms >= this.#next_interrupt) {
      this.#busy(0.03 + 0.27 * this.#chance());
      this.#next_interrupt = this.ms + exponential(this.#chance, interrupts_every_ms);
    }
    if (this.ms >= this.#next_move) this.#move();
    if (this.ms >= this.#next_slice) {
      this.ms += this.#slice_ms;
      this.#await_slice();
    }
  }

  /**
   * Moves the thread to the other kind of core or back. If `other` is "stolen", the thread does not
   * run for a while instead.
   */
  #move() {
    const others = this.#others;
    if (others.other === "stolen") {
      this.#busy(exponential(this.#chance, others.away));
    } else {
      others.is_away = !others.is_away;
      this.kind = others.is_away ? others.other : this.#machine.measuring_thread.kind;
      this.#clock_until = this.ms;
    }
    const stay = others.is_away ? others.away : others.home;
    this.#next_move = this.ms + exponential(this.#chance, stay);
  }

  /** The page rests: the core cools down and, after a long rest, has to wake up again. */
  rest(wanted_ms) {
    this.#asked = 0;
    const ms = Math.max(wanted_ms, least_pause_ms);
    const { recover_s } = this.#machine.kinds[this.kind].clock;
    this.ms += ms;
    this.#load_s = rested(this.#load_s, ms / 1e3, recover_s);
    if (ms >= long_rest_ms) this.#woke = this.ms;
    this.#clock_until = this.ms;
  }

  /**
   * The time that the page reads. After several readings in a row, the page can only be waiting for
   * the next tick, so the time advances to it.
   */
  now() {
    this.#busy(asks_ms);
    this.#asked += 1;
    if (this.#asked > 3) this.#busy(Math.max(0, this.#next_edge() - this.ms));
    // A page that only reads the clock also loses the core.
    if (this.ms >= this.#next_slice) this.#pass_events();
    return this.#shown();
  }

  #edge(k) {
    const { tick_ms, edge_share = 0, jitter } = this.#tick;
    const late = jitter === "edge" ? edge_share * fixed_chance(this.#seed, k) : 0;
    return (k + late) * tick_ms;
  }

  #shown() {
    const { tick_ms } = this.#tick;
    const k = Math.floor(this.ms / tick_ms);
    return (this.ms >= this.#edge(k) ? k : k - 1) * tick_ms;
  }

  #next_edge() {
    const k = Math.floor(this.ms / this.#tick.tick_ms);
    const own = this.#edge(k);
    return (own > this.ms ? own : this.#edge(k + 1)) + asks_ms * this.#chance();
  }
}
