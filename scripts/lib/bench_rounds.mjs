// What the benches of kernels share: those who take part ("twins") answer the requests that
// tests/bench/twin.hpp lists; samples are taken in turn, so that all meet the same minute.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";

import { check_replaceable } from "./profile_file.mjs";
import { median, plateau, quantile, ranked } from "../../site/runtime/base/stats.js";

const KiB = 2 ** 10;
const MiB = 2 ** 20;
const race_ms = 12;
const race_rounds = 6;
const patience_ms = 60_000;
export const tiles = [408, 508, 608, 616]; // who wins anywhere that was measured

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

/** The twin, but one that gives no answer for a minute is out for the rest of the run. */
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
 * Of the values that the row's `race` offers the fastest for this twin; {} where it takes none. They take
 * turns, as in the page's own race: one after the other, a second in which a neighbour has the core would
 * be one entrant's alone.
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

/** What a twin measures for a row: the row, what it has for it in `own_row`, or null, nothing. */
const task_of = ({ own_row }, row) =>
  typeof own_row === "function" ? own_row(row) : (own_row ?? row);

/**
 * `samples` of `sample_ms` of every twin that knows the row, round by round, then checked. A twin
 * with `own_row` (a row, or a function of the row that may give null) measures that instead, in the
 * same rounds. `say(words)` hears how far it is. Map of a twin's name to {best, median, chosen,
 * rates} in the row's unit, where equal places of two `rates` are of one round. Throws when a result
 * is wrong.
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
  const counts_bytes = unit_of(row) === "GB/s"; // latency counts loads, a matvec's weights are bytes
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
  // Gives large memory back before the next row.
  for (const { twin } of able) await twin.ask("prepare peak.scalar chains=1");
  return results;
}

/** Prints rows as they are measured, one column for each name. `note(results, name)` adds to a cell. */
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

/** Prints each bar {what, value, bar} and whether it holds. */
export function print_bars(bars) {
  const percent = (x) => `${(100 * x).toFixed(1)} %`;
  for (const { what, value, bar } of bars) {
    const word = value >= bar ? "holds " : "MISSED";
    console.log(`${word}  ${percent(value).padStart(8)} (bar ${percent(bar)})  ${what}`);
  }
}

/**
 * Says how far a bench is, on stderr: one line that is drawn again where there is a terminal, else a
 * line for each row. {row(words), say(words), end()}.
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

/** Throws Error in words where keep() would replace anything but what it wrote. */
export const check_kept_place = (file) =>
  check_replaceable(file, (bytes) => {
    const { rows, bars } = JSON.parse(bytes);
    return Array.isArray(rows) && Array.isArray(bars);
  });

/** Keeps what is measured so far; called after every row, so that nothing is lost with a machine. */
export function keep(file, measured, bars) {
  const rows = measured.map(({ row, results }) => ({
    name: name_of(row),
    unit: unit_of(row),
    results: Object.fromEntries(results),
  }));
  writeFileSync(file, JSON.stringify({ cpu: cpus()[0]?.model, rows, bars }, null, 1));
}
