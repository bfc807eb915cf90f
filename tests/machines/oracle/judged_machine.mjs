// One machine through the whole chain: "Measure everything" and "All cores" in a simulated browser,
// and whether what the book then says of it is true.

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

/** The benches with kernels that the reference lacks, which "Measure everything" leaves to them. */
const further_benches = pages_that_speak
  .flatMap(({ benches }) => benches)
  .filter(({ runs }) => !runs.every(is_recorded));

/** The book's requests, in the order in which a reader makes them. */
const requests = ({ registry }, benches) => [
  ["measure everything", { runs: suite_runs(registry, reference), roofs: true, pace: "full" }],
  ...benches.map(({ id, runs }) => [id, { runs, pace: "quick" }]),
  ["all cores", { cores: true, pace: "quick" }],
];

/** "All cores" reloads the page, isolated: its clock is finer there. */
const isolated = (mode) => (mode.endsWith("_isolated") ? mode : `${mode}_isolated`);

/**
 * {profile, rows}: what was measured, `benches` of pages among it, and for each request whether it
 * left anything.
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

/** All tasks that a page may speak of, once each. */
function tasks_of({ registry, further }) {
  const all = [...registry, ...further.registry];
  const asked = [...suite_runs(registry, reference), ...further_benches.flatMap((one) => one.runs)];
  const runs = asked.map((run) => task_of(all, run));
  const pace = { pace: "thorough", largest: 2 ** 30 };
  const tasks = [...roof_tasks(registry, pace), ...runs.filter(Boolean)];
  return [...new Map(tasks.map((task) => [task_key(task), task])).values()];
}

/** What may be true of the machine: each kind of core that the thread may have sat on. */
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
 * The machine as an engine has it that cannot fuse: its units multiply and add apart in all
 * kernels.
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
 * A machine file as the machines that it describes: as it is, on a battery, in an engine without
 * relaxed SIMD.
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

/** Every sentence and number that the book has for the machine, judged: rows {id, say, is, why}. */
export async function judged_machine(machine, { counters, relaxed = true, ...how }) {
  const { profile, rows } = await measured(machine, {
    ...{ counters, relaxed, benches: further_benches },
    ...how,
  });
  if (!profile) return rows;
  const counter = counters[relaxed ? "relaxed" : "simd128"];
  return [...rows, ...rows_of_profile(profile, candidates_of(machine, counter, relaxed))];
}

// What a file's law settles; of all else a kernel and an engine make what they make.
const is_of_the_file = ({ kernel }) => kernel === "stream.read" || kernel === "latency.chase";

/**
 * The same of a profile that was recorded: what each kernel makes of the machine is taken from it,
 * the machine from the file.
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

/** Every sentence and number that the book has by a profile, judged by what is true. */
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
