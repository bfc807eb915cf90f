// A thread pool, from the side of its leader and of a member, without workers: the counted work of
// a kernel on all members, the orders, and a member's answers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ThreadPool } from "../../../../site/runtime/measure/thread_pool.js";
import { actions, Control } from "../../../../site/runtime/measure/thread_pool_control.js";

/** A pool of at most four whose leader and control record their calls. */
function played(checks = []) {
  const asked = [];
  const note =
    (name) =>
    (...all) =>
      asked.push([name, ...all]);
  const leader = {
    ...{ registry: [], canary_ops: 1, heap_base: 4096 },
    ...{ select: note("select"), prepare: note("prepare"), memory_needed: () => 1000 },
    ...{ flops: () => 10, bytes: () => 100, reserve: (bytes) => bytes <= 5000 },
    verify: (kernel, base) => (note("verify")(base), checks.shift() ?? { error: 0, tolerance: 1 }),
  };
  const control = {
    announce: (order, others) => note("order")(...order, others),
    take_part: (member) => note("part")(member),
    join: (others) => note("join")(others),
  };
  return { pool: new ThreadPool(leader, control, 4), asked, control, leader };
}
const copies = { index: 3 };
const team = { index: 5, team: true };

test("a size is between one and all", () => {
  const { pool } = played();
  for (const size of [1, 4]) {
    pool.size = size;
    assert.equal(pool.size, size);
  }
  for (const size of [0, 5, NaN]) assert.throws(() => (pool.size = size), RangeError);
});

test("copies count for all members, a team's work once", () => {
  const { pool } = played();
  pool.size = 3;
  pool.select(copies, {});
  assert.deepEqual([pool.flops(copies), pool.bytes(copies)], [30, 300]);
  assert.deepEqual([pool.flops(team), pool.bytes(team)], [10, 100]);
  const each = pool.memory_needed(copies) / 3;
  assert.equal(pool.memory_needed(team), each);
  assert.ok(each >= 1000 && each % 4096 !== 0, "regions share no cache set");
  assert.ok(pool.heap_base >= 4096 + 4 * 65536, "the stacks lie below");
  assert.deepEqual([pool.reserve(5000), pool.reserve(5001)], [true, false]);
});

test("a call is an order to the others and a part of the leader's own", () => {
  const { pool, asked } = played();
  pool.size = 3;
  pool.select(copies, { n: 1 });
  const orders = () => asked.splice(0).filter(([name]) => name !== "part" && name !== "join");
  const [selected, woken] = orders();
  assert.deepEqual(selected, ["select", copies, { n: 1 }, 1]);
  assert.deepEqual([woken[1], woken.at(-1)], [actions.stand_by, 2]);
  pool.select(team, {});
  assert.equal(orders()[0][3], 3, "a team knows its size");
  pool.prepare(copies, 64);
  pool.prepare(team, 64);
  assert.deepEqual(
    orders().map(([name, action]) => [name, name === "order" && action]),
    [
      ["order", actions.prepare],
      ["prepare", false],
    ],
  );
  pool.run(copies, 64, 1000);
  pool.run(team, 64, 1000);
  const [order, together] = orders();
  const [, action, index, base, stride, chunk, runs] = order;
  assert.deepEqual([action, index, base, runs], [actions.run, 3, 64, 3 * 999]);
  assert.deepEqual(
    [stride, chunk],
    [pool.memory_needed(copies) / 3, Math.ceil((3 * 999) / (64 * 3))],
  );
  assert.deepEqual([together[1], together[2], together[6]], [actions.run_together, 5, 1000]);
  pool.run(copies, 64, 1);
  assert.equal(orders()[0][5], 1, "a chunk is at least one run");
});

test("the worst of all copies counts; a check that is no number is the worst", () => {
  const checks = [
    { error: 1, tolerance: 10 },
    { error: 0.5, tolerance: 1 },
    { error: 2, tolerance: 10 },
  ];
  const { pool, asked } = played(checks);
  pool.size = 3;
  pool.select(copies, {});
  assert.deepEqual(pool.verify(copies, 100), { error: 0.5, tolerance: 1 });
  const bases = asked.filter(([name]) => name === "verify").map(([, base]) => base);
  const stride = pool.memory_needed(copies) / 3;
  assert.deepEqual(bases, [100, 100 + stride, 100 + 2 * stride]);
  const { pool: other } = played([
    { error: NaN, tolerance: 1 },
    { error: 0, tolerance: 1 },
  ]);
  other.size = 2;
  assert.ok(Number.isNaN(other.verify(copies, 0).error));
});

test("what stops the leader is a member's failure, where one has failed", () => {
  const { pool, control } = played();
  control.take_part = () => {
    throw new Error("incomplete");
  };
  assert.throws(() => pool.run(team, 0, 1), /incomplete/);
  control.failure = new Error("a member's");
  assert.throws(() => pool.run(team, 0, 1), /a member's/);
});

test("a member follows orders until it fails, and reports why", async () => {
  const buffer = Control.buffer_for(2);
  const control = new Control(buffer);
  const order = (action) => control.announce([action, 7, 4096, 64, 1, 1], 1);
  const calls = [];
  const exports = {
    _emscripten_stack_restore: (stack) => calls.push(["stack", stack]),
    prepare: (...all) => (calls.push(["prepare", ...all]), order(actions.run_together)),
    run_part: (...all) => {
      calls.push(["part", ...all]);
      const is_first = calls.filter(([name]) => name === "part").length === 1;
      if (is_first) order(actions.run_together);
      return is_first ? 1 : 0;
    },
  };
  const { instantiate } = WebAssembly;
  const posted = [];
  let heard;
  Object.assign(globalThis, {
    addEventListener: (name, listener, how) => (heard = how.once && listener),
    postMessage: (message) => posted.push(message),
  });
  WebAssembly.instantiate = async () => ({ exports });
  try {
    await import("../../../../site/runtime/measure/thread_pool_member.js");
    order(actions.prepare);
    await heard({ data: { member: 1, compiled: null, memory: null, control: buffer, stack: 99 } });
  } finally {
    WebAssembly.instantiate = instantiate;
    delete globalThis.addEventListener;
    delete globalThis.postMessage;
  }
  assert.deepEqual(calls, [
    ["stack", 99],
    ["prepare", 7, 4096 + 64],
    ["part", 7, 4096, 1, 1],
    ["part", 7, 4096, 1, 1],
  ]);
  assert.deepEqual(posted[0], { ready: true });
  assert.match(posted[1].reason, /did not come/);
  assert.match(control.failure.message, /did not come/);
});
