// The Python scripts of the chapters run, and print what the chapters show below them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const folder = "chapters/code";
const imports_numpy = (python) => spawnSync(python, ["-c", "import numpy"]).status === 0;
const python = ["python3", "/usr/bin/python3"].find(imports_numpy);

function output_of(script, ...options) {
  assert.ok(python, "no python3 has NumPy: run scripts/setup");
  const run = spawnSync(python, [`${folder}/${script}`, ...options], {
    encoding: "utf8",
    env: { ...process.env, OPENBLAS_NUM_THREADS: "1" },
  });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.trimEnd();
}

/** What the chapter that lists a script shows in the block of text after the listing. */
function shown_below(script) {
  const texts = readdirSync("chapters/en").filter((name) => name.endsWith(".md"));
  const pages = texts.map((name) => readFileSync(`chapters/en/${name}`, "utf8"));
  const page = pages.find((text) => text.includes(`source: ${folder}/${script}\n`));
  assert.ok(page, `no chapter lists ${script}`);
  const [, after] = page.split(`source: ${folder}/${script}\n`);
  return /```text\n(.*?)\n```/s.exec(after)[1];
}

const without_numbers = (text) => text.replaceAll(/\d+\.\d+/g, "#").replaceAll(/ +/g, " ");

test("every script is here", () => {
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".py"));
  assert.deepEqual(scripts.toSorted(), ["ch2_matmul.py", "ch4_systolic.py", "ch7_int4.py"]);
});

test("chapter 2 times three ways to multiply", () => {
  const lines = output_of("ch2_matmul.py", "48", "64").split("\n");
  const ways = lines.map((line) => /^n = +(\d+) +(\w+) +\d+\.\d{3} GFLOP\/s$/.exec(line).slice(1));
  const pairs = ["48", "64"].flatMap((n) => ["loops", "dots", "at"].map((way) => [n, way]));
  assert.deepEqual(ways, pairs);
  const recorded = without_numbers(shown_below("ch2_matmul.py"));
  const form = without_numbers(lines[0].replace("48", "256"));
  assert.ok(recorded.startsWith(form), "what chapter 2 shows has the form of what is printed");
});

test("chapter 4 counts cycles, and each product is right", () => {
  assert.equal(output_of("ch4_systolic.py"), shown_below("ch4_systolic.py").trimEnd());
});

test("chapter 7 rounds to four bits", () => {
  // The random numbers are NumPy's, which may change them with a version: the errors within a tenth.
  const numbers = (text) => text.match(/\d+(\.\d+)?/g).map(Number);
  const [now, shown] = [output_of("ch7_int4.py"), shown_below("ch7_int4.py")];
  assert.equal(without_numbers(now), without_numbers(shown));
  for (const [i, value] of numbers(now).entries()) {
    const stated = numbers(shown)[i];
    assert.ok(Math.abs(value - stated) <= 0.1 * stated, `${value} where ${stated} is shown`);
  }
});
