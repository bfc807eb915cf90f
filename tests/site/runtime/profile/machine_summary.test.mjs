// The sentences about a machine with known measurements: each appears if it follows, and only then.
import assert from "node:assert/strict";
import { test } from "node:test";

import { machine_summary } from "../../../../site/runtime/profile/machine_summary.js";

const roof = (name, value, more = {}) => ({
  device: "cpu",
  class: { [name === "out" ? "level" : "isa"]: name, ...more },
  value,
});
const roofs = [
  roof("simd", 50),
  roof("fma", 900, { threads: 4 }),
  roof("fma", 100),
  roof("out", 20, { threads: 2 }),
  roof("out", 10),
];
const result = (kernel, median, intensity, more = {}) => ({
  ...{
    kernel,
    params: { n: 0, m: 64 },
    device: "cpu",
    unit: "GFLOP/s",
    status: "measured",
    verified: true,
    flags: [],
  },
  ...{ median, flops: intensity * 100, bytes: 100 },
  ...more,
});
const said = (profile, start) =>
  machine_summary(profile).filter((words) => words.startsWith(start));
const limits = (results, more = {}) =>
  said({ roofs, results, ...more }, "The limit depends")[0] ?? "";

test("what limits: kernels on either side of the corner", () => {
  const words = limits([result("low", 5, 9), result("at", 90, 10), result("far", 40, 100)]);
  assert.match(
    words,
    /ridge is at 10 operations per byte\. Of 3 kernels measured, 1 do fewer .*; 2 do more/,
  );
  assert.match(
    words,
    /Of these, at \(m = 64\) comes nearest to the ceiling \(90 %\)\. far \(m = 64\) reaches 40 %, which neither/,
  );
  assert.match(
    limits([result("a", 90, 20), result("b", 50, 20)]),
    /, none do fewer .*\. b \(m = 64\) reaches 50 %, and no kernel stays below half/,
  );
  assert.doesNotMatch(limits([result("a", 90, 20), result("b", 5, 1)]), /Of these/);
});

test("what limits: only one core's trusted kernels count, and no probe", () => {
  const two = [result("a", 5, 1), result("b", 5, 1)];
  const still = /[Oo]f 2 kernels measured/;
  for (const more of [
    { unit: "GB/s" },
    { threads: 2 },
    { flops: 0 },
    { bytes: 0 },
    { flags: ["drift"] },
    { device: "gpu" },
  ])
    assert.match(limits([...two, result("c", 5, 1, more)]), still, JSON.stringify(more));
  for (const probe of ["peak.fma", "roof.x", "stream.read"])
    assert.match(limits([...two, result(probe, 5, 1)]), still);
  assert.match(limits([...two, result("stream.add", 5, 1, { threads: 1 })]), /[Oo]f 3 kernels/);
  assert.equal(limits(two.slice(1)), "");
  for (const missing of [
    roofs.filter((r) => r.class.level !== "out"),
    roofs.filter((r) => r.class.level),
  ])
    assert.equal(limits(two, { roofs: missing }), "");
});

test("arithmetic: the best roof over the clock, and what multiplies and adds", () => {
  const words = (more) => said({ roofs, clock_ghz: 2.5, ...more }, "One core ran")[0] ?? "";
  const device = (...features) => ({
    devices: [
      { kind: "gpu", features: [] },
      { kind: "cpu", features },
    ],
  });
  assert.match(
    words({}),
    /at 2\.50 GHz and reached 100 GFLOP\/s, 40\.0 operations per cycle: as much as 5\.0 vector units/,
  );
  assert.match(words(device("fused")), /one instruction that rounds once, at 2\.0 times/);
  assert.match(words(device("unfused")), /Its engine splits a multiply-add/);
  const simd = { roofs: [roof("simd", 50)] };
  assert.match(words(simd), /reached 50\.0 GFLOP.*has no relaxed SIMD/);
  assert.equal(words({ ...simd, ...device("relaxed") }), ""); // FMA was disturbed
  assert.equal(words({ clock_ghz: 0 }), "");
  assert.equal(words({ roofs: [roof("fma", 100)] }), "");
});

test("caches and the outermost level, as far as they were measured", () => {
  const level = (name, more) => ({ device: "cpu", name, ...more });
  const levels = [
    level("L1", { bytes: 32768, bytes_error: 4096, latency_ns: 1.25, read_gbs: 100 }),
    level("L2", { latency_ns: 4 }),
    level("L3", { bytes: 0, read_gbs: 9 }),
    { ...level("L1", { bytes: 1 }), device: "gpu" },
  ];
  const [caches] = said({ levels }, "Caches");
  assert.equal(
    caches,
    "Caches, as far as one core sees them: L1 holds between 28.2 KiB and 36.2 KiB, answers in 1.25 ns and reads at 100 GB/s; L2 answers in 4.00 ns.",
  );
  assert.deepEqual(said({ levels: levels.slice(2) }, "Caches"), []);
  const out = (more) =>
    machine_summary({ levels: [level("out", { read_gbs: 10, latency_ns: 90, ...more })] }).join();
  assert.equal(
    out({ reached: "memory" }),
    "Memory itself (DRAM) reads at 10.0 GB/s and answers in 90.0 ns.",
  );
  assert.match(
    out({ reached: "cache", latency_ns: 0 }),
    /^The largest working set that this page tried reads at 10\.0 GB\/s\. Larger/,
  );
  assert.match(out({}), /It is either memory/);
  assert.equal(out({ read_gbs: 0 }), "");
});

test("misses at a time, by Little's law, of the same cycles", () => {
  const chase = (chains, median, more = {}) => ({
    ...{
      kernel: "parallelism.chase",
      status: "measured",
      params: { chains, w: 2 ** 26, order: 0, ...more },
      median,
    },
  });
  const words = (results, more = {}) => said({ results, ...more }, "In 64 MiB")[0] ?? "";
  const usual = [
    chase(8, 12),
    chase(1, 100),
    chase(16, 10),
    chase(4, 1, { w: 4096 }),
    chase(4, 1, { order: 1 }),
  ];
  assert.match(
    words(usual),
    /takes 100 ns per load and 16 chains at once 10\.0 ns: .* has about 10 misses/,
  );
  assert.match(words([chase(1, 100), chase(8, 13)]), /has at least 7\.7 misses/);
  const growing = [chase(1, 138.3), chase(4, 35.7), chase(8, 18.5), chase(16, 9.78)];
  assert.match(words(growing), /has at least 14 misses/); // twice the chains were 1.9 times as fast
  assert.match(words([chase(1, 100)]), /has about 1\.0 misses/);
  const wide = [chase(1, 100, { line: 128 }), chase(16, 20, { line: 128 })];
  const reads = (read_gbs) => ({ levels: [{ device: "cpu", name: "out", read_gbs }] });
  assert.match(words(wide, reads(7)), /has at least 5\.0 misses/); // 128 bytes in 20 ns
  assert.match(words(wide, reads(8)), /has about 5\.0 misses/);
  assert.match(words([chase(1, 100), chase(8, 12)]), /has at least 8\.0 misses/); // 8.3: noise
  assert.match(words([chase(1, 100), chase(8, 10)]), /memory changed .* in flight is undecided\.$/);
  assert.equal(words([chase(8, 12)]), "");
  assert.equal(words([{ ...chase(1, 100), status: "unavailable" }]), "");
  const out = { device: "cpu", name: "out", read_gbs: 64, latency_ns: 100 };
  assert.match(words(usual, { levels: [out] }), /Reading in order keeps 100 lines in flight/);
  for (const level of [
    { ...out, read_gbs: 0 },
    { ...out, latency_ns: 0 },
  ])
    assert.doesNotMatch(words(usual, { levels: [level] }), /Reading in order/);
});

test("sizes in the unit that suits them; choices of tiles as they are given", () => {
  const caches = (bytes) =>
    said(
      { levels: [{ device: "cpu", name: "L1", bytes, bytes_error: 0, latency_ns: 1 }] },
      "Caches",
    )[0];
  for (const [bytes, words] of [
    [0.5, "less than 1 B"],
    [1, "1 B"],
    [1000, "1000 B"],
    [1023, "1 KiB"],
    [1024, "1 KiB"],
    [1.5 * 2 ** 20, "1.50 MiB"],
    [2 ** 41, "2048 GiB"],
  ])
    assert.ok(
      caches(bytes).includes(`between ${words} and ${words}`),
      `${bytes}: ${caches(bytes)}`,
    );
  const choices = [
    { device: "cpu", why: "the 6 × 8 tile won" },
    { device: "cpu" },
    { device: "gpu", why: "no" },
  ];
  assert.deepEqual(machine_summary({ choices }), [
    "Tiles compared for matmul: the 6 × 8 tile won.",
  ]);
  assert.deepEqual(machine_summary({}), []);
});
