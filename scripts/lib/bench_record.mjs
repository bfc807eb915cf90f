// Records the results of scripts/bench peers for the book: the race of matmuls as a file of facts
// (chapters/facts/races.json), from which a figure is drawn. A run may cover some of the sizes; the
// file's facts for other sizes stay.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { paired_ratio } from "../../site/runtime/base/stats.js";

/**
 * The participants: the last word of the twin's name, its title, its npm package, its id in
 * references.json.
 */
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

/** The facts of one row's results, by the last part of their ids. */
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
 * Returns `earlier` (the facts of a file, {} if there is none) with those rows of `measured`
 * ([{row, results}]) whose form is "dynamic". `about` = {label: "Chromium", version:
 * "Chrome/156.0.1", cpu, day: "23 November 2026", samples, versions: by package}. Throws if
 * `earlier` has rows of another machine or browser under the same label.
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

/** The facts as text, one per line. */
export function text_of(facts) {
  const inside = (one) =>
    `{${Object.entries(one)
      .map(([key, value]) => `"${key}": ${JSON.stringify(value).replaceAll('","', '", "')}`)
      .join(", ")}}`;
  const lines = Object.entries(facts).map(([id, one]) => `  "${id}": ${inside(one)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** Adds `measured` to the file, which may not exist yet. */
export function record(file, about, measured) {
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  writeFileSync(file, text_of(with_race(earlier, about, measured)));
}
