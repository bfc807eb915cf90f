import assert from "node:assert/strict";
import { test } from "node:test";

import { Typing } from "../../../../site/runtime/write/typing.js";

const pause_ms = 120;

/** A Typing, the texts that it has saved, and a way to delay `keep` as long as the test wants. */
function typing_of({ keep = async () => {} } = {}) {
  const kept = [];
  const failures = [];
  const typing = new Typing({
    pause_ms,
    failed: (error) => failures.push(error.message),
    keep: async (what) => {
      await keep(what);
      kept.push(what);
    },
  });
  return { typing, kept, failures };
}

test("typed text is saved after a pause, only its last state", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { typing, kept } = typing_of();
  typing.typed("a");
  t.mock.timers.tick(pause_ms - 1);
  typing.typed("ab");
  t.mock.timers.tick(pause_ms - 1);
  assert.deepEqual(kept, []);
  t.mock.timers.tick(1);
  await typing.settle();
  assert.deepEqual(kept, ["ab"]);
});

test("what waits is kept at once where all is asked for, and not a second time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { typing, kept } = typing_of();
  typing.typed("a");
  await typing.settle();
  assert.deepEqual(kept, ["a"]);
  t.mock.timers.tick(pause_ms);
  await typing.settle();
  assert.deepEqual(kept, ["a"]);
});

test("dropped text is never saved, and pending saves are awaited", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let release;
  const { typing, kept } = typing_of({ keep: () => new Promise((done) => (release = done)) });
  typing.typed("first");
  t.mock.timers.tick(pause_ms);
  await Promise.resolve();
  typing.typed("second");
  assert.deepEqual(typing.drop(), ["second"]);
  const settled = typing.settle();
  assert.deepEqual(kept, []);
  release();
  await settled;
  t.mock.timers.tick(pause_ms);
  assert.deepEqual(kept, ["first"]);
});

test("a failed save is reported, and the next text is saved", async () => {
  const keep = async (what) => {
    if (what === "too much") throw new Error("the disk is full");
  };
  const { typing, kept, failures } = typing_of({ keep });
  typing.typed("too much");
  await typing.settle();
  typing.typed("less");
  await typing.settle();
  assert.deepEqual([kept, failures], [["less"], ["the disk is full"]]);
});
