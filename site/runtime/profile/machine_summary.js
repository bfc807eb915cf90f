// Describes the machine of a profile in sentences. They contain only measured facts and say what
// could not be determined. Pure.

import { digits } from "../base/digits.js";
import { heard, word } from "../base/language.js";
import { range_words, size_words } from "./level_size.js";
import { plain } from "./machine_name.js";
import { badge_of } from "./result_text.js";

const lanes = 4;
const line_bytes = 64;
const as_many = 1.1; // times their number; more parallel chains can seem to gain this much by noise
const full_path = 0.85; // of the sequential read bandwidth

/** Sentences from the compute units outwards; none for missing results. */
export function machine_summary(profile) {
  return [
    what_is_missing(profile),
    what_limits(profile),
    arithmetic(profile),
    ...tile_choices(profile),
    caches(profile),
    outermost(profile),
    outstanding_misses(profile),
  ].filter(Boolean);
}

function what_is_missing({ first_edition }) {
  if (first_edition !== true) return "";
  return word(
    "Some of these results come from the book's first edition, which assumed the usual cache " +
      "sizes and timed some caches before they were warm. They are left out: measure everything " +
      "again to replace them.",
  );
}

const cpu_of = (profile) => profile.devices?.find(({ kind }) => kind === "cpu");
const of_cpu = (list) => (list ?? []).filter(({ device }) => device !== "gpu");
const level_named = (profile, wanted) => of_cpu(profile.levels).find((l) => l.name === wanted);
const measured = (profile, kernel) =>
  (profile.results ?? []).filter((r) => r.kernel === kernel && r.status === "measured");

function whole_roof_of(profile, isa) {
  const is_it = ({ class: { isa: its, threads = 1 } }) => its === isa && threads === 1;
  return of_cpu(profile.roofs).find(is_it);
}
const roof_of = (profile, isa) => whole_roof_of(profile, isa)?.value;

const is_probe = ({ kernel }) => /^(peak|roof|stream\.read)/.test(kernel);

/** Half of a roof's interval as a share of its value; 0 if it has none, as in old profiles. */
const share_around = ({ value, low, high } = {}) => (high >= low ? (high - low) / 2 / value : 0);

/**
 * The two roofs of one core in GFLOP/s and GB/s, 0 if not measured, and half of the interval of
 * their ratio as a share of it.
 */
export function corner_of(profile) {
  const is_outermost = ({ class: { level, threads = 1 } }) => level === "out" && threads === 1;
  const [fma, simd] = ["fma", "simd"].map((isa) => whole_roof_of(profile, isa));
  const highest = simd?.value > (fma?.value ?? 0) ? simd : fma;
  const outermost_roof = of_cpu(profile.roofs).find(is_outermost);
  return {
    ceiling: highest?.value ?? 0,
    slope: outermost_roof?.value ?? 0,
    around: Math.hypot(share_around(highest), share_around(outermost_roof)),
  };
}

/**
 * How many kernels are on each side of the ridge point, and how close the best and the worst are to
 * the roof.
 */
function what_limits(profile) {
  const { ceiling, slope } = corner_of(profile);
  if (!(ceiling > 0) || !(slope > 0)) return "";
  const corner = ceiling / slope;
  const kernels = of_cpu(profile.results)
    .filter((r) => r.unit === "GFLOP/s" && (r.threads ?? 1) === 1 && r.flops > 0 && r.bytes > 0)
    .filter((r) => badge_of(r).kind !== "bad" && !is_probe(r))
    .map((r) => ({ ...r, intensity: r.flops / r.bytes }));
  if (kernels.length < 2) return "";
  const beyond = kernels.filter(({ intensity }) => intensity >= corner);
  const many = (count) => (count === 0 ? word("none") : String(count));
  const head = word(
    "The limit depends on the program. The ridge is at {corner} operations per byte. Of {n} " +
      "kernels measured, {fewer} do fewer operations per byte and are memory-bound when the " +
      "data does not fit in a cache; {more} do more and are compute-bound.",
    {
      corner: digits(corner, 2),
      n: kernels.length,
      fewer: many(kernels.length - beyond.length),
      more: many(beyond.length),
    },
  );
  return beyond.length < 2 ? head : `${head} ${extremes(beyond, ceiling)}`;
}

/** The best and the worst of the compute-bound kernels. */
function extremes(kernels, ceiling) {
  const share = (r) => `${digits((100 * r.median) / ceiling, 2)} %`;
  const ranked = [...kernels].sort((a, b) => b.median - a.median);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  const values = { best: named(best), its: share(best), worst: named(worst), share: share(worst) };
  return worst.median < ceiling / 2
    ? word(
        "Of these, {best} comes nearest to the ceiling ({its}). {worst} reaches {share}, which " +
          "neither roof explains: its own chain of operations or the caches limit it.",
        values,
      )
    : word(
        "Of these, {best} comes nearest to the ceiling ({its}). {worst} reaches {share}, and no " +
          "kernel stays below half of the ceiling.",
        values,
      );
}

/** "matmul.packed (n = 1000)": with the first parameter, which is the size. */
function named({ kernel, params }) {
  const [first] = Object.entries(params).filter(([, value]) => value > 0);
  return plain(first ? `${kernel} (${first[0]} = ${first[1]})` : kernel);
}

/**
 * The clock, operations per cycle, the vector units that explain them, and whether a multiply-add
 * is one operation.
 */
function arithmetic(profile) {
  const [fma, simd] = [roof_of(profile, "fma"), roof_of(profile, "simd")];
  // A later run may have had another clock, so use the clock of the run that measured the rate.
  const clock = whole_roof_of(profile, "simd")?.clock_ghz ?? profile.clock_ghz;
  if (!(clock > 0) || !(simd > 0)) return "";
  // If the run did not get a rate for FMA, the best one is not known.
  if (!(fma > 0) && cpu_of(profile)?.features?.includes("relaxed")) return "";
  const best = Math.max(fma ?? 0, simd);
  const rate = best / clock;
  const pairs = rate / (2 * lanes);
  const head = word(
    "One core ran at {ghz} GHz and reached {best} GFLOP/s, {rate} operations per cycle: as much " +
      "as {units} vector units of four numbers (128 bits) that multiply and add in every cycle.",
    { ghz: digits(clock), best: digits(best), rate: digits(rate), units: digits(pairs, 2) },
  );
  return [head, fused_words(profile, fma, simd), heat(profile, clock)].filter(Boolean).join(" ");
}

/** Burst and sustained rate, if the clock fell during the run. */
function heat({ clock_sustained_ghz: left }, burst) {
  if (!(left > 0) || !(left < burst)) return "";
  return word(
    "That is its best. During the run the clock fell to {ghz} GHz (heat, a power limit or other " +
      "programs), so a long computation gets {share} % of these rates.",
    { ghz: digits(left), share: digits((100 * left) / burst, 2) },
  );
}

function fused_words(profile, fma, simd) {
  const features = cpu_of(profile)?.features ?? [];
  if (!(fma > 0))
    return word("This browser has no relaxed SIMD, so products and sums are rounded apart.");
  const gain = digits(fma / simd, 2);
  if (features.includes("fused"))
    return word(
      "Its multiply-add is one instruction that rounds once, at {gain} times the rate of a " +
        "separate multiply and add.",
      { gain },
    );
  return features.includes("unfused")
    ? word(
        "Its engine splits a multiply-add into a multiply and an add, at {gain} times the rate " +
          "of the separate instructions.",
        { gain },
      )
    : "";
}

/** One sentence per tile race: "Tiles compared for matmul: 6 × 8 won with …". */
function tile_choices(profile) {
  return of_cpu(profile.choices)
    .filter(({ why }) => typeof why === "string")
    .map(({ why }) => plain(why, 300))
    .map((why) => word("Tiles compared for matmul: {why}.", { why: race_words(why) }));
}

/**
 * Translates the English reason of a race (measure/race.js): the winner, why it won, and the other
 * rates.
 */
function race_words(told) {
  const [whole, won, why, others] = /^(.+? GFLOP\/s): ([^;]+)(?:; (.+))?$/.exec(told) ?? [];
  if (!whole) return told;
  return `${heard(won)}: ${heard(why)}${others ? `; ${heard(others)}` : ""}`;
}

function caches(profile) {
  const known = of_cpu(profile.levels).filter(
    ({ name, bytes, latency_ns }) => /^L\d$/.test(name) && (bytes > 0 || latency_ns > 0),
  );
  const level_beyond = level_named(profile, "out")?.read_gbs ?? 0;
  const words = known.map((level) => {
    const { name, latency_ns, read_gbs } = level;
    const range = range_words(level);
    const size = range ? ` ${word("holds {range}", { range })}` : "";
    const wait = latency_ns > 0 ? word("answers in {ns} ns", { ns: digits(latency_ns) }) : "";
    const is_faster = !(read_gbs <= level_beyond * 1.05);
    const speed = is_faster
      ? word("reads at {gbs} GB/s", { gbs: digits(read_gbs) })
      : word("reads no faster than the next level");
    const rate = read_gbs > 0 ? speed : "";
    const acts = [wait, rate].filter(Boolean).join(` ${word("and")} `);
    return `${name}${size}${size && acts ? "," : ""} ${acts}`;
  });
  const levels = words.join("; ");
  return levels && word("Caches, as far as one core sees them: {levels}.", { levels });
}

function outermost(profile) {
  const level = level_named(profile, "out");
  if (!(level?.read_gbs > 0)) return "";
  const rate = word("reads at {gbs} GB/s", { gbs: digits(level.read_gbs) });
  const wait = word("answers in {ns} ns", { ns: digits(level.latency_ns) });
  const found = level.latency_ns > 0 ? `${rate} ${word("and")} ${wait}` : rate;
  switch (level.reached) {
    case "memory":
      return word("Memory itself (DRAM) {found}.", { found });
    case "cache":
      return word(
        "The largest working set that this page tried {found}. Larger ones would be slower, " +
          "because part of this one was still in a cache, so this is not the speed of memory " +
          "(DRAM).",
        { found },
      );
    default:
      return word(
        "The slowest level that this page measured {found}. It is either memory (DRAM) or a " +
          "cache larger than the largest working set.",
        { found },
      );
  }
}

/** Little's law: latency divided by the time between results is the number of loads in flight. */
function outstanding_misses(profile) {
  const chases = measured(profile, "parallelism.chase");
  const alone = chases
    .filter(({ params }) => params.chains === 1)
    .reduce((a, b) => (b.params.line > (a?.params.line ?? 0) ? b : (a ?? b)), null);
  if (!alone) return "";
  const alike = ({ w, order, line }) => `${w} ${order} ${line}`;
  const same = ({ params }) => alike(params) === alike(alone.params);
  const fastest = chases.filter(same).reduce((a, b) => (b.median < a.median ? b : a));
  const { chains } = fastest.params;
  const gain = alone.median / fastest.median;
  const level = level_named(profile, "out");
  // If the chains are as fast as a sequential read, bandwidth is their limit; the core may support
  // more.
  const is_full = fastest.params.line / fastest.median >= full_path * level?.read_gbs;
  const values = {
    size: size_words(alone.params.w),
    alone: digits(alone.median),
    chains,
    best: digits(fastest.median),
    misses: digits(Math.min(chains, gain), 2),
  };
  if (gain > chains * as_many)
    return word(
      "In {size}, one pointer after the other takes {alone} ns per load and {chains} chains at " +
        "once {best} ns. That many chains cannot bring so much, so memory changed between the two " +
        "timings, and the number of misses in flight is undecided.",
      values,
    );
  // If doubling the chains nearly doubled the rate, the limit was not reached.
  const half = chases.find((one) => same(one) && one.params.chains === chains / 2);
  const is_growing = half?.median > 1.8 * fastest.median;
  const is_least = chains > 1 && (is_full || is_growing || gain > 0.9 * chains);
  const streams =
    level?.latency_ns > 0 && level.read_gbs > 0
      ? word("Reading in order keeps {lines} lines in flight, including prefetches.", {
          lines: digits((level.read_gbs * level.latency_ns) / line_bytes, 2),
        })
      : "";
  const sentence = word(
    is_least
      ? "In {size}, one pointer after the other takes {alone} ns per load and {chains} chains " +
          "at once {best} ns: by Little's law one core has at least {misses} misses in flight."
      : "In {size}, one pointer after the other takes {alone} ns per load and {chains} chains " +
          "at once {best} ns: by Little's law one core has about {misses} misses in flight.",
    values,
  );
  return streams ? `${sentence} ${streams}` : sentence;
}
