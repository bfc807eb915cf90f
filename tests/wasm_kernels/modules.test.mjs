// Loads each WebAssembly module as a page would, and runs and verifies every kernel at small sizes.
// Needs the modules' directory: KERNEL_MODULES, or build/wasm/wasm_kernels. Node 20 supports
// relaxed SIMD only behind a flag, which is turned on here.
// Reads the book.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import v8 from "node:v8";
import { Worker } from "node:worker_threads";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { detect } from "../../site/runtime/kernels/detect.js";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const modules = process.env.KERNEL_MODULES ?? path.join(root, "build/wasm/wasm_kernels");

if (!detect().relaxed) {
  v8.setFlagsFromString("--experimental-wasm-relaxed-simd");
  v8.setFlagsFromString("--no-liftoff"); // its relaxed dot product of bytes is wrong there
}
// Node 18 supports only older opcodes of relaxed SIMD, so there only the browser tests run these
// modules.
const unknown_here = (name) =>
  name.includes("relaxed") &&
  !detect().relaxed &&
  `Node ${process.version} does not know the final relaxed SIMD instructions`;

// The module's exports, with its memory grown to what a run needs.
const load = (name) => {
  const file = path.join(modules, `${name}.wasm`);
  assert.ok(existsSync(file), `${file} is missing: run scripts/build`);
  const bytes = readFileSync(file);
  const module = new WebAssembly.Module(bytes);
  const shared = name.endsWith("-shared");
  const imported = shared && new WebAssembly.Memory({ initial: 16, maximum: 4096, shared: true });
  const { exports } = new WebAssembly.Instance(module, shared ? { env: { memory: imported } } : {});
  return { bytes, module, exports, memory: shared ? imported : exports.memory };
};

const textAt = (memory, address) => {
  const bytes = new Uint8Array(memory.buffer);
  return Buffer.from(bytes.slice(address, bytes.indexOf(0, address))).toString("utf8");
};

const describe = ({ exports, memory }) =>
  Array.from({ length: exports.kernel_count() }, (_, i) =>
    JSON.parse(textAt(memory, exports.describe(i))),
  );

// The smallest allowed value of each parameter, unless another allowed value is given.
const small = (kernel, given = {}) =>
  kernel.params.map(({ name, min, choices }) => {
    const is_allowed = name in given && (choices?.includes(given[name]) ?? true);
    return is_allowed ? given[name] : (choices?.[0] ?? min);
  });

const runOnce = ({ exports, memory }, index, values) => {
  new Float64Array(memory.buffer, exports.args(), values.length).set(values);
  const base = exports.heap_base();
  const missing = base + exports.memory_needed(index) - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  exports.prepare(index, base);
  exports.run(index, base, 2);
  const error = exports.verify(index, base);
  return { error, tolerance: exports.tolerance(index) };
};

const names = [
  ...["simd128", "simd128-shared", "relaxed", "relaxed-shared"].map((n) => `kernels-${n}`),
  ...["simd128", "relaxed", "shared"].map((n) => `lab-${n}`),
  ...["simd128", "relaxed"].map((n) => `layers-${n}`),
];

for (const name of names) {
  test(`${name} computes what it says`, { skip: unknown_here(name) }, () => {
    const loaded = load(name);
    describe(loaded).forEach((kernel, index) => {
      for (const [n, chains] of [
        [37, 5],
        [64, 12],
      ]) {
        const values = small(kernel, { n, w: 40000, chains });
        const { error, tolerance } = runOnce(loaded, index, values);
        assert.ok(error <= tolerance, `${kernel.id} ${kernel.variant} ${values}: error ${error}`);
      }
    });
  });

  test(`${name} needs nothing but memory, and is small`, { skip: unknown_here(name) }, () => {
    const { bytes, module, exports } = load(name);
    const imports = WebAssembly.Module.imports(module).map((i) => `${i.module}.${i.name}`);
    assert.deepEqual(imports, name.endsWith("-shared") ? ["env.memory"] : []);
    assert.equal(exports.heap_base() % 64, 0);
    assert.ok(gzipSync(bytes, { level: 9 }).length <= 40 * 1024);
  });
}

// One thread of a team: a separate instance with a separate stack, over the shared memory.
const member_source = `
  import { workerData } from 'node:worker_threads';
  const { module, memory, stack, index, base, reps, thread, complete } = workerData;
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  exports._emscripten_stack_restore(stack);
  Atomics.add(new Int32Array(complete), 0, exports.run_part(index, base, reps, thread));
`;

const run_team = async ({ module, exports, memory }, index, values, threads, reps) => {
  exports.set_threads(threads);
  new Float64Array(memory.buffer, exports.args(), values.length).set(values);
  const stacks = exports.heap_base();
  const base = stacks + (threads + 1) * 65536;
  const missing = base + exports.memory_needed(index) - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  exports.prepare(index, base);
  const complete = new SharedArrayBuffer(4);
  const url = new URL(`data:text/javascript,${encodeURIComponent(member_source)}`);
  const ended = Array.from(
    { length: threads },
    (_, thread) =>
      new Promise((resolve, reject) => {
        const stack = stacks + (thread + 1) * 65536;
        const workerData = { module, memory, stack, index, base, reps, thread, complete };
        new Worker(url, { workerData }).on("error", reject).on("exit", resolve);
      }),
  );
  await Promise.all(ended);
  const error = exports.verify(index, base);
  return { complete: new Int32Array(complete)[0], error, tolerance: exports.tolerance(index) };
};

/** The team kernels of a module, in order, with parameters for a run. */
const teams_of = (name) =>
  name.startsWith("lab-")
    ? [
        ["core.pingpong", { partner: 1 }],
        ["core.pingpong", { partner: 2 }],
        ["core.sharing", { apart: 4 }],
        ["core.sharing", { apart: 128 }],
        ["core.loaded", { w: 2 ** 20, readers: 2, data: 2 ** 20 }],
      ]
    : [
        ["matmul.parallel", { n: 100, k: 600, split: 0 }],
        ["matmul.parallel", { n: 100, k: 600, split: 1 }],
        ["allreduce.ring", { bytes: 40000 }],
        ["allreduce.tree", { bytes: 40000 }],
      ];

for (const name of names.filter((n) => n.endsWith("-shared"))) {
  test(
    `${name}: teams of threads compute what they say`,
    { skip: unknown_here(name) },
    async () => {
      const loaded = load(name);
      const kernels = describe(loaded);
      assert.deepEqual(
        kernels.filter((k) => k.team > 0).map((k) => k.id),
        [...new Set(teams_of(name).map(([id]) => id))],
      );
      for (const [id, given] of teams_of(name)) {
        const index = kernels.findIndex((k) => k.id === id);
        const threads = 3;
        const result = await run_team(loaded, index, small(kernels[index], given), threads, 500);
        assert.equal(result.complete, threads, id);
        assert.ok(
          result.error <= result.tolerance,
          `${id} ${JSON.stringify(given)}: ${result.error}`,
        );
      }
    },
  );
}

const relaxed_unknown = unknown_here("kernels-relaxed");
test(
  "simd128 has the kernels of relaxed, less those it requires",
  { skip: relaxed_unknown },
  () => {
    const relaxed = describe(load("kernels-relaxed"));
    const idsOf = (kernels) => kernels.map((k) => `${k.id}/${k.variant}`);
    assert.deepEqual(
      idsOf(describe(load("kernels-simd128"))),
      idsOf(relaxed.filter((k) => k.requires === "")),
    );
    assert.deepEqual(idsOf(relaxed), idsOf(describe(load("kernels-relaxed-shared"))));
    const layers = idsOf(describe(load("layers-relaxed")));
    assert.deepEqual(idsOf(describe(load("layers-simd128"))), layers);
    assert.ok(!layers.some((id) => idsOf(relaxed).includes(id)));
  },
);

test("the canary runs its chain", () => {
  const { exports } = load("kernels-simd128");
  assert.equal(exports.canary_ops_per_iteration(), 64);
  let x = 3;
  for (let i = 0; i < 3; ++i)
    for (let step = 0; step < 32; ++step) x = ((x + 0x9e3779b9) ^ i) >>> 0;
  assert.equal(exports.canary(3) >>> 0, x);
});
