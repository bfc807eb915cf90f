// scripts/bench peers: matmuls and layers compared with other libraries, in each browser. One
// thread runs on a page that is not isolated (as GitHub Pages serves it, and so that no library
// starts threads), sampled in turns with the probe of its roof; two threads run on an isolated
// page. Prints rates, then the targets that notes/2026-11-measuring.md lists: shares of the roof,
// and ratios to the best library, round by round.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
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
  progress_line,
} from "./lib/bench_rounds.mjs";
import { record } from "./lib/bench_record.mjs";
import { browser_twins, peer_twins, team_twins } from "./lib/bench_twins.mjs";
import { browser_kinds } from "./lib/browsers.mjs";
import { paired_ratio } from "../site/runtime/base/stats.js";

const sample_ms = { chromium: 60, firefox: 120 }; // Firefox's clock has a resolution of 1 ms there
const threads = 2;

const product = (params, more) => ({
  kernel: "matmul.packed",
  params,
  race: "tile",
  race_ms: 60,
  ...more,
});
const squares = [512, 768, 1024];
const weights = { n: 4096, k: 4096, prepacked: 1 };
const one_thread = [
  ...squares.map((n) => product({ n }, { form: "dynamic" })),
  ...squares.map((n) => product({ n, prepacked: 1 }, { form: "prepacked" })),
  ...[1, 2, 4, 8, 16].map((m) => product({ m, ...weights }, { form: "rows" })),
  ...[500, 513, 769, 1000, 1023, 1500].map((n) => product({ n }, { form: "odd" })),
  product({ m: 1000, k: 64, n: 3000 }, { form: "flat" }),
  product({ n: 37 }, { form: "small" }),
];
const several_threads = [
  ...squares.map((n) => product({ n }, { form: "dynamic" })),
  ...squares.map((n) => product({ n, prepacked: 1 }, { form: "prepacked" })),
];
const layer = (kernel, params, more) => ({ kernel, params, form: "layer", ...more });
const tiled = { race: "tile", race_ms: 60 };
const layers = [
  layer("matmul.i8", { n: 512 }),
  layer("matmul.i8", { n: 1024 }),
  layer("matmul.i8", { n: 512, prepacked: 1 }),
  layer("matmul.i8", { n: 1024, prepacked: 1 }),
  layer("matmul.i8", { n: 1024, prepacked: 1, scaled: 1 }),
  ...[1, 8, 64].map((m) => layer("matmul.i4", { n: 4096, m })),
  layer("conv.packed", { in: 64, out: 64, side: 56 }, tiled),
  layer("conv.packed", { in: 256, out: 256, side: 56, filter: 1 }, tiled),
  layer("conv.packed", { in: 3, out: 64, side: 224, filter: 7, stride: 2 }, tiled),
  layer("attention.heads", { causal: 0 }, tiled),
  layer("attention.heads", { causal: 1 }, tiled),
  ...[8, 512].map((n) => layer("block.gpt2", { n }, tiled)),
];
const alone = ["odd", "flat", "small"]; // forms that no library supports

const chains = { race: { chains: [10, 12, 13, 14] }, race_ms: 60 };
const roofs = {
  simd128: { kernel: "peak.simd", ...chains },
  relaxed: { kernel: "peak.fma", ...chains },
};
/** The probe for the arithmetic of a layer. */
const layer_roof = (name, of_bytes) => (row) =>
  /\.i[48]$/.test(row.kernel) ? of_bytes : roofs[name];
const layer_roofs = {
  simd128: layer_roof("simd128", null),
  relaxed: layer_roof("relaxed", { kernel: "peak.i8dot", ...chains }),
};
/** Per form: the share of the roof, and the ratio to the best library. */
const bars = {
  "Chromium relaxed": {
    of_roof: { dynamic: 0.94, prepacked: 0.94, odd: 0.9, flat: 0.88, small: 0.6 },
    of_peer: { dynamic: 1.35, prepacked: 1.35, rows: 1.2, layer: 1.2 },
  },
  "Chromium simd128": { of_roof: { dynamic: 0.88 }, of_peer: { dynamic: 1.1 } },
  "Firefox relaxed": {
    of_roof: { dynamic: 0.93, prepacked: 0.93 },
    of_peer: { dynamic: 1.35, prepacked: 1.35, rows: 1.2 },
  },
};
const of_twice = 0.93;
// Libraries with fused multiply-add, which plain simd128 is not compared with
const fused = ["jax-js", "litert"];

/** {peer, ratio} to the library with the fastest median; null if there is none. */
function to_best_peer(results, name, peers) {
  const able = peers.filter((peer) => results.has(peer.name));
  if (able.length === 0) return null;
  const rate = (peer) => results.get(peer.name).median;
  const best = able.reduce((a, b) => (rate(a) >= rate(b) ? a : b));
  const { ratio } = paired_ratio(results.get(name).rates, results.get(best.name).rates);
  return { peer: best.peer, ratio };
}

/** The targets of one thread: {what, value, bar}. */
function bars_of_one(measured, twins) {
  const found = [];
  for (const { name, module } of twins.filter((twin) => twin.module)) {
    const { of_roof = {}, of_peer = {} } = bars[name] ?? {};
    const peers = twins.filter(
      ({ is_peer, peer }) => is_peer && (module === "relaxed" || !fused.includes(peer)),
    );
    for (const { row, results } of measured.filter((one) => one.results.has(name))) {
      const roof = results.get(`${name} roof`);
      if (roof && of_roof[row.form]) {
        const value = results.get(name).best / roof.best;
        found.push({ what: `${name}: ${name_of(row)} of its roof`, value, bar: of_roof[row.form] });
      }
      const best = of_peer[row.form] ? to_best_peer(results, name, peers) : null;
      if (best) {
        const what = `${name}: ${name_of(row)} to ${best.peer}, round by round`;
        found.push({ what, value: best.ratio, bar: of_peer[row.form] });
      }
    }
  }
  return found;
}

/** Adding rows must not cost rate: the rate with more rows over the highest one with fewer. */
function bars_of_rows(measured, name) {
  const found = [];
  let highest = 0;
  for (const { row, results } of measured) {
    if (row.form !== "rows" || !results.has(name)) continue;
    const { best } = results.get(name);
    const what = `${name}: ${name_of(row)} to the highest rate of fewer rows`;
    if (highest > 0) found.push({ what, value: best / highest, bar: 1 });
    highest = Math.max(highest, best);
  }
  return found;
}

function bars_of_team(measured, twins) {
  const found = [];
  const [single, team] = twins;
  const peers = twins.filter(({ is_peer }) => is_peer);
  for (const { row, results } of measured) {
    if (!results.has(single.name) || !results.has(team.name)) continue;
    const what = `${team.name}: ${name_of(row)}`;
    const value = results.get(team.name).best / results.get(single.name).best / threads;
    found.push({ what: `${what} of ${threads} times one`, value, bar: of_twice });
    const best = to_best_peer(results, team.name, peers);
    if (best)
      found.push({ what: `${what} to ${best.peer}, round by round`, value: best.ratio, bar: 1.35 });
  }
  return found;
}

const note = (results, name) => {
  const { median, chosen } = results.get(name);
  return ` ~${median.toPrecision(3)}${chosen.tile ? ` (${chosen.tile})` : ""}`;
};

/**
 * Measures `rows` with `twins` and prints them: [{row, results}]. Calls `done(measured)` after
 * each.
 */
async function measure_rows(title, rows, twins, done) {
  const line = progress_line();
  const measured = [];
  const print = print_table(
    twins.map(({ name }) => name),
    note,
  );
  for (const [i, row] of rows.entries()) {
    line.row(`${title}, ${i + 1} of ${rows.length}, ${name_of(row)}`);
    const able = alone.includes(row.form) ? twins.filter(({ is_peer }) => !is_peer) : twins;
    const results = await measure(row, able, Number(options.samples), twins.sample_ms, line.say);
    line.end();
    measured.push({ row, results });
    print(row, results);
    done(measured);
  }
  return measured;
}

const { values: options } = parseArgs({
  options: {
    browser: { type: "string", multiple: true, default: browser_kinds },
    only: { type: "string", multiple: true },
    samples: { type: "string", default: "15" },
    threads: { type: "string", multiple: true, default: ["1", String(threads)] },
    json: { type: "string" },
    record: { type: "string" },
  },
});
if (options.json) check_kept_place(options.json);
const wanted = (row) =>
  !options.only || options.only.some((pattern) => `${row.form} ${name_of(row)}`.includes(pattern));
const kept = { rows: [], bars: [] };

/** Adds the results of one thread so far to the book's file of races. */
function keep_race(label, version, measured) {
  const { dependencies } = JSON.parse(readFileSync("tests/bench/peers/package.json", "utf8"));
  const day = new Date().toLocaleDateString("en-GB", { dateStyle: "long" });
  const about = { label, version, cpu: cpus()[0].model, day, samples: options.samples };
  record(options.record, { ...about, versions: dependencies }, measured);
}

/**
 * One table: opens its twins, measures, closes them. `judge(measured, twins)` returns the targets.
 */
async function table(title, kind, rows, open, judge) {
  if (rows.length === 0) return;
  const ours = await open();
  const { page, version } = ours[0];
  const [label] = ours[0].name.split(" ");
  const team = judge === bars_of_team ? threads : 1;
  const twins = [...ours, ...(await peer_twins(page, label, team))].map(patient);
  twins.sample_ms = sample_ms[kind];
  console.log(`${version}, ${title}\n`);
  try {
    const keep_all = (measured) => {
      const now = [...kept.rows, ...measured];
      if (options.json) keep(options.json, now, [...kept.bars, ...judge(measured, twins)]);
      if (options.record && team === 1) keep_race(label, version, measured);
    };
    const measured = await measure_rows(`${label}, ${title}`, rows, twins, keep_all);
    kept.rows.push(...measured);
    kept.bars.push(...judge(measured, twins));
  } finally {
    for (const twin of twins) await twin.close();
  }
  console.log();
}

console.log(`${headline(options.samples)} ~median\n`);
for (const kind of options.browser) {
  const judge = (measured, twins) => [
    ...bars_of_one(measured, twins),
    ...twins.filter((twin) => twin.module).flatMap(({ name }) => bars_of_rows(measured, name)),
  ];
  const open_one = () => browser_twins({ kinds: [kind], isolated: false, roofs });
  if (options.threads.includes("1")) {
    await table("one thread", kind, one_thread.filter(wanted), open_one, judge);
    const open_layers = () =>
      browser_twins({ kinds: [kind], isolated: false, roofs: layer_roofs, family: "layers" });
    await table("layers", kind, layers.filter(wanted), open_layers, judge);
  }
  const open_team = () => team_twins(kind, threads);
  const title = `${threads} threads`;
  if (options.threads.includes(String(threads)))
    await table(title, kind, several_threads.filter(wanted), open_team, bars_of_team);
}
print_bars(kept.bars);
