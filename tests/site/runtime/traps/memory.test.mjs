// Distinguishes a refused memory from other faults, by type and not by a browser's message.
import assert from "node:assert/strict";
import { test } from "node:test";

import { first_that_fits, NoMemory } from "../../../../site/runtime/traps/memory.js";

const refusing = (error, fits) => async (size) => {
  if (size > fits) throw error;
  return size;
};
const in_firefox = Object.assign(new Error("allocation size overflow"), { name: "InternalError" });

test("refused memory is tried again with less, whatever the browser's message", async () => {
  for (const error of [
    new NoMemory("x"),
    new RangeError("WebAssembly.Instance(): Out of bounds"),
    new RangeError("no se pudo reservar"),
    in_firefox,
  ])
    assert.equal(await first_that_fits([256, 128, 64], refusing(error, 100)), 64, String(error));
});

test("another fault is no lack of memory, though it speaks of it", async () => {
  const fault = new WebAssembly.RuntimeError("memory access out of bounds");
  const tried = [];
  const attempt = (size) => (tried.push(size), refusing(fault, 100)(size));
  await assert.rejects(first_that_fits([256, 128, 64], attempt), fault);
  assert.deepEqual(tried, [256]);
});

test("the last one's reason is the reason, and no size at all has its own", async () => {
  const error = new RangeError("full");
  await assert.rejects(first_that_fits([256, 128], refusing(error, 1)), error);
  await assert.rejects(first_that_fits([], refusing(error, 1)), NoMemory);
});
