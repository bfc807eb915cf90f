// Decides whether each statement about a GPU is true: a predicate over the machine file for every
// sentence that the page may show, and for every number that it draws. A sentence without a
// predicate counts as false.
import { bank_conflict, chase_ns, occupied } from "./closed_forms.mjs";

const within = (value, [low, high]) => value >= low && value <= high;
const near = (value, truth, share) => Math.abs(value / truth - 1) <= share;
const is_own = ({ memory }) => memory.own_or_shared === "own";
const has_timestamps = ({ timestamps }, how) => timestamps.offered && !how.without_timestamps;
const always = () => true;
const never = () => false;

/**
 * The remaining rate if one lane in 64 takes another path, in groups of the compiled width.
 */
function rare_share({ subgroups: { compiled } }) {
  const has_lane = (p) => 1 - (1 - p) ** compiled;
  return 1 / (has_lane(1 / 64) + has_lane(63 / 64));
}

const flight = ([, kib, ns], { memory }) =>
  near(Number(kib), memory.kib_in_flight_to_fill, 0.35) && near(Number(ns), memory.latency_ns, 0.3);

const share_of_cores = ([, ratio], gpu) =>
  is_own(gpu) && near(Number(ratio), gpu.memory.read_gbs / gpu.host.cpu_all_cores_read_gbs, 0.3);

/** The clock after heating up, relative to the maximum. */
const heat_leaves = ({ clock }) =>
  Math.min(1, ...clock.curve_under_load.map(([, ghz]) => ghz / clock.full_ghz));

/** A list of caches: each is one of the GPU's, and none occurs twice. */
function caches_are_real([, list], gpu) {
  const units = { KiB: 2 ** 10, MiB: 2 ** 20 };
  const told = [...list.matchAll(/a cache of about (\S+) (KiB|MiB), read at (\S+) GB\/s/g)];
  const meant = told.map(([, size, unit]) => cache_of(gpu, Number(size) * units[unit]));
  return told.length > 0 && meant.every((cache, i) => cache >= 0 && meant.indexOf(cache) === i);
}

/** Every sentence about the adapter names it. Sentences without a name are about the page. */
const nameless = /^(FP16: unavailable|Timed from outside)/;
const adapter_named = (sentence, { adapter: { vendor, architecture, device, description } }) => {
  const parts = [vendor, architecture].filter(Boolean).join(" ");
  const names = [description, device, parts].filter(Boolean);
  return nameless.test(sentence) || names.some((name) => sentence.includes(`GPU “${name}”`));
};

const width_is = ([, n], { subgroups: s }) => s.compiled === Number(n);
const has_one_width = ([, n], { subgroups: s }) => s.min === s.max && s.min === Number(n);
const flight_may_differ = (_, { memory: m }) =>
  !within(m.latency_ns / (m.single_lane_latency_ns ?? m.latency_ns), [0.75, 2.5]);
const words_apart = ([, n], gpu) =>
  near(Number(n), bank_conflict(gpu, 32) / bank_conflict(gpu, 1), 0.25);
const through_browser = ([, up, down], { host }) =>
  near(Number(up), host.upload_gbs, 0.3) && Number(down) <= 1.1 * host.download_gbs;

/**
 * Are there still idle lanes with four times 256 rows of 1024, in blocks of 64 × 64 with a lane per
 * 16 elements?
 */
const is_growing_to_the_end = (_, gpu) => {
  const lanes = (rows) => (rows * 1024) / 16;
  return occupied(gpu, lanes(256)) < 0.9 * occupied(gpu, lanes(1024));
};

/** [pattern, whether it is true for (match, gpu, how)]. */
const sentences = [
  [/probably shares memory with your CPU/, (_, gpu) => !is_own(gpu)],
  [/probably has its own memory: (\S+) times the bandwidth/, share_of_cores],
  [/probably has its own memory\.$/, (_, gpu) => is_own(gpu)],
  [/^We cannot tell whether .* has its own memory/, always],
  [/the one that your browser chose. On Windows/, (_, gpu) => gpu.os === "Windows"],
  [/^Tensor or matrix units that .* may have are invisible/, always],
  [/^FP16: unavailable/, (_, { compute }) => !compute.f16_offered],
  [/^Timed by the clock of/, (_, gpu, how) => has_timestamps(gpu, how)],
  [/^Timed from outside/, (_, gpu, how) => !has_timestamps(gpu, how)],
  [
    / fell to (\d+) % of its initial value/,
    ([, n], gpu) => heat_leaves(gpu) <= (Number(n) + 10) / 100,
  ],
  [/ shows (a cache of .*)\.$/, caches_are_real],
  [
    /reads slower than one core/,
    (_, { memory, host }) => memory.read_gbs < host.cpu_one_core_read_gbs,
  ],
  [/FP16 at the speed of FP32/, (_, { compute }) => within(compute.f16_ratio, [0.9, 1.1])],
  [/FP16 at \S+ of the speed of FP32/, (_, { compute }) => compute.f16_ratio < 0.9],
  [/^Our matmuls do not suit/, never], // the simulated ones reach 45 % of the roof
  [/was faster than the probe of its roof/, never], // no kernel passes what the units can do
  [/^The warps of .* are (\d+) lanes wide/, has_one_width],
  [/this shader ran in groups of (\d+) lanes/, width_is],
  [/ run together is undecided: the cost does not fall/, always],
  [/is fetched (\d+) bytes at a time/, ([, n], { memory }) => memory.fetch_bytes === Number(n)],
  [/keeps about (\S+) KiB in flight, each byte for (\S+) ns/, flight],
  [/in flight is undecided: its latency does not agree/, flight_may_differ],
  [
    /one lane in 64 takes another path, .* keeps (\S+) of/,
    ([, n], gpu) => near(Number(n), rare_share(gpu), 0.1),
  ],
  [/^What branches cost .* is undecided: the width of its warps is not known/, always],
  [/^What branches cost .* is undecided: paths do not cost/, (_, gpu, how) => how.is_recorded],
  [/ is (\S+) times slower for words 32 apart/, words_apart],
  [
    /a matmul of size 257 takes (\S+) times as long/,
    ([, n]) => near(Number(n), (320 / 257) ** 2, 0.2),
  ],
  [/^The edge of blocks .* is undecided: a row of blocks more costs nothing/, always],
  [/nine tenths of its highest rate at (\d+) rows/, ([, n]) => within(Number(n), [16, 1024])],
  [/ takes (\S+) GB\/s and gives (\S+) GB\/s/, through_browser],
  [/^How many rows fill .* is undecided: it still grows at 1024 rows/, is_growing_to_the_end],
  [
    /equal runs .*, one in a hundred takes (\S+) times/,
    ([, n], gpu, how) => how.is_recorded || within(Number(n), [1, 1.2]),
  ],
];

/** The sentences of `said` that are not true of `gpu`, in the mode `how`. */
export function false_sentences(said, gpu, how = {}) {
  const forbidden = gpu.expected.must_not_say.map(({ matches }) => new RegExp(matches));
  return said.filter((sentence) => {
    if (forbidden.some((pattern) => pattern.test(sentence))) return true;
    if (!adapter_named(sentence, gpu)) return true;
    const [pattern, holds] = sentences.find(([known]) => known.test(sentence)) ?? [/./, never];
    return !holds(pattern.exec(sentence), gpu, how);
  });
}

const roof_named = ({ roofs }, name) =>
  roofs.find(({ device, class: c }) => device === "gpu" && (c.type ?? c.level) === name)?.value;

/**
 * Would reading the largest set from memory only be slower, by more than a page can overlook?
 */
const may_be_in_cache = ({ expected }) => !expected.largest_read_is_memory;

/** Which of its caches has about this many bytes; -1 for none. */
const cache_of = ({ caches }, bytes) =>
  caches.findIndex(({ kib }) => near(bytes / 1024, kib, 0.45));

const is_unexplained = ({ device, status, reason }) =>
  device === "gpu" &&
  (status === "measured" || !/looks only every 10\d ms|shader-f16|in one array/.test(reason));

const is_chase_in_cache = ({ kernel, params, status }) =>
  kernel === "gpu.chase" && params.w > 0 && status === "measured";

/** The false and missing numbers of a profile of `gpu`: words, one line each. */
export function false_numbers({ roofs, levels, results }, gpu, how = {}) {
  const { expected } = gpu;
  // Without timestamps, in a browser that checks only periodically, nothing can be measured, and
  // the page must report that.
  const is_blind = how.is_firefox && !has_timestamps(gpu, how);
  if (is_blind) return results.some(is_unexplained) ? ["something was measured blindly"] : [];
  const wrong = [];
  const hold = (name, value, range) => {
    if (value === undefined) wrong.push(`${name} is missing`);
    else if (!within(value, range)) wrong.push(`${name} is wrong`);
  };
  // A hot GPU must have the properties of a hot GPU.
  const heated = ([low, high]) => [low * heat_leaves(gpu), high];
  const tflops = (name) => roof_named({ roofs }, name) && roof_named({ roofs }, name) / 1e3;
  hold("the roof of FP32", tflops("f32"), heated(expected.fp32_tflops));
  hold("the roof of FP16", tflops("f16"), heated(expected.f16_tflops));
  const memory = expected.largest_read_gbs_at_512_mib ?? expected.memory_read_gbs;
  const is_of_cache = !expected.largest_read_is_memory;
  hold("the roof of memory", roof_named({ roofs }, "out"), is_of_cache ? heated(memory) : memory);
  const chase = results.find(({ kernel, params }) => kernel === "gpu.chase" && params.w === 0);
  const slowest = Math.max(
    expected.memory_latency_ns[1],
    1.25 * (gpu.memory.single_lane_latency_ns ?? 0),
  );
  hold("the latency of memory", chase?.median, [expected.memory_latency_ns[0], slowest]);
  for (const { params, median: ns } of results.filter(is_chase_in_cache)) {
    const truth = chase_ns(gpu, params.w, 1);
    hold(`a chase through ${params.w / 1024} KiB`, ns, [
      0.8 * truth,
      (1.25 * truth) / heat_leaves(gpu),
    ]);
  }
  const told = levels.filter(({ device, bytes }) => device === "gpu" && bytes > 0);
  const meant = told.map(({ bytes }) => cache_of(gpu, bytes));
  for (const [i, cache] of meant.entries())
    if (cache < 0 || meant.indexOf(cache) < i) wrong.push(`${told[i].name} is no cache of it`);
  if (told.length === 0) wrong.push("no cache is told");
  const largest = results.find(({ kernel, params }) => kernel === "gpu.read" && params.w === 0);
  if ((largest?.flags ?? []).includes("in-cache") && !may_be_in_cache(gpu))
    wrong.push("the largest read is told wrongly from one in a cache");
  return wrong;
}
