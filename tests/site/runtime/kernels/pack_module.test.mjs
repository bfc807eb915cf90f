// Kernel modules of a book: how their results are checked, and which imports they get.
import assert from "node:assert/strict";
import { test } from "node:test";

import { PackModule, work_key } from "../../../../site/runtime/kernels/pack_module.js";

const helper = { canary_ops: 1, canary() {} };
const param = { name: "n", default: 8, min: 1, max: 64 };

/** A module with one kernel, whose functions are JavaScript over the memory. */
function module_of({ check, room = 65536, ...functions }) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 2 });
  const floats = (base, count) => new Float32Array(memory.buffer, base, count);
  const kernel = { id: "own.a", params: [param], number: 0, index: 0, works: {}, check };
  kernel.works[work_key(kernel, { n: 8 })] = { flops: 16, bytes: 32, memory: 64 };
  const exports = { args: () => 0, prepare() {}, run() {} };
  for (const [name, make] of Object.entries(functions)) exports[name] = make(floats);
  const pack = { pages: 1, most_pages: 65536, room, kernels: [kernel] };
  return { module: new PackModule(exports, memory, { pack, helper }), kernel, memory };
}

const n = 8;
/** C = A · B of n × n floats; `wrong` is added to one element. */
const product = (wrong = 0) => ({
  check: {
    ...{ kind: "product", params: { n }, tolerance: 1e-6 },
    ...{ m: n, n, k: n, a: 0, b: 4 * n * n, c: 8 * n * n },
  },
  prepare: (floats) => (_, base) => {
    floats(base, 3 * n * n).forEach((__, i, all) => (all[i] = i < 2 * n * n ? (i % 5) - 2 : 0));
  },
  run: (floats) => (_, base) => {
    const [a, b, c] = [0, 1, 2].map((i) => floats(base + 4 * n * n * i, n * n));
    for (let i = 0; i < n; ++i)
      for (let j = 0; j < n; ++j) {
        let sum = 0;
        for (let k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
      }
    c[11] += wrong;
  },
});

test("a product is checked by Freivalds' method", () => {
  for (const [wrong, is_right] of [
    [0, true],
    [1, false],
    [NaN, false],
  ]) {
    const { module, kernel } = module_of(product(wrong));
    const { error, tolerance } = module.verify(kernel, 65536 - 4096);
    assert.equal(error <= tolerance, is_right, `${wrong}: ${error}`);
  }
});

test("a checksum is that of the output", () => {
  const output = (value) => ({
    check: { kind: "checksum", params: { n }, at: 16, bytes: 4, value: "4b95f515" }, // of "\0\0\0\0"
    prepare: (floats) => (_, base) => (floats(base, 8)[4] = 1),
    run: (floats) => (_, base) => (floats(base, 8)[4] = value),
  });
  for (const value of [0, 2]) {
    const { module, kernel } = module_of(output(value));
    const { error, tolerance } = module.verify(kernel, 1024);
    assert.equal(error <= tolerance, value === 0);
  }
});

test("a check that passes before the kernel has run is refused", () => {
  const { module, kernel } = module_of({
    check: { kind: "reference", params: { n } },
    verify: () => () => 0,
  });
  assert.throws(() => module.verify(kernel, 1024), /the check of own\.a passes before/);
});

test("a result that is no number is no result", () => {
  const { module, kernel } = module_of({
    check: { kind: "reference", params: { n } },
    verify: () => () => NaN,
  });
  const { error, tolerance } = module.verify(kernel, 1024);
  assert.ok(!(error <= tolerance));
});

test("a trap names the kernel and the function", () => {
  const { module, kernel } = module_of({
    check: { kind: "reference" },
    run: () => () => {
      throw new WebAssembly.RuntimeError("unreachable".repeat(100));
    },
  });
  assert.throws(
    () => module.run(kernel, 1024, 1),
    ({ message }) =>
      message.startsWith("own.a stopped in run: unreachable") && message.length < 200,
  );
});

test("args() must be the address of six doubles", () => {
  for (const at of [4, 65536, -8, 65536 - 40, undefined, NaN])
    assert.throws(() => module_of({ check: {}, args: () => () => at }), /args\(\) of its module/);
});

test("what a run does depends on its parameters, and unknown ones never fit", () => {
  const { module, kernel } = module_of({ check: {} });
  module.select(kernel, { n: 8 });
  const work = [module.flops(kernel), module.bytes(kernel), module.memory_needed(kernel)];
  assert.deepEqual(work, [16, 32, 64]);
  module.select(kernel, { n: 9 });
  assert.equal(module.memory_needed(kernel), Infinity);
});

test("memory ends at its maximum", () => {
  const { module } = module_of({ check: {} });
  assert.ok(module.reserve(2 * 65536));
  assert.ok(!module.reserve(2 * 65536 + 1));
});
