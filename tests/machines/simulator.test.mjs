// The simulated machine itself: its time, its caches, its memory. The machine is invented and
// simple.
import assert from "node:assert/strict";
import { test } from "node:test";

import { measure_tick, next_edge } from "../../site/runtime/kernels/clock.js";
import { roof_tasks } from "../../site/runtime/kernels/tasks.js";
import { Truth } from "./oracle/truth.mjs";
import { CachedSets } from "./simulator/cached_sets.mjs";
import { CoreTime } from "./simulator/core_time.mjs";
import { counting_module, machines_of, simulate, unknown_here } from "./simulator/simulate.mjs";
import { plan_of } from "./simulator/kernel_plans.mjs";
import { TabKilled } from "./simulator/simulated_module.mjs";

const machine = ({ curve = [[0, 3]], wake = [[0, 3]], ...rest } = {}) => ({
  class: "desktop",
  cores: { groups: [{ kind: "P", count: 1, smt: 1 }] },
  measuring_thread: { kind: "P", share_of_time: 1 },
  kinds: {
    P: {
      clock: { curve_one_core: curve, curve_all_cores: curve, wake_ramp_ms: wake, recover_s: 10 },
    },
  },
  ...rest,
});
const time_of = (parts, timer = { tick_ms: 0.005 }, seed = 1) =>
  new CoreTime(machine(parts), { timer, seed });
const cycles = (count) => (core) => count / core.ghz;
const near = (actual, expected, share) =>
  assert.ok(Math.abs(actual / expected - 1) <= share, `${actual} is not ${expected}`);

test("work takes its cycles at the clock of that moment, seconds of load later fewer", () => {
  const curve = [
    [0, 3],
    [1, 3],
    [1.5, 2],
  ];
  const time = time_of({ curve });
  const spent = (count) => {
    const began = time.ms;
    time.work(cycles(count));
    return time.ms - began;
  };
  near(spent(3e8), 100, 0.005);
  time.work(() => 2e9);
  near(spent(2e8), 100, 0.005);
  time.rest(60_000); // six times the recovery time
  near(spent(3e8), 100, 0.005);
});

test("after a rest the core wakes slowly, and after a short one it has not slept", () => {
  const wake = [
    [0, 1],
    [10, 1],
    [11, 3],
  ];
  const spent_after = (ms) => {
    const time = time_of({ wake });
    time.work(() => 1e9);
    time.rest(ms);
    const began = time.ms;
    time.work(cycles(3e6));
    return time.ms - began;
  };
  near(spent_after(5), 1, 0.02);
  near(spent_after(40), 3, 0.02);
});

test("a coarse clock shows ticks, moved edges included, and who spins sees the next one", () => {
  for (const tick_ms of [0.005, 0.1, 1, 16.67]) {
    for (const timer of [
      { tick_ms, jitter: "none" },
      { tick_ms, jitter: "edge", edge_share: 1 },
    ]) {
      const time = time_of({}, timer);
      near(
        measure_tick(() => time.now(), 1e4),
        tick_ms,
        1e-6,
      );
      const shown = next_edge(() => time.now());
      assert.ok(time.ms - shown < (timer.edge_share ? 2 : 1.02) * tick_ms, `${time.ms} ${shown}`);
      near(shown / tick_ms, Math.round(shown / tick_ms), 1e-9);
    }
  }
});

test("the same seed gives the same times, another one others", () => {
  const end = (seed) => {
    const time = time_of({}, { tick_ms: 0.005 }, seed);
    for (let i = 0; i < 200; ++i) time.work((core) => (time.noise() * 1e7) / core.ghz);
    return time.ms;
  };
  assert.equal(end(3), end(3));
  assert.notEqual(end(3), end(4));
  near(end(3), 5000 + 667, 0.002); // 200 × 3.33 ms, noise of a few per mille
});

test("a host that takes the core away stops it for its share, another kind takes over for its", () => {
  const stolen = { kind: "P", share_of_time: 0.9, other: "stolen", stretch_ms: 5 };
  const time = time_of({ measuring_thread: stolen });
  for (let i = 0; i < 3000; ++i) time.work(() => 1e6);
  near((time.ms - 5000) / 3000, 1 / 0.9, 0.03);

  const other = { kind: "P", share_of_time: 0.75, other: "E", stretch_ms: 50 };
  const { kinds } = machine();
  const slow = { clock: { ...kinds.P.clock, curve_one_core: [[0, 1]] } };
  const moving = time_of({ measuring_thread: other, kinds: { ...kinds, E: slow } });
  let on_other = 0;
  for (let i = 0; i < 5000; ++i) {
    moving.work(() => 4e6);
    on_other += moving.kind === "E";
  }
  near(on_other / 5000, 0.25, 0.15);
});

test("other programs take their share in slices, of who works and of who only reads the clock", () => {
  const stolen_slices = { share_of_time: 0.5, slice_ms: [4, 8] };
  const slices_of = (step) => {
    const time = time_of({ stolen_slices });
    const gaps = [];
    for (let before = time.now(); time.ms < 15_000;) {
      step(time);
      const t = time.now();
      if (t - before > 2) gaps.push(t - before);
      before = t;
    }
    const lost = gaps.reduce((sum, ms) => sum + ms, 0);
    return { share: lost / (time.ms - 5000), longest: Math.max(...gaps) };
  };
  for (const step of [(time) => time.work(cycles(3e5)), () => {}]) {
    const { share, longest } = slices_of(step);
    near(share, 0.5, 0.06);
    assert.ok(longest < 8.5, `a slice of ${longest} ms`);
  }
  const turns = { ...stolen_slices, turns_s: [1, 3] };
  const time = time_of({ stolen_slices: turns });
  let busy_ms = 0;
  for (; time.ms < 25_000; busy_ms += 1) time.work(cycles(3e6));
  near(1 - busy_ms / 20_000, 0.125, 0.1);
});

test("a set that others displaced is cold for a lap, piece by piece", () => {
  const sets = new CachedSets();
  sets.write(0, 1000);
  assert.deepEqual(sets.walk(0, 1000, 400), [{ bytes: 400, others: 0 }]);
  sets.write(4096, 5000);
  assert.deepEqual(sets.walk(0, 1000, 400), [{ bytes: 400, others: 5000 }]);
  assert.deepEqual(sets.walk(0, 1000, 800), [
    { bytes: 600, others: 5000 },
    { bytes: 200, others: 0 },
  ]);
  sets.walk(4096, 5000, 100);
  assert.deepEqual(sets.walk(0, 1000, 10), [{ bytes: 10, others: 100 }]);
  assert.deepEqual(sets.walk(0, 1000, 990), [{ bytes: 990, others: 100 }]);
  assert.deepEqual(sets.walk(0, 1000, 2500), [{ bytes: 2500, others: 0 }]);
});

const skip = unknown_here() || false;

test("first calls are slow until a pause lets the compiler work", { skip }, async () => {
  const [first] = machines_of("processors").values();
  const { module, pause, page } = simulate(first, { counter: await counting_module() });
  const kernel = module.registry.find(({ id }) => id === "peak.fma");
  const spent = () => {
    const began = page.time.ms;
    module.run(kernel, 0, 2000);
    return page.time.ms - began;
  };
  module.select(kernel, { chains: 12 });
  spent();
  const before = spent();
  await pause(10);
  near(before / spent(), 8, 0.02);
});

test(
  "each byte that a page writes counts once, and a tab that wrote too much ends",
  { skip },
  async () => {
    const [first] = machines_of("processors").values();
    const small = {
      ...first,
      page_limits: { ...first.page_limits, tab_killed_above_mib: 100, wasm_memory_max_mib: 512 },
    };
    const { module, page } = simulate(small, { counter: await counting_module() });
    const kernel = module.registry.find(({ id }) => id === "stream.read");
    const params = { w: 2 ** 26, chains: 12 };
    module.select(kernel, params);
    module.prepare(kernel, 0);
    module.prepare(kernel, 4096);
    near(page.written_mib, 64, 0.01);
    assert.throws(() => module.prepare(kernel, 2 ** 27), TabKilled);
    assert.ok(module.reserve(512 * 2 ** 20));
    assert.ok(!module.reserve(512 * 2 ** 20 + 1));
  },
);

test("the oracle's memory roof is what a simulated copy reaches", { skip }, async () => {
  const [first] = machines_of("processors").values();
  const counter = await counting_module();
  for (const [copy_over_read, store_fetches_line_first] of [
    [1.2, true],
    [1.2, false],
    [1.8, true],
  ]) {
    const memory = { ...first.memory, copy_over_read, store_fetches_line_first };
    const machine = { ...first, memory };
    const { module, page } = simulate(machine, { counter });
    const kernel = module.registry.find(({ id }) => id === "stream.copy");
    module.select(kernel, { w: 2 ** 28 });
    for (let i = 0; i < 60; ++i) module.run(kernel, 0, 1);
    const began = page.time.ms;
    for (let i = 0; i < 20; ++i) module.run(kernel, 0, 1);
    const copied = (20 * module.bytes(kernel)) / (page.time.ms - began) / 1e6;
    const truth = new Truth(machine, counter);
    const at = { kind: "P", ghz: page.time.ghz, load_s: 1, pick: Math.max };
    const { roofs } = truth.profile(roof_tasks(counter.registry), at);
    const roof = roofs.find(({ class: { level } }) => level === "out");
    near(roof.value, Math.max(copied, machine.kinds.P.memory_read_gbs_one_core), 0.03);
  }
});

test(
  "a prefetcher that learns an order shortens the second lap of a chase, and no new order",
  { skip },
  async () => {
    const machine = machines_of("processors").get("gb10");
    const { module, page } = simulate(machine, { counter: await counting_module() });
    const kernel = module.registry.find(({ id }) => id === "latency.chase");
    const params = { w: 2 ** 26, order: 0, line: 64 };
    const lap_ms = () => {
      const began = page.time.ms;
      module.run(kernel, 0, 2 ** 26 / module.bytes(kernel));
      return page.time.ms - began;
    };
    module.select(kernel, params);
    module.prepare(kernel, 0);
    for (let i = 0; i < 60; ++i) module.run(kernel, 0, 1);
    module.prepare(kernel, 0);
    const [fresh, learned] = [lap_ms(), lap_ms()];
    module.prepare(kernel, 0);
    assert.ok(learned < 0.35 * fresh, `${learned} of ${fresh} ms`);
    near(lap_ms() / fresh, 1, 0.02);
  },
);

test("a kernel without a plan has that of its class, within the roofs", { skip }, () => {
  const mib = 2 ** 20;
  const seconds = (one, kind, name, { flops = 0, bytes = 0 }) => {
    const counted = { flops, bytes, memory: Math.max(bytes, 4096) };
    const kernel = { id: `own.${name || "other"}`, class: name };
    const ghz = one.kinds[kind].clock.turbo_ghz;
    return plan_of(one, kind, { kernel, params: {}, counted }).ns(ghz, 0) / 1e9;
  };
  for (const one of machines_of("processors").values()) {
    const [{ kind }] = one.cores.groups;
    const moved = { bytes: 256 * mib, flops: 1000 };
    const rate = moved.bytes / seconds(one, kind, "memory", moved) / 1e9;
    const roof = one.kinds[kind].memory_read_gbs_one_core;
    assert.ok(rate > 0.5 * roof && rate <= 1.05 * roof, `${one.id}: ${rate} of ${roof} GB/s`);
    const walked = { flops: 1e6, bytes: 256 * mib };
    const wait = (seconds(one, kind, "latency", walked) / walked.flops) * 1e9;
    assert.ok(wait > 10 && wait < 1000, `${one.id}: ${wait} ns`);
    const [scalar, simd, fma, other] = ["scalar", "simd", "fma", ""].map((name) =>
      seconds(one, kind, name, { flops: 1e9, bytes: 4096 }),
    );
    assert.ok(scalar > simd && simd >= 0.7 * fma && fma === other, `${[scalar, simd, fma]}`);
  }
});
