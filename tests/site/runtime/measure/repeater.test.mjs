// A kernel repeated until stopped, on a module whose speed and clock are invented.
import assert from "node:assert/strict";
import { test } from "node:test";

import { longest_ms, repeat_kernel } from "../../../../site/runtime/measure/repeater.js";

const kernel = {
  id: "peak.simd",
  unit: "GFLOP/s",
  class: "simd",
  params: [{ name: "n", unit: "", default: 512, min: 1, max: 4096 }],
};

/**
 * A module with one kernel: `gflops(seconds)` and `ghz(seconds)` are its rate and clock at a time.
 */
function machine({ gflops = () => 10, ghz = () => 2, room = true, error = 0 } = {}) {
  let ms = 0;
  let params = null;
  const calls = [];
  const module = {
    heap_base: 4096,
    canary_ops: 1,
    select: (_, given) => (params = given),
    memory_needed: () => 1000,
    reserve: () => room,
    prepare: () => calls.push(`prepare ${params.n}`),
    flops: () => params.n * 1e3,
    bytes: () => 0,
    run: (_, base, reps) => {
      assert.equal(base % 64, 0);
      ms += (reps * params.n * 1e3) / (gflops(ms / 1e3) * 1e6);
    },
    canary: (iterations) => (ms += iterations / (ghz(ms / 1e3) * 1e6)),
    verify: () => calls.push("verify") && { error, tolerance: 0.5 },
  };
  const now = () => {
    ms += 1e-4;
    return Math.floor(ms / 0.005) * 0.005;
  };
  return { module, now, calls, pause: async (time) => (ms += time), time: () => ms };
}

/** The readings until `until(readings, ms)` returns true. */
async function readings_of(made, until) {
  const readings = [];
  const end = await repeat_kernel({
    ...{ module: made.module, kernel, params: { n: 512 } },
    ...{ now: made.now, pause: made.pause, tell: (one) => readings.push(one) },
    is_stopped: () => until(readings, made.time()),
  });
  return { readings, end };
}

test("readings come every tenth of a second with the clock beside them, until stopped", async () => {
  const falling = (seconds) => (seconds < 3 ? 4 : 3);
  const made = machine({ gflops: (s) => 10 * falling(s), ghz: falling });
  const { readings, end } = await readings_of(made, (all) => (all.at(-1)?.at ?? 0) > 6);
  assert.ok(readings.length > 40 && readings.length < 65, `${readings.length} readings in 6 s`);
  const near = (value, wanted) =>
    assert.ok(Math.abs(value / wanted - 1) < 0.03, `${value}, ${wanted}`);
  near(readings[3].value, 40);
  near(readings[3].ghz, 4);
  near(readings.at(-1).value, 30);
  near(readings.at(-1).ghz, 3);
  assert.ok(readings.every(({ at }, i) => i === 0 || at > readings[i - 1].at));
  assert.deepEqual([end.readings, end.verified], [readings.length, true]);
  assert.equal(made.calls.at(-1), "verify");
  assert.ok(made.calls.includes("prepare 512"), "after the short calls of the warm-up");
});

test("stopped at once it has no reading and checks a run all the same", async () => {
  const made = machine();
  const { readings, end } = await readings_of(made, () => true);
  assert.deepEqual([readings, end.readings, end.verified], [[], 0, true]);
});

test("a wrong result is reported, and missing memory is an error in words", async () => {
  const { end } = await readings_of(machine({ error: 1 }), (all) => all.length >= 2);
  assert.equal(end.verified, false);
  await assert.rejects(
    readings_of(machine({ room: false }), () => true),
    /it needs more memory than/,
  );
});

test("whoever forgets it has it ended after half an hour", async () => {
  const made = machine();
  const { readings } = await readings_of(made, () => false);
  assert.ok(readings.at(-1).at * 1e3 < longest_ms + 1000);
  assert.ok(readings.length <= 18_001);
});
