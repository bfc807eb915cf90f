// Measures kernels on a GPU: check, warm-up, autotuning, batches long enough for the GPU's coarse
// clock, rounds of samples with canaries in between, and one result per kernel in the format of a
// profile. notes/2026-11-measuring.md gives the reasons.

import { choose, first_values, is_short, lengthen } from "./choosing.js";
import { decided, gpu_method as method, small } from "./kernels.js";
import { pack_counts, PackWork } from "./pack_work.js";
import { Work } from "./runner.js";
import { by_gpu, calibrate, clock_error, time_all, time_nothing } from "./timing.js";
import { untimeable, warm_up } from "./timing.js";
import { Transfer } from "./transfer.js";
import { measure_tick } from "../kernels/clock.js";
import { jitter_of, work_ms } from "../kernels/jitter.js";
import { complete_params } from "../kernels/tasks.js";
import { own } from "../base/own.js";
import { median, quantile } from "../base/stats.js";
import { summarise } from "../profile/summary.js";

const first_warm_up = 0.4;
const canary_seconds = 0.005;
const canary_ticks = 20; // ticks of the page's clock
const drift = 0.05;
const neighbours = 12; // clock readings on each side that a sample is compared with
const most_discarded = 0.2;
// Zero samples that chance gives a good timer; about one in a hundred tasks has one
const few_lost = 2;
const samples_wanted = 15;
const fewest_samples = 5;

const program =
  "your GPU is a program on your CPU (software adapter); its answer was checked and is right";

const why_missing = {
  "shader-f16": "this browser or GPU does not offer shader-f16",
};

/**
 * Measures `tasks` ({kernel, params}) on `bench`. On a software GPU it only checks results on small
 * problems, unless `even_software`. Resolves to {results, choices, jitter, sustained}: jitter if
 * requested, and the final clock as a share of the initial clock. A task that cannot run is
 * "unavailable" with a reason. Rejects only if the device is lost.
 */
export async function measure_gpu(
  bench,
  tasks,
  { even_software = false, jitter, total_ms, report },
) {
  const only_check = bench.gpu.software && !even_software;
  const suite = {
    ...{ bench, report, only_check, total_ms },
    ...{ began: bench.now(), canaries: [], choices: [] },
  };
  const states = tasks.map((task) => ({ ...task, samples: [], lost: 0 }));
  for (const [i, state] of states.entries()) {
    report((0.3 * i) / states.length, `Checking ${state.kernel.title}`);
    await attempt(suite, state, () => prepared(suite, state));
  }
  if (!only_check) {
    await measure_states(suite, states);
    if (jitter) suite.jitter = await measure_jitter(suite);
  }
  const results = states.map((state) => result_of(suite, state));
  return { results, choices: suite.choices, jitter: suite.jitter, sustained: sustained(suite) };
}

/** Stores an error as the reason of the task, unless the device is lost. */
async function attempt({ bench }, state, work) {
  try {
    await work();
  } catch (error) {
    if (bench.gone) throw new Error(bench.gone);
    state.reason = error.message;
  }
}

const is_right = ({ reason, check }) => !reason && check.error <= check.tolerance;

async function measure_states(suite, states) {
  const { bench, report } = suite;
  suite.tick = measure_tick(bench.now) / 1e3;
  suite.look_seconds = await time_nothing(bench);
  for (const state of states)
    if (is_right(state)) state.reason = untimeable(suite, state) || undefined;
  await start_canary(suite);
  const ready = states.filter(is_right);
  for (const [i, state] of ready.entries()) {
    report(0.3 + (0.1 * i) / ready.length, `Warming up ${state.kernel.title}`);
    if (!state.kernel.works) await attempt(suite, state, () => choose(suite, state));
  }
  const chosen = ready.filter(is_right);
  await calibrate(suite, chosen);
  const short = chosen.filter(is_short);
  for (const state of short) await attempt(suite, state, () => lengthen(suite, state));
  await calibrate(suite, short);
  await sample_rounds(suite, chosen.filter(is_right));
}

const is_transfer = ({ id }) => id === "gpu.upload" || id === "gpu.download";

/** The buffers, the pipeline and the check of one task. */
async function prepared({ bench, only_check }, state) {
  const { kernel, params } = state;
  if (kernel.works) return prepare_own({ bench, only_check }, state);
  const missing = missing_feature(bench.gpu, kernel);
  if (missing) throw new Error(missing);
  const full = decided(kernel, params, bench.gpu.largest);
  state.values = only_check ? small(kernel, full) : first_values(kernel, full);
  const make = is_transfer(kernel) ? Transfer : Work;
  state.work = await make.prepare(bench, kernel, state.values);
  state.check = await state.work.check();
}

/** The same for a kernel of the book itself, which has no open parameters. */
async function prepare_own({ bench, only_check }, state) {
  const { kernel, params } = state;
  state.values = only_check ? complete_params(kernel, kernel.check.params) : params;
  state.work = await PackWork.prepare(bench, kernel, state.values);
  state.check = await state.work.check();
}

function missing_feature({ features }, { id, requires }) {
  if (requires && !features.includes(requires))
    return own(why_missing, requires) ?? `it needs ${requires}`;
  const dot = "packed_4x8_integer_dot_product";
  return id.endsWith("i8dot") && !features.includes(dot)
    ? "this browser's WGSL has no 8-bit dot product"
    : "";
}

/**
 * A fixed number of multiply-adds, about 5 ms, that measures the GPU's clock between samples. Also
 * warms up the GPU.
 */
async function start_canary(suite) {
  const { bench, tick } = suite;
  const kernel = bench.reference.registry.find(({ id }) => id === "gpu.peak.f32");
  const work = await Work.prepare(bench, kernel, { groups: 256, chains: 4 });
  const canary = { kernel, work };
  if (untimeable(suite, canary)) return;
  await calibrate(suite, [canary]);
  if (!(canary.unit > 0)) return;
  suite.canary = canary;
  await warm_up(suite, first_warm_up);
  delete canary.reason;
  await calibrate(suite, [canary]);
  const wanted = bench.by_gpu ? canary_seconds : Math.max(canary_seconds, canary_ticks * tick);
  canary.count = Math.max(1, Math.round(wanted / canary.unit));
  canary.expected = canary.count * canary.unit;
  suite.drift = bench.by_gpu ? drift : Math.max(drift, (2 * tick) / canary.expected);
}

/** Times equal runs of the canary from the request to the notice of completion. */
async function measure_jitter(suite) {
  const { bench, canary, report } = suite;
  const reason = untimeable(suite, { kernel: { variant: "trip" } });
  if (reason || !canary) return { reason: reason || "the GPU timer is not usable here" };
  const count = Math.max(1, Math.round(work_ms / 1e3 / canary.unit));
  const once = async () => 1e3 * (await canary.work.wall(count));
  const rest = async () => report(1, "Repeating one run");
  // A software GPU needs far more than 2 ms per run, and its tail says nothing about a GPU.
  const repeats = bench.gpu.software ? 20 : undefined;
  return jitter_of(once, { tick_ms: 1e3 * suite.tick, rest, repeats });
}

/** Seconds of the canary by the page's clock, without the fixed cost of a submission. */
async function read_canary({ canary, look_seconds }) {
  return (await canary.work.wall(canary.count)) - look_seconds;
}

const is_done = (state, late) => {
  const n = state.samples.length;
  return (
    n >= samples_wanted || (late && n >= fewest_samples) || n + state.lost > 2 * samples_wanted
  );
};

/** Samples in turns, so that a GPU that heats up and slows down does so for all kernels. */
async function sample_rounds(suite, states) {
  const { bench, report, total_ms, began } = suite;
  let open = states;
  for (let round = 0; open.length > 0; ++round) {
    report(0.5 + 0.5 * Math.min(1, round / samples_wanted), `Measuring, round ${round + 1}`);
    const own_clock = open.filter((state) => by_gpu(suite, state));
    if (own_clock.length > 0) await sample_by_gpu(suite, own_clock);
    for (const state of open) if (!by_gpu(suite, state)) await sample_outside(suite, state);
    if (bench.gone) throw new Error(bench.gone);
    const late = bench.now() - began > total_ms;
    open = open.filter((state) => !is_done(state, late));
  }
}

/** One sample of each state, with a clock reading before and after each. */
async function sample_by_gpu(suite, states) {
  const { canary } = suite;
  const passes = [{ ...canary }];
  for (const state of states) {
    const { kernel, work, count, unit } = state;
    // Other kernels have evicted the cycle of a chase, and a single lane would take long to load it
    // again.
    if (work.toucher) passes.push({ kernel, work: work.toucher, count: 1, is_untimed: true });
    passes.push({ state, kernel, work, count, expected: count * unit }, { ...canary });
  }
  const seconds = await time_all(suite, passes);
  let pending = null;
  for (const [i, { state, is_untimed }] of passes.entries()) {
    if (is_untimed) continue;
    if (state) {
      pending = { state, seconds: seconds[i], before: suite.canaries.length - 1 };
      continue;
    }
    suite.canaries.push(seconds[i] > 0 ? canary.count / seconds[i] : 0);
    if (pending) keep(suite, pending);
    pending = null;
  }
}

async function sample_outside(suite, state) {
  const { canary, bench } = suite;
  const is_watched = !bench.by_gpu && canary;
  const watch = async () => {
    if (!is_watched) return;
    const seconds = await read_canary(suite);
    suite.canaries.push(seconds > 0 ? canary.count / seconds : 0);
  };
  await watch();
  const before = suite.canaries.length - 1;
  if (state.work.toucher) await state.work.toucher.wall(1);
  const [seconds] = await time_all(suite, [state]);
  await watch();
  keep(suite, { state, seconds, before: is_watched ? before : -1 });
}

/** Stores a sample with the indices of its two clock readings; -1 if it has none. */
function keep(suite, { state, seconds, before }) {
  if (!(seconds > 0)) return void ++state.lost;
  state.samples.push({
    ...{ seconds: seconds / state.count, clock_error: clock_error(suite, state, seconds) },
    ...{ before, after: before < 0 ? -1 : before + 1 },
  });
}

/**
 * Whether the clock next to a sample was as fast as around it. A GPU that heats up is slower at the
 * end of a run, which `sustained` reports; this does not make a sample worse.
 */
function is_steady({ canaries, drift: most }, before, after) {
  if (before < 0) return true;
  const around = canaries.slice(Math.max(0, before - neighbours), after + neighbours + 1);
  const plateau = quantile(
    around.filter((rate) => rate > 0),
    0.75,
  );
  return [before, after].every((i) => canaries[i] === 0 || canaries[i] > plateau * (1 - most));
}

/** The clock at the end divided by the clock at the start; undefined without enough readings. */
function sustained({ canaries }) {
  const seen = canaries.filter((rate) => rate > 0);
  const fifth = Math.floor(seen.length / 5);
  if (fifth < 5) return undefined;
  return median(seen.slice(-fifth)) / median(seen.slice(0, fifth));
}

function result_of(suite, state) {
  const { bench, only_check } = suite;
  const discarded = state.lost / Math.max(1, state.lost + state.samples.length);
  if (!state.reason && state.lost > few_lost && discarded > most_discarded)
    state.reason = "the GPU timer is not usable here";
  const right = state.check?.error <= state.check?.tolerance;
  if (!state.reason && only_check && right) state.reason = program;
  const steady = (before, after) => is_steady(suite, before, after);
  const canary = { steady, throttled: false, clock_ghz: 1 };
  const counts = state.kernel.works ? pack_counts : bench.reference;
  const { per_cycle, ...result } = summarise(state, counts, { canary });
  const flags = [...result.flags];
  if (bench.gpu.software) flags.push("software");
  if (state.no_plateau) flags.push("no-plateau");
  const decisions = state.values ? { decided: differing(state) } : {};
  const checked = only_check && right ? { verified: true } : {};
  return { ...result, ...decisions, ...checked, device: "gpu", module: "wgsl", method, flags };
}

/** The values that were chosen for open parameters. */
const differing = ({ params, values }) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => params[name] !== value));
