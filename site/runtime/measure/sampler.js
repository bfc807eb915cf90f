// The measuring protocol for one module of kernels. The reasons are in
// docs/explanation/how-the-numbers-are-measured.md.
//
//  measure the tick -> lay out memory -> warm up -> one early sample of streams and chases
//  per group: find the batch length -> rounds -> check the results
//  contradicting chases again -> kernels with too few steady samples again -> summarize
//
// A task becomes a state {kernel, params, values, base, region, samples, ...}. `region.owner` is
// the state whose data is in that memory now; activate() prepares the data again if it is another
// state. Small tasks own their region and take turns. Large ones share a region and run one by one.
//
// A sample is {seconds, whole, before, after, clock_error, is_gone, is_cut} with one canary reading
// on either side; `whole` includes the calls that another program interrupted. The loop yields
// every 50 ms; once `is_stopped()` returns true, samples since the last yield are dropped. There is
// no DOM here: `now` is a clock in milliseconds, `pause(ms)` a promise, and `report(fraction, text,
// samples)` takes progress, with the roof samples since the last report (`work_of`). A task that
// cannot run becomes an "unavailable" result with a reason.

import {
  calibrate,
  clock_error,
  measure_tick,
  plan_batch,
  plan_pool_batch,
  time_batch,
  time_edges,
  time_parts,
} from "../kernels/clock.js";
import { Canary } from "../kernels/canary.js";
import { align, runs_of_a_lap } from "../kernels/kernel_module.js";
import { busy_share, LostTime } from "../kernels/lost_time.js";
import { median, quantile } from "../base/stats.js";
import {
  goes_by_clock,
  is_moving,
  on_one_kind,
  own_bytes,
  summarise,
  too_busy,
} from "../profile/summary.js";
import { short_params } from "../kernels/tasks.js";
import { flag_slow_tier, is_judge, seems_slow_tier } from "../kernels/tier_check.js";
import { shared_units } from "../kernels/width.js";
import { width_probe } from "./width_probe.js";

// A kernel is sampled until it has `samples`, or `enough` of which most are within `settled` of
// each other, or until it has taken `task_ms`. `total_ms` limits all kernels together.
const paces = {
  quick: { samples: 5, enough: 5, task_ms: 500, total_ms: 4600 },
  full: { samples: 15, enough: 7, task_ms: 600, total_ms: 52_000 },
  thorough: { samples: 15, enough: 15, task_ms: 1500, total_ms: Infinity },
};
const settled = 0.02; // spread of the samples, as a share of the median
const fewest_samples = 3;
const patience = 3; // times the usual samples and time, while fewer than three samples are steady
// Additional time, as a share of the total, for kernels with fewer than three steady samples. If
// the thread moves between two kinds of core, they need more time, because only some of the samples
// are from one kind. A quick run gets less of it, because a reader is waiting.
const second_look = { usual: 0.05, of_two: 1.5, of_two_quick: 0.25 };
const warm_calls = 60; // per pass of the warm-up, which has at least three
const most_passes = 8;
// With a coarser tick, timing each pass would take minutes, so three passes of this many calls do.
const coarse_ms = 3;
const coarse_calls = 2000;
// Bytes. The first one that the browser's memory allows is the limit of a small task.
const giants = [96, 48, 24, 12, 4, 0].map((mib) => mib * 2 ** 20);
const gap = 8192; // bytes between regions; the offset within a region takes at most 4032
const replicates = 3; // places of a kernel's data within a run
const moved_by = 1088; // bytes between two places: 17 lines
const longest_rewrite_ms = 5;
// Other kernels have run since a kernel's last sample and have evicted its data. An untimed call
// brings the data back, unless it takes longer than this. Longer calls are hardly affected.
const longest_rewarm_ms = 20;
// One run of a chase is a short walk, and the rest of its set is as cold as other kernels left it.
// So the chase visits its whole set before it is timed, unless that takes longer than this, because
// then nothing of the set is in a cache.
const longest_lap_ms = 1000;
const long_run_ms = 200; // long enough for a thread to move to another kind of core and back
const as_many = 1.03; // times their number; parallel chases can seem to gain this much by noise
const quick_ms = 6000;
const longest_quick_ms = 16_000;
const late = "Other programs have the core, so this takes longer";
const hidden = "the page was hidden before it was measured";
const long_call_ms = 1; // a sample has too few calls of this duration to reveal an interrupted one
const interrupted = 1.5; // times an undisturbed call; a longer one was interrupted
const watch_every_ms = 100; // between two checks for other programs on the core
// Bytes. A chase through more visits its whole set once before its samples, and is sampled alone.
const long_lap = 4 * 2 ** 20;
// Some prefetchers learn the order of a chase, so one whose lap lasts longer than a sample gets a
// new order before each lap. The first part of a lap is not timed, because it may find what
// preparing the order has left in the caches: half of a lap in random order, and little of one that
// goes page by page, because there the end of the set is left.
const untimed_share = { near: 0.1, random: 0.5 };
const shortest_ms = 1; // a sample of a part of a lap

/**
 * Measures `tasks` and resolves to {tick_ms, clock_ghz, clock_sustained_ghz (if the clock fell),
 * throttled, lost_share, results}, with one result per task in the profile's format. Never rejects
 * because of a kernel.
 *
 *  tasks       [{kernel, params, values, choice}]; `values` replaces `params` in the run, for
 *              example with the tile that won a race, and `choice` then records the tile
 *  pace        "quick", "full" or "thorough"
 *  batch_ms    minimum of a batch of whole calls, for thread pools, whose calls start slowly
 *  home        the core of earlier results (kernels/canary.js)
 *  prober      the module with the width probe (default: `module`)
 *  is_fused    whether a multiply-add is one operation in this engine
 *  is_stopped  whether to stop, for example because the page is hidden; kernels that have enough
 *              samples by then still get results
 */
export async function measure_suite(asked) {
  const { module, tasks, pace, batch_ms, now, pause, report, home } = asked;
  const { prober = module, is_fused = true, is_stopped = () => false } = asked;
  const limits = limits_of(pace, tasks.length);
  report(0, "Testing the clock");
  const began = now();
  const tick_ms = measure_tick(now);
  const width = batch_ms ? null : width_probe({ module: prober, now, tick_ms });
  const is_spare = pace === "quick";
  const lost = new LostTime(tick_ms);
  const canary = new Canary(module, now, tick_ms, { width: width?.read, is_spare, home, lost });
  const batch = batch_ms
    ? plan_pool_batch(tick_ms, batch_ms)
    : plan_batch(tick_ms, { quick: pace === "quick" });
  const states = lay_out(module, tasks, module.heap_base + (width?.bytes ?? 0));
  const ready = states.filter((state) => !state.reason);
  const suite = {
    module,
    now,
    pause,
    report,
    canary,
    lost,
    batch,
    is_pool: batch_ms !== undefined,
    tick_ms,
    limits,
    began,
    ready,
    is_fused,
    is_stopped,
    progress: { share: 0 },
    unreported: [], // roof samples
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
  if (!suite.is_pool && ready.length > 0 && !is_stopped()) lost.watch_enough(now);
  for (const state of ready) if (!state.check) state.reason = is_stopped() ? hidden : too_busy;
  const results = await confirmed_results(suite, states, home);
  const unit_share = unit_share_of(suite, states, results);
  const shown = unit_share > 0 ? results_of(suite, states, { home, unit_share }) : results;
  return answer_of(suite, shown, unit_share);
}

/** The result of a suite; `unit_share` as in unit_share_of(). */
function answer_of({ tick_ms, canary, lost }, results, unit_share) {
  return {
    tick_ms,
    clock_ghz: canary.clock_ghz,
    ...(canary.throttled ? { clock_sustained_ghz: canary.sustained_ghz } : {}),
    throttled: canary.throttled,
    lost_share: unit_share > 0 ? 1 - (1 - lost.share) * (1 - unit_share) : lost.share,
    results: flag_slow_tier(results, canary.clock_ghz),
  };
}

/** The share of the core's units that another program used; 0 if too little to matter. */
function unit_share_of({ is_fused, is_pool, canary }, states, results) {
  if (!is_fused || is_pool || seems_slow_tier(results, canary.clock_ghz)) return 0;
  const share = shared_units(results.filter((_, i) => states[i].probe));
  return share > busy_share ? share : 0;
}

/**
 * The results. If the code seems unoptimized, the judge is sampled again first, because one
 * disturbed set of samples proves nothing.
 */
async function confirmed_results(suite, states, home) {
  const results = results_of(suite, states, { home });
  if (!seems_slow_tier(results) || suite.is_stopped()) return results;
  await sample_again(suite, suite.ready.filter(is_judge));
  return results_of(suite, states, { home });
}

function results_of(suite, states, { home, unit_share = 0 }) {
  const { module, canary, lost, ready } = suite;
  const memory_gbs = outermost_read(suite) || home?.memory_gbs;
  const is_within = sets_on_the_clock(ready, canary);
  const how = { canary, memory_gbs, lost_share: lost.share, unit_share };
  return states.map((state) => summarise(state, module, { ...how, is_within: is_within(state) }));
}

/** GB/s of the read with the largest set, which is memory in a full run; 0 if there was no read. */
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
 * Every cache inside one that runs at the core's clock also runs at it. Returns a function of a
 * state: whether its set is within one that followed the clock, as shown by at least two streams or
 * chases.
 */
function sets_on_the_clock(states, canary) {
  const followers = states.filter((state) => goes_by_clock(state, canary));
  const sizes = followers.map(({ values }) => values.w ?? 0).sort((a, b) => b - a);
  return ({ values }) => values.w <= (sizes[1] ?? 0);
}

/** The limits at a pace. A quick run of few kernels has time for more samples, up to fifteen. */
function limits_of(pace, tasks) {
  const limits = paces[pace];
  if (pace !== "quick") return limits;
  const affordable = Math.round(100 / Math.max(1, tasks));
  const samples = Math.min(paces.full.samples, Math.max(limits.samples, affordable));
  return { ...limits, samples, enough: samples, is_quick: true };
}

/**
 * Creates a state for every task, with a region of the module's memory, from `start` on. Large
 * tasks share one region; the browser's limit on memory determines which tasks are large.
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
      const mib = Math.ceil((sizes[i] - gap) / 2 ** 20);
      state.reason = `it needs ${mib} MiB of memory, more than this book takes on such a device or than the browser grants`;
    }
    return state;
  });
}

/** {giant, shared_base}: the bytes above which tasks share a region, and where it begins. */
function share_above(module, sizes, start) {
  for (const giant of giants) {
    const own = sizes.filter((size) => size <= giant).reduce((sum, size) => sum + size, start);
    const largest = Math.max(0, ...sizes.filter((size) => size > giant));
    if (module.reserve(own + largest)) return { giant, shared_base: own };
  }
  return { giant: 0, shared_base: start };
}

/**
 * Groups of states that are sampled together. A task that shares a region, or that takes long to
 * warm up, is alone in its group. All other tasks form the last group and take turns, so they have
 * equally many samples if time runs short.
 */
function groups_of(states) {
  const together = states.filter((state) => !state.by_itself);
  const alone = states.filter((state) => state.by_itself).map((state) => [state]);
  return together.length > 0 ? [...alone, together] : alone;
}

/**
 * Takes one sample of each stream and chase that may use a shared cache, before anything that takes
 * long. The clock has hardly fallen or risen yet, so comparing these samples with later ones shows
 * whether that cache runs at the core's clock.
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
 * Selects the task's parameters and prepares its data unless the data is already in memory.
 * Preparing writes every page that a run reads.
 */
function activate({ module, now }, state) {
  module.select(state.kernel, state.values);
  if (state.region.owner === state) return;
  const began = now();
  module.prepare(state.kernel, state.base);
  state.prepare_ms = now() - began;
  state.region.owner = state;
}

/**
 * Moves the data to another place in its region after each third of the samples, so that the effect
 * of its place shows within the run. Does nothing if preparing the data takes too long.
 */
function move_data(suite, state) {
  const part = Math.floor((replicates * state.samples.length) / suite.limits.samples);
  if (part === (state.part ?? 0) || part >= replicates) return;
  if (state.region.owner !== state || state.prepare_ms > longest_rewrite_ms) return;
  state.base += (part - (state.part ?? 0)) * moved_by;
  state.part = part;
  state.region.owner = null;
  suite.last = null;
}

/**
 * Browsers compile WebAssembly quickly at first and replace a function once it has been called
 * often, but never inside a running loop. So each kernel is called many times on small data,
 * followed by a pause for the compiler, until two passes in a row have made nothing faster.
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
  const is_coarse = tick_ms > coarse_ms;
  const window_ms = is_coarse ? tick_ms : Math.max(2, 4 * tick_ms);
  const most_calls = is_coarse ? coarse_calls : Infinity;
  let unchanged = 0;
  for (let pass = 0; pass < most_passes && unchanged < 2 && !is_stopped(); ++pass) {
    let faster = false;
    for (const entry of distinct.values()) {
      const { state, short } = entry;
      module.select(state.kernel, short);
      module.prepare(state.kernel, state.base);
      state.region.owner = null;
      const call = () => module.run(state.kernel, state.base, 1);
      const call_ms = repeat_call(call, now, { window_ms, most_calls });
      faster ||= is_coarse ? pass === 0 : call_ms < entry.call_ms * 0.85;
      entry.call_ms = Math.min(entry.call_ms, call_ms);
    }
    unchanged = faster ? 0 : unchanged + 1;
    report(0.02 + (0.08 * pass) / most_passes, "Warming up");
    await pause(40);
  }
}

/**
 * Calls for at least `window_ms` and at least `warm_calls` times, but for at most four windows or
 * `most_calls` times. Returns milliseconds per call.
 */
function repeat_call(call, now, { window_ms, most_calls }) {
  const start = now();
  let calls = 0;
  for (;;) {
    call();
    ++calls;
    const spent = now() - start;
    const is_enough = spent >= window_ms && calls >= warm_calls;
    if (is_enough || spent >= 4 * window_ms || calls >= most_calls) return spent / calls;
  }
}

/**
 * The duration of a sample. That of a chase is at most 0.4 laps if the clock is fine enough for
 * that.
 */
function sample_ms({ batch, tick_ms }, { lap, unit_ms }) {
  if (lap === 1 || batch.edges) return batch.ms;
  return Math.min(batch.ms, Math.max(shortest_ms, 50 * tick_ms, 0.4 * lap * unit_ms));
}

/** Whether a sample of a chase, whose duration per run is known, is a part of a lap. */
const is_part_of_lap = ({ lap, unit_ms, sample_ms: ms }) => lap > 1 && lap * unit_ms > 2 * ms;

/**
 * The chase gets a new order if others have run since its last sample or if the next sample might
 * not fit into the lap; the first part of the lap is then walked.
 */
function walk_new_order(suite, state) {
  const { module, now } = suite;
  const next = Math.ceil((1.2 * state.sample_ms) / state.unit_ms);
  if (suite.last === state && state.walked + next <= state.lap) return;
  suite.last = state;
  state.region.owner = null;
  activate(suite, state);
  const began = now();
  const share = untimed_share[state.values.order === 1 ? "random" : "near"];
  const most = Math.min(share * state.lap, state.lap - next);
  for (state.walked = 0; state.walked < most && now() - began < longest_lap_ms; ++state.walked)
    module.run(state.kernel, state.base, 1);
}

/**
 * Brings back the data that other kernels have evicted since the task last ran, in untimed calls.
 */
function rewarm(suite, state) {
  if (is_part_of_lap(state)) {
    walk_new_order(suite, state);
    return;
  }
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
  state.walked = Infinity; // calibrating walks, too
  const run = (reps) => module.run(state.kernel, state.base, reps);
  const { units, unit_ms } = calibrate(now, run, batch.edges ? batch.ms / 50 : batch.ms, tick_ms);
  state.unit_ms = unit_ms;
  state.sample_ms = sample_ms(suite, state);
  state.step = Math.max(1, Math.round((units * state.sample_ms) / batch.ms));
  state.work = suite.is_pool ? null : work_of(module, state);
}

/**
 * What one run of a roof probe does, for the samples that the page draws while they arrive: {of:
 * "arithmetic" or "memory", amount (FLOPs or bytes), set (bytes that a read goes over)}. Null for
 * all other kernels.
 */
function work_of(module, { kernel, values }) {
  if (kernel.id === "stream.read")
    return { of: "memory", amount: module.bytes(kernel), set: values.w };
  if (["peak.fma", "peak.simd"].includes(kernel.id))
    return { of: "arithmetic", amount: module.flops(kernel) };
  return null;
}

/** Reports progress and the roof samples since the last report. */
function report_on(suite, text) {
  suite.report(share_done(suite), text, suite.unreported.splice(0));
}

/**
 * Takes one sample and returns the canary reading after it. If the batch turns out too short,
 * because something disturbed its calibration, takes no sample and lengthens the batch.
 */
function take_sample(suite, state, before) {
  const { module, now, batch, tick_ms, canary } = suite;
  move_data(suite, state);
  activate(suite, state);
  rewarm(suite, state);
  const began = now();
  const run = (reps) => module.run(state.kernel, state.base, reps);
  const { ms, units, cuts, is_gone, least_ms, whole_ms } = time_run(suite, run, state);
  state.walked += units;
  const is_short = ms < state.sample_ms / 2;
  if (!batch.edges && is_short)
    state.step = Math.ceil((state.step * state.sample_ms) / Math.max(ms, tick_ms));
  const after = canary.read();
  if (is_short) return after;
  const error = clock_error({ ms, edges: batch.edges }, tick_ms, state.unit_ms * state.step);
  const clock_share = error + (cuts * tick_ms) / ms;
  const seconds = ms / units / 1e3;
  if (state.work) suite.unreported.push({ ...state.work, rate: state.work.amount / seconds });
  state.samples.push({
    seconds,
    whole: cuts > 0 ? whole_ms / 1e3 : seconds,
    before,
    after,
    clock_error: clock_share,
    is_gone,
    is_cut: cuts > 0,
  });
  if (least_ms >= long_call_ms && least_ms > 10 * tick_ms) judge_anew(state, least_ms);
  state.spent_ms += now() - began;
  return after;
}

/**
 * An interruption can hit any long call, including the one that determined the batch length. If a
 * call was shorter than the usual time so far, earlier samples that took much longer were
 * interrupted.
 */
function judge_anew(state, unit_ms) {
  if (unit_ms >= state.unit_ms) return;
  state.unit_ms = unit_ms;
  for (const one of state.samples) one.is_gone ||= one.seconds * 1e3 > interrupted * unit_ms;
}

/**
 * Times one sample, without the calls during which another program had the core. Calls of a thread
 * pool are not divided.
 */
function time_run({ now, batch, tick_ms, lost, is_pool }, run, { step, unit_ms }) {
  if (is_pool) return { ...time_batch(now, run, step), cuts: 0, is_gone: false };
  if (!batch.edges) return time_parts(now, run, step, { lost, unit_ms, tick_ms });
  return time_edges(now, run, step, batch.ms, tick_ms, { lost, usual_ms: step * unit_ms });
}

/**
 * Whether a task has three samples on a steady core. With two kinds of core, a long run also needs
 * three samples from one kind.
 */
function has_steady({ samples, unit_ms }, canary) {
  let steady = 0;
  const is_steady = (s) => !s.is_gone && canary.steady(s.before, s.after);
  if (!canary.is_of_two || unit_ms < long_run_ms)
    return samples.some((s) => is_steady(s) && ++steady === fewest_samples);
  const own = samples.filter(is_steady);
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
 * Whether the middle three fifths of a task's samples are close together. The median absolute
 * deviation would miss a disturbance that hits fewer than half of the samples.
 */
function is_settled({ samples }) {
  const times = samples.map(({ seconds }) => seconds);
  return quantile(times, 0.8) - quantile(times, 0.2) <= settled * median(times);
}

/**
 * N chases at once are at most N times as fast as one. If they seem faster, the state of memory
 * changed between the two timings, so both are sampled again, taking turns.
 */
async function compare_chains(suite, states) {
  const { module } = suite;
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
  await sample_again(suite, [...again]);
}

/**
 * Replaces all samples of `states` with new ones, taken in turn, and checks their results. A state
 * that runs out of time keeps its old samples.
 */
async function sample_again(suite, states) {
  if (is_hopeless(suite)) return;
  const { limits, now } = suite;
  const before = states.map(({ samples, spent_ms, safe }) => ({ samples, spent_ms, safe }));
  for (const state of states) Object.assign(state, { samples: [], spent_ms: 0, safe: 0 });
  const total_ms = now() - suite.began + states.length * limits.task_ms * patience;
  await sample_rounds({ ...suite, limits: { ...limits, total_ms } }, states);
  await check(
    suite,
    states.filter(({ samples }) => samples.length >= fewest_samples),
  );
  for (const [i, state] of states.entries())
    if (state.samples.length < fewest_samples) Object.assign(state, before[i]);
}

/**
 * Samples kernels again that have too few steady samples, because they ran before enough was known
 * about the clock, or on another kind of core than the rest. Only later readings show to which kind
 * the run belongs.
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
 * The progress of the whole suite from 0 to 1; warming up is the first tenth. It counts samples
 * and, in a quick run, also time. It never falls, although a second look samples finished kernels
 * again.
 */
function share_done({ ready, limits, now, began, progress }) {
  const of = ({ is_over, samples, spent_ms }) =>
    is_over ? 1 : Math.min(1, Math.max(samples.length / limits.samples, spent_ms / limits.task_ms));
  const taken = ready.reduce((sum, state) => sum + of(state), 0) / ready.length;
  const by_time = limits.is_quick ? Math.min(1, (now() - began) / limits.total_ms) : 0;
  progress.share = Math.max(progress.share, 0.1 + 0.9 * Math.max(taken, by_time));
  return progress.share;
}

/** Whether a quick run takes longer than it should because other programs have the core. */
const is_late = (suite) => lasts_too_long(suite, quick_ms);
/** Whether it takes so long that kernels with fewer than three samples by now get no result. */
const is_hopeless = (suite) => lasts_too_long(suite, longest_quick_ms);

const lasts_too_long = ({ limits, now, began, lost }, most_ms) =>
  limits.is_quick && now() - began > most_ms && lost.share > busy_share;

/**
 * Samples all kernels in turn, at most `most_rounds` times, so that a drifting clock affects every
 * kernel. A pause every 50 ms lets messages through.
 */
async function sample_rounds(suite, states, most_rounds = Infinity) {
  const { now, pause, canary, lost, is_stopped } = suite;
  let open = states;
  let before = canary.read();
  let rested = now();
  let watched = -Infinity;
  for (let round = 0; open.length > 0 && round < most_rounds; ++round) {
    if (is_hopeless(suite)) return;
    if (now() - watched > watch_every_ms) {
      lost.spin(now);
      watched = now();
      before = canary.read();
    }
    for (const state of open) {
      if (is_hopeless(suite)) return;
      if (now() - rested > 50) {
        report_on(suite, is_late(suite) ? late : `Measuring ${state.kernel.title}`);
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
 * Compares the output of each task's last run with the kernel's reference. Runs the task again if
 * other tasks have overwritten its region since.
 */
async function check(suite, states) {
  const { module, pause } = suite;
  for (const state of states) {
    report_on(suite, `Checking ${state.kernel.title}`);
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
