// The Python scripts of the chapters run, and print what the chapters show below them.
// Reads the book.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { is_full } from "../rounds.mjs";

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

/** The expected output: the text block that follows the listing of a script in its chapter. */
function shown_below(script) {
  const texts = readdirSync("chapters/en").filter((name) => name.endsWith(".md"));
  const pages = texts.map((name) => readFileSync(`chapters/en/${name}`, "utf8"));
  const page = pages.find((text) => text.includes(`source: ${folder}/${script}\n`));
  assert.ok(page, `no chapter lists ${script}`);
  const [, after] = page.split(`source: ${folder}/${script}\n`);
  return /```text\n(.*?)\n```/s.exec(after)[1];
}

const without_numbers = (text) => text.replaceAll(/\d+\.\d+/g, "#").replaceAll(/ +/g, " ");

const of_torch = ["ch0_block.py", "ch1_roof.py", "ch3_launches.py", "ch5_floor.py"];
const of_numpy = [
  "ch2_matmul.py",
  "ch4_systolic.py",
  "ch7_int4.py",
  "ch8_sheet.py",
  "interlude_balance.py",
];

// They need an NVIDIA GPU and are listed without output, because every reader's output differs.
const of_cuda = ["ch1_gpu.py"];

test("every script is here", () => {
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".py"));
  assert.deepEqual(scripts.toSorted(), [...of_torch, ...of_cuda, ...of_numpy].toSorted());
});

test("those of PyTorch on a CPU are listed with their output, and Python can read all of them", () => {
  for (const script of of_torch) assert.ok(shown_below(script).length > 0, script);
  for (const script of [...of_torch, ...of_cuda]) {
    const read = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
    const run = spawnSync(python, ["-c", read, `${folder}/${script}`], { encoding: "utf8" });
    assert.equal(run.status, 0, run.stderr);
  }
});

test(
  "PyTorch scripts run with Debian 13's packages, and print in the form shown",
  { skip: !is_full && "fetches 211 MB: in a full run" },
  () => {
    for (const script of of_torch) {
      const run = spawnSync("scripts/torch", [`${folder}/${script}`], { encoding: "utf8" });
      assert.equal(run.status, 0, run.stderr);
      const form = (text) =>
        text
          .replaceAll(/[\d.]+/g, "#")
          .replaceAll(/ +/g, " ")
          .trim();
      assert.equal(form(run.stdout), form(shown_below(script)), script);
    }
  },
);

test("chapter 3's kernels add up, and chapter 5 takes their number", () => {
  const lines = shown_below("ch3_launches.py").split("\n");
  const sum = Number(/^(\d+) kernels/.exec(lines.pop())[1]);
  const all = lines.reduce((total, line) => total + Number.parseInt(line, 10), 0);
  assert.equal(all, sum);
  assert.match(
    readFileSync("chapters/en/05-one-chip.md", "utf8"),
    new RegExp(`starts ${all} kernels`),
  );
});

const facts = JSON.parse(readFileSync("chapters/facts/chips.json", "utf8"));
const claims = JSON.parse(readFileSync("chapters/facts/claims.json", "utf8"));
/** "3.35 TB/s" → 3.35e12. */
const amount = ({ value }) => {
  const [, number, prefix] = /^([\d.,]+) ([EPTG]?)/.exec(value);
  return Number(`${number.replaceAll(",", "")}e${{ E: 18, P: 15, T: 12, G: 9, "": 0 }[prefix]}`);
};
/** The numbers in a line of Python, including computed ones: "197e12, 819e9". */
const numbers_of = (text) => text.match(/\d[\d.]*e\d+/g).map(Number);

test("the interlude divides the chips' facts, and shows what its script prints", () => {
  assert.equal(output_of("interlude_balance.py"), shown_below("interlude_balance.py").trimEnd());
  const line = /^machines = (.*?)^}/ms.exec(
    readFileSync(`${folder}/interlude_balance.py`, "utf8"),
  )[1];
  const chips = ["tpu-v5e", "a100-sxm-80", "h100-sxm", "h200-sxm"];
  const stated = chips.flatMap((chip) =>
    ["peak.bf16", "bandwidth"].map((what) => amount(facts[`${chip}.${what}`])),
  );
  assert.deepEqual(numbers_of(line), stated);
});

test("chapter 8's sheets are the facts, and it shows what its script prints", () => {
  assert.equal(output_of("ch8_sheet.py"), shown_below("ch8_sheet.py").trimEnd());
  const script = readFileSync(`${folder}/ch8_sheet.py`, "utf8");
  const [first, second] = script
    .split('"MI455X"')
    .map((text) => numbers_of(text.split("}\nweights")[0]));
  const names = ["peak.bf16", "peak.fp8", "bandwidth", "link", "pod-peak"];
  assert.deepEqual(
    first,
    names.map((name) => amount(facts[`tpu-v7.${name}`])),
  );
  const announced = ["peak-bf16", "peak-fp4", "bandwidth", "memory"];
  assert.deepEqual(
    second,
    announced.map((name) => amount(claims[`mi455x-${name}`])),
  );
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
  // The random numbers come from NumPy, which may change them between versions, so the errors have
  // a tolerance of a tenth.
  const numbers = (text) => text.match(/\d+(\.\d+)?/g).map(Number);
  const [now, shown] = [output_of("ch7_int4.py"), shown_below("ch7_int4.py")];
  assert.equal(without_numbers(now), without_numbers(shown));
  for (const [i, value] of numbers(now).entries()) {
    const stated = numbers(shown)[i];
    assert.ok(Math.abs(value - stated) <= 0.1 * stated, `${value} where ${stated} is shown`);
  }
});
