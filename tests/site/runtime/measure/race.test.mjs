// The tile race with a module whose tiles run at invented rates, and the profile's statements about
// its machine.
import assert from "node:assert/strict";
import { test } from "node:test";

import { detect } from "../../../../site/runtime/kernels/detect.js";
import {
  known_choice,
  leaves_tile,
  race_tiles,
  why_it_won,
} from "../../../../site/runtime/measure/race.js";
import { machine_summary } from "../../../../site/runtime/profile/machine_summary.js";
import { derive_roofs } from "../../../../site/runtime/measure/roofs.js";
import { result_words } from "../../../../site/runtime/profile/result_text.js";

const count = (name, fallback, choices) => ({
  name,
  unit: "",
  default: fallback,
  min: 0,
  max: 4096,
  ...(choices ? { choices } : {}),
});
const kernel = {
  id: "matmul.packed",
  variant: "",
  index: 0,
  unit: "GFLOP/s",
  params: [
    count("n", 512),
    count("m", 0),
    count("k", 0),
    count("tile", 0, [0, 408, 508, 608, 616]),
  ],
};

/** A module whose tile runs at `rates[tile]` GFLOP/s, with a clock that ticks every `tick` ms. */
function track({ rates, tick = 0.1, wrong = 0, memory = 2 ** 30, disturb = () => 0 }) {
  let t = 1000;
  let tile = 0;
  const flops = 2 * 240 * 240 * 256;
  const module = {
    registry: [kernel],
    heap_base: 65536,
    select: (_, params) => {
      tile = params.tile;
    },
    flops: () => flops,
    memory_needed: () => 2 ** 20,
    reserve: (bytes) => bytes <= memory,
    prepare: () => {},
    run: (_, base, reps) => {
      t += (reps * flops) / (rates[tile] * 1e6) + disturb(tile);
    },
    verify: () => ({ error: tile === wrong ? 1 : 0, tolerance: 0 }),
  };
  const now = () => {
    t += 1e-4;
    return Math.floor(t / tick) * tick;
  };
  const pause = async (ms) => {
    t += ms;
  };
  return { module, now, pause, x86: true, elapsed: () => t - 1000 };
}

for (const tick of [0.005, 0.1, 1]) {
  test(`the fastest tile wins, with a clock that ticks by ${tick} ms`, async () => {
    const course = track({ rates: { 408: 48, 508: 55, 608: 50, 616: 30 }, tick });
    const { tile, why, rates } = await race_tiles(course);
    assert.equal(tile, 508);
    assert.equal(rates[0].tile, 508);
    assert.equal(rates.length, 4);
    assert.match(
      why,
      /^5 × 8 won with 5\d(\.\d)? GFLOP\/s: its 10 sums .* fill 13 vector registers/,
    );
    assert.ok(course.elapsed() < 1000, `it took ${course.elapsed()} ms`);
  });
}

test("the first in the list wins a tie, so that the choice is stable", async () => {
  const { tile } = await race_tiles(track({ rates: { 408: 30, 508: 50, 608: 50.3, 616: 20 } }));
  assert.equal(tile, 508);
});

test("a disturbed call does not cost the fastest tile the race", async () => {
  let calls = 0;
  const disturb = (tile) => (tile === 608 && ++calls % 5 === 0 ? 8 : 0);
  const { tile } = await race_tiles(
    track({ rates: { 408: 40, 508: 45, 608: 55, 616: 30 }, disturb }),
  );
  assert.equal(tile, 608);
});

test("a tile that computes something wrong cannot win", async () => {
  const rates = { 408: 40, 508: 45, 608: 55, 616: 30 };
  assert.equal((await race_tiles(track({ rates, wrong: 608 }))).tile, 508);
});

test("no memory, no race; the kernel's own tile is used then", async () => {
  const rates = { 408: 40, 508: 45, 608: 55, 616: 30 };
  assert.equal(await race_tiles(track({ rates, memory: 2 ** 10 })), null);
});

test("an engine that joins vectors is recognised by what cannot fit otherwise", () => {
  const rates = (wide) => [
    { tile: 616, value: wide },
    { tile: 608, value: 55 },
    { tile: 508, value: 50 },
  ];
  assert.match(why_it_won(rates(100), true), /joins two neighboring vectors of 128 bits into one/);
  assert.doesNotMatch(why_it_won(rates(58), true), /joins/);
  assert.match(why_it_won(rates(100), false), /there are registers for its 24 sums/);
});

test("an earlier choice counts for the same browser and module only, and if it is a tile", () => {
  const kept = { kernel: "matmul.packed", module: "relaxed", browser: "B 1", tile: 608, why: "w" };
  const ours = { module: "relaxed", browser: "B 1" };
  assert.equal(known_choice([kept], [kernel], ours), kept);
  assert.equal(known_choice([kept], [kernel], { ...ours, browser: "B 2" }), null);
  assert.equal(known_choice([kept], [kernel], { ...ours, module: "simd128" }), null);
  for (const bad of [[{ ...kept, tile: 999 }], [{ ...kept, why: 1 }], [null], "x", undefined])
    assert.equal(known_choice(bad, [kernel], ours), null);
  assert.ok(leaves_tile({ kernel, params: { tile: 0 } }));
  assert.ok(!leaves_tile({ kernel, params: { tile: 608 } }));
});

test("x86 and fused multiply-add are found by arithmetic", () => {
  assert.equal(detect().x86, process.arch === "x64");
  assert.equal(detect({}).x86, false);
  assert.equal(detect({}).fused, false);
});

// A machine's curves: read bandwidth and latency of working sets that double from 8 KiB.
const sweep = (kernel_id, unit, last, value_at) =>
  Array.from({ length: Math.log2(last) - 12 }, (_, i) => 2 ** (13 + i)).map((w) => ({
    kernel: kernel_id,
    params: { w },
    threads: 1,
    unit,
    status: "measured",
    verified: true,
    flags: [],
    best: value_at(w),
    median: value_at(w),
  }));
const outermost = (last, latency, bandwidth) =>
  derive_roofs([
    ...sweep("latency.chase", "ns", last, latency),
    ...sweep("stream.read", "GB/s", last, bandwidth),
  ]).levels.at(-1);

test("the outermost level is memory, a cache, or unknown", () => {
  const latency = (far) => (w) => (w <= 2 ** 15 ? 1.3 : w <= 2 ** 20 ? 5 : w <= 2 ** 24 ? 20 : far);
  const bandwidth = (w) => (w <= 2 ** 20 ? 90 : w <= 2 ** 24 ? 50 : 12);
  assert.equal(outermost(2 ** 28, latency(95), bandwidth).reached, "memory");
  // Equally flat, once a large cache responds:
  assert.equal(outermost(2 ** 28, latency(45), bandwidth).reached, "unclear");
  // Still rising at its end:
  const rising = (w) => 5 + w / 2 ** 22;
  assert.equal(outermost(2 ** 28, rising, bandwidth).reached, "cache");
  // Flat and slow, but not far beyond the last knee:
  assert.equal(outermost(2 ** 26, latency(95), bandwidth).reached, "unclear");
});

test("a profile in sentences: what was measured, and nothing else", () => {
  const profile = {
    clock_ghz: 3,
    devices: [{ id: "cpu", kind: "cpu", features: ["simd", "relaxed", "fused"] }],
    roofs: [
      { device: "cpu", class: { isa: "simd", threads: 1 }, unit: "GFLOP/s", value: 34 },
      { device: "cpu", class: { isa: "fma", threads: 1 }, unit: "GFLOP/s", value: 48 },
    ],
    levels: [
      { device: "cpu", name: "L1", bytes: 49152, bytes_error: 8192, latency_ns: 1.7, read_gbs: 90 },
      { device: "cpu", name: "out", latency_ns: 45, read_gbs: 28, reached: "unclear" },
    ],
    choices: [{ kernel: "matmul.packed", tile: 608, why: "6 × 8 won" }],
    results: [1, 8].map((chains) => ({
      kernel: "parallelism.chase",
      params: { w: 2 ** 26, order: 0, chains },
      status: "measured",
      median: 80 / chains,
    })),
  };
  const text = machine_summary(profile).join("\n");
  for (const words of [
    "16.0 operations per cycle: as much as 2.0 vector units of four",
    "one instruction that rounds once, at 1.4 times",
    "Tiles compared for matmul: 6 × 8 won.",
    "L1 holds between 40.7 KiB and 56.7 KiB, answers in 1.70 ns and reads at 90.0 GB/s",
    "slowest level that this page measured reads at 28.0 GB/s",
    "It is either memory",
    "has at least 8.0 misses in flight",
  ])
    assert.ok(text.includes(words), `${words}\nnot in\n${text}`);
  const chase = (chains, median) => ({
    ...{ kernel: "parallelism.chase", params: { w: 2 ** 26, order: 0, chains }, median },
    status: "measured",
  });
  const two_states = machine_summary({ results: [chase(1, 213), chase(16, 11.5)] }).join(" ");
  assert.match(two_states, /the number of misses in flight is undecided/); // not 19
  const rising = machine_summary({
    ...profile,
    levels: [{ name: "out", read_gbs: 9, reached: "cache" }],
  });
  assert.match(rising.join("\n"), /still in a cache, so this is not the speed of memory/);
  assert.deepEqual(machine_summary({}), []);
});

test("a slice of rows is called one, a product that is not square is not", () => {
  const result = (params) => ({
    ...{ kernel: "matmul.naive", status: "measured", median: 0.5, mad: 0.01, unit: "GFLOP/s" },
    params,
  });
  const slice = "0.500 ± 0.03 GFLOP/s (on 16 of 1024 rows)";
  assert.equal(result_words(result({ n: 1024, m: 16, k: 0 })), slice);
  assert.equal(result_words(result({ n: 1024, m: 0, k: 0 })), "0.500 ± 0.03 GFLOP/s");
  assert.equal(result_words(result({ n: 1024, m: 16, k: 64 })), "0.500 ± 0.03 GFLOP/s");
});
