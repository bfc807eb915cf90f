// scripts/bench peers: matmul.packed beside the matrix products of other libraries, one thread, on
// one page of each browser that is not isolated (as GitHub Pages serves it, and so that no library
// starts threads), sample by sample in turn with the probe of its roof. Prints rates, then the bars
// that docs/measuring.md lists: shares of the roof, ratios to the best library.
import { parseArgs } from "node:util";

import {
  headline,
  keep,
  measure,
  name_of,
  patient,
  print_bars,
  print_table,
} from "./lib/bench_rounds.mjs";
import { browser_twins, peer_twins } from "./lib/bench_twins.mjs";
import { browser_kinds } from "./lib/browsers.mjs";

const sample_ms = 120; // Firefox's clock is good to 1 ms there
const sizes = [512, 768, 1024];
const rows = sizes.map((n) => ({
  kernel: "matmul.packed",
  params: { n },
  race: "tile",
  race_ms: 60,
}));
const odd = [500, 513, 1000, 1023].map((n) => ({ ...rows[0], params: { n }, only_roof: true }));
odd.push({ ...rows[0], params: { m: 1000, k: 64, n: 3000 }, only_roof: true });
const chains = { race: { chains: [10, 12, 13, 14] }, race_ms: 60 };
const roofs = {
  simd128: { kernel: "peak.simd", ...chains },
  relaxed: { kernel: "peak.fma", ...chains },
};
/** Of the roof of its arithmetic; times the best library of the same browser. */
const bars = {
  "Chromium relaxed": { of_roof: 0.93, of_peer: 1.35 },
  "Chromium simd128": { of_roof: 0.92, of_peer: 1.1 },
  "Firefox relaxed": { of_roof: 0.9, of_peer: 1.3 },
};
const fused = ["jax-js"]; // libraries that fuse multiply and add: no peers of plain simd128

const best_peer = (results, name) => {
  const [browser, module] = name.split(" ");
  const able = [...results].filter(
    ([other]) =>
      other.startsWith(browser) &&
      !/simd128|relaxed/.test(other) &&
      (module === "relaxed" || !fused.includes(other.split(" ")[1])),
  );
  return Math.max(...able.map(([, { median }]) => median));
};

function bars_of(measured) {
  const found = [];
  for (const [name, { of_roof, of_peer }] of Object.entries(bars)) {
    for (const { row, results } of measured) {
      const [mine, roof] = [results.get(name), results.get(`${name} roof`)];
      if (!mine || !roof) continue;
      const bar = row.only_roof ? 0.8 : of_roof;
      found.push({
        what: `${name}: ${name_of(row)} of its roof`,
        value: mine.best / roof.best,
        bar,
      });
      if (row.only_roof) continue;
      const peer = mine.median / best_peer(results, name);
      if (Number.isFinite(peer) && peer > 0)
        found.push({
          what: `${name}: ${name_of(row)} to the best library, medians`,
          value: peer,
          bar: of_peer,
        });
    }
  }
  return found;
}

const { values: options } = parseArgs({
  options: {
    browser: { type: "string", multiple: true, default: browser_kinds },
    samples: { type: "string", default: "15" },
    json: { type: "string" },
  },
});
const ours = await browser_twins({ kinds: options.browser, isolated: false, roofs });
const theirs = [];
for (const page of new Set(ours.map((twin) => twin.page))) {
  const [label] = ours.find((twin) => twin.page === page).name.split(" ");
  theirs.push(...(await peer_twins(page, label)));
}
const twins = [...ours, ...theirs].map(patient);
try {
  const names = twins.map(({ name }) => name);
  const measured = [];
  console.log(`${headline(options.samples)}\n`);
  const print = print_table(names, (results, name) => {
    const { median, chosen } = results.get(name);
    return ` ~${median.toPrecision(3)}${chosen.tile ? ` (${chosen.tile})` : ""}`;
  });
  for (const row of [...rows, ...odd]) {
    const able = row.only_roof ? twins.filter((twin) => !twin.is_peer) : twins;
    const results = await measure(row, able, Number(options.samples), sample_ms);
    measured.push({ row, results });
    print(row, results);
    if (options.json) keep(options.json, measured, bars_of(measured));
  }
  console.log();
  print_bars(bars_of(measured));
} finally {
  for (const twin of twins) await twin.close();
}
