// What a press in the preview may start: a block from the page's own data, with kernels of the
// registry within their ranges, and nothing else that a message contains.
import assert from "node:assert/strict";
import { test } from "node:test";

import { allowed_plan, pressed_block } from "../../../../site/runtime/write/pressed_block.js";

const triad = { kernel: "stream.triad", params: { w: 65536 }, threads: 1 };
const data = {
  benches: [{ id: "bench-one", runs: [triad], roofs: false, quick: true }],
  models: JSON.parse('{"mod-one": {"model": "little"}, "__proto__": {"model": "stranger"}}'),
};
const registry = [
  {
    id: "stream.triad",
    variant: "",
    params: [{ name: "w", default: 4096, min: 1024, max: 2 ** 30 }],
  },
  {
    id: "matmul.tiled",
    variant: "wide",
    params: [{ name: "n", default: 64, min: 8, max: 4096, choices: [64, 128] }],
  },
];
const allowed = (...runs) => allowed_plan({ runs }, registry);
const refused = (plan, what) =>
  assert.throws(
    () => allowed_plan(plan, registry),
    { message: "it asks for what the book does not have" },
    what,
  );

test("a message names a block of the page's data, and says no more", () => {
  const [plan] = data.benches;
  assert.deepEqual(pressed_block({ pressed: "bench-one" }, data), {
    ...{ id: "bench-one", tag: "primer-bench", plan },
  });
  const forged = { pressed: "bench-one", plan: { runs: [] }, tag: "script", runs: [triad] };
  assert.deepEqual(pressed_block(forged, data), pressed_block({ pressed: "bench-one" }, data));
  assert.deepEqual(pressed_block({ pressed: "mod-one" }, data), {
    ...{ id: "mod-one", tag: "figure", model: "little" },
  });
});

test("any other message means no block", () => {
  for (const message of [
    ...[undefined, null, 666, "bench-one", [], {}, ["bench-one"]],
    ...["bench-two", "", "constructor", "toString", "hasOwnProperty"].map((pressed) => ({
      pressed,
    })),
    ...[undefined, null, 0, ["bench-one"], { id: "bench-one" }].map((pressed) => ({ pressed })),
    { pressed: "x".repeat(1e6) },
    { pressed: "<img src=x onerror=alert(1)>" },
  ])
    assert.equal(pressed_block(message, data), undefined, JSON.stringify(message)?.slice(0, 80));
  assert.equal(pressed_block({ pressed: "bench-one" }, {}), undefined);
});

test("a plan is run as the registry has it", () => {
  assert.deepEqual(allowed(triad, { kernel: "matmul.tiled", variant: "wide", params: {} }), {
    runs: [triad, { kernel: "matmul.tiled", variant: "wide", params: { n: 64 }, threads: 1 }],
    ...{ roofs: false, quick: true },
  });
  assert.deepEqual(
    allowed_plan({ roofs: true, quick: false, module: "x", urls: ["x"] }, registry),
    {
      ...{ runs: [], roofs: true, quick: false },
    },
  );
});

test("kernels that the registry does not have, parameters outside their ranges and wrong types are refused", () => {
  const wrong = {
    "no such kernel": { ...triad, kernel: "stream.nothing" },
    "an inherited name": { ...triad, kernel: "constructor" },
    "a path": { ...triad, kernel: "../../evil" },
    "no such variant": { ...triad, variant: "wide" },
    "a variant left out": { kernel: "matmul.tiled", params: { n: 64 } },
    "a huge parameter": { ...triad, params: { w: 1e18 } },
    "a negative parameter": { ...triad, params: { w: -1 } },
    "an infinite parameter": { ...triad, params: { w: Infinity } },
    "a parameter that is no choice": { kernel: "matmul.tiled", variant: "wide", params: { n: 65 } },
    "a parameter as text": { ...triad, params: { w: "65536" } },
    "a parameter as an object": { ...triad, params: { w: { valueOf: () => 65536 } } },
    "no such parameter": { ...triad, params: { w: 65536, then: 1 } },
    "parameters that are none": { ...triad, params: null },
    "no threads": { ...triad, threads: 0 },
    "huge threads": { ...triad, threads: 1e9 },
    "threads in parts": { ...triad, threads: 1.5 },
    "threads as text": { ...triad, threads: "2" },
    "no run": null,
    "a text": "stream.triad",
  };
  for (const [what, run] of Object.entries(wrong)) refused({ runs: [triad, run] }, what);
  refused({ runs: "stream.triad" }, "runs as text");
  refused({ runs: { length: 1 } }, "runs as an object");
  refused({ runs: Array(101).fill(triad) }, "too many runs");
  assert.equal(allowed(...Array(100).fill(triad)).runs.length, 100);
});
