// The page's sentences about several cores, for machines with known behavior.
import assert from "node:assert/strict";
import { test } from "node:test";

import { core_notes } from "../../../../site/runtime/measure/cores.js";
import { core_tasks } from "../../../../site/runtime/kernels/tasks.js";

const usual = { "stream.read": { w: 2 ** 28 } };
const measured = (kernel, threads, best, params = usual[kernel] ?? { n: 1024 }) => ({
  kernel,
  threads,
  params,
  best,
  median: best,
  status: "measured",
});

const sums = (threads, ring, tree) => [
  ...Object.entries(ring).map(([bytes, rate]) =>
    measured("allreduce.ring", threads, rate, { bytes: Number(bytes) }),
  ),
  ...Object.entries(tree).map(([bytes, rate]) =>
    measured("allreduce.tree", threads, rate, { bytes: Number(bytes) }),
  ),
];

test("two cores: their speedup, and that ring and tree are equal", () => {
  const notes = core_notes(
    [
      measured("matmul.packed", 1, 40),
      measured("matmul.parallel", 1, 40),
      measured("matmul.parallel", 2, 78),
      measured("stream.read", 1, 12),
      measured("stream.read", 2, 24),
      measured("stream.read", 4, 24),
      ...sums(2, { 4096: 2, 1048576: 9 }, { 4096: 1.5, 1048576: 5 }),
    ],
    2,
  );
  assert.equal(notes.length, 3);
  assert.match(notes[0], /shared by 2 threads runs 1\.95 times as fast.*last core tried/);
  assert.match(notes[1], /still gained at 2 threads, 2\.00 times one/);
  assert.match(notes[2], /costs 1\.02 µs a step when it is small \(4 KiB\), and moves 9\.00 GB\/s/);
  assert.match(
    notes[2],
    /no size at which one overtakes the other: that takes at least four cores/,
  );
});

test("eight cores: where each thing stops to gain, and why", () => {
  const notes = core_notes(
    [
      measured("matmul.packed", 1, 40),
      measured("matmul.parallel", 2, 80),
      measured("matmul.parallel", 4, 150),
      measured("matmul.parallel", 8, 152),
      measured("stream.read", 1, 12),
      measured("stream.read", 2, 20),
      measured("stream.read", 4, 20),
      measured("stream.read", 8, 20),
      ...sums(8, { 4096: 1, 65536: 8, 1048576: 20 }, { 4096: 2, 65536: 7, 1048576: 9 }),
    ],
    8,
  );
  assert.match(
    notes[0],
    /shared by 4 threads runs 3\.75 times.*with more threads, up to 8, it was no faster/,
  );
  assert.match(notes[1], /stops gaining at 2 threads, 1\.67 times one: all cores share the path/);
  assert.match(notes[2], /A tree is faster for small buffers, a ring from 64 KiB on/);
});

test("one thread is compared by sets as large as those of several, and what cores share is not called free", () => {
  const mib = 2 ** 20;
  const at = (threads, w, value) => measured("stream.read", threads, value, { w: w * mib });
  // A cache of 32 MiB holds a quarter of 128 MiB.
  const [half, whole] = [at(1, 128, 40), at(1, 256, 35)];
  assert.match(
    core_notes([half, whole, at(2, 256, 49)], 2)[0],
    /still gained at 2 threads, 1\.40 times one: they share the path to memory, and whether it is full only more/,
  );
  assert.match(
    core_notes([half, whole, at(2, 256, 66)], 2)[0],
    /still gained at 2 threads, 1\.89 times one: so many do not fill the path/,
  );
});

test("what lay in a cache does not count as reading memory", () => {
  const in_l1 = measured("stream.read", 1, 101, { w: 16384 });
  const curve = [measured("stream.read", 1, 20), measured("stream.read", 2, 38)];
  const [note] = core_notes([in_l1, ...curve], 2);
  assert.match(note, /128 MiB or more in all\) still gained at 2 threads, 1\.90 times one/);
  const [alone] = core_notes(
    [1, 2].map((n) => measured("stream.read", n, 20)),
    2,
  );
  assert.match(alone, /gained nothing from further threads, up to 2: they share one core, or/);
  const small = [1, 2, 4].map((n) => measured("stream.read", n, n * 80, { w: 2 ** 25 }));
  assert.deepEqual(core_notes(small, 4), []);
  assert.deepEqual(core_notes(curve, 2, 2 ** 27), []); // caches of 128 MiB hold half of that
  const mib = 2 ** 20;
  const rates = { 1: [256, 30], 8: [128, 90], 16: [64, 92], 64: [16, 500] };
  const at_rates = (all) =>
    Object.entries(all).map(([n, [w, value]]) =>
      measured("stream.read", Number(n), value, { w: w * mib }),
    );
  const several = at_rates(rates);
  // Four caches of 32 MiB would hold a part of the 16 MiB per thread.
  const [judged] = core_notes(several, 64, 32 * mib);
  assert.match(judged, /stops gaining at 8 threads, 3\.00 times one/);
  assert.match(core_notes(several, 64, 8 * mib)[0], /still gained at 64 threads/);
  const few = at_rates({ 1: [128, 30], 2: [64, 58], 3: [64, 59], 64: [1, 900] });
  assert.deepEqual(
    core_notes(few, 64, 32 * mib),
    [],
    "three threads do not show that two are enough",
  );
  assert.match(core_notes(few, 3, 32 * mib)[0], /stops gaining at 2 threads/);
});

test("sets grow until they fill the room there is, and no product of another size is a share", () => {
  const registry = [
    { id: "stream.read", params: [{ name: "w", default: 1, min: 1, max: 2 ** 30 }] },
  ];
  const set = (threads, room) => core_tasks(registry, threads, 400, { room })[0].params.w / 2 ** 20;
  assert.deepEqual([set(1), set(4), set(16), set(384)], [256, 256, 64, 4]);
  assert.deepEqual([set(1, 2 ** 28), set(8, 2 ** 28)], [256, 32]);
  const other = measured("matmul.packed", 1, 80, { n: 512 });
  const shared = measured("matmul.parallel", 2, 100);
  assert.deepEqual(core_notes([other, shared], 2), []);
});

test("what was not measured is not spoken of", () => {
  assert.deepEqual(core_notes([], 8), []);
  const lost = { ...measured("allreduce.ring", 4, 0, { bytes: 4096 }), status: "unavailable" };
  assert.deepEqual(core_notes([measured("matmul.packed", 1, 40), lost], 4), []);
});

test("team kernels are tried on no more threads than the browser reports", () => {
  const param = (name) => ({ name, default: 1, min: 1, max: 2 ** 28 });
  const registry = [
    { id: "peak.simd", params: [param("chains")] },
    { id: "stream.read", params: [param("w")] },
    { id: "matmul.parallel", params: [param("n")], team: 1 },
    { id: "allreduce.ring", params: [param("bytes")], team: 2 },
  ];
  const ids = (threads) => [
    ...new Set(core_tasks(registry, threads, 6).map((task) => task.kernel.id)),
  ];
  assert.deepEqual(ids(1), ["peak.simd", "stream.read", "matmul.parallel"]);
  assert.deepEqual(ids(2), ["peak.simd", "stream.read", "matmul.parallel", "allreduce.ring"]);
  assert.deepEqual(ids(3), ["peak.simd", "stream.read", "matmul.parallel"]);
  assert.deepEqual(ids(6), ["peak.simd", "stream.read", "matmul.parallel", "allreduce.ring"]);
  assert.deepEqual(ids(12), ["peak.simd", "stream.read"]);
});
