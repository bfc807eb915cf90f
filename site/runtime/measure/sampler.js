// The measuring protocol over one module of kernels (docs/measuring.md tells why): warm up with
// short calls and pauses, find a batch length, then sample all kernels in turn, round after round,
// a canary around every sample, and check every result afterwards, outside the timed part. Nothing
// here touches a page: `now` is a clock in milliseconds, `pause(ms)` a promise, `report(fraction,
// text)` takes progress.

import {
  calibrate,
  clock_error,
  measure_tick,
  plan_batch,
  time_batch,
  time_edges,
} from "../kernels/clock.js";
import { Canary } from "../kernels/canary.js";
import { align, runs_of_a_lap } from "../kernels/kernel_module.js";
import { median, quantile } from "../base/stats.js";
import { goes_by_clock, is_moving, on_one_kind, own_bytes, summarise } from "../profile/summary.js";
import { short_params } from "../kernels/tasks.js";
import { flag_slow_tier } from "../kernels/tier_check.js";
import { width_probe } from "./width_probe.js";

// How long a kernel is sampled: until it has `samples`, or `enough` that lie within `settled` of each
// other, or has taken `task_ms`; all of them together `total_ms`.
const paces = {
  quick: { samples: 5, enough: 5, task_ms: 500, total_ms: 4600 },
  full: { samples: 15, enough: 7, task_ms: 600, total_ms: 46_000 },
  thorough: { samples: 15, enough: 15, task_ms: 1500, total_ms: Infinity },
};
const settled = 0.02; // of the median
const fewest_samples = 3;
const patience = 3; // times the usual samples, while fewer than three of them are steady
// Of the time of all, once more for what has fewer than three steady samples: longer where the thread moves between two
// kinds of core, and one sample in a few is not the other's. A reader waits for a quick run, and it stays one.
const second_look = { usual: 0.05, of_two: 1, of_two_quick: 0.25 };
const warm_calls = 60; // in each of at least three passes
const most_passes = 8;
const giants = [96, 48, 24, 12, 4, 0].map((mib) => mib * 2 ** 20); // bytes, largest tried first
const gap = 8192;
// Others have run since a task's last sample, and their data displaced its own: a call that is not
// timed brings it back, unless that takes longer than this. What takes longer hardly notices.
const longest_rewarm_ms = 20;
// One run of a chase is a short walk, and what it has not yet visited is as cold as others left it:
// before it is timed it goes round once, unless that takes so long that nothing of it is in a cache.
const longest_lap_ms = 1000;
const long_run_ms = 200; // in which a thread may have moved to another kind of core and back
const as_many = 1.03; // times their number: what chases at once may seem faster than one, by noise
const long_lap = 4 * 2 ** 20; // bytes: a chase through more goes round once and is sampled by itself

/**
 * Measures `tasks` ({kernel, params}, and `values` where a run needs others than the parameters
 * that it is known by, as a tile that a race chose, with `choice` to say so) at a pace: "quick",
 * "full" or "thorough"; `batch_ms` asks for whole calls of at least that length, for several threads,
 * whose calls take time to begin and end; `home` is what is known of the core (kernels/canary.js), `prober` a module that
 * has the probe of the core's kind, where `module` has not. Once `is_stopped()` says so, as when the page was hidden, what
 * ran since the last pause is dropped and nothing new begins; what has its samples by then is kept.
 * Resolves to {tick_ms, clock_ghz, clock_sustained_ghz where it fell, throttled, results}, one result per task in the profile's form.
 * Never rejects for a kernel's sake: a task that cannot run is "unavailable" with a reason.
 */
export async function measure_suite(asked) {
  const { module, tasks, pace, batch_ms, now, pause, report, home } = asked;
  const { prober = module, is_stopped = () => false } = asked;
  const limits = limits_of(pace, tasks.length);
  report(0, "Looking at the clock");
  const began = now();
  const tick_ms = measure_tick(now);
  const width = batch_ms ? null : width_probe({ module: prober, now, tick_ms });
  const is_spare = pace === "quick";
  const canary = new Canary(module, now, tick_ms, { width: width?.read, is_spare, home });
  const batch = batch_ms
    ? plan_batch(tick_ms, { floor_ms: batch_ms })
    : plan_batch(tick_ms, { quick: pace === "quick" });
  const states = lay_out(module, tasks, module.heap_base + (width?.bytes ?? 0));
  const ready = states.filter((state) => !state.reason);
  const suite = {
    module,
    now,
    pause,
    report,
    canary,
    batch,
    tick_ms,
    limits,
    began,
    ready,
    is_stopped,
    progress: { share: 0 },
  };

  await warm_up(suite, ready);
  await look_early(suite, ready);
  for (const group of groups_of(ready)) {
    if (is_stopped()) break;
    for (const state of group) if (!state.step) find_batch(suite, state);
    await sample_rounds(suite, group);
    await check(
      suite,
      group.filter(({ samples }) => samples.length >= fewest_samples),
    );
  }
  if (!is_stopped()) await compare_chains(suite, ready);
  if (!is_stopped()) await revisit(suite, ready);
  for (const state of ready)
    if (!state.check) state.reason = "the page was hidden before it was measured";
  const memory_gbs = outermost_read(suite) || home?.memory_gbs;
  const is_within = sets_on_the_clock(ready, canary);
  return {
    tick_ms,
    clock_ghz: canary.clock_ghz,
    ...(canary.throttled ? { clock_sustained_ghz: canary.sustained_ghz } : {}),
    throttled: canary.throttled,
    results: flag_slow_tier(
      states.map((state) =>
        summarise(state, module, { canary, memory_gbs, is_within: is_within(state) }),
      ),
    ),
  };
}

/** The rate in GB/s at which the largest set that was read came: memory's in a full run; 0 where none was read. */
function outermost_read({ module, ready }) {
  const reads = ready
    .filter(({ kernel, check }) => kernel.id === "stream.read" && check)
    .map(({ kernel, values, samples }) => {
      module.select(kernel, values);
      const bytes = module.bytes(kernel);
      return { bytes, rate: bytes / median(samples.map(({ seconds }) => seconds)) / 1e9 };
    });
  const largest = Math.max(...reads.map(({ bytes }) => bytes));
  return Math.max(0, ...reads.filter(({ bytes }) => bytes === largest).map(({ rate }) => rate));
}

/**
 * A cache that goes by the core's clock has none inside it that does not: a function of a state that says whether larger sets
 * of streams or chases, two at least, were seen to go by it.
 */
function sets_on_the_clock(states, canary) {
  const followers = states.filter((state) => goes_by_clock(state, canary));
  const sizes = followers.map(({ values }) => values.w ?? 0).sort((a, b) => b - a);
  return ({ values }) => values.w <= (sizes[1] ?? 0);
}

/** A quick run takes more samples, up to fifteen, where few kernels leave time for them. */
function limits_of(pace, tasks) {
  const limits = paces[pace];
  if (pace !== "quick") return limits;
  const affordable = Math.round(100 / Math.max(1, tasks));
  const samples = Math.min(paces.full.samples, Math.max(limits.samples, affordable));
  return { ...limits, samples, enough: samples, is_quick: true };
}

/**
 * A region of the module's memory for every task, from `start` on. Those that need much share one: the fewer, the more
 * memory the browser grants.
 */
function lay_out(module, tasks, start) {
  const sizes = tasks.map(({ kernel, params, values = params }) => {
    module.select(kernel, values);
    return align(module.memory_needed(kernel)) + gap;
  });
  const { giant, shared_base } = share_above(module, sizes, start);
  const common = { owner: null };
  let next = start;
  return tasks.map((task, i) => {
    const alone = sizes[i] <= giant;
    const { params, values = params } = task;
    const state = { ...task, values, samples: [], spent_ms: 0 };
    module.select(task.kernel, values);
    state.lap = runs_of_a_lap(module, task.kernel);
    state.by_itself = !alone || (state.lap > 1 && sizes[i] - gap > long_lap);
    state.region = alone ? { owner: null } : common;
    state.base = align(alone ? next : shared_base, alone ? (2 * i + 1) % 63 : 0);
    if (alone) next += sizes[i];
    else if (!module.reserve(state.base + sizes[i])) {
      state.reason = `${Math.ceil((sizes[i] - gap) / 2 ** 20)} MiB of memory are more than this page gets here`;
    }
    return state;
  });
}

/** The size in bytes above which tasks share a region, and where that region begins. */
function share_above(module, sizes, start) {
  for (const giant of giants) {
    const own = sizes.filter((size) => size <= giant).reduce((sum, size) => sum + size, start);
    const largest = Math.max(0, ...sizes.filter((size) => size > giant));
    if (module.reserve(own + largest)) return { giant, shared_base: own };
  }
  return { giant: 0, shared_base: start };
}

/**
 * What shares a region, or would have to be warmed for long, is sampled one after the other; then the
 * rest, in rounds, so that when time is short all of it has equally many samples.
 */
function groups_of(states) {
  const together = states.filter((state) => !state.by_itself);
  const alone = states.filter((state) => state.by_itself).map((state) => [state]);
  return together.length > 0 ? [...alone, together] : alone;
}

/**
 * One sample of each stream and chase through what may be a cache, before anything that takes long: a clock that falls or rises
 * in the course of the run has not done so yet, and what these samples are beside later ones tells whether that cache goes
 * by the core's clock.
 */
async function look_early(suite, states) {
  const { module } = suite;
  const are_told_apart = states.filter(({ by_itself, kernel, values }) => {
    module.select(kernel, values);
    const is_in_own_cache = kernel.unit !== "ns" && module.bytes(kernel) <= own_bytes;
    return !by_itself && is_moving(kernel) && !is_in_own_cache;
  });
  if (are_told_apart.length === states.length) return;
  for (const state of are_told_apart) find_batch(suite, state);
  await sample_rounds(suite, are_told_apart, 1);
}

/**
 * Makes the task's parameters current and its data present; preparing writes every page that a run
 * reads.
 */
function activate({ module }, state) {
  module.select(state.kernel, state.values);
  if (state.region.owner === state) return;
  module.prepare(state.kernel, state.base);
  state.region.owner = state;
}

/**
 * Browsers start WebAssembly in a quick compiler and replace a function once it has been called
 * often, never inside a running loop. So: many short calls on small data, a pause for the compiler,
 * and again, until two passes have made nothing faster.
 */
async function warm_up({ module, now, pause, report, tick_ms, is_stopped }, states) {
  const distinct = new Map(
    states.map((state) => {
      const short = short_params(state.kernel, state.values);
      return [
        `${state.kernel.index} ${JSON.stringify(short)}`,
        { state, short, call_ms: Infinity },
      ];
    }),
  );
  const window_ms = Math.max(2, 4 * tick_ms);
  let unchanged = 0;
  for (let pass = 0; pass < most_passes && unchanged < 2 && !is_stopped(); ++pass) {
    let faster = false;
    for (const entry of distinct.values()) {
      const { state, short } = entry;
      module.select(state.kernel, short);
      module.prepare(state.kernel, state.base);
      state.region.owner = null;
      const call_ms = repeat_call(() => module.run(state.kernel, state.base, 1), now, window_ms);
      faster ||= call_ms < entry.call_ms * 0.85;
      entry.call_ms = Math.min(entry.call_ms, call_ms);
    }
    unchanged = faster ? 0 : unchanged + 1;
    report(0.02 + (0.08 * pass) / most_passes, "Warming up");
    await pause(40);
  }
}

/**
 * Calls for at least `window_ms` and `warm_calls` times, the latter within four windows.
 * Milliseconds per call.
 */
function repeat_call(call, now, window_ms) {
  const start = now();
  let calls = 0;
  for (;;) {
    call();
    ++calls;
    const spent = now() - start;
    if (spent >= 4 * window_ms || (spent >= window_ms && calls >= warm_calls)) return spent / calls;
  }
}

/** Brings back what others displaced since a task ran last, in calls that are not timed. */
function rewarm(suite, state) {
  if (suite.last === state) return;
  suite.last = state;
  const { module, now } = suite;
  const run = () => module.run(state.kernel, state.base, 1);
  if (state.lap === 1) {
    if (state.unit_ms <= longest_rewarm_ms) run();
    return;
  }
  const began = now();
  for (let runs = 0; runs < state.lap && now() - began < longest_lap_ms; ++runs) run();
}

function find_batch(suite, state) {
  const { module, now, batch, tick_ms } = suite;
  activate(suite, state);
  if (state.lap > 1) rewarm(suite, state);
  const run = (reps) => module.run(state.kernel, state.base, reps);
  const { units, unit_ms } = calibrate(now, run, batch.edges ? batch.ms / 50 : batch.ms, tick_ms);
  state.unit_ms = unit_ms;
  state.step = units;
}

/**
 * One sample, or none when the batch turned out too short: calibration was disturbed, and the next
 * one is longer.
 */
function take_sample(suite, state, before) {
  const { module, now, batch, tick_ms, canary } = suite;
  activate(suite, state);
  rewarm(suite, state);
  const began = now();
  const run = (reps) => module.run(state.kernel, state.base, reps);
  const { ms, units } = batch.edges
    ? time_edges(now, run, state.step, batch.ms, tick_ms)
    : time_batch(now, run, state.step);
  if (!batch.edges && ms < batch.ms / 2)
    state.step = Math.ceil((state.step * batch.ms) / Math.max(ms, tick_ms));
  const after = canary.read();
  if (ms < batch.ms / 2) return after;
  const error = clock_error({ ms, edges: batch.edges }, tick_ms, state.unit_ms * state.step);
  state.samples.push({ seconds: ms / units / 1e3, before, after, clock_error: error });
  state.spent_ms += now() - began;
  return after;
}

/** Has a task its three samples on a steady core, and of long runs, where there are two kinds of core, three that are alike? */
function has_steady({ samples, unit_ms }, canary) {
  let steady = 0;
  if (!canary.is_of_two || unit_ms < long_run_ms)
    return samples.some((s) => canary.steady(s.before, s.after) && ++steady === fewest_samples);
  const own = samples.filter((s) => canary.steady(s.before, s.after));
  return own.length >= fewest_samples && on_one_kind(own, canary).length >= fewest_samples;
}

function is_done(state, { limits, now, began, canary }) {
  const n = state.samples.length;
  if (n < fewest_samples) return false;
  if (now() - began >= limits.total_ms) return true;
  if (limits.is_second_look) return has_steady(state, canary);
  if (n >= limits.samples * patience) return true;
  const is_enough = n >= limits.samples || (n >= limits.enough && is_settled(state));
  if (!is_enough && state.spent_ms < limits.task_ms) return false;
  return has_steady(state, canary) || state.spent_ms >= limits.task_ms * patience;
}

/**
 * Do the middle three fifths of a task's samples lie close together? Not the median deviation, which
 * is nothing when a disturbance hits fewer than half of them.
 */
function is_settled({ samples }) {
  const times = samples.map(({ seconds }) => seconds);
  return quantile(times, 0.8) - quantile(times, 0.2) <= settled * median(times);
}

/**
 * Chases at once are at most as many times as fast as one as they are many. Where they came out faster, memory was in two
 * states while they were timed, one after the other: both again, by turns.
 */
async function compare_chains(suite, states) {
  const { module, limits, now } = suite;
  const step_of = ({ kernel, values, samples }) => {
    module.select(kernel, values);
    return median(samples.map(({ seconds }) => seconds)) / module.flops(kernel);
  };
  const chases = states.filter(({ kernel, check }) => kernel.id.endsWith(".chase") && check);
  const is_alike = (a, b) => ["w", "order", "line"].every((name) => a[name] === b[name]);
  const again = new Set();
  for (const one of chases.filter(({ values: { chains = 1 } }) => chains === 1)) {
    const step = step_of(one);
    const several = chases.filter((state) => is_alike(state.values, one.values));
    const wrong = several.filter(
      (state) => step > (state.values.chains ?? 1) * as_many * step_of(state),
    );
    if (wrong.length > 0) for (const state of [one, ...wrong]) again.add(state);
  }
  if (again.size === 0) return;
  for (const state of again) Object.assign(state, { samples: [], spent_ms: 0, safe: 0 });
  const total_ms = now() - suite.began + again.size * limits.task_ms * patience;
  await sample_rounds({ ...suite, limits: { ...limits, total_ms } }, [...again]);
  await check(
    suite,
    [...again].filter(({ samples }) => samples.length >= fewest_samples),
  );
}

/**
 * Again what was sampled before enough was known of the clock, or on another kind of core than all else: only later
 * readings tell which kind of core the run belongs to.
 */
async function revisit(suite, states) {
  const { canary, limits, now, began } = suite;
  const open = states.filter((state) => state.check && !has_steady(state, canary));
  const of_two = limits.is_quick ? "of_two_quick" : "of_two";
  const share = second_look[canary.is_of_two ? of_two : "usual"];
  const total_ms = now() - began + share * Math.min(limits.total_ms, 60_000);
  const again = { ...suite, limits: { ...limits, total_ms, is_second_look: true } };
  for (const group of groups_of(open)) {
    if (again.is_stopped()) return;
    await sample_rounds(again, group);
  }
}

/**
 * Progress of the whole suite, whose first tenth was warming up: by samples, and in a quick run, which its time ends, by that.
 * A second look takes samples of what was over, and it does not fall.
 */
function share_done({ ready, limits, now, began, progress }) {
  const of = ({ is_over, samples, spent_ms }) =>
    is_over ? 1 : Math.min(1, Math.max(samples.length / limits.samples, spent_ms / limits.task_ms));
  const taken = ready.reduce((sum, state) => sum + of(state), 0) / ready.length;
  const by_time = limits.is_quick ? Math.min(1, (now() - began) / limits.total_ms) : 0;
  progress.share = Math.max(progress.share, 0.1 + 0.9 * Math.max(taken, by_time));
  return progress.share;
}

/**
 * Round-robin, `most_rounds` at most, so that a drifting clock meets every kernel; a pause each 50 ms lets messages
 * through.
 */
async function sample_rounds(suite, states, most_rounds = Infinity) {
  const { now, pause, report, canary, is_stopped } = suite;
  let open = states;
  let before = canary.read();
  let rested = now();
  for (let round = 0; open.length > 0 && round < most_rounds; ++round) {
    for (const state of open) {
      if (now() - rested > 50) {
        report(share_done(suite), `Measuring ${state.kernel.title}`);
        await pause(0);
        if (is_stopped()) {
          for (const one of states) one.samples.length = one.safe ?? 0;
          return;
        }
        for (const one of states) one.safe = one.samples.length;
        before = canary.read();
        rested = now();
      }
      before = take_sample(suite, state, before);
    }
    for (const state of open) state.is_over = is_done(state, suite);
    open = open.filter((state) => !state.is_over);
  }
}

/**
 * What each task's last run left, compared with the kernel's own reference; a fresh run where
 * others wrote since.
 */
async function check(suite, states) {
  const { module, pause, report } = suite;
  for (const state of states) {
    report(share_done(suite), `Checking ${state.kernel.title}`);
    await pause(0);
    if (state.region.owner === state) {
      module.select(state.kernel, state.values);
    } else {
      activate(suite, state);
      module.run(state.kernel, state.base, 1);
    }
    state.check = module.verify(state.kernel, state.base);
    state.region.owner = null;
  }
}
