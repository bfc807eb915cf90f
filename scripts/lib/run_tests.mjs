#!/usr/bin/env node
// Runs test files, each in a separate process, several at the same time: run_tests.mjs [--at-once
// N] [--again] FILE… Prints a line per file when it ends (seconds, CPU seconds in brackets, tests),
// all failures, skipped tests and notes ("# note: …"), and finally the closing lines of node --test
// summed over all files. Files with the comment "// Takes minutes." start first, then the largest
// files, so that a short one ends last. Exit status 1: a test failed, or a file ended without a
// result. With --again, failed files run once more at the end, alone; that result counts, because a
// browser on a busy machine may be seconds late. The output contains both.
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

import { SharedBrowsers } from "./shared_browsers.mjs";

const counts = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"];
const takes_minutes = /^\/\/ Takes minutes\.$/m;
const limit_ms = 15 * 60_000; // per file
const silence_ms = 8_000; // until the running files are reported

/**
 * Parses a file's TAP output: counts, failures, skipped tests and notes; null if the closing lines
 * are missing.
 */
export function read_tap(text) {
  const count = (name) => new RegExp(`^# ${name} (\\d+)$`, "m").exec(text)?.[1];
  if (counts.some((name) => count(name) === undefined)) return null;
  const lines = text.split("\n");
  const failures = [];
  lines.forEach((line, first) => {
    if (!/^\s*not ok /.test(line)) return;
    const end = lines.findIndex((other, i) => i > first && /^\s*\.\.\.$/.test(other));
    const block = lines.slice(first, end < 0 ? first + 1 : end + 1);
    // A suite that failed because of its subtests is not reported again.
    if (!block.some((other) => /failureType: 'subtestsFailed'/.test(other)))
      failures.push(block.join("\n"));
  });
  return {
    ...Object.fromEntries(counts.map((name) => [name, Number(count(name))])),
    failures,
    skips: lines.filter((line) => /^\s*(not )?ok .*# SKIP/.test(line)).map((line) => line.trim()),
    notes: [
      ...new Set(lines.filter((line) => /^\s*# note: /.test(line)).map((line) => line.trim())),
    ],
  };
}

/** The result of a file without output: one failed test. */
const lost = (words) => ({
  ...Object.fromEntries(counts.map((name) => [name, name === "tests" || name === "fail" ? 1 : 0])),
  failures: [words],
  skips: [],
  notes: [],
});

const count_busy = fileURLToPath(new URL("count_busy.py", import.meta.url));

/**
 * Runs one file: {file, seconds, busy, errors, ...counts}; `shared` is the address of shared
 * browsers.
 */
function run(file, shared) {
  return new Promise((done) => {
    const began = Date.now();
    const command = [
      count_busy,
      process.execPath,
      "--test-reporter=tap",
      "--test-reporter-destination=stdout",
      file,
    ];
    const child = spawn("python3", command, {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      detached: true,
      env: { ...process.env, SHARED_BROWSERS: shared },
    });
    const heard = ["", "", "", ""];
    for (const fd of [1, 2, 3])
      child.stdio[fd].setEncoding("utf8").on("data", (text) => (heard[fd] += text));
    const stop = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It has just ended.
      }
    };
    // SIGTERM first, so that the file can close its browsers.
    const late = [
      ["SIGTERM", 0],
      ["SIGKILL", 10_000],
    ].map(([signal, ms]) => setTimeout(stop, limit_ms + ms, signal));
    const leave = () => stop("SIGTERM");
    process.once("exit", leave);
    child.on("close", (code) => {
      late.forEach(clearTimeout);
      process.off("exit", leave);
      const read =
        read_tap(heard[1]) ?? lost(`${file} ended without a result, with ${code}:\n${heard[1]}`);
      const result = code === 0 || has_failed(read) ? read : lost(`${file} ended with ${code}`);
      const seconds = (Date.now() - began) / 1000;
      done({ file, seconds, busy: Number(heard[3]), errors: heard[2], ...result });
    });
  });
}

const has_failed = ({ fail, cancelled }) => fail + cancelled > 0;

function say(result) {
  const { file, seconds, busy, tests, failures, skips, notes, errors } = result;
  const word = has_failed(result) ? "FAIL" : "ok";
  const time = `${seconds.toFixed(1).padStart(6)} s (${busy.toFixed(1).padStart(5)})`;
  console.log(`${word.padEnd(4)} ${time} ${String(tests).padStart(4)} tests  ${file}`);
  for (const line of [...skips, ...notes]) console.log(`       ${line}`);
  if (has_failed(result)) console.log([...failures, errors].join("\n"));
}

/**
 * Runs all files, `at_once` at the same time, and reports each with `say`. With `again`, failed
 * files run once more alone. Resolves to the sums.
 */
export async function run_all(files, at_once, again = false) {
  const length = (file) =>
    takes_minutes.test(readFileSync(file, "utf8")) ? Infinity : statSync(file).size;
  const waiting = [...files].sort((a, b) => length(b) - length(a) || 0);
  const running = new Set();
  const results = new Map();
  let last = Date.now();
  const pulse = setInterval(() => {
    if (Date.now() - last < silence_ms) return;
    last = Date.now();
    console.log(`...  ${[...running].join(", ")}; ${waiting.length} files to come`);
  }, 1000);
  const browsers = new SharedBrowsers();
  await browsers.listen();
  const lane = async (_, i) => {
    const name = String(i);
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      running.add(file);
      const before = await browsers.busy(name);
      const result = await run(file, browsers.address(name));
      result.busy += (await browsers.busy(name)) - before;
      if (has_failed(result)) await browsers.end(name);
      running.delete(file);
      last = Date.now();
      say(result);
      results.set(file, result);
    }
  };
  await Promise.all(Array.from({ length: at_once }, lane));
  if (again) {
    waiting.push(...files.filter((file) => has_failed(results.get(file))));
    if (waiting.length > 0) console.log(`once more, alone: ${waiting.join(", ")}`);
    await lane(null, 0);
  }
  await browsers.close();
  clearInterval(pulse);
  const sum = (name) => [...results.values()].reduce((all, result) => all + result[name], 0);
  return Object.fromEntries(counts.map((name) => [name, sum(name)]));
}

async function main(args) {
  const at_once = args[0] === "--at-once" ? Number(args.splice(0, 2)[1]) : 1;
  const again = args[0] === "--again" && args.splice(0, 1).length > 0;
  if (args.length === 0 || !(at_once >= 1)) {
    console.error("run_tests.mjs [--at-once N] [--again] FILE…");
    return 2;
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));
  const began = Date.now();
  const sums = await run_all(args, at_once, again);
  for (const name of counts) console.log(`# ${name} ${sums[name]}`);
  console.log(`# duration_ms ${Date.now() - began}`);
  return has_failed(sums) ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  process.exitCode = await main(process.argv.slice(2));
