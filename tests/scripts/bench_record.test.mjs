// The race that scripts/bench peers records for the book: its facts, and that the figure names the
// versions that ran.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { plain_name, text_of, with_race } from "../../scripts/lib/bench_record.mjs";

const file = "chapters/facts/races.json";
const about = {
  ...{ label: "Chromium", version: "Chrome/156.0.8", cpu: "Intel(R) Xeon(R) Processor" },
  ...{ day: "23 November 2026", samples: "3", versions: { "@litertjs/core": "2.5.3" } },
};
const twin = (rates) => ({ rates, median: rates.toSorted((a, b) => a - b)[1] });
const race = (n, more = {}) => ({
  row: { form: "dynamic", params: { n }, ...more },
  results: new Map([
    ["Chromium relaxed", twin([40, 50, 60])],
    ["Chromium relaxed roof", twin([56, 56, 56])],
    ["Chromium litert", twin([20, 40, 30])],
  ]),
});

test("medians, and the median of the rounds' own ratios", () => {
  const facts = with_race({}, about, [race(512)]);
  assert.equal(
    facts["race-chromium"].title,
    "Products of n × n floats in Chromium 156, one core (Intel Xeon), 23 November 2026",
  );
  assert.equal(facts["race-chromium.n512.ours"].value, "50.0 GFLOP/s");
  assert.equal(facts["race-chromium.n512.litert"].value, "30.0 GFLOP/s");
  assert.match(facts["race-chromium.n512.litert"].note, /^LiteRT\.js 2\.5\.3; .* 3 rounds$/);
  assert.equal(facts["race-chromium.n512.over-litert"].value, "2.00"); // of 2, 1.25 and 2
  assert.ok(!("race-chromium.n512.tfjs" in facts));
});

test("a run continues where another ended, only on the same machine", () => {
  const first = with_race({}, about, [race(512), race(37, { form: "small" })]);
  assert.ok(!Object.keys(first).some((id) => id.includes("n37")));
  const both = with_race(first, { ...about, day: "24 November 2026" }, [race(768)]);
  assert.ok("race-chromium.n512.ours" in both && "race-chromium.n768.ours" in both);
  assert.match(both["race-chromium"].title, /24 November 2026$/);
  const elsewhere = { ...about, cpu: "AMD EPYC 9R14 96-Core Processor" };
  assert.throws(() => with_race(first, elsewhere, [race(768)]), /another machine or browser/);
  assert.equal(plain_name(elsewhere.cpu), "AMD EPYC 9R14 96-Core");
});

test("the book's file is as the bench writes it, and its figure names the versions in it", () => {
  const text = readFileSync(file, "utf8");
  const facts = JSON.parse(text);
  assert.equal(text_of(facts), text);
  const { rows } = JSON.parse(readFileSync("figures/specs/race.json", "utf8"));
  const said = Object.entries(facts)
    .filter(([id]) => /\.n512\.(litert|jax-js|tfjs|onnxruntime)$/.test(id))
    .map(([, { note }]) => note.split(";")[0]);
  assert.equal(said.length, 4);
  for (const name of said)
    assert.ok(
      rows.some(({ label }) => label === name),
      `the figure has no row called ${name}`,
    );
});
