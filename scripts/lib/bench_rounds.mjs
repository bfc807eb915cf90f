// Shared by the benchmarks of kernels. Participants ("twins") answer the requests listed in
// tests/bench/twin.hpp. They are sampled in turns, so that disturbances affect all of them.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";

import { check_replaceable } from "./profile_file.mjs";
import { median, plateau, quantile, ranked } from "../../site/runtime/base/stats.js";

const KiB = 2 ** 10;
const MiB = 2 ** 20;
const race_ms = 12;
const race_rounds = 6;
const patience_ms = 60_000;
export const tiles = [408, 508, 608, 616]; // all tiles that have won a race anywhere

export const name_of = ({ kernel, params = {} }) => {
  const words = Object.entries(params).map(([key, value]) => {
    const size = key !== "w" ? value : value % MiB ? `${value / KiB}KiB` : `${value / MiB}MiB`;
    return `${key}=${size}`;
  });
  return words.length ? `${kernel}{${words.join(",")}}` : kernel;
};

export function unit_of({ kernel, level }) {
  if (kernel === "latency.chase") return "Gload/s";
  return kernel.startsWith("stream.") || level === "weights" ? "GB/s" : "GFLOP/s";
}

/** The twin, but excluded for the rest of the run once it has not answered for a minute. */
export function patient(twin) {
  let is_out = false;
  const ask = async (line) => {
    if (is_out) return { refused: "it no longer answers" };
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => {
        is_out = true;
        process.stderr.write(`${twin.name}: no answer to "${line}" in ${patience_ms / 1e3} s\n`);
        resolve({ refused: "it no longer answers" });
      }, patience_ms);
    });
    const answer = await Promise.race([twin.ask(line), late]);
    clearTimeout(timer);
    return answer;
  };
  return { ...twin, ask };
}

const request = ({ kernel }, params) =>
  ["prepare", kernel, ...Object.entries(params).map(([k, v]) => `${k}=${v}`)].join(" ");

/**
 * The fastest of the values in the row's `race` for this twin; {} if it takes none. The values take
 * turns, as in the page's race. Otherwise, a second in which another process has the core would
 * affect only one of them.
 */
async function raced(twin, row) {
  if (!row.race || twin.is_peer) return {};
  const offers = row.race === "tile" ? { tile: tiles } : row.race;
  const [[name, values]] = Object.entries(offers);
  const entrants = values.map((offer) => ({ offer, rates: [] }));
  for (let round = 0; round < race_rounds; ++round) {
    for (const { offer, rates } of entrants) {
      const { refused } = await twin.ask(request(row, { ...row.params, [name]: offer }));
      if (refused) continue;
      const { seconds, flops } = await twin.ask(`sample ${row.race_ms ?? race_ms}`);
      rates.push(flops / seconds);
    }
  }
  const timed = entrants.map(({ offer, rates }) => {
    return { offer, value: plateau(rates.filter(Number.isFinite)) };
  });
  const [winner] = ranked(timed.filter(({ value }) => value > 0));
  return winner ? { [name]: winner.offer } : {};
}

/**
 * What a twin measures for a row: the row, its own version of the row (`own_row`), or nothing
 * (null).
 */
const task_of = ({ own_row }, row) =>
  typeof own_row === "function" ? own_row(row) : (own_row ?? row);

/**
 * Takes `samples` of `sample_ms` of every twin that supports the row, round by round, then checks
 * the results. A twin with `own_row` (a row, or a function of the row that may return null)
 * measures that row in the same rounds. Calls `say(words)` with the progress. Returns a Map from
 * the name of a twin to {best, median, chosen, rates} in the row's unit; equal indices in two
 * `rates` are from the same round. Throws if a result is wrong.
 */
export async function measure(row, twins, samples, sample_ms, say = () => {}) {
  const able = [];
  for (const twin of twins) {
    const task = task_of(twin, row);
    if (!task) continue;
    say(`preparing ${twin.name}`);
    const chosen = await raced(twin, task);
    const { refused } = await twin.ask(request(task, { ...task.params, ...chosen }));
    if (!refused) able.push({ twin, chosen, rates: [] });
    else if (!/^no such kernel|^it |^OpenBLAS stands/.test(refused))
      process.stderr.write(`${twin.name}: ${name_of(row)}: ${refused}\n`);
  }
  // A latency counts loads, a matvec counts bytes of weights
  const counts_bytes = unit_of(row) === "GB/s";
  for (let round = 0; round < samples; ++round) {
    say(`round ${round + 1} of ${samples}`);
    for (const entry of able) {
      const { seconds, flops, bytes, refused } = await entry.twin.ask(`sample ${sample_ms}`);
      entry.rates.push(refused ? NaN : (counts_bytes ? bytes : flops) / seconds / 1e9);
    }
  }
  const results = new Map();
  for (const { twin, chosen, rates } of able) {
    say(`checking ${twin.name}`);
    const { error, tolerance, refused } = await twin.ask("verify");
    const timed = rates.filter(Number.isFinite);
    if (refused || !timed.length) continue;
    if (!(error <= tolerance))
      throw new Error(`${twin.name}: ${name_of(row)} is wrong by ${error}`);
    results.set(twin.name, { best: quantile(timed, 0.9), median: median(timed), chosen, rates });
  }
  // Frees large memory before the next row.
  for (const { twin } of able) await twin.ask("prepare peak.scalar chains=1");
  return results;
}

/** Prints rows as they are measured, one column per name. `note(results, name)` adds to a cell. */
export function print_table(names, note) {
  const widths = names.map((name) => Math.max(name.length, 15));
  const print = (head, cells) =>
    console.log([head.padEnd(38), ...cells.map((cell, i) => cell.padStart(widths[i]))].join("  "));
  print("", names);
  return (row, results) =>
    print(
      `${name_of(row)} ${unit_of(row)}`,
      names.map((name) => {
        const found = results.get(name);
        return found ? `${found.best.toPrecision(3)}${note(results, name)}` : "–";
      }),
    );
}

/** Prints each target {what, value, bar} and whether it is met. */
export function print_bars(bars) {
  const percent = (x) => `${(100 * x).toFixed(1)} %`;
  for (const { what, value, bar } of bars) {
    const word = value >= bar ? "holds " : "MISSED";
    console.log(`${word}  ${percent(value).padStart(8)} (bar ${percent(bar)})  ${what}`);
  }
}

/**
 * Reports progress on stderr: on a terminal as one line that is redrawn, otherwise as one line per
 * row. Returns {row(words), say(words), end()}.
 */
export function progress_line(stream = process.stderr) {
  let head = "";
  const draw = (words) => {
    const width = (stream.columns || 80) - 1;
    stream.write(`\r\x1b[K${words.slice(0, width)}`);
  };
  return {
    row(words) {
      head = words;
      if (!stream.isTTY) stream.write(`${words}\n`);
    },
    say: (words) => stream.isTTY && draw(`${head}: ${words}`),
    end: () => stream.isTTY && draw(""),
  };
}

export const headline = (samples) =>
  `${new Date().toISOString()}, ${cpus()[0]?.model}, ${samples} samples each, 90th percentile`;

/** Throws Error if keep() would replace a file that it did not write. */
export const check_kept_place = (file) =>
  check_replaceable(file, (bytes) => {
    const { rows, bars } = JSON.parse(bytes);
    return Array.isArray(rows) && Array.isArray(bars);
  });

/** Saves the results so far. Called after every row, so that a crash loses nothing. */
export function keep(file, measured, bars) {
  const rows = measured.map(({ row, results }) => ({
    name: name_of(row),
    unit: unit_of(row),
    results: Object.fromEntries(results),
  }));
  writeFileSync(file, JSON.stringify({ cpu: cpus()[0]?.model, rows, bars }, null, 1));
}
