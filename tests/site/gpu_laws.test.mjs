// The laws of the simulated GPUs, each compared with a machine small enough to compute by hand.
import assert from "node:assert/strict";
import { test } from "node:test";

import * as law from "../machines/gpu_simulator/closed_forms.mjs";

const gpu = {
  clock: {
    ...{ idle_ghz: 0.5, full_ghz: 2, ramp_ms_to_full: 100 },
    curve_under_load: [
      [0, 2],
      [10, 2],
      [20, 1],
    ],
  },
  caches: [
    { kib: 64, instances: 4, latency_ns: 20, read_gbs_all: 1000 },
    { kib: 1024, instances: 1, latency_ns: 100, read_gbs_all: 400 },
  ],
  memory: { read_gbs: 100, latency_ns: 400, kib_in_flight_to_fill: 40, fetch_bytes: 64 },
  compute: {
    ...{ fp32_tflops_sustained: 2, f16_ratio: 2, units: 4, fp32_lanes_per_unit: 64 },
    registers_per_lane: { spill_above: 60, spill_slowdown: 5 },
    int8_dot: { ops_over_fp32_flops: 4 },
  },
  subgroups: { compiled: 32 },
};
const is_near = (a, b, share = 1e-9) => assert.ok(Math.abs(a / b - 1) <= share, `${a}, not ${b}`);

test("a curve is linear between its points and constant outside", () => {
  const curve = [
    [1, 10],
    [3, 20],
  ];
  assert.deepEqual(
    [0, 1, 2, 3, 9].map((x) => law.on_curve(curve, x)),
    [10, 10, 15, 20, 20],
  );
});

test("the clock rises with work, and heat bounds it", () => {
  assert.equal(law.clock_ghz(gpu, { warm_ms: 0, load_s: 0 }), 0.5);
  assert.equal(law.clock_ghz(gpu, { warm_ms: 50, load_s: 0 }), 1.25);
  assert.equal(law.clock_ghz(gpu, { warm_ms: 500, load_s: 0.5 }), 2);
  assert.equal(law.clock_ghz(gpu, { warm_ms: 500, load_s: 30 }), 1);
});

test("a cache holds sets that fit, then a falling share, and outer levels include inner ones", () => {
  const shares = (w) => law.hit_shares(gpu, w, { apart: false, power: 3 });
  assert.deepEqual(shares(32 * 1024), [1, 1]);
  assert.deepEqual(
    shares(512 * 1024).map((h) => h > 0.5),
    [false, true],
  );
  is_near(shares(128 * 1024)[0], (0.95 / 2) ** 3);
  is_near(law.hit_shares(gpu, 512 * 1024, { apart: true, power: 3 })[0], (0.95 / 2) ** 3);
});

test("a read is as fast as its level, and slower with too few bytes on their way", () => {
  const ns = (w, in_flight) =>
    law.read_ns(gpu, { bytes: 1e6, w, apart: false, in_flight, speed: 1 });
  is_near(ns(32 * 1024, 1e9), 1e6 / 1000);
  is_near(ns(2 ** 34, 1e9), 1e6 / 100, 1e-6);
  is_near(ns(2 ** 34, 10 * 1024), (4 * 1e6) / 100, 1e-6);
  const slow = { bytes: 1e6, w: 32 * 1024, apart: false, in_flight: 1e9, speed: 0.5 };
  is_near(law.read_ns(gpu, slow), 2e6 / 1000);
});

test("one lane waits for the level that holds its set", () => {
  is_near(law.chase_ns(gpu, 32 * 1024, 1), 20);
  is_near(law.chase_ns(gpu, 2 ** 40, 1), 400, 1e-6);
  const far = { ...gpu, memory: { ...gpu.memory, single_lane_latency_ns: 600 } };
  is_near(law.chase_ns(far, 2 ** 40, 1), 600, 1e-6);
});

test("arithmetic needs lanes, suffers from spilled registers, and knows its types", () => {
  const rate = (more) =>
    law.operations_per_ns(gpu, { type: "f32", lanes: 1e6, live: 40, speed: 1, ...more });
  is_near(rate({}), 2000);
  is_near(rate({ live: 61 }), 400);
  is_near(rate({ lanes: 512 }), 1000);
  is_near(rate({ type: "f16" }), 4000);
  is_near(rate({ type: "i8", speed: 0.5 }), 4000);
});

test("memory fetches whole sectors, warps pay for each path, banks for each word", () => {
  assert.deepEqual(
    [1, 4, 16, 64].map((s) => law.fetched_for_float(gpu, s)),
    [4, 16, 64, 64],
  );
  assert.equal(
    law.paths_paid(gpu, (lane) => lane % 2, 256),
    2,
  );
  assert.equal(
    law.paths_paid(gpu, (lane) => Math.floor(lane / 32) % 2, 256),
    1,
  );
  assert.deepEqual(
    [1, 2, 32, 33].map((s) => law.bank_conflict(gpu, s)),
    [1, 2, 32, 1],
  );
});
