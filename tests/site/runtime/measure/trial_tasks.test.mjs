// The tasks of the trials, for a registry like that of the modules.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  core_tasks_of,
  instruction_tasks,
  loads,
  page_tasks,
} from "../../../../site/runtime/measure/trial_tasks.js";

const chase = {
  id: "latency.chase",
  params: [
    { name: "w", default: 1, min: 4096, max: 2 ** 30 },
    { name: "order", default: 0, min: 0, max: 2 },
    { name: "line", default: 64, min: 64, max: 128, choices: [64, 128] },
  ],
};

test("instructions in each number of chains that they allow, and nothing else", () => {
  const op = { id: "op.load", params: [{ name: "chains", choices: [1, 4] }] };
  assert.deepEqual(instruction_tasks([chase, op]), [
    { kernel: op, params: { chains: 1 }, threads: 1 },
    { kernel: op, params: { chains: 4 }, threads: 1 },
  ]);
});

test("pages: as many lines spread as packed, twice a doubling, within what the kernel takes", () => {
  const tasks = page_tasks([chase]);
  assert.equal(tasks.length, 34);
  for (const { pages, spread, params } of tasks) {
    assert.ok(params.w >= 4096 && params.w <= 2 ** 26);
    assert.deepEqual(params, { w: pages * (spread ? 4096 : 64), order: spread ? 2 : 1, line: 64 });
  }
  assert.deepEqual([tasks[0].pages, tasks.at(-1).pages], [64, 16384]);
  assert.deepEqual(page_tasks([]), []);
});

test("cores: each partner of the first thread, and each distance of counters", () => {
  const registry = [
    { id: "core.pingpong", params: [{ name: "partner" }] },
    { id: "core.sharing", params: [{ name: "apart", choices: [4, 256] }] },
  ];
  const asked = core_tasks_of(registry, 3).map(({ kernel, params, threads }) => [
    kernel.id,
    params,
    threads,
  ]);
  assert.deepEqual(asked, [
    ["core.pingpong", { partner: 1 }, 3],
    ["core.pingpong", { partner: 2 }, 3],
    ["core.sharing", { apart: 4 }, 3],
    ["core.sharing", { apart: 256 }, 3],
  ]);
});

test("background load starts with no readers and ends with all at full speed", () => {
  assert.equal(loads[0].readers, 0);
  assert.equal(loads.at(-1).pause, 0);
  assert.ok(loads.slice(2).every(({ pause }, i) => pause < loads[i + 1].pause));
});
