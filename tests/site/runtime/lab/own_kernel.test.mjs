// A kernel under the roofs: what limits it, and the sentences about it, on machines with round
// numbers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { kernel_sentences, kernel_spec } from "../../../../site/runtime/lab/kernel_words.js";
import {
  bits_of,
  judge,
  roofs_of_chip,
  roofs_of_profile,
  types,
} from "../../../../site/runtime/lab/own_kernel.js";

const giga = 1e9;
const roof = (name, value, threads = 1) => ({
  device: "cpu",
  class: /^(L\d|out)$/.test(name) ? { level: name, threads } : { isa: name, threads },
  value,
});
/** 100 GFLOP/s over 20 GB/s: a ridge at 5 FLOP/B. */
const machine = {
  roofs: [
    ...[roof("scalar", 8), roof("simd", 50), roof("fma", 100), roof("i8dot", 400)],
    ...[roof("fma", 350, 4), roof("out", 20), roof("L1", 200), roof("L2", 80)],
    { device: "gpu", class: { isa: "fma" }, value: 9e5 },
  ],
  levels: [
    { device: "cpu", name: "L1", read_gbs: 200 },
    { device: "cpu", name: "L2", read_gbs: 80 },
    { device: "cpu", name: "out", read_gbs: 20, latency_ns: 100 },
  ],
  results: [
    {
      kernel: "stream.read",
      threads: 4,
      params: { w: 2 ** 20 },
      median: 300,
      status: "measured",
      verified: true,
    },
    {
      kernel: "stream.read",
      threads: 4,
      params: { w: 2 ** 28 },
      median: 40,
      status: "measured",
      verified: true,
    },
  ],
  cores: { reported: 8, usable: 8 },
};
const kernel = (flop, bytes, seconds, more = {}) => ({
  ...{ flop: flop * giga, bytes: bytes * giga, seconds, type: "fp32", cores: 1 },
  ...more,
});
const judged = (one, profile = machine) => judge(one, roofs_of_profile(profile, one));
const close = (value, wanted) =>
  assert.ok(Math.abs(value / wanted - 1) < 1e-9, `${value} is not ${wanted}`);

test("a kernel left of the corner is bounded by memory, one right of it by arithmetic", () => {
  const left = judged(kernel(20, 10, 0.6));
  assert.deepEqual([left.roof, left.waits], ["memory", "memory"]);
  for (const [value, wanted] of [
    [left.intensity, 2],
    [left.ridge, 5],
    [left.rate, (20 / 0.6) * giga],
    [left.limit, 40 * giga],
    [left.share, 20 / 0.6 / 40],
    [left.at_roof, 0.5],
  ])
    close(value, wanted);
  const right = judged(kernel(100, 10, 1.25));
  assert.deepEqual([right.roof, right.waits], ["arithmetic", "arithmetic"]);
  close(right.share, 0.8);
});

test("what it waits for follows from its own numbers", () => {
  const waits = (one, profile) => judged(one, profile).waits;
  assert.equal(waits(kernel(1, 10, 0.2)), "cache", "50 GB/s where memory has 20");
  assert.equal(judged(kernel(1, 10, 0.2)).level, "L2", "the outermost that is fast enough");
  assert.equal(judged(kernel(1, 10, 0.06)).level, "L1");
  assert.equal(waits(kernel(1, 10, 0.01)), "beyond", "1 TB/s is in no cache");
  assert.equal(waits(kernel(100, 1, 0.5)), "beyond", "twice the ceiling");
  assert.equal(waits(kernel(50, 10, 1)), "both", "0.5 s of arithmetic and 0.5 s of bytes");
  assert.equal(waits(kernel(0.1, 10, 10 / 0.64)), "latency", "64 bytes in each 100 ns");
  assert.equal(waits(kernel(70, 1, 10)), "vectors", "7 of the 8 GFLOP/s of single numbers");
  assert.equal(waits(kernel(100, 1, 1.1, { cores: 4 })), "threads", "91 GFLOP/s on four cores");
  assert.equal(waits(kernel(25, 1, 1)), "unknown");
  const cold = { ...machine, levels: machine.levels.filter(({ name }) => name !== "out") };
  assert.equal(waits(kernel(0.1, 10, 10 / 0.64), cold), "unknown", "no latency is known");
  const chase = {
    kernel: "latency.chase",
    params: { w: 2 ** 26, line: 128 },
    median: 100,
    status: "measured",
    verified: true,
  };
  assert.equal(waits(kernel(0.1, 10, 10 / 0.64), { ...cold, results: [chase] }), "latency");
});

test("several cores have measured roofs, otherwise estimated multiples", () => {
  const four = roofs_of_profile(machine, { type: "fp32", cores: 4 });
  assert.deepEqual([four.peak, four.bandwidth, four.notes], [350 * giga, 40 * giga, []]);
  const two = roofs_of_profile(machine, { type: "fp32", cores: 2 });
  assert.deepEqual([two.peak, two.bandwidth], [200 * giga, 40 * giga]);
  assert.deepEqual(two.notes, ["peak-times-cores", "bandwidth-times-cores"]);
});

test("types without their own arithmetic borrow a ceiling, and report that", () => {
  const of = (type) => {
    const { peak, notes } = roofs_of_profile(machine, { type, cores: 1 });
    return [peak / giga, ...notes];
  };
  assert.deepEqual(of("fp32"), [100]);
  assert.deepEqual(of("fp64"), [50, "fp64-half"]);
  assert.deepEqual(of("bf16"), [100, "as-fp32"]);
  assert.deepEqual(of("int8"), [400]);
  assert.deepEqual(of("int4"), [400, "int4-as-int8"]);
  const without = { ...machine, roofs: machine.roofs.filter((r) => r.class.isa !== "i8dot") };
  assert.equal(roofs_of_profile(without, { type: "int8", cores: 1 }), null);
  assert.equal(roofs_of_profile({}, { type: "fp32", cores: 1 }), null);
  assert.deepEqual(types.map(bits_of), [64, 32, 32, 16, 16, 8, 6, 4, 8, 4]);
});

test("a chip is its data sheet: no caches, no cores, and no type that it does not name", () => {
  const chip = { title: "Chip", bandwidth: 2e12, peaks: { fp16: 1e15, fp8: 2e15 } };
  const one = kernel(1e6, 1e3, 1.25, { type: "fp16" });
  const roofs = roofs_of_chip(chip, one);
  const seen = judge(one, roofs);
  assert.deepEqual([seen.roof, seen.waits, seen.ridge], ["arithmetic", "arithmetic", 500]);
  assert.deepEqual(seen.helps[0], { id: "finer", type: "fp8", gain: 2, seconds: 0.625 });
  assert.equal(roofs_of_chip(chip, { type: "fp32" }), null);
  assert.equal(judge(kernel(1, 1e-3, 1e-5, { type: "fp16" }), roofs).waits, "launch");
});

test("each suggestion has its best possible time", () => {
  const helps = (one) => Object.fromEntries(judged(one).helps.map(({ id, ...more }) => [id, more]));
  const memory = helps(kernel(20, 10, 0.5));
  close(memory["fewer-bytes"].factor, 2.5);
  close(memory["fewer-bytes"].bytes, 4 * giga);
  assert.equal(memory["stay-in-cache"].level, "L2");
  close(memory["stay-in-cache"].seconds, 0.2); // the arithmetic's; the bytes would take 0.125 s
  close(memory["narrower"].seconds, 0.25);
  assert.deepEqual(memory["more-cores"], { cores: 8 });
  const arithmetic = helps(kernel(100, 10, 1));
  assert.deepEqual([arithmetic.finer.type, arithmetic.finer.gain], ["int8", 4]);
  close(arithmetic.finer.seconds, 0.5); // the time of the bytes
  assert.ok(!("more-cores" in helps(kernel(350, 1, 1.2, { cores: 8 }))));
  assert.deepEqual(Object.keys(helps(kernel(100, 1, 0.5))), ["count-again"]);
});

test("every judgement has its words, whole, and its dot, within what can be drawn", () => {
  const kernels = [
    ...[kernel(20, 10, 0.6), kernel(100, 10, 1.25), kernel(1, 10, 0.2), kernel(100, 1, 0.5)],
    ...[kernel(50, 10, 1), kernel(0.1, 10, 10 / 0.64), kernel(70, 1, 10), kernel(25, 1, 1)],
    ...[kernel(100, 1, 1.1, { cores: 4 }), kernel(1, 1, 1, { type: "int4", cores: 3 })],
    ...types.map((type) => kernel(1, 1, 1, { type })),
  ];
  for (const one of kernels) {
    const roofs = roofs_of_profile(machine, one);
    const said = kernel_sentences(judge(one, roofs), roofs, "this machine");
    assert.ok(said.length >= 3, said.join("\n"));
    for (const sentence of said) assert.match(sentence, /^[A-Z“f][^{}]*[.]$/, sentence);
    assert.doesNotMatch(said.join(" "), /undefined|NaN|Infinity/);
    const spec = kernel_spec(judge(one, roofs), roofs, "this machine");
    assert.equal(spec.unit, one.type.startsWith("int") ? "op" : "flop");
    assert.match(spec.points[0].rate, /^[\d.]+ (op|FLOP)\/s$/);
  }
  const far = kernel(1e-9, 1e9, 1);
  const roofs = roofs_of_profile(machine, far);
  assert.equal(kernel_spec(judge(far, roofs), roofs, "this machine"), null);
});

test("the reference machine has roofs for it", () => {
  const path = new URL("../../../../figures/profiles/reference-chromium.json", import.meta.url);
  const reference = JSON.parse(readFileSync(path, "utf8"));
  for (const type of types)
    assert.ok(roofs_of_profile(reference, { type, cores: 1 }).peak > 0, type);
});
