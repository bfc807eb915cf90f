// /teaching/: each lesson has all its parts and takes 45 minutes, and the expected results are
// those of the recorded machines.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const page = read("chapters/en/pages/teaching.md");
const profile_of = (name) => JSON.parse(read(`figures/profiles/${name}.json`));
const profiles = ["reference-chromium", "reference-firefox", "zen5-chromium", "zen5-firefox"].map(
  profile_of,
);

const result = ({ results }, kernel, params, threads = 1) =>
  results.find(
    (one) =>
      one.kernel === kernel &&
      (one.threads ?? 1) === threads &&
      Object.entries(params).every(([name, value]) => (one.params[name] ?? 0) === value),
  ).median;
const roof = ({ roofs }, name) =>
  roofs.find(
    ({ class: its, device }) =>
      device === "cpu" && [its.isa, its.level].includes(name) && (its.threads ?? 1) === 1,
  ).value;

const packed = (n) => ["matmul.packed", { n, m: 0, tile: 0 }];
const chase = { w: 2 ** 26, order: 1 };
const rows = (batch) => ["matvec.f32", { rows: 4096, cols: 8192, batch }];
const weights = { rows: 8192, cols: 8192 };

/** The value of a profile for each row of the table, in the row's unit. */
const expected = {
  "1. Ridge": (p) => roof(p, "fma") / roof(p, "out"),
  "2. FLOP/s of matmul over triad": (p) =>
    result(p, ...packed(512)) / (result(p, "stream.triad", { w: 2 ** 26 }) * (2 / 12)),
  "3. One chain of pointers": (p) => 64 / result(p, "latency.chase", chase),
  "3. Sixteen chains": (p) => result(p, "parallelism.chase", { ...chase, chains: 16 }),
  "4. Packed over naive matmul": (p) =>
    result(p, ...packed(1000)) / result(p, "matmul.naive", { n: 1000, m: 0 }),
  "5. Naive loop, 1,000 over 1,024": (p) =>
    result(p, "matmul.naive", { n: 1000, m: 8 }) / result(p, "matmul.naive", { n: 1024, m: 8 }),
  "6. 24 rows over one row": (p) => result(p, ...rows(24)) / result(p, ...rows(1)),
  "8. int8 over fp32 weights": (p) =>
    result(p, "matvec.i8", weights) / result(p, "matvec.f32", weights),
  "8. int4 over int8 weights": (p) =>
    result(p, "matvec.i4", weights) / result(p, "matvec.i8", weights),
  "9. All-reduce, two cores": (p) => result(p, "allreduce.ring", { bytes: 2 ** 20 }, 2),
  "10. One vector, share of its roof": (p) =>
    (100 * result(p, "matvec.f32", weights)) / (roof(p, "out") / 2),
};

test("the expected results are those of the recorded machines", () => {
  const lines = page.split("\n").filter((line) => /^\| \d+\. /.test(line));
  const names = lines.map((line) => line.split(" | ")[0].slice(2));
  assert.deepEqual(names, Object.keys(expected));
  for (const [i, line] of lines.entries()) {
    const cells = [...line.matchAll(/<calc: ([\d.]+)>/g)].map(([, number]) => Number(number));
    assert.equal(cells.length, profiles.length, names[i]);
    for (const [at, profile] of profiles.entries()) {
      const value = expected[names[i]](profile);
      assert.ok(Math.abs(cells[at] / value - 1) < 1e-4, `${names[i]}: ${cells[at]} for ${value}`);
    }
  }
});

test("the GPU's factors are those of the recorded H100", () => {
  const h100 = profile_of("h100-webgpu");
  const matmul = (kind) => result(h100, `gpu.matmul.${kind}`, { n: 1024, m: 0 });
  const found = [...page.matchAll(/<calc: 16843 \/ ([\d.]+)>/g)].map(([, number]) =>
    Number(number),
  );
  assert.equal(found.length, 2);
  for (const [i, kind] of ["naive", "strided"].entries())
    assert.ok(Math.abs(found[i] / matmul(kind) - 1) < 1e-4, kind);
  assert.ok(Math.abs(16843 / matmul("tuned") - 1) < 1e-4);
});

test("ten lessons of 45 minutes, each with all its parts", () => {
  const lessons = page.split(/^## (?=Lesson \d+:)/m).slice(1);
  assert.equal(lessons.length, 10);
  const parts = [
    "Goal",
    "Before the lesson",
    "Predict",
    "Measure",
    "Expect",
    "Discuss",
    "Problems",
  ];
  for (const [i, text] of lessons.entries()) {
    const lesson = text.split(/^## /m)[0];
    assert.ok(lesson.startsWith(`Lesson ${i + 1}:`));
    for (const part of [...parts, "Common mistakes", "For slides"])
      assert.match(lesson, new RegExp(`\\*\\*${part}[.:]?\\*\\*`), `lesson ${i + 1}: ${part}`);
    const minutes = [...lesson.matchAll(/\*\*, (\d+) minutes/g)].map(([, n]) => Number(n));
    assert.equal(
      minutes.reduce((sum, n) => sum + n, 0),
      45,
      `lesson ${i + 1}`,
    );
    assert.match(lesson, /\((easy|medium|hard)\)/, `lesson ${i + 1}: difficulty`);
  }
});
