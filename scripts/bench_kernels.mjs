// scripts/bench kernels: the same source, native and as WebAssembly in each engine, sampled in
// turns. Prints rates and their ratios to the native twin of the same arithmetic, then the targets
// that notes/2026-11-measuring.md lists.
import { parseArgs } from "node:util";

import {
  check_kept_place,
  headline,
  keep,
  measure,
  name_of,
  patient,
  print_bars,
  print_table,
} from "./lib/bench_rounds.mjs";
import { browser_twins, native_twins, node_twins } from "./lib/bench_twins.mjs";

const KiB = 2 ** 10;
const MiB = 2 ** 20;
const sample_ms = 25;

/**
 * The measured rows. `race` names a parameter that each twin chooses for itself; `level` is the
 * memory level of the data.
 */
const stream_levels = [
  ["L1", 16 * KiB],
  ["L2", 384 * KiB],
  ["L3", 8 * MiB],
  ["out", 256 * MiB],
];
const weights = { rows: 8192, cols: 16384 }; // 512 MiB of floats
const rows = [
  { kernel: "peak.simd", race: { chains: [10, 12, 13, 14] } },
  { kernel: "peak.fma", race: { chains: [10, 12, 13, 14] } },
  { kernel: "matmul.packed", params: { n: 512 }, race: "tile" },
  { kernel: "matmul.packed", params: { n: 1024 }, race: "tile" },
  ...["read", "copy", "triad"].flatMap((what) =>
    stream_levels.map(([level, w]) => ({ kernel: `stream.${what}`, params: { w }, level })),
  ),
  { kernel: "latency.chase", params: { w: 16 * KiB }, level: "L1" },
  { kernel: "latency.chase", params: { w: 8 * MiB }, level: "L3" },
  { kernel: "stream.read", params: { w: 512 * MiB }, level: "weights" },
  { kernel: "matvec.f32", params: weights, level: "weights" },
  { kernel: "matvec.i8", params: { rows: 32768, cols: 16384 }, level: "weights" },
];

/** The native twin with the same arithmetic. */
const counterpart = (name) => (name.endsWith("simd128") ? "native mul+add" : "native fma");
const is_wasm = (name) => /(simd128|relaxed)$/.test(name);

/**
 * The ratio of the high plateaus. A latency counts as a rate of loads, so 1 means equal there, too.
 */
function ratio(results, name) {
  const [a, b] = [results.get(name), results.get(counterpart(name))];
  return a && b ? a.best / b.best : null;
}

function note(results, name) {
  const tile = Object.values(results.get(name).chosen)[0];
  const share = is_wasm(name) && ratio(results, name);
  return `${share ? ` ${(100 * share).toFixed(0)}%` : ""}${tile ? ` (${tile})` : ""}`;
}

/** The targets, one per engine: {what, value, bar}. */
function bars_of(names, measured) {
  const found = [];
  const of = (kernel, level) =>
    measured.find(({ row }) => row.kernel === kernel && row.level === level)?.results;
  const add = (what, value, bar) => {
    if (value !== null && value !== undefined) found.push({ what, value, bar });
  };
  for (const name of names.filter(is_wasm)) {
    for (const { row, results } of measured) {
      if (row.kernel.startsWith("stream.") && row.level !== "weights")
        add(
          `${name}: ${row.kernel} ${row.level}`,
          ratio(results, name),
          row.level === "L1" ? 0.8 : 0.95,
        );
      if (row.kernel === "latency.chase")
        add(
          `${name}: ${row.kernel} ${row.level}`,
          ratio(results, name),
          row.level === "L1" ? 0.97 : 0.95,
        );
      if (row.kernel === "matmul.packed") {
        const roof = of(name.endsWith("relaxed") ? "peak.fma" : "peak.simd", undefined)?.get(name);
        const best = results.get(name)?.best;
        const bar = name.startsWith("Firefox") ? 0.9 : name.endsWith("relaxed") ? 0.93 : 0.92;
        add(`${name}: ${name_of(row)} of its roof`, roof && best ? best / roof.best : null, bar);
      }
    }
    const read = of("stream.read", "weights")?.get(name)?.best;
    for (const kernel of ["matvec.f32", "matvec.i8"]) {
      if (kernel === "matvec.i8" && !name.endsWith("relaxed")) continue;
      const rate = of(kernel, "weights")?.get(name)?.best;
      add(`${name}: ${kernel} of read bandwidth`, read && rate ? rate / read : null, 0.9);
    }
  }
  return found;
}

const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    samples: { type: "string", default: "15" },
    json: { type: "string" },
  },
});
if (options.json) check_kept_place(options.json);
const wanted = rows.filter(
  (row) => !options.only || options.only.some((pattern) => name_of(row).includes(pattern)),
);
const twins = [...native_twins(), ...(await node_twins()), ...(await browser_twins())].map(patient);
try {
  const names = twins.map(({ name }) => name);
  const measured = [];
  console.log(`${headline(options.samples)}; % of the native twin\n`);
  const print = print_table(names, note);
  for (const row of wanted) {
    const results = await measure(row, twins, Number(options.samples), sample_ms);
    measured.push({ row, results });
    print(row, results);
    if (options.json) keep(options.json, measured, bars_of(names, measured));
  }
  console.log();
  print_bars(bars_of(names, measured));
} finally {
  for (const twin of twins) await twin.close();
}
