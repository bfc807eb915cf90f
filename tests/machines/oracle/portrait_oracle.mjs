// Decides whether the sentences of /machine/ are true of a machine: the summary
// (profile/machine_summary.js) and the notes on several cores (measure/cores.js). A sentence that
// matches no pattern is false. Rows as in verdict_oracle.mjs.

import { at_curve, tile_cycles } from "../simulator/closed_forms.mjs";
import { registry } from "./site_pages.mjs";
import { clocks_of } from "./truth.mjs";

const within = (value, [low, high], share = 0) =>
  value >= low * (1 - share) && value <= high * (1 + share);
const words = (range) => range.map((x) => x.toPrecision(3)).join(" to ");
const ok = { is: "true", why: "" };
const wrong = (why) => ({ is: "false", why });
const unsure = (why) => ({ is: "undecided", why });

/** "" if the number is true, otherwise the reason. */
function held(name, said, range, share = 0.08) {
  return within(said, range, share) ? "" : `${name}: ${said}, and ${words(range)} is true`;
}
const judged = (...faults) => {
  const why = faults.filter(Boolean).join("; ");
  return why ? wrong(why) : ok;
};

const kib_of = { B: 1 / 1024, KiB: 1, MiB: 1024, GiB: 1024 ** 2 };
const sizes = /(?:about )?([\d.]+) (B|KiB|MiB|GiB)/g;

/** The sizes in a text, in KiB. */
const kib_in = (text) =>
  [...text.matchAll(sizes)].map(([, number, unit]) => Number(number) * kib_of[unit]);

// A sweep by powers of two finds a knee within half a step on both sides, and the set that fits a
// cache is slightly smaller than the cache.
const knee = [0.68, 1.43];

/** What one core of a kind measures for its levels: {kib, latency_ns, read_gbs} as ranges. */
function levels_of({ kind }) {
  const [slowest, fastest] = clocks_of(kind).map((ghz) => ghz / kind.clock.turbo_ghz);
  const bytes = 16 * Math.min(kind.load.ports_128, kind.vector.add_pipes);
  const reach = clocks_of(kind).map((ghz) => bytes * ghz);
  return kind.levels
    .filter(({ visible }) => visible)
    .map(({ kib, latency_ns, read_gbs_one_core, shared_by_cores }) => {
      const [slow, fast] = shared_by_cores === 1 ? [slowest, fastest] : [1, 1];
      return {
        kib: knee.map((share) => share * kib),
        latency_ns: [(latency_ns / fast) * 0.88, (latency_ns / slow) * 1.2],
        read_gbs: [
          Math.min(reach[0], read_gbs_one_core * slow) * 0.82,
          Math.min(reach[1], read_gbs_one_core * fast) * 1.06,
        ],
      };
    });
}

/**
 * "L2 holds about 512 KiB (± 128 KiB), answers in 3.1 ns and reads at 90 GB/s": a level with its
 * numbers.
 */
function judged_level(text, candidate) {
  const number = Number(/\d+/.exec(text)[0]);
  const level = levels_of(candidate)[number - 1];
  if (!level) return wrong(`there are ${levels_of(candidate).length} levels`);
  const holds = /holds (.*?)(?:,| answers|$)/.exec(text)?.[1] ?? "";
  const [size, other] = kib_in(holds.replace(/\(.*?\)/, ""));
  const is_range = /between/.test(holds);
  const ns = /answers in ([\d.]+) ns/.exec(text)?.[1];
  const gbs = /reads at ([\d.]+) GB/.exec(text)?.[1];
  return judged(
    size && !is_range && held("KiB", size, level.kib, 0),
    is_range && (other < level.kib[0] || size > level.kib[1]) && held("KiB", size, level.kib, 0),
    ns && held("ns", Number(ns), level.latency_ns, 0),
    gbs && held("GB/s", Number(gbs), level.read_gbs, 0),
  );
}

const level_name = (text) => /^(?:the )?(\S+)/.exec(text)[1];

function judged_levels(sentence, candidate) {
  const parts = sentence
    .replace(/^.*?: /, "")
    .replace(/\.$/, "")
    .split("; ");
  const optional =
    candidate.machine.expected?.levels?.filter((level) => level.optional).length ?? 0;
  const most = levels_of(candidate).length;
  const is_count = within(parts.length, [most - optional, most]);
  return [
    { id: "levels", ...(is_count ? ok : wrong(`${parts.length} levels are said, of ${most}`)) },
    ...parts.map((text) => ({ id: `level ${level_name(text)}`, ...judged_level(text, candidate) })),
  ];
}

const memory_ns = ({ machine, kind }) => {
  const own = machine.memory.latency_ns_page_local + kind.memory_extra_ns;
  return [0.85 * own, 1.15 * own];
};
const memory_gbs = ({ kind }) => [
  0.88 * kind.memory_read_gbs_one_core,
  1.12 * kind.memory_read_gbs_one_core,
];
const outermost_faults = (sentence, candidate) => {
  const [, gbs] = /reads at ([\d.]+) GB/.exec(sentence);
  const ns = /answers in ([\d.]+) ns/.exec(sentence)?.[1];
  return [
    held("GB/s", Number(gbs), memory_gbs(candidate), 0),
    ns && held("ns", Number(ns), memory_ns(candidate), 0),
  ];
};

/** The tiles that the race offers. */
const tiles = registry
  .find(({ id, variant }) => id === "matmul.packed" && !variant)
  .params.find(({ name }) => name === "tile")
  .choices.filter((tile) => tile > 0);

function judged_tile([, rows, columns], { kind }) {
  const cost = (r, c) => tile_cycles(r, c, kind) / (r * c);
  const best = Math.min(...tiles.map((tile) => cost(Math.floor(tile / 100), tile % 100)));
  const own = cost(Number(rows), Number(columns));
  return own <= 1.05 * best
    ? ok
    : wrong(`another tile is ${(own / best).toFixed(2)} times as fast`);
}

function judged_arithmetic(sentence, candidate) {
  const [, clock, gflops, operations, units] =
    /at (\S+) GHz and reached (\S+) GFLOP\/s, (\S+) operations per cycle: as much as (\S+) vector/.exec(
      sentence,
    );
  const { kind } = candidate;
  const roof = candidate.range("max(P.fma, P.simd) / (1 GFLOP/s)");
  const per_cycle = candidate.roofs_per_cycle; // what the units and the registers allow
  const gain = /(\S+) times the rate of/.exec(sentence)?.[1];
  const [, left, share] =
    /the clock fell to (\S+) GHz .* gets (\S+) % of these rates\.$/.exec(sentence) ?? [];
  return judged(
    held("GHz", Number(clock), clocks_of(kind), 0.03),
    held("GFLOP/s", Number(gflops), roof, 0.05),
    held("operations per cycle", Number(operations), per_cycle, 0.06),
    held(
      "units",
      Number(units),
      per_cycle.map((x) => x / 8),
      0.06,
    ),
    gain && held("gain", Number(gain), candidate.range("P.fma / P.simd"), 0.06),
    left && held("GHz in the end", Number(left), clocks_of(kind), 0.03),
    left && held("share", Number(share), [(100 * left) / clock, (100 * left) / clock], 0.02),
    left || /(?:separate multiply and add|separate instructions)\.$|rounded apart\.$/.test(sentence)
      ? ""
      : "an unknown end",
  );
}

function judged_misses(sentence, candidate) {
  const [, ns, , chains, , more, misses] =
    /takes ([\d.]+) ns per load and ((\d+) chains) at once ([\d.]+) ns: by Little's law one core has (at least|about) (\S+) misses in flight/.exec(
      sentence,
    );
  const lines = /keeps (\S+) lines/.exec(sentence)?.[1];
  const flying = candidate.kind.misses_in_flight;
  const alone = candidate.range("latency.chase{w=64MiB} / (1 ns)");
  const on_the_way = candidate
    .range("1 GB/s * latency.chase{w=512MiB} / (64 B)")
    .map((lines) => lines * candidate.kind.memory_read_gbs_one_core);
  const known = more === "about" ? [flying, flying] : [Number(misses), Infinity];
  return judged(
    held("ns per load", Number(ns), alone, 0.12),
    Number(misses) > Number(chains) * 1.01 && `${misses} misses of ${chains} chains`,
    more === "about"
      ? held("misses", Number(misses), known, 0.2)
      : flying < misses * 0.9 && `${flying} fly`,
    lines && held("lines", Number(lines), on_the_way, 0.2),
  );
}

function judged_limit(sentence, candidate) {
  const [, corner] = /ridge is at (\S+) operations per byte/.exec(sentence);
  const best = /nearest to the ceiling \((\S+) %\)/.exec(sentence)?.[1];
  return judged(
    held("corner", Number(corner), candidate.range("ridge.fma.out / (1 FLOP/B)"), 0.1),
    best > 104 && `${best} % of the ceiling`,
  );
}

// [name, pattern, rows or a judgement of (sentence, candidate, match)].
const portrait = [
  ["what limits it", /^The limit depends on the program\./, judged_limit],
  ["arithmetic", /^One core ran at /, judged_arithmetic],
  [
    "tile joined",
    /(\d+) × (\d+) won .* your engine joins/,
    (_, { kind }) => (kind.vector.bits > 128 ? ok : wrong("the engine joins nothing here")),
  ],
  [
    "tile",
    /^Tiles compared for matmul: .*?(\d+) × (\d+) won/,
    (_, c, match) => judged_tile(match, c),
  ],
  ["caches", /^Caches, as far as one core sees them: /, judged_levels],
  ["memory", /^Memory itself \(DRAM\) /, (sentence, c) => judged(...outermost_faults(sentence, c))],
  [
    "largest set",
    /^The largest working set that this page tried/,
    (_, c) => (c.holds(c.largest_set / 12) ? ok : wrong("no cache holds a part of it")),
  ],
  [
    "outermost",
    /^The slowest level that this page measured/,
    (sentence, c) => {
      const found = judged(...outermost_faults(sentence, c));
      return found.is === "false" ? found : unsure("it says that it cannot tell");
    },
  ],
  [
    "misses",
    /^In .* one pointer after the other takes .* is undecided\.$/,
    () => unsure("memory changed between the two timings"),
  ],
  ["misses", /^In .* one pointer after the other takes/, judged_misses],
];

const counts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];

function judged_reading(sentence, { machine, kind }) {
  const [, many, times] = /at (\d+) threads?, (\S+) times one/.exec(sentence);
  const cores = machine.cores.groups.reduce((sum, { count }) => sum + count, 0);
  const rate = (threads) =>
    Math.min(
      Math.min(threads, cores) * kind.memory_read_gbs_one_core,
      at_curve(machine.memory.read_gbs_by_threads, Math.min(threads, cores)),
    );
  const tried = counts.filter((count) => count <= machine.cores.logical_reported);
  const top = Math.max(...tried.map(rate));
  const n = Number(many);
  const share = rate(n) / top;
  const fewer = tried.filter((count) => count < n).at(-1);
  const gain = held("gain", Number(times), [rate(n) / rate(1), rate(n) / rate(1)], 0.12);
  if (/still gained/.test(sentence))
    return judged(gain, !(rate(n) > 1.02 * rate(fewer)) && `${fewer} threads read as much`);
  return judged(
    gain,
    share < 0.9 && `${n} threads read ${share.toFixed(2)} of what more of them do`,
    /stops gaining/.test(sentence) && rate(fewer) > 0.98 * top && `${fewer} threads read as much`,
  );
}

function judged_product(sentence, candidate) {
  const [, many, times] = /shared by (\d+) threads? runs (\S+) times/.exec(sentence);
  const range = candidate.product_gain(Number(many));
  return judged(held("gain", Number(times), range, 0.15));
}

const judged_usable = (usable, { usable_between: range }) =>
  judged(held("usable threads", usable, range, 0));

// The same for sentences about several cores; `cores` is the machine file's.
const several = [
  [
    "clamped",
    /reports fewer than there are/,
    () => wrong("the browser reports as many as there are"),
  ],
  [
    "usable",
    /threads were tried, as many as this browser reports, and from (\d+) on nothing got faster/,
    (_, { machine }, [, usable]) => judged_usable(Number(usable), machine.cores),
  ],
  ["product", /^One matrix product \(n = 1024\) shared by/, judged_product],
  ["reading", /^Reading \(.*? in all\) (?:stops|still)/, judged_reading],
  [
    "reading, one thread",
    /^Reading \(.*? in all\) gained nothing from further threads, up to \d+/,
    (sentence, c) => judged_reading(`${sentence} at 1 thread, 1.00 times one`, c),
  ],
  ["sums", /^Summing a buffer over (\d+) threads? costs/, () => ok],
];

/** Rows for one sentence. */
function rows_of(sentence, table, candidates) {
  const [id, pattern, judge] = table.find(([, known]) => known.test(sentence)) ?? [];
  if (!id) return [{ id: "unknown", say: sentence, is: "false", why: "no predicate knows it" }];
  const all = candidates.map((candidate) =>
    [judge(sentence, candidate, pattern.exec(sentence))].flat(),
  );
  const rank = { true: 0, undecided: 1, false: 2 };
  const worst = (rows) => rows.reduce((sum, { is }) => sum + rank[is], 0);
  const [best] = all.sort((a, b) => worst(a) - worst(b));
  return best.map((row) => ({ id, say: sentence, ...row }));
}

/** Rows for all sentences of the portrait. */
export const portrait_rows = (sentences, candidates) =>
  sentences.flatMap((sentence) => rows_of(sentence, portrait, candidates));

/** Rows for the sentences of a profile about several cores. */
export function cores_rows({ usable, why, notes = [] }, candidates) {
  if (!usable) return [];
  const [{ machine }] = candidates;
  const number = { id: "usable", say: `${usable} cores`, ...judged_usable(usable, machine.cores) };
  const said = [why, ...notes].filter(Boolean);
  const rows = [number, ...said.flatMap((sentence) => rows_of(sentence, several, candidates))];
  return rows.map((row) => ({ ...row, id: `cores ${row.id}` }));
}

/** Rows for the sentences that the machine file rules out. */
export function forbidden_rows(said, { must_not_say: forbidden = [] }, pace) {
  return forbidden
    .filter(({ only }) => !only || only === pace)
    .flatMap(({ matches, because }) =>
      said
        .filter((sentence) => new RegExp(matches).test(sentence))
        .map((say) => ({ id: `must not say /${matches}/`, say, is: "false", why: because })),
    );
}
