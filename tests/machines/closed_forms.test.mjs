// Compares the simulator's closed forms with values worked out by hand.
import assert from "node:assert/strict";
import { test } from "node:test";

import * as forms from "./simulator/closed_forms.mjs";

const near = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected), `${actual}, not ${expected}`);

// Two fused pipes with latency 4, each with one pair per cycle, 16 registers, four instructions per
// cycle.
const vector = {
  ...{ fma_pipes: 2, fma_accumulate_latency: 4, add_latency: 3, mul_latency: 4, issue_width: 4 },
  ...{ unfused_pairs_per_cycle: 1, registers_for_wasm: 16, int8_dot: { ops_per_cycle: 64 } },
};
const load = { ports_128: 2, bytes_per_cycle_128: 32 };

test("a curve is linear between its points and constant outside", () => {
  const curve = [
    [0, 3],
    [10, 2],
    [20, 2.5],
  ];
  assert.deepEqual(
    [-1, 0, 5, 10, 14, 20, 99].map((x) => forms.at_curve(curve, x)),
    [3, 3, 2.5, 2, 2.2, 2.5, 2.5],
  );
});

test("what levels hold: all of a small set, a power of the rest, never less further out", () => {
  const levels = [{ bytes: 1000 }, { bytes: 10_000 }, { bytes: 5000 }];
  assert.deepEqual(forms.held_shares(levels, 950, 2), [1, 1, 1]);
  const [first, second, third] = forms.held_shares(levels, 1900, 2);
  near(first, 0.25); // (950 / 1900)²
  assert.deepEqual([second, third], [1, 1]);
  near(forms.held_shares(levels, 19_000, 3)[1], 0.125); // (9500 / 19000)³
  near(forms.held_shares(levels, 19_000, 3)[2], 0.125); // 5000 alone would hold 0.0156
});

test("other data push a set out of the nearer levels first", () => {
  const levels = [{ bytes: 1000 }, { bytes: 10_000 }];
  assert.deepEqual(forms.held_shares(levels, 500, 2, 500), [0.5, 0.95]);
  assert.deepEqual(forms.held_shares(levels, 500, 2, 1e6), [0, 0]);
});

test("streams: the sum over levels, or the units where they are slower", () => {
  const set = { bytes: 1000, shares: [0.5, 0.75], rates: [100, 50], memory_gbs: 10 };
  // 500/100, 250/50, 250/10.
  near(forms.stream_ns({ ...set, bytes_per_cycle: 48, ghz: 3 }), 5 + 5 + 25);
  near(forms.stream_ns({ ...set, bytes_per_cycle: 4, ghz: 3 }), 1000 / 12);
  const units = { ports: 3, add_pipes: 2, add_latency: 3 };
  assert.equal(forms.read_bytes_per_cycle({ ...units, chains: 12 }), 32);
  near(forms.read_bytes_per_cycle({ ...units, chains: 1 }), 16 / 3);
});

test("chases: lines of two nodes halve what memory costs", () => {
  const chase = { shares: [0.25, 0.5], waits: [1, 5, 100], spacing: 64 };
  near(forms.chase_ns({ ...chase, units: [64, 64] }), 0.25 + 1.25 + 50);
  near(forms.chase_ns({ ...chase, units: [64, 128] }), 0.25 + 1.25 + 0.5 * 52.5);
});

test("translation: misses of both buffers, up to what random order costs at all", () => {
  const tlb = { l1_entries: 50, l2_entries: 100, l2_hit_extra_cycles: 6, walk_ns: 40 };
  near(forms.translation_ns({ pages: 200, tlb, ghz: 3, most_ns: 99 }), 0.75 * 2 + 0.5 * 40);
  assert.equal(forms.translation_ns({ pages: 200, tlb, ghz: 3, most_ns: 9 }), 9);
  assert.equal(forms.translation_ns({ pages: 50, tlb, ghz: 3, most_ns: 99 }), 0);
});

test("chases at once: as many as misses fly, and no faster than lines come", () => {
  const load_of = (chains, memory_gbs = 64) =>
    forms.parallel_chase_ns({ step_ns: 80, chains, misses_in_flight: 10, line: 64, memory_gbs });
  assert.deepEqual(
    [1, 4, 16].map((chains) => load_of(chains)),
    [80, 20, 8],
  );
  assert.equal(load_of(16, 4), 16); // 64 B at 4 GB/s
});

test("fused chains: latency, then pipes, then instructions, then what spills", () => {
  assert.equal(forms.fused_cycles(1, vector, 2), 4);
  assert.equal(forms.fused_cycles(8, vector, 2), 4);
  assert.equal(forms.fused_cycles(12, vector, 2), 6);
  assert.equal(forms.fused_cycles(17, { ...vector, registers_for_wasm: 16 }, 2), 8.5 + 2 + 2);
  assert.equal(forms.fused_cycles(8, { ...vector, issue_width: 2 }, 2), 5);
});

test("apart: both latencies, pairs, and two instructions a chain", () => {
  assert.equal(forms.apart_cycles(1, vector, 2), 7);
  assert.equal(forms.apart_cycles(14, vector, 2), 14);
  assert.equal(forms.apart_cycles(16, vector, 2), 16 + 1 + 1);
  assert.equal(forms.apart_cycles(15, { ...vector, issue_width: 2 }, 2), 16);
});

test("dot products of bytes: eight operations a cycle and chain, up to the units", () => {
  assert.equal(forms.dot_cycles(1, vector), 4);
  assert.equal(forms.dot_cycles(8, vector), 4);
  assert.equal(forms.dot_cycles(16, vector), 8);
});

test("tiles: 6 × 8 keeps two pipes full, 8 × 8 spills, 4 × 8 waits for instructions", () => {
  const kind = { vector, load };
  assert.equal(forms.tile_cycles(6, 8, kind), 6.25); // 12 + 2 + 6 + 5 instructions, four a cycle
  assert.equal(forms.tile_cycles(6, 8, { vector: { ...vector, issue_width: 6 }, load }), 6);
  assert.equal(forms.tile_cycles(8, 8, kind), 1.5 * 8); // 16 sums: fewer registers than needed
  assert.equal(forms.product_cycles({ m: 7, n: 9, k: 10, rows: 6, columns: 8 }, kind), 4 * 62.5);
});

test("a product's bytes: both packed twice, C for each 256; a quarter of them is hidden", () => {
  assert.equal(forms.product_bytes({ m: 2, n: 3, k: 4 }), 64 + 96 + 48);
  assert.equal(forms.product_bytes({ m: 2, n: 3, k: 4, prepacked: 1 }), 64 + 48 + 48);
  assert.equal(forms.product_bytes({ m: 1, n: 1, k: 512 }), 8192 + 16);
  assert.deepEqual([forms.product_ns(100, 25), forms.product_ns(100, 40)], [100, 115]);
  assert.equal(forms.mixed_ns(100, 40), 104);
});

test("rest takes load back, and threads take the fast cores first, then siblings", () => {
  near(forms.rested(100, 60, 60), 100 / Math.E);
  const groups = [
    { kind: "P", count: 2, smt: 2 },
    { kind: "E", count: 2, smt: 1 },
  ];
  const seated = (n) => forms.seats(groups, n).map(({ cores, siblings }) => [cores, siblings]);
  assert.deepEqual(seated(3), [
    [2, 0],
    [1, 0],
  ]);
  assert.deepEqual(seated(5), [
    [2, 1],
    [2, 0],
  ]);
  assert.deepEqual(seated(99), [
    [2, 2],
    [2, 0],
  ]);
});
