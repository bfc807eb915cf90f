// Ten GPUs whose truth is known (tests/machines/gpus/), measured as the page does it: every sentence and
// every number that comes out has to be true of the machine. What is still false stands in one list,
// which may only become shorter.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { false_numbers, false_sentences } from "../machines/gpu_simulator/oracle.mjs";
import { gpus, simulated } from "../machines/gpu_simulator/session.mjs";

const known_false = JSON.parse(
  readFileSync(new URL("../machines/gpu_simulator/known_false.json", import.meta.url), "utf8"),
);

// As Chromium has it; Firefox, which looks only now and then whether the GPU is done; Safari before 26.
const modes = { chromium: {}, firefox: { is_firefox: true, tick_ms: 1 } };
const safari = { without_timestamps: true, tick_ms: 1 };
const cases = [
  ...Object.keys(gpus).flatMap((id) => Object.keys(modes).map((name) => [id, name, modes[name]])),
  ["apple_m2_gpu", "safari", safari],
];

for (const [id, name, how] of cases) {
  describe(`${gpus[id].name}, ${name}`, () => {
    test("what is said is true, but for what is known to be false", async () => {
      const { profile, sentences } = await simulated(gpus[id], how);
      assert.ok(sentences.length > 2, "it was measured");
      const found = [
        ...false_sentences(sentences, gpus[id], how),
        ...false_numbers(profile, gpus[id], how),
      ];
      assert.deepEqual(found, known_false[`${id} ${name}`] ?? []);
    });
  });
}

test("the list of what is false names only what is tried", () => {
  const tried = new Set(cases.map(([id, name]) => `${id} ${name}`));
  assert.deepEqual(
    Object.keys(known_false).filter((key) => !tried.has(key)),
    [],
  );
});

test("a last cache that holds half of the largest read is noticed, where heat does not hide it", async () => {
  const { mi300x } = gpus;
  const clock = { ...mi300x.clock, curve_under_load: [[0, mi300x.clock.full_ghz]] };
  const { profile } = await simulated({ ...mi300x, clock });
  const largest = profile.results.find((r) => r.kernel === "gpu.read" && r.params.w === 0);
  assert.ok(largest.flags.includes("in-cache"), largest.flags.join());
});

test("on a laptop with two GPUs the one that ran is named, and that another may be there", async () => {
  const second = gpus[gpus.rtx_3050_laptop.second_adapter.id];
  const { sentences } = await simulated({ ...second, os: "Windows" });
  assert.match(sentences[0], /^The GPU “intel gen-12lp” probably shares/);
  assert.match(sentences[1], /On Windows it may not be the fastest one of this computer/);
});
