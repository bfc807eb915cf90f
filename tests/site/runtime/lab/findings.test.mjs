// The findings of the trials, from results with known causes.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  core_rows,
  core_sentences,
  instruction_rows,
  load_sentences,
  page_knees,
  page_rows,
  page_sentences,
} from "../../../../site/runtime/lab/findings.js";

const good = { status: "measured", verified: true };

test("an instruction's latency is of one chain, its throughput the best of all", () => {
  const result = (kernel, chains, per_cycle, more = {}) => ({
    ...{ ...good, kernel, title: `${kernel}!`, params: { chains }, per_cycle },
    ...more,
  });
  const rows = instruction_rows([
    ...[result("add", 1, 0.25), result("add", 4, 1), result("add", 8, 2), result("add", 12, 1.9)],
    result("add", 16, 9, { verified: false }),
    ...[result("gone", 1, 1, { status: "unavailable" }), result("gone", 4, 1)],
    result("mul", 1, 0.5),
  ]);
  assert.deepEqual(rows, [
    { title: "add!", cycles: 4, per_cycle: 2, chains: 8 },
    { title: "mul!", cycles: 2, per_cycle: 0.5, chains: 1 },
  ]);
});

/**
 * Results of a machine on which an access to one line per page takes `extra(pages)` ns longer than
 * one to adjacent lines.
 */
const chases = (extra) =>
  [64, 96, 128, 192, 256, 512, 1024, 1536, 2048, 4096].flatMap((pages) => [
    { ...good, pages, spread: true, median: 5 + pages / 1000 + extra(pages) },
    { ...good, pages, spread: false, median: 5 + pages / 1000 },
  ]);

test("knees are where translations begin to cost more, each once", () => {
  const two = (pages) => (pages <= 64 ? 0 : pages <= 1024 ? 2 : pages <= 1536 ? 6 : 9);
  const rows = page_rows(chases(two));
  assert.deepEqual(
    page_knees(rows, 4).map(({ from, to }) => [from, to]),
    [
      [64, 96],
      [1024, 2048],
    ],
  );
  assert.ok(Math.abs(page_knees(rows, 4)[1].ns - 7) < 1e-9, "one climb over two points");
  const spike = page_rows(chases((pages) => (pages === 192 ? 30 : 0)));
  assert.deepEqual(page_knees(spike, 4), [], "a disturbance is no knee");
  assert.match(
    page_sentences(rows, 4)[1],
    /^Between 1024 and 2048 pages .* waits 7\.0 ns longer\.$/,
  );
  assert.match(page_sentences(page_rows(chases(() => 0)), 4)[0], /^No knee: .* for 4096 pages/);
  assert.deepEqual(page_sentences([], 4), []);
});

test("a page that was measured on one side only is no row", () => {
  const some = chases(() => 1).filter(({ pages, spread }) => pages !== 96 || spread);
  assert.ok(!page_rows(some).some(({ pages }) => pages === 96));
  assert.equal(page_rows(some).length, 9);
});

test("cores: the range of pairs, and what counting in one line costs", () => {
  const pair = (partner, median) => ({
    ...good,
    kernel: "core.pingpong",
    params: { partner },
    median,
  });
  const count = (apart, median) => ({ ...good, kernel: "core.sharing", params: { apart }, median });
  const rows = core_rows([
    pair(1, 50),
    pair(2, 120),
    count(4, 60),
    count(256, 5),
    { ...pair(3, 1), verified: false },
  ]);
  assert.deepEqual(rows.pairs, [
    { partner: 1, ns: 50 },
    { partner: 2, ns: 120 },
  ]);
  const said = core_sentences(rows);
  assert.match(said[0], /in 50\.0 to 120 ns/);
  assert.match(said[1], /costs each thread 12 times/);
  assert.deepEqual(core_sentences({ pairs: [], counters: [] }), []);
  const single = core_sentences({ pairs: [{ partner: 1, ns: 50 }], counters: [] });
  assert.deepEqual(single, ["A line goes from one thread to the other in 50.0 ns."]);
});

test("load: the idle wait and the wait under the most bytes", () => {
  const curve = [
    { gbs: 0, ns: 90 },
    { gbs: 10, ns: 100 },
    { gbs: 20, ns: 180 },
  ];
  assert.match(
    load_sentences(curve)[0],
    /waits 90\.0 ns; while others read 20\.0 GB\/s, 180 ns: 2\.0 times/,
  );
  assert.deepEqual(load_sentences([{ gbs: 0, ns: 90 }]), [], "nobody read");
});
