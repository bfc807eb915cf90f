// What `scripts/bench disturbed` runs: how far the instrument's trusted numbers are off while other
// programs use the machine, in Chromium and Firefox.
//
//  loads     the home page is measured --runs times under each load: none; one, two and four busy
//            loops; two that are busy by turns of two seconds; one that streams through memory
//  coverage  with --coverage, ten kernels are measured --coverage times quietly and with two loops;
//            how often the interval of one run contains the median of all
//
// The truth is the median of the quiet runs in the same browser, so this needs a quiet machine.
// Prints every bar with the figure that was found; the exit status is not 0 if one was missed.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { browser_kinds, open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { answer_of } from "../../site/runtime/measure/answer.js";
import { interval_of } from "../../site/runtime/profile/interval.js";
import { is_doubtful } from "../../site/runtime/profile/result_text.js";
import { standing_of } from "../../site/runtime/profile/standing.js";
import { open_watched, profile_key, run_bench } from "../site/support/browser_page.mjs";
import { site } from "../site/support/site.mjs";

const usage = "scripts/bench disturbed [--runs N] [--coverage N] [--only LOAD] [--json FILE]";
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10" },
    coverage: { type: "string", default: "0" },
    only: { type: "string" },
    json: { type: "string" },
  },
});

const spin = "for (;;);";
const by_turns = `
  const turn = () => {
    for (const end = Date.now() + 2000; Date.now() < end; );
    setTimeout(turn, 2000);
  };
  turn();`;
const stream = `
  const [a, b] = [0, 1].map(() => new Float64Array(2 ** 24).fill(1));
  for (;;) { a.set(b); b.set(a); }`;

/** The programs of each load, in the order in which they are tried. */
const loads = {
  none: [],
  "one loop": [spin],
  "two loops": [spin, spin],
  "four loops": [spin, spin, spin, spin],
  "by turns": [by_turns, by_turns],
  streaming: [stream],
};
const is_name = (name) => Object.hasOwn(loads, name);
const counts = [values.runs, values.coverage].map(Number);
if (!counts.every((n) => n >= 0 && Number.isInteger(n)) || !is_name(values.only ?? "none")) {
  const names = Object.keys(loads).join(", ");
  console.error(`bench: expected ${usage}, with whole numbers and LOAD one of ${names}`);
  process.exit(2);
}
const [runs, coverage_runs] = counts;
const tried = Object.keys(loads).filter(
  (name) => name === "none" || name === (values.only ?? name),
);

/** Runs `work` while the programs of a load run. */
async function under(load, work) {
  const programs = loads[load].map((code) => spawn(process.execPath, ["-e", code]));
  try {
    await new Promise((resolve) => setTimeout(resolve, programs.length > 0 ? 500 : 0));
    return await work();
  } finally {
    for (const program of programs) program.kill("SIGKILL");
  }
}

/** One press on the home page, in a fresh page without stored results: its answer and numbers. */
async function home_run(browser, url) {
  const { page } = await open_watched(browser, url);
  try {
    await page.evaluate(() => localStorage.clear());
    await page.reload({ waitUntil: "load" });
    const id = await page.$eval(".hero", (bench) => bench.id);
    const { status } = await run_bench(page, id);
    const text = await page.evaluate((key) => localStorage.getItem(key), profile_key);
    if (text === null) return { state: "nothing", status };
    const profile = JSON.parse(text);
    const { state } = answer_of(profile, { roofs: true });
    return { state, status, lost_share: profile.lost_share, ...numbers_of(profile) };
  } finally {
    await page.close();
  }
}

/** {arithmetic, memory}: each {value, low, high, is_trusted}, or null. */
function numbers_of(profile) {
  const standing = standing_of(profile);
  const of = (range_name, ...names) => {
    const is_it = ({ class: c }) => names.includes(c.isa ?? c.level) && (c.threads ?? 1) === 1;
    const roof = profile.roofs.filter(is_it).sort((a, b) => b.value - a.value)[0];
    if (roof) return { value: roof.value, low: roof.low, high: roof.high, is_trusted: true };
    const range = standing.state === "range" ? standing[range_name] : null;
    return range && { value: (range.low + range.high) / 2, ...range, is_trusted: false };
  };
  return { arithmetic: of("arithmetic", "fma", "simd"), memory: of("memory", "out") };
}

const kernels = [
  { kernel: "peak.fma", params: { chains: 12 } },
  { kernel: "peak.simd", params: { chains: 12 } },
  { kernel: "peak.scalar", params: { chains: 12 } },
  { kernel: "stream.read", params: { w: 2 ** 14 } },
  { kernel: "stream.read", params: { w: 2 ** 22 } },
  { kernel: "stream.read", params: { w: 2 ** 26 } },
  { kernel: "stream.copy", params: { w: 2 ** 26 } },
  { kernel: "latency.chase", params: { w: 2 ** 17 } },
  { kernel: "matmul.packed", params: { n: 512 } },
  { kernel: "matmul.naive", params: { n: 240 } },
];

/** The results of the ten kernels, measured once by the console of /machine/. */
async function kernel_run(browser, url) {
  const { page } = await open_watched(browser, `${url}machine/`);
  try {
    return await page.evaluate(async (wanted) => {
      const options = { only: [], runs: wanted, roofs: false, quick: true };
      return (await globalThis.primer.measure(options)).results;
    }, kernels);
  } finally {
    await page.close();
  }
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const percent = (share) => `${(100 * share).toFixed(0)} %`;

/** Prints a bar with the figure that was found; `met` is null if nothing was found. */
function bar(met, words) {
  if (met === false) process.exitCode = 1;
  console.log(`${met === null ? "none  " : met ? "met   " : "MISSED"} ${words}`);
}

const farthest = { arithmetic: 0.1, memory: 0.2 };
const units = { arithmetic: "GFLOP/s", memory: "GB/s" };

/** The bars over all home runs of one browser: {load: [run]}. */
function judge_loads(kind, found) {
  const quiet = Object.fromEntries(
    Object.keys(farthest).map((name) => [
      name,
      median(found.none.map((run) => run[name]?.value).filter(Boolean)),
    ]),
  );
  for (const [load, list] of Object.entries(found)) {
    const states = list.map(({ state }) => state).join(" ");
    const shown = Object.keys(farthest).map((name) => {
      const words = list.map((run) => {
        const { value, low, high, is_trusted } = run[name] ?? {};
        if (!value) return "-";
        return is_trusted ? value.toFixed(1) : `${low.toFixed(0)} to ${high.toFixed(0)}`;
      });
      return `${units[name]} ${words.join(", ")}`;
    });
    console.log(`${kind}, ${load}: ${states}\n  ${shown.join("\n  ")}`);
  }
  for (const [name, most] of Object.entries(farthest)) {
    const all = Object.values(found).flatMap((list) => list.map((run) => run[name]));
    const trusted = all.filter((one) => one?.is_trusted);
    const outside = trusted.filter(({ low, high }) => quiet[name] < low || quiet[name] > high);
    const far = trusted.filter(({ value }) => Math.abs(value / quiet[name] - 1) > most);
    const share = outside.length / trusted.length;
    bar(
      trusted.length > 0 ? share <= 0.1 : null,
      `${kind}: ${outside.length} of ${trusted.length} trusted numbers for ${name} exclude the quiet median ${quiet[name]?.toFixed(1)} from their interval (<= 10 %)`,
    );
    bar(
      trusted.length > 0 ? far.length === 0 : null,
      `${kind}: ${far.length} trusted numbers for ${name} are more than ${percent(most)} from it (0)`,
    );
  }
  const unanswered = Object.values(found)
    .flat()
    .filter(({ state }) => state === "nothing" || state === "doubtful");
  bar(
    unanswered.length === 0,
    `${kind}: ${unanswered.length} runs end without a number or a range (0)`,
  );
  const busy = found["one loop"] ?? [];
  const narrow = busy.filter(({ arithmetic }) => {
    const { low, high } = arithmetic ?? {};
    return (high - low) / (high + low) < 0.15;
  });
  bar(
    busy.length > 0 ? narrow.length >= 0.8 * busy.length : null,
    `${kind}: ${narrow.length} of ${busy.length} runs with one loop give arithmetic within ± 15 % (>= 80 %)`,
  );
}

/** The bars over repeated runs of ten kernels, pooled: [[result of each kernel] of each run]. */
function judge_coverage(name, all, is_quiet) {
  const widths = [];
  let [inside, count] = [0, 0];
  for (const i of kernels.keys()) {
    const results = all
      .map((run) => run[i])
      .filter((r) => r?.status === "measured" && !is_doubtful(r));
    if (results.length === 0) continue;
    const truth = median(results.map((r) => r.median));
    for (const result of results) {
      const { low, high } = interval_of(result);
      count += 1;
      if (low <= truth && truth <= high) inside += 1;
      widths.push((high - low) / 2 / result.median);
    }
  }
  const share = inside / count;
  bar(
    count > 0 ? share >= 0.85 && share <= 0.97 : null,
    `${name}: ${inside} of ${count} intervals contain the median of all runs (85 to 97 %)`,
  );
  if (is_quiet)
    bar(
      count > 0 ? median(widths) <= 0.08 : null,
      `${name}: the median interval is ± ${count > 0 ? percent(median(widths)) : "-"} (<= 8 %)`,
    );
}

const server = await serve(site);
const record = {};
try {
  for (const kind of browser_kinds) {
    const browser = await open_browser(kind);
    const repeat = async (times, work) => {
      const list = [];
      for (let i = 0; i < times; ++i) list.push(await work());
      return list;
    };
    try {
      const found = {};
      for (const load of tried)
        found[load] = await under(load, () => repeat(runs, () => home_run(browser, server.url)));
      if (runs > 0) judge_loads(kind, found);
      record[kind] = { loads: found };
      for (const load of coverage_runs > 0 ? ["none", "two loops"] : []) {
        const all = await under(load, () =>
          repeat(coverage_runs, () => kernel_run(browser, server.url)),
        );
        judge_coverage(`${kind}, ${load}`, all, load === "none");
        record[kind][load] = all;
      }
    } finally {
      await browser.close();
    }
  }
} finally {
  await server.close();
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(record)}\n`);
