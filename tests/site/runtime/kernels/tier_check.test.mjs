// Causes of wrong numbers, on invented machines with a known verdict.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Canary } from "../../../../site/runtime/kernels/canary.js";
import { judge_cores, rate_curve, thread_counts } from "../../../../site/runtime/measure/cores.js";
import { budget_parts, memory_budget, set_limit } from "../../../../site/runtime/kernels/detect.js";
import { derive_roofs } from "../../../../site/runtime/measure/roofs.js";
import { flag_words } from "../../../../site/runtime/profile/summary.js";
import { with_judge } from "../../../../site/runtime/kernels/tasks.js";
import { flag_slow_tier } from "../../../../site/runtime/kernels/tier_check.js";
import { badge_of } from "../../../../site/runtime/profile/result_text.js";

/** A suite's results on a core whose single chain takes `cycles` per step of eight operations. */
function suite(cycles) {
  const ghz = 3;
  const rate = (8 / cycles) * ghz;
  const head = { status: "measured", threads: 1, verified: true, flags: [], unit: "GFLOP/s" };
  const judge = { kernel: "peak.simd", params: { chains: 1 }, best: rate, median: rate * 0.98 };
  return [
    { ...head, kernel: "matmul.packed", params: { n: 512 }, best: 40, median: 39, per_cycle: 13 },
    { ...head, ...judge, per_cycle: judge.median / ghz },
  ];
}
const is_slow = (cycles) =>
  flag_slow_tier(suite(cycles)).every((r) => r.flags.includes("slow-tier"));

test("optimised code on large and small cores is trusted, a first compiler's is not", () => {
  for (const cycles of [5, 6, 8, 10]) assert.ok(!is_slow(cycles), `${cycles} cycles a step`);
  for (const cycles of [13, 16, 20, 40]) assert.ok(is_slow(cycles), `${cycles} cycles a step`);
});

test("an interpreter slows canary and judge alike, and is found by its clock", () => {
  const is_slow_at = (ghz) =>
    flag_slow_tier(suite(6), ghz).every((r) => r.flags.includes("slow-tier"));
  assert.ok(is_slow_at(0.3), "three dispatches per instruction at 3 GHz or more");
  assert.ok(!is_slow_at(0.6), "a small core that saves power");
});

test("a run of slow code is doubtful, with a message", () => {
  const [matmul] = flag_slow_tier(suite(20));
  const badge = badge_of(matmul);
  assert.equal(badge.text, "doubtful");
  assert.match(badge.why, /unoptimised code: close the developer tools/);
  const good = badge_of(flag_slow_tier(suite(6))[0]);
  assert.deepEqual(good, { text: "checked", kind: "good", why: "" });
});

test("a run without the judging probe gets it at its end, once", () => {
  const chains = { name: "chains", default: 12, min: 1, max: 16 };
  const registry = [
    { id: "peak.simd", params: [chains] },
    { id: "other", params: [] },
  ];
  const asked = [{ kernel: registry[1], params: {}, threads: 1 }];
  const judged = with_judge(registry, asked);
  assert.deepEqual(
    judged.map(({ kernel, params }) => [kernel.id, params.chains]),
    [
      ["other", undefined],
      ["peak.simd", 1],
    ],
  );
  assert.equal(with_judge(registry, judged), judged);
  assert.equal(with_judge([registry[1]], asked), asked);
});

/** Canary readings of a core whose clock is `ghz(i)` at reading i. */
function readings(ghz, count = 40) {
  let t = 0;
  let i = 0;
  const module = {
    canary_ops: 64,
    canary: (n) => {
      t += (n * 64) / (ghz(i) * 1e6);
    },
  };
  const now = () => {
    t += 1e-4;
    return Math.floor(t / 0.005) * 0.005;
  };
  const canary = new Canary(module, now, 0.005);
  for (i = 0; i < count; ++i) canary.read();
  return canary;
}

test("throttling is a trend over the run, not a short dip", () => {
  assert.equal(readings(() => 3).throttled, false);
  assert.equal(readings((i) => (i < 25 ? 3 : 2.4)).throttled, true);
  assert.equal(readings((i) => 3 - i * 0.015).throttled, true);
  assert.equal(readings((i) => (i > 15 && i < 22 ? 1.5 : 3)).throttled, false);
  assert.match(flag_words.throttled, /slower than it began/);
});

const curve = (...values) => {
  const counts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
  return values.map((value, i) => ({ threads: counts[i], value }));
};

test("usable cores: the fewest threads on the plateau", () => {
  const four = judge_cores(4, curve(10, 20, 29, 39, 39, 39));
  assert.deepEqual([four.usable, four.flags], [4, []]);
  const shared = judge_cores(4, curve(10, 19.8, 20, 20.2, 20, 20));
  assert.equal(shared.usable, 2);
  assert.match(shared.why, /4 threads were tried, .* from 2 on nothing got faster/);
  assert.equal(judge_cores(2, curve(10, 6)).usable, 1);
  assert.equal(judge_cores(2, []), null);
});

test("what was not tried is not judged", () => {
  const rising = curve(10, 20, 30, 40, 60, 80, 120, 160, 240, 320);
  const part = judge_cores(192, rising);
  assert.deepEqual([part.usable, part.flags], [32, []]);
  assert.equal(part.why, "32 of the 192 threads that this browser reports were tried");
  const all = [...rising, { threads: 64, value: 600 }, { threads: 128, value: 610 }];
  assert.deepEqual(judge_cores(64, all).flags, []);
  assert.equal(judge_cores(64, all).usable, 64);
});

test("a browser that reports too few cores is found out", () => {
  const clamped = judge_cores(2, curve(10, 20, 30, 39));
  assert.deepEqual([clamped.usable, clamped.flags], [4, ["clamped"]]);
  assert.match(clamped.why, /reports 2 cores, but 4 threads were faster/);
  assert.deepEqual(judge_cores(2, curve(10, 20, 20.5, 21.5)).usable, 2);
});

test("threads are tried up to twice what is reported, within reason", () => {
  assert.deepEqual(thread_counts(1), [1, 2]);
  assert.deepEqual(thread_counts(2), [1, 2, 4]);
  assert.deepEqual(thread_counts(8), [1, 2, 3, 4, 6, 8, 16]);
  assert.deepEqual(thread_counts(0), [1, 2]);
  assert.equal(Math.max(...thread_counts(48)), 96);
  for (const many of [72, 192, 384]) assert.equal(thread_counts(many).at(-1), many);
});

test("the curve of a suite holds the best of each number of threads", () => {
  const result = (threads, best, kernel = "peak.fma") => {
    return { kernel, status: "measured", threads, best };
  };
  const results = [result(2, 60), result(1, 40), result(1, 45), result(2, 9, "stream.read")];
  assert.deepEqual(rate_curve(results, "peak.fma"), [
    { threads: 1, value: 45 },
    { threads: 2, value: 60 },
  ]);
});

test("working sets keep to an eighth of the memory that the browser admits to", () => {
  assert.equal(set_limit({ deviceMemory: 8 }), 2 ** 30);
  assert.equal(set_limit({ deviceMemory: 2 }), 2 ** 28);
  assert.equal(set_limit({ maxTouchPoints: 5 }), 2 ** 28);
  assert.equal(set_limit({ maxTouchPoints: 0 }), 2 ** 30);
});

test("phones and small computers have a budget for the sum of all memory", () => {
  const of = (navigator, is_coarse) =>
    memory_budget({ navigator, matchMedia: () => ({ matches: is_coarse }) }) / 2 ** 20;
  assert.equal(of({ deviceMemory: 8, maxTouchPoints: 5 }, true), 384);
  assert.equal(of({ deviceMemory: 4, maxTouchPoints: 0 }, false), 384);
  assert.equal(of({ maxTouchPoints: 5, platform: "MacIntel" }, false), 384); // an iPad's trackpad
  assert.equal(of({ maxTouchPoints: 0, platform: "MacIntel" }, false), 2048);
  // A laptop with a touch screen.
  assert.equal(of({ deviceMemory: 8, maxTouchPoints: 10 }, false), 2048);
  assert.equal(memory_budget({ navigator: { maxTouchPoints: 5 } }) / 2 ** 20, 384);
  const silent = (navigator, x86) => memory_budget({ navigator }, x86) / 2 ** 20;
  assert.equal(silent({ platform: "Linux aarch64" }, false), 384); // Firefox on a Chromebook
  assert.equal(silent({ platform: "Linux aarch64", deviceMemory: 8 }, false), 2048);
  assert.equal(silent({ platform: "MacIntel" }, false), 2048); // as Macs with Apple's chips call themselves
  assert.equal(silent({ platform: "Linux x86_64" }, true), 2048);
  assert.equal(silent({ platform: "Linux aarch64", hardwareConcurrency: 8 }, false), 384);
  assert.equal(silent({ platform: "Linux aarch64", hardwareConcurrency: 12 }, false), 2048);
  for (const asked of [{ cores: true }, { threaded: true }, {}]) {
    const { own, shared } = budget_parts(384, asked);
    assert.ok(own > 0 && own + shared <= 384 && shared > 0 === Object.keys(asked).length > 0);
  }
});

const read = (w, best) => ({
  kernel: "stream.read",
  params: { w },
  status: "measured",
  verified: true,
  threads: 1,
  unit: "GB/s",
  best,
  median: best,
});

test("a bandwidth curve that still falls at its end is flagged as possibly cached", () => {
  const sizes = [2 ** 14, 2 ** 17, 2 ** 22, 2 ** 26, 2 ** 27, 2 ** 28];
  const curve_of = (...rates) => derive_roofs(rates.map((rate, i) => read(sizes[i], rate))).notes;
  assert.deepEqual(curve_of(200, 90, 30, 12, 10, 10), { largest: 2 ** 28, flags: [] });
  assert.deepEqual(curve_of(200, 90, 30, 30, 25, 18).flags, ["in-cache"]);
  assert.match(flag_words["in-cache"], /may still be in a cache/);
});

test("roofs of several threads are next to one core's, in a separate class", () => {
  const peak = (threads, best) => ({
    ...read(0, best),
    kernel: "peak.fma",
    params: { chains: 12 },
    unit: "GFLOP/s",
    threads,
  });
  const { roofs } = derive_roofs([peak(1, 50), peak(2, 95)]);
  assert.deepEqual(
    roofs.map((roof) => [roof.class.isa, roof.class.threads, roof.value]),
    [
      ["fma", 1, 50],
      ["fma", 2, 95],
    ],
  );
});
