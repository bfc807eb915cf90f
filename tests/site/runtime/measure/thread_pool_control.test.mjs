// The protocol between the members of a thread pool and its leader: orders, and especially the two
// ways in which waiting ends without an answer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { actions, Control } from "../../../../site/runtime/measure/thread_pool_control.js";

const control_url = new URL(
  "../../../../site/runtime/measure/thread_pool_control.js",
  import.meta.url,
);

/** measure/thread_pool_member.js without its module of kernels, for Node's workers. */
const member_source = `
  import { workerData } from "node:worker_threads";
  import { Control } from ${JSON.stringify(control_url.href)};
  const { buffer, member, ran, fault } = workerData;
  const control = new Control(buffer);
  const runs = new Int32Array(ran);
  const kernels = {
    prepare() {},
    run(kernel, base, reps) {
      if (fault === "fails") throw new Error("out of bounds");
      Atomics.add(runs, 0, reps);
    },
  };
  try {
    for (let seen = 0; ; ) {
      seen = control.wait(member, seen);
      control.take_part(member, kernels);
      if (fault !== "silent") control.finish();
    }
  } catch (error) {
    control.fail(error.message);
  }
`;

/** A leader's control and a count of runs, with `others` members that have `fault`. */
async function with_members(others, fault, use) {
  const buffer = Control.buffer_for(others + 1);
  const ran = new SharedArrayBuffer(4);
  const url = new URL(`data:text/javascript,${encodeURIComponent(member_source)}`);
  const workers = [];
  for (let member = 1; member <= others; ++member)
    workers.push(new Worker(url, { workerData: { buffer, member, ran, fault } }));
  try {
    await use(new Control(buffer), new Int32Array(ran));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

const run_order = (rest) => [actions.run, 0, 0, 64, 2, rest];

test("every run that was ordered happens once, whoever takes it", async () => {
  await with_members(3, "", (control, runs) => {
    const kernels = { prepare() {}, run: (kernel, base, reps) => Atomics.add(runs, 0, reps) };
    for (let call = 1; call <= 200; ++call) {
      control.announce(run_order(41), 3);
      control.take_part(0, kernels);
      control.join(3, 60_000);
      assert.equal(Atomics.load(runs, 0), call * (4 + 41));
    }
  });
});

test("a member's failure reaches the leader as words", async () => {
  await with_members(2, "fails", (control) => {
    control.announce(run_order(5), 2);
    assert.throws(() => control.join(2, 60_000), /further core failed: out of bounds$/);
    assert.throws(() => control.join(2, 60_000), /out of bounds/, "and stays");
  });
});

test("a leader does not wait for ever for members that are silent", async () => {
  await with_members(2, "silent", (control) => {
    control.announce(run_order(5), 2);
    assert.throws(() => control.join(2, 200), /^Error: 2 workers for further cores did not answer/);
  });
});

test("a failure that is longer than its place is cut", () => {
  const buffer = Control.buffer_for(2);
  new Control(buffer).fail("x".repeat(1000));
  assert.throws(() => new Control(buffer).join(1, 1000), /x{256}$/);
});
