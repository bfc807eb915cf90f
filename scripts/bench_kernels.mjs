// scripts/bench kernels: the same source native and as WebAssembly in each engine, sample by sample
// in turn, so that all meet the same minute of this machine. Prints rates and their ratios to the
// native twin of the same arithmetic, then the bars that docs/measuring.md lists.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";

import { median, quantile } from "../site/runtime/stats.js";
import { browser_twins, native_twins, node_twins } from "./bench_twins.mjs";

const KiB = 2 ** 10;
const MiB = 2 ** 20;
const sample_ms = 25;
const race_ms = 12;

/**
 * What is measured. `race` names a parameter that each twin chooses for itself; `level` the memory
 * that the data lies in; `of` the row whose rate is this row's ceiling.
 */
const stream_levels = [
  ["L1", 16 * KiB],
  ["L2", 384 * KiB],
  ["L3", 8 * MiB],
  ["out", 256 * MiB],
];
const weights = { rows: 8192, cols: 16384 }; // 512 MiB of float
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
  { kernel: "matvec.i8", params: { rows: 16384, cols: 32768 }, level: "weights" },
];

const name_of = ({ kernel, params = {} }) => {
  const words = Object.entries(params).map(([key, value]) => {
    const size = key !== "w" ? value : value % MiB ? `${value / KiB}KiB` : `${value / MiB}MiB`;
    return `${key}=${size}`;
  });
  return words.length ? `${kernel}{${words.join(",")}}` : kernel;
};

const request = ({ kernel }, params) =>
  ["prepare", kernel, ...Object.entries(params).map(([k, v]) => `${k}=${v}`)].join(" ");

/** Of the values that `race` offers the fastest for this twin; {} where it takes none. */
async function raced(twin, row) {
  if (!row.race) return {};
  const offers = row.race === "tile" ? { tile: tiles } : row.race;
  const [[name, values]] = Object.entries(offers);
  let best = { seconds: Infinity };
  for (const value of values) {
    const { refused } = await twin.ask(request(row, { ...row.params, [name]: value }));
    if (refused) continue;
    for (let i = 0; i < 2; ++i) {
      const { seconds, flops } = await twin.ask(`sample ${race_ms}`);
      if (seconds / flops < best.seconds) best = { seconds: seconds / flops, chosen: { [name]: value } };
    }
  }
  return best.chosen ?? {};
}
const tiles = [408, 508, 608, 616]; // who wins anywhere that was measured

/** Samples of every twin that knows the row, round by round. Map of twin's name to its result. */
async function measure(row, twins, samples) {
  const able = [];
  for (const twin of twins) {
    const chosen = await raced(twin, row);
    const { refused } = await twin.ask(request(row, { ...row.params, ...chosen }));
    if (!refused) able.push({ twin, chosen, rates: [], seconds: [] });
  }
  for (let round = 0; round < samples; ++round) {
    for (const entry of able) {
      const { seconds, flops, bytes, refused } = await entry.twin.ask(`sample ${sample_ms}`);
      if (refused) throw new Error(`${entry.twin.name}: ${name_of(row)}: ${refused}`);
      entry.seconds.push(seconds);
      // Latency counts loads, streams bytes; a matvec's weights are bytes too.
      const counts_bytes = row.kernel.startsWith("stream.") || row.level === "weights";
      entry.rates.push((counts_bytes ? bytes : flops) / seconds / 1e9);
    }
  }
  const results = new Map();
  for (const { twin, chosen, rates } of able) {
    const { error, tolerance, refused } = await twin.ask("verify");
    if (refused) throw new Error(`${twin.name}: ${name_of(row)}: ${refused}`);
    if (!(error <= tolerance)) throw new Error(`${twin.name}: ${name_of(row)} is wrong by ${error}`);
    results.set(twin.name, { best: quantile(rates, 0.9), median: median(rates), chosen, rates });
  }
  // Gives large memory back before the next row.
  for (const { twin } of able) await twin.ask("prepare peak.scalar chains=1");
  return results;
}

/** The native twin of the same arithmetic. */
const counterpart = (name) => (name.endsWith("simd128") ? "native mul+add" : "native fma");
const is_wasm = (name) => /(simd128|relaxed)$/.test(name);

/** High plateau against high plateau; latency has the rate of loads, so 1 is equal there too. */
function ratio(results, name, other = counterpart(name)) {
  const [a, b] = [results.get(name), results.get(other)];
  return a && b ? a.best / b.best : null;
}

function unit_of({ kernel, level }) {
  if (kernel === "latency.chase") return "Gload/s";
  return kernel.startsWith("stream.") || level === "weights" ? "GB/s" : "GFLOP/s";
}

function table(names, measured) {
  const head = ["", ...names];
  const lines = measured.map(({ row, results }) => [
    `${name_of(row)} ${unit_of(row)}`,
    ...names.map((name) => {
      const found = results.get(name);
      if (!found) return "–";
      const tile = Object.values(found.chosen)[0];
      const share = is_wasm(name) ? ` ${(100 * ratio(results, name)).toFixed(0)}%` : "";
      return `${found.best.toPrecision(3)}${share}${tile ? ` (${tile})` : ""}`;
    }),
  ]);
  const widths = head.map((_, i) => Math.max(...[head, ...lines].map((line) => line[i].length)));
  const text = (line) =>
    line.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join("  ");
  return [head, ...lines].map(text).join("\n");
}

/** The bars: {what, value, bar, holds}, one for each engine. */
function bars(names, measured) {
  const found = [];
  const of = (kernel, level) =>
    measured.find(({ row }) => row.kernel === kernel && row.level === level)?.results;
  const add = (what, value, bar) => {
    if (value !== null && value !== undefined) found.push({ what, value, bar, holds: value >= bar });
  };
  for (const name of names.filter(is_wasm)) {
    for (const { row, results } of measured) {
      if (row.kernel.startsWith("stream.") && row.level !== "weights")
        add(`${name}: ${row.kernel} ${row.level}`, ratio(results, name), row.level === "L1" ? 0.8 : 0.95);
      if (row.kernel === "latency.chase")
        add(`${name}: ${row.kernel} ${row.level}`, ratio(results, name), row.level === "L1" ? 0.97 : 0.95);
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
const wanted = rows.filter(
  (row) => !options.only || options.only.some((pattern) => name_of(row).includes(pattern)),
);
const twins = [...native_twins(), ...(await node_twins()), ...(await browser_twins())];
try {
  const names = twins.map(({ name }) => name);
  const measured = [];
  for (const row of wanted) {
    measured.push({ row, results: await measure(row, twins, Number(options.samples)) });
    process.stderr.write(`${name_of(row)}\n`);
  }
  const checks = bars(names, measured);
  const date = new Date().toISOString();
  console.log(`${date}, ${cpus()[0]?.model}, ${options.samples} samples each; % of the native twin\n`);
  console.log(table(names, measured), "\n");
  for (const { what, value, bar, holds } of checks)
    console.log(`${holds ? "holds " : "MISSED"}  ${(100 * value).toFixed(1)} % (bar ${100 * bar} %)  ${what}`);
  if (options.json) {
    const plain = measured.map(({ row, results }) => ({
      name: name_of(row),
      unit: unit_of(row),
      results: Object.fromEntries(results),
    }));
    writeFileSync(options.json, JSON.stringify({ date, cpu: cpus()[0]?.model, rows: plain, bars: checks }, null, 1));
  }
} finally {
  for (const twin of twins) await twin.close();
}
