// One machine through the whole chain: "Measure everything" and "All cores" in a simulated browser,
// then whether the book's sentences about it are true.

import { known_machine } from "../../../site/runtime/profile/known_machine.js";
import { machine_summary } from "../../../site/runtime/profile/machine_summary.js";
import { roof_tasks, suite_runs, task_key, task_of } from "../../../site/runtime/kernels/tasks.js";
import { SimulatedBrowser } from "../simulator/simulated_browser.mjs";
import { clocks_of, kinds_measured, Truth } from "./truth.mjs";
import { cores_rows, forbidden_rows, portrait_rows } from "./portrait_oracle.mjs";
import { Candidate, page_rows } from "./verdict_oracle.mjs";
import { pages_that_speak, reference } from "./site_pages.mjs";

const assets = "https://book.example/_/0/";
const about_machine = { facts: {} };

const is_recorded = ({ kernel }) =>
  kernel.startsWith("gpu.") || reference.results.some((result) => result.kernel === kernel);

/** The benches with kernels that the reference lacks. "Measure everything" skips these kernels. */
const further_benches = pages_that_speak
  .flatMap(({ benches }) => benches)
  .filter(({ runs }) => !runs.every(is_recorded));

/** The book's requests, in the order in which a reader makes them. */
const requests = ({ registry }, benches) => [
  ["measure everything", { runs: suite_runs(registry, reference), roofs: true, pace: "full" }],
  ...benches.map(({ id, runs }) => [id, { runs, pace: "quick" }]),
  ["all cores", { cores: true, pace: "quick" }],
];

/** "All cores" reloads the page with isolation, so its clock is finer. */
const isolated = (mode) => (mode.endsWith("_isolated") ? mode : `${mode}_isolated`);

/**
 * {profile, rows}: the results, including the `benches` of pages, and for each request whether it
 * produced any.
 */
export async function measured(machine, { counters, seed = 7, relaxed = true, benches = [] }) {
  const rows = [];
  let profile = null;
  for (const [id, request] of requests(counters[relaxed ? "relaxed" : "simd128"], benches)) {
    const mode = request.cores ? isolated(machine.default_mode) : machine.default_mode;
    const browser = new SimulatedBrowser(machine, { mode, seed, counters, relaxed });
    try {
      profile = await browser.run(async ({ measure, add_to_profile }) =>
        add_to_profile(
          profile,
          await measure({ ...request, ...known_machine(profile ?? {}) }, { assets }),
        ),
      );
      rows.push({ id, say: "", is: "true", why: "" });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      rows.push({ id, say: error.message, is: "false", why: "nothing was measured" });
    }
  }
  return { profile, rows };
}

/** All tasks that a page may mention, once each. */
function tasks_of({ registry, further }) {
  const all = [...registry, ...further.registry];
  const asked = [...suite_runs(registry, reference), ...further_benches.flatMap((one) => one.runs)];
  const runs = asked.map((run) => task_of(all, run));
  const pace = { pace: "thorough", largest: 2 ** 30 };
  const tasks = [...roof_tasks(registry, pace), ...runs.filter(Boolean)];
  return [...new Map(tasks.map((task) => [task_key(task), task])).values()];
}

/** The possible truths about the machine: one per kind of core that the thread may have run on. */
export function candidates_of(machine, counter, has_relaxed = true) {
  const truth = new Truth(machine, counter);
  const tasks = tasks_of(counter);
  return kinds_measured(machine).map((name) => {
    const moments = clocks_of(machine.kinds[name]).map((ghz, i) => ({
      ...{ kind: name, ghz, load_s: i === 0 ? 60 : 1, pick: i === 0 ? Math.min : Math.max },
    }));
    const profiles = moments.map((at) => truth.profile(tasks, at));
    const candidate = new Candidate({ machine, truth, name, profiles, has_relaxed });
    const kernel_of = (id) => counter.registry.find((k) => k.id === id && !k.variant);
    candidate.truth_of = ({ kernel, params, threads }) => {
      const found = kernel_of(kernel);
      const defaults = Object.fromEntries(found.params.map((p) => [p.name, p.default]));
      const task = { kernel: found, params: { ...defaults, ...params }, threads };
      const values = moments.map((at) => truth.value(task, at));
      return [Math.min(...values), Math.max(...values)];
    };
    candidate.product_gain = (threads) => {
      const params = { n: 1024 };
      const several = candidate.truth_of({ kernel: "matmul.parallel", params, threads });
      const one = candidate.truth_of({ kernel: "matmul.packed", params, threads: 1 });
      return [several[0] / one[1], several[1] / one[0]];
    };
    return candidate;
  });
}

/**
 * The machine in an engine without fused multiply-add: all kernels multiply and add separately.
 */
function without_fusing(machine) {
  const kinds = Object.entries(machine.kinds).map(([name, kind]) => {
    const { vector } = kind;
    const apart = {
      fma_pipes: vector.unfused_pairs_per_cycle,
      fma_accumulate_latency: vector.add_latency + vector.mul_latency,
    };
    return [name, { ...kind, vector: { ...vector, ...apart } }];
  });
  return { ...machine, kinds: Object.fromEntries(kinds) };
}

/**
 * The machines that a machine file describes: the plain one, one on battery, one in an engine
 * without relaxed SIMD.
 */
export function variants_of(id, machine) {
  const { variants = {}, engine = {} } = machine;
  const [first] = machine.cores.groups;
  const others = Object.entries(variants).map(([name, curves]) => {
    const kind = machine.kinds[first.kind];
    const clock = { ...kind.clock, ...curves };
    const kinds = { ...machine.kinds, [first.kind]: { ...kind, clock } };
    return { name: `${id}, ${name}`, machine: { ...machine, kinds, expected: undefined } };
  });
  if (engine.relaxed_simd)
    others.push({
      ...{ name: `${id}, no relaxed SIMD`, machine: without_fusing(machine), relaxed: false },
    });
  return [{ name: id, machine }, ...others];
}

/** Judges every sentence and number that the book has for the machine: rows {id, say, is, why}. */
export async function judged_machine(machine, { counters, relaxed = true, ...how }) {
  const { profile, rows } = await measured(machine, {
    ...{ counters, relaxed, benches: further_benches },
    ...how,
  });
  if (!profile) return rows;
  const counter = counters[relaxed ? "relaxed" : "simd128"];
  return [...rows, ...rows_of_profile(profile, candidates_of(machine, counter, relaxed))];
}

// The values that a machine file determines; all others depend on the kernel and the engine.
const is_of_the_file = ({ kernel }) => kernel === "stream.read" || kernel === "latency.chase";

/**
 * The same for a recorded profile: the speed of each kernel comes from the profile, the machine
 * from the file.
 */
export function rows_of_recorded(machine, profile, counter) {
  const candidates = candidates_of(machine, counter);
  const known = new Map(profile.results.map((result) => [task_key(result), result]));
  for (const { profiles } of candidates)
    for (const true_of of profiles) {
      true_of.results = true_of.results.map((result) =>
        is_of_the_file(result) ? result : (known.get(task_key(result)) ?? result),
      );
      const of_engine = ({ class: { isa } }) => isa === "i8dot";
      const [recorded] = profile.roofs.filter(of_engine);
      true_of.roofs = true_of.roofs.map((roof) => (of_engine(roof) ? recorded : roof));
    }
  return rows_of_profile(profile, candidates);
}

/** Judges every sentence and number that the book derives from a profile. */
function rows_of_profile(profile, candidates) {
  const [{ machine }] = candidates;
  for (const candidate of candidates) candidate.on(about_machine);
  const all = [
    ...portrait_rows(machine_summary(profile), candidates),
    ...cores_rows(profile.cores ?? {}, candidates),
    ...page_rows(pages_that_speak, profile, candidates),
  ];
  const said = [...new Set(all.map(({ say }) => say))];
  return [...all, ...forbidden_rows(said, machine.expected ?? {}, "full")];
}
