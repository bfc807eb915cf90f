// The size at which a GPU starts to multiply faster than one core.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  core_seconds,
  crossing,
  crossing_spec,
  gpu_seconds,
  parts_of,
} from "../../../../site/runtime/gpu/crossing.js";

const recorded = (name) =>
  JSON.parse(
    readFileSync(new URL(`../../../../figures/profiles/${name}.json`, import.meta.url), "utf8"),
  );
const h100 = recorded("h100-webgpu");

test("the recorded H100 crosses its own core near 150 rows with copies, earlier without", () => {
  const parts = parts_of(h100);
  const with_copies = crossing(parts, true);
  const without = crossing(parts, false);
  assert.ok(with_copies.n >= 100 && with_copies.n <= 160, `${with_copies.n}`);
  assert.ok(without.n >= 20 && without.n < with_copies.n, `${without.n}`);
  // The copies decide, because they take longer than the program.
  assert.ok(with_copies.copies > 10 * with_copies.kernel);
  // A faster core, that of the reference machine, moves the crossing up.
  const fast = crossing(parts_of(h100, recorded("reference-chromium")), true);
  assert.ok(fast.n > with_copies.n && fast.n < 300, `${fast.n}`);
});

test("the model gives back what was measured", () => {
  const parts = parts_of(h100);
  const near = (found, rate, n) => Math.abs(found / ((2 * n ** 3) / (rate * 1e9)) - 1) < 0.25;
  const { dispatch, kernel } = gpu_seconds(parts, 1024);
  assert.ok(near(dispatch + kernel, 17575.6, 1024));
  const small = gpu_seconds(parts, 256);
  assert.ok(near(small.dispatch + small.kernel, 1294.4, 256));
  assert.ok(near(core_seconds(parts, 1024), 21.94, 1024));
});

test("at the crossing the GPU becomes the faster one, and one step before it is not", () => {
  const parts = parts_of(h100);
  const { n } = crossing(parts, true);
  const gpu = (rows) => Object.values(gpu_seconds(parts, rows)).reduce((a, b) => a + b);
  assert.ok(gpu(n) < core_seconds(parts, n));
  assert.ok(gpu(n - 1) >= core_seconds(parts, n - 1));
});

test("a GPU that never wins has no crossing, and a missing part gives no model", () => {
  assert.equal(crossing({ ...parts_of(h100), core: 1e17 }, true), null);
  for (const kernel of ["gpu.upload", "gpu.launch", "matmul.packed"])
    assert.equal(
      parts_of({ ...h100, results: h100.results.filter((one) => one.kernel !== kernel) }),
      null,
      kernel,
    );
  assert.equal(crossing_spec(parts_of(h100)).curves.length, 3);
});
