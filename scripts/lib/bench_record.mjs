// What scripts/bench peers keeps for the book: the race of matrix products as a file of facts (chapters/facts/races.json), from which
// a figure is drawn. A run may hold some of the sizes; what the file has of others stays.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { paired_ratio } from "../../site/runtime/base/stats.js";

/** Who takes part: the twin's last word, what it is called, its npm package, its entry in references.json. */
const libraries = [
  { peer: "litert", title: "LiteRT.js", package: "@litertjs/core", source: "litert-js" },
  { peer: "onnxruntime", title: "ONNX Runtime Web", package: "onnxruntime-web", source: "ort-web" },
  {
    peer: "tfjs",
    title: "TensorFlow.js",
    package: "@tensorflow/tfjs-backend-wasm",
    source: "tfjs",
  },
  { peer: "jax-js", title: "jax-js", package: "@jax-js/jax", source: "jax-js" },
];
const sources = libraries.map(({ source }) => source).sort();
const own = [
  { twin: "relaxed", id: "ours", say: "matmul.packed with relaxed SIMD" },
  { twin: "simd128", id: "ours-apart", say: "matmul.packed without relaxed SIMD" },
  { twin: "relaxed roof", id: "roof", say: "peak.fma" },
];

/** "Intel(R) Xeon(R) Processor @ 2.1GHz" → "Intel Xeon". */
export const plain_name = (cpu) =>
  cpu
    .replace(/\((R|TM)\)/g, "")
    .replace(/\s*@.*$/, "")
    .replace(/\s+(Processor|CPU)\b/g, "")
    .trim();

const fact = (value, from, note) => ({ value, sources: from, read: "device", note });
const rate = (value) => `${value.toPrecision(3)} GFLOP/s`;

/** The facts of one row's results by their names after the group's. */
function facts_of(results, label, { samples, versions }) {
  const how = `one thread, median of ${samples} rounds`;
  const facts = {};
  for (const { twin, id, say } of own) {
    const found = results.get(`${label} ${twin}`);
    if (found) facts[id] = fact(rate(found.median), sources, `${say}; ${how}`);
  }
  const ours = results.get(`${label} relaxed`);
  for (const { peer, title, package: from, source } of libraries) {
    const found = results.get(`${label} ${peer}`);
    if (!found) continue;
    const name = `${title} ${versions[from]}`;
    facts[peer] = fact(rate(found.median), [source], `${name}; ${how}`);
    if (!ours) continue;
    const { ratio } = paired_ratio(ours.rates, found.rates);
    const words = `times ${name}; one thread, median of ${samples} rounds’ own ratios`;
    facts[`over-${peer}`] = fact(ratio.toPrecision(3), [source], words);
  }
  return facts;
}

/**
 * `earlier` (a file's facts, {} for none) with the rows of `measured` ([{row, results}]) whose form is "dynamic". `about` =
 * {label: "Chromium", version: "Chrome/156.0.1", cpu, day: "23 November 2026", samples, versions: by package}. Throws
 * where `earlier` has another machine's or browser's rows under the same label.
 */
export function with_race(earlier, about, measured) {
  const { label, version, cpu, day } = about;
  const group = `race-${label.toLowerCase()}`;
  const [major] = /\d+/.exec(version) ?? [""];
  const what = `Products of n × n floats in ${label} ${major}, one core (${plain_name(cpu)})`;
  const kept = earlier[group]?.title;
  if (kept && !kept.startsWith(`${what}, `))
    throw new Error(`the file holds "${kept}", and this is another machine or browser: ${what}`);
  const facts = { ...earlier, [group]: { title: `${what}, ${day}` } };
  for (const { row, results } of measured) {
    if (row.form !== "dynamic") continue;
    const of_row = facts_of(results, label, about);
    for (const [id, one] of Object.entries(of_row)) facts[`${group}.n${row.params.n}.${id}`] = one;
  }
  return Object.fromEntries(Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** As text: a fact a line. */
export function text_of(facts) {
  const inside = (one) =>
    `{${Object.entries(one)
      .map(([key, value]) => `"${key}": ${JSON.stringify(value).replaceAll('","', '", "')}`)
      .join(", ")}}`;
  const lines = Object.entries(facts).map(([id, one]) => `  "${id}": ${inside(one)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** Adds `measured` to the file, which may not be there yet. */
export function record(file, about, measured) {
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  writeFileSync(file, text_of(with_race(earlier, about, measured)));
}
