// Loads each WebAssembly module as a page would, and runs and verifies every kernel at small sizes.
// Needs the modules' directory: KERNEL_MODULES, or build/wasm/wasm_kernels. Node 20 knows relaxed
// SIMD only behind a flag, so that is turned on here.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import v8 from 'node:v8';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { detect } from '../../site/runtime/detect.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const modules = process.env.KERNEL_MODULES ?? path.join(root, 'build/wasm/wasm_kernels');

if (!detect().relaxed) {
  v8.setFlagsFromString('--experimental-wasm-relaxed-simd');
  v8.setFlagsFromString('--no-liftoff'); // whose relaxed dot product of bytes is wrong there
}
// Node 18 knows relaxed SIMD only by opcodes that were never final; there the browser tests, which
// run these modules too, have to do.
const unknown_here = (name) =>
  name.includes('relaxed') && !detect().relaxed &&
  `Node ${process.version} does not know the final relaxed SIMD instructions`;

// The module's exports, and its memory grown to what a run needs.
const load = (name) => {
  const file = path.join(modules, `${name}.wasm`);
  assert.ok(existsSync(file), `${file} is missing: run scripts/build`);
  const bytes = readFileSync(file);
  const module = new WebAssembly.Module(bytes);
  const shared = name.endsWith('-shared');
  const imported = shared && new WebAssembly.Memory({ initial: 16, maximum: 4096, shared: true });
  const { exports } = new WebAssembly.Instance(module, shared ? { env: { memory: imported } } : {});
  return { bytes, module, exports, memory: shared ? imported : exports.memory };
};

const textAt = (memory, address) => {
  const bytes = new Uint8Array(memory.buffer);
  return Buffer.from(bytes.slice(address, bytes.indexOf(0, address))).toString('utf8');
};

const describe = ({ exports, memory }) =>
  Array.from({ length: exports.kernel_count() }, (_, i) =>
    JSON.parse(textAt(memory, exports.describe(i))));

// The smallest allowed value of each parameter, where nothing else is given.
const small = (kernel, given = {}) =>
  kernel.params.map((p) => given[p.name] ?? p.choices?.[0] ?? p.min);

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

const names = ['simd128', 'simd128-shared', 'relaxed', 'relaxed-shared'].map((n) => `kernels-${n}`);

for (const name of names) {
  test(`${name} computes what it says`, { skip: unknown_here(name) }, () => {
    const loaded = load(name);
    describe(loaded).forEach((kernel, index) => {
      for (const n of [37, 64]) {
        const values = small(kernel, { n, w: 40000, chains: 5 });
        const { error, tolerance } = runOnce(loaded, index, values);
        assert.ok(error <= tolerance, `${kernel.id} ${kernel.variant} ${values}: error ${error}`);
      }
    });
  });

  test(`${name} needs nothing but memory, and is small`, { skip: unknown_here(name) }, () => {
    const { bytes, module, exports } = load(name);
    const imports = WebAssembly.Module.imports(module).map((i) => `${i.module}.${i.name}`);
    assert.deepEqual(imports, name.endsWith('-shared') ? ['env.memory'] : []);
    assert.equal(exports.heap_base() % 64, 0);
    assert.ok(gzipSync(bytes, { level: 9 }).length <= 40 * 1024);
  });
}

const relaxed_unknown = unknown_here('kernels-relaxed');
test('simd128 has the kernels of relaxed, less those it requires', { skip: relaxed_unknown }, () => {
  const relaxed = describe(load('kernels-relaxed'));
  const idsOf = (kernels) => kernels.map((k) => `${k.id}/${k.variant}`);
  assert.deepEqual(
    idsOf(describe(load('kernels-simd128'))),
    idsOf(relaxed.filter((k) => k.requires === '')),
  );
  assert.deepEqual(idsOf(relaxed), idsOf(describe(load('kernels-relaxed-shared'))));
});

test('the canary runs its chain', () => {
  const { exports } = load('kernels-simd128');
  assert.equal(exports.canary_ops_per_iteration(), 64);
  let x = 3;
  for (let i = 0; i < 3; ++i)
    for (let step = 0; step < 32; ++step) x = ((x + 0x9e3779b9) ^ i) >>> 0;
  assert.equal(exports.canary(3) >>> 0, x);
});
