// Tests measurements on a core that other programs take for milliseconds at a time: the results,
// and how they are reported.
import assert from "node:assert/strict";
import { test } from "node:test";

import { complete_params } from "../../site/runtime/kernels/tasks.js";
import { busy_share } from "../../site/runtime/kernels/lost_time.js";
import { derive_roofs, lift_roofs } from "../../site/runtime/measure/roofs.js";
import { is_doubtful } from "../../site/runtime/profile/result_text.js";
import { measure_suite } from "../../site/runtime/measure/sampler.js";
import { uniform } from "./simulator/random.mjs";
import { registry, simple_core, truth } from "./simulator/simple_core.mjs";

const run = (id, given = {}) => {
  const kernel = registry.find((one) => one.id === id);
  return { kernel, params: complete_params(kernel, given) };
};
const probes = [
  run("peak.fma"),
  run("peak.simd"),
  run("peak.scalar"),
  run("stream.read", { w: 16384 }),
  run("stream.read", { w: 2 ** 20 }),
  run("stream.read", { w: 2 ** 26 }),
];
const true_value = ({ kernel, params }) => truth[kernel](params);
const measured = (core, { tasks = probes, pace = "quick", ...more } = {}) =>
  measure_suite({ ...core, tasks, pace, report: () => {}, ...more });
const sliced = (share_of_time, more = {}) => ({
  stolen_slices: { share_of_time, slice_ms: [4, 8], ...more },
});

for (const pace of ["quick", "full"])
  for (const share of [0, 0.02, 0.25, 0.5])
    test(`${pace}: with ${100 * share} % of the core gone, that share is told, and no probe is slower for it`, async () => {
      const { lost_share, results } = await measured(simple_core(sliced(share)), { pace });
      assert.ok(Math.abs(lost_share - share) < 0.02 + 0.2 * share, `${lost_share} of ${share}`);
      for (const result of results) {
        const ratio = result.median / true_value(result);
        assert.ok(Math.abs(ratio - 1) < 0.03, `${result.kernel} came to ${ratio} of the truth`);
        assert.equal(result.flags.includes("disturbed"), share > busy_share, result.kernel);
      }
    });

test("a thread that moves to a slower core has lost no time to other programs", async () => {
  const clock = (ghz) => ({
    clock: {
      ...{ curve_one_core: [[0, ghz]], curve_all_cores: [[0, ghz]] },
      ...{ wake_ramp_ms: [[0, ghz]], recover_s: 10 },
    },
  });
  const moving = {
    kinds: { P: clock(3), E: clock(1.9) },
    measuring_thread: { kind: "P", share_of_time: 0.7, other: "E", stretch_ms: 300 },
  };
  const sizes = Array.from({ length: 12 }, (_, i) => run("matmul.packed", { n: 395 + 3 * i }));
  const tasks = [...probes, ...sizes]; // one call of such a product lasts about as long as a sample
  for (const tick_ms of [0.005, 0.1]) {
    const core = simple_core({ ...moving, tick_ms });
    const { lost_share, results } = await measured(core, { tasks, pace: "full" });
    assert.ok(lost_share < 0.02, `${lost_share} is said to be lost by ticks of ${tick_ms} ms`);
    for (const { kernel, flags } of results) assert.ok(!flags.includes("disturbed"), kernel);
  }
});

const fused_counts = [10, 12, 14].map((chains) => ({
  ...run("peak.fma", { chains }),
  probe: true,
}));

test("a program on the core's other hardware thread shows in its units, not in its clock", async () => {
  const tasks = [...fused_counts, ...probes];
  for (const left of [0.62, 0.8]) {
    const core = simple_core({ slowed: () => 1 / left });
    const { lost_share, clock_ghz, results } = await measured(core, { tasks });
    assert.ok(Math.abs(clock_ghz - 3) < 0.05 && Math.abs(lost_share - (1 - left)) < 0.03);
    for (const result of results) {
      assert.deepEqual(result.flags, ["disturbed"], result.kernel);
      const { low, high } = result;
      assert.ok(low < true_value(result) && true_value(result) < high, `${low} to ${high}`);
    }
  }
});

test("whole units, half a unit, and units that nothing can show were not shared", async () => {
  const flags_at = async (per_cycle, more = {}) => {
    const core = simple_core({ slowed: () => 16 / per_cycle });
    const { results } = await measured(core, { tasks: fused_counts, ...more });
    return results.flatMap(({ flags }) => flags);
  };
  for (const per_cycle of [4, 7.6, 8.2, 15.4, 16.4, 23, 28])
    // of 128-bit fused multiply-adds
    assert.deepEqual(await flags_at(per_cycle), [], `${per_cycle} FLOPs per cycle`);
  assert.deepEqual(await flags_at(11, { is_fused: false }), []);
  const few = fused_counts.slice(1);
  assert.deepEqual(await flags_at(11, { tasks: few }), [], "two counts of chains");
});

test("the slowest runs include interruptions, which the typical run leaves out", async () => {
  const tail_of = async (share) => {
    const tasks = [run("matmul.packed", { n: 512 })];
    const { results } = await measured(simple_core(sliced(share)), { tasks, pace: "full" });
    const [{ p99, median, flops, high }] = results;
    assert.ok(high > true_value({ kernel: "matmul.packed", params: {} }));
    return (p99 * median * 1e9) / flops;
  };
  assert.ok((await tail_of(0)) < 1.05);
  assert.ok((await tail_of(0.2)) > 1.6, "a slice of 4 ms or more hits a run of 6 ms");
});

test("a short run of long calls knows that others had the core", async () => {
  const tasks = [run("matmul.packed", { n: 1024 })];
  const { lost_share, results } = await measured(simple_core(sliced(0.4)), { tasks });
  assert.ok(Math.abs(lost_share - 0.4) < 0.1, `${lost_share}`);
  assert.ok(results[0].flags.includes("disturbed"));
});

test("a coarse clock sees slices, and a very coarse one says that it cannot tell", async () => {
  for (const tick_ms of [0.1, 1]) {
    const { lost_share } = await measured(simple_core({ ...sliced(0.4), tick_ms }));
    assert.ok(Math.abs(lost_share - 0.4) < 0.12, `${lost_share} by ticks of ${tick_ms} ms`);
  }
  const { lost_share } = await measured(simple_core({ ...sliced(0.4), tick_ms: 16.67 }));
  assert.equal(lost_share, null);
});

test("where the largest set is doubtful no cache is called memory", async () => {
  const sets = [16384, 65536, 2 ** 20, 2 ** 22, 2 ** 25, 2 ** 26];
  const { results } = await measured(simple_core(), {
    tasks: sets.map((w) => run("stream.read", { w })),
  });
  const names = (all) => derive_roofs(all).levels.map(({ name }) => name);
  assert.deepEqual(names(results), ["L1", "out"]);
  const [, , , , ...large] = results;
  const doubtful = results.map((r) => (large.includes(r) ? { ...r, flags: ["drift"] } : r));
  assert.deepEqual(names(doubtful), ["L1"]);
  assert.deepEqual(derive_roofs(doubtful).notes.flags, []);
});

test("a neighbor that streams while a smaller set is read widens the interval of memory", async () => {
  const sets = [16384, 65536, 2 ** 20, 2 ** 26, 2 ** 27, 2 ** 28];
  const memory_beside = async (streams) => {
    const slowed = ({ unit }, ms, { w }) => (unit === "GB/s" && streams(w) ? 1.5 : 1);
    const tasks = sets.map((w) => run("stream.read", { w }));
    const { results } = await measured(simple_core({ slowed }), { tasks });
    return derive_roofs(results).roofs.find((roof) => roof.class.level === "out");
  };
  const quiet = await memory_beside(() => false);
  const noisy = await memory_beside((w) => w === 2 ** 26);
  assert.ok(quiet.high < 27 && quiet.low > 21, `${quiet.low} to ${quiet.high} without neighbors`);
  assert.ok(noisy.low < 24 / 1.5 && noisy.high > 30, `${noisy.low} to ${noisy.high}`);
});

test("samples that were left out do not count as samples", async () => {
  const core = simple_core();
  const { canary } = core.module;
  const chance = uniform(3);
  let [until, slow] = [0, 1];
  core.module.canary = (n) => {
    if (core.time.ms > until) [until, slow] = [core.time.ms + 2.5, chance() < 0.2 ? 1.3 : 1];
    canary(slow * n);
  };
  const tasks = Array.from({ length: 20 }, (_, i) => run("peak.fma", { chains: i + 1 }));
  const { results } = await measured(core, { tasks });
  const few = results.filter(({ samples }) => samples < 5);
  assert.ok(few.length > 10, `${few.length} with few samples`);
  for (const one of results)
    assert.equal(one.flags.includes("few-samples"), few.includes(one), `${one.samples} samples`);
});

test("one disturbed look at the judge does not make code unoptimised, and two do", async () => {
  const tasks = [run("peak.simd", { chains: 1 }), run("peak.fma")];
  const flags_when_slow = async (looks) => {
    let checks = 0; // each look ends with one check
    const slowed = ({ id }, ms, { chains }) =>
      id === "peak.simd" && chains === 1 && checks < looks ? 2.5 : 1;
    const core = simple_core({ slowed });
    const { verify } = core.module;
    core.module.verify = (kernel) => {
      checks += kernel.id === "peak.simd";
      return verify();
    };
    const { results } = await measured(core, { tasks });
    return results.map(({ flags }) => flags.includes("slow-tier"));
  };
  assert.deepEqual(await flags_when_slow(1), [false, false]);
  assert.deepEqual(await flags_when_slow(2), [true, true]);
});

test("an interpreter, which takes ten times as long for everything, gives no trusted number", async () => {
  const core = simple_core({ slowed: () => 10 });
  const { canary } = core.module;
  core.module.canary = (n) => canary(10 * n);
  const tasks = [run("peak.simd", { chains: 1 }), run("peak.fma")];
  const { results } = await measured(core, { tasks });
  for (const { flags } of results) assert.ok(flags.includes("slow-tier"));
});

test("a kernel that beats the roof of another run has no share of it", async () => {
  const early = await measured(simple_core({ slowed: () => 1.5 }));
  const late = await measured(simple_core(), { tasks: [run("matmul.packed")] });
  const of_run = (list, name) => list.map((one) => ({ ...one, run: name }));
  const profile = (name) =>
    lift_roofs({
      roofs: of_run(derive_roofs(early.results).roofs, "first"),
      results: [...of_run(early.results, "first"), ...of_run(late.results, name)],
    });
  const { results } = profile("second");
  assert.deepEqual(results.at(-1).flags, ["beyond-roof"]);
  assert.ok(is_doubtful(results.at(-1)));
  const again = lift_roofs({
    ...profile("second"),
    roofs: derive_roofs(results).roofs.map((r) => ({ ...r, value: 2 * r.value })),
  });
  assert.deepEqual(again.results.at(-1).flags, [], "a higher roof clears it");
  assert.deepEqual(profile("first").results.at(-1).flags, ["lifted-roof"]);
});
