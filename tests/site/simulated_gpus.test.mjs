// Simulated GPUs (tests/machines/gpus/), measured like on the page: every sentence and every number
// must be true of the machine. The known false ones are in one list, which may only become shorter.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { false_numbers, false_sentences } from "../machines/gpu_simulator/oracle.mjs";
import { gpus, simulated } from "../machines/gpu_simulator/session.mjs";
import { full_suite } from "../../site/runtime/gpu/measure.js";

const known_false = JSON.parse(
  readFileSync(new URL("../machines/gpu_simulator/known_false.json", import.meta.url), "utf8"),
);

// Chromium; Firefox, which only periodically checks whether the GPU is done; Safari before 26.
const modes = { chromium: {}, firefox: { is_firefox: true, tick_ms: 1 } };
const safari = { without_timestamps: true, tick_ms: 1 };
const cases = [
  ...Object.keys(gpus).flatMap((id) => Object.keys(modes).map((name) => [id, name, modes[name]])),
  ["apple_m2_gpu", "safari", safari],
];

for (const [id, name, how] of cases) {
  describe(`${gpus[id].name}, ${name}`, () => {
    test("all sentences are true, except those known to be false", async () => {
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

test("the list of false sentences names only tested GPUs", () => {
  const tried = new Set(cases.map(([id, name]) => `${id} ${name}`));
  assert.deepEqual(
    Object.keys(known_false).filter((key) => !tried.has(key)),
    [],
  );
});

test("a GPU with a small buffer limit measures everything else, and reports what needs more", async () => {
  const phone = gpus.adreno_750;
  const { profile } = await simulated(phone, { runs: full_suite });
  const of_gpu = profile.results.filter(({ device }) => device === "gpu");
  const needs_more = /^it needs \d+ MiB in one array, and this GPU allows 128$/;
  const refused = of_gpu.filter(({ reason }) => needs_more.test(reason ?? ""));
  const [measured, others] = ["measured", "unavailable"].map((wanted) =>
    of_gpu.filter((result) => result.status === wanted && !refused.includes(result)),
  );
  assert.equal(phone.limits.storage_binding_mib, 128);
  assert.ok(refused.length > 0 && measured.length > 100, `${measured.length} measured`);
  const reasons = others
    .map(({ reason }) => reason)
    .filter((reason) => !/ ms, too long/.test(reason));
  assert.deepEqual(reasons, []);
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

/** `gpu` with a clock that needs `ramp_ms` of work to rise, and then stays. */
const slow_to_wake = (gpu, ramp_ms) => {
  const { full_ghz } = gpu.clock;
  const clock = { ...gpu.clock, ramp_ms_to_full: ramp_ms, curve_under_load: [[0, full_ghz]] };
  return { ...gpu, clock };
};
const tuned = { kernel: "gpu.matmul.tuned", params: { n: 1024, m: 256, k: 1024 } };

test("blocks race once the clock is up", async () => {
  const { profile } = await simulated(slow_to_wake(gpus.rtx_4090, 700), { runs: [tuned] });
  const { median } = profile.results.find(({ kernel }) => kernel === tuned.kernel);
  const [winner] = profile.choices[0].rates;
  const ratio = winner.value / median;
  assert.ok(Math.abs(ratio - 1) < 0.03, `${ratio.toFixed(3)} of what it then does`);
});

test("a clock that rises all the while favours no block", async () => {
  const rates = async (gpu) => {
    const { profile } = await simulated(gpu, { runs: [tuned] });
    const list = profile.choices[0].rates;
    return new Map(list.map(({ tile, value }) => [tile, value / list[0].value]));
  };
  const [risen, rising] = [
    await rates(slow_to_wake(gpus.rtx_4090, 100)),
    await rates(slow_to_wake(gpus.rtx_4090, 2000)),
  ];
  for (const [tile, share] of risen) {
    const apart = rising.get(tile) / share;
    assert.ok(Math.abs(apart - 1) < 0.06, `${tile}: ${apart.toFixed(3)} of its share`);
  }
});

test("caches of 16 KiB show, and all four of a GPU that has four", async () => {
  const sweep = full_suite.filter(({ kernel }) => kernel === "gpu.sweep");
  const caches = async (gpu) => {
    const { profile } = await simulated(gpu, { runs: sweep });
    return profile.levels.filter(({ bytes }) => bytes > 0).map(({ bytes }) => bytes / 1024);
  };
  for (const id of ["mali_g715", "adreno_750"]) {
    const [first] = await caches(gpus[id]);
    assert.ok(first > 10 && first < 24, `${id}: its first cache holds ${first} KiB`);
  }
  const found = await caches(gpus.rx_7900_xtx);
  assert.equal(found.length, gpus.rx_7900_xtx.caches.length, found.join());
});
