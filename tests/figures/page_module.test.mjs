// page.wasm answers as the native build does, byte for byte: every figure for every machine, and the
// other operations. Needs build/wasm and build/release, or PAGE_MODULE and FIGURE_CALL.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const module_file = process.env.PAGE_MODULE ?? path.join(root, 'build/wasm/figures/page.wasm');
const native = process.env.FIGURE_CALL ?? path.join(root, 'build/release/tests/figures/figure_call');

// Every kind, where page.wasm has only those that pages redraw.
const whole_file = process.env.PAGE_MODULE_ALL ?? path.join(root, 'build/wasm/figures/page_all.wasm');

const read_json = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const bytes = readFileSync(module_file);
const module = new WebAssembly.Module(bytes);
const whole = new WebAssembly.Module(readFileSync(whole_file));

// As site/runtime/page_module.js does it.
const instantiate = (compiled) => {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(compiled)) (imports[from] ??= {})[name] = () => 0;
  const { exports } = new WebAssembly.Instance(compiled, imports);
  exports._initialize?.();
  return exports;
};

const caller = (compiled) => {
  const exports = instantiate(compiled);
  return (text) => {
    const input = new TextEncoder().encode(text);
    const at = exports.alloc(input.length);
    new Uint8Array(exports.memory.buffer, at, input.length).set(input);
    const answer = exports.call(at, input.length);
    const length = new DataView(exports.memory.buffer).getUint32(answer, true);
    const out = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, answer + 4, length));
    exports.reset();
    return out;
  };
};
const call = caller(module);
const call_whole = caller(whole);

const fact_files = ['assumptions', 'chips', 'claims', 'energy', 'links', 'models', 'runs'];
const facts = Object.assign({}, ...fact_files.map((name) => read_json(`chapters/facts/${name}.json`)));
const reference = read_json('tests/fixtures/figures/reference.json');
const machines = ['bare', 'big', 'contrary', 'empty', 'gpu', 'phone'];
const readers = [null, reference, ...machines.map((name) => read_json(`tests/fixtures/profiles/${name}.json`))];
const specs = readdirSync(path.join(root, 'figures/specs')).map((file) => read_json(`figures/specs/${file}`));

const requests = () => {
  const out = [];
  for (const spec of specs)
    for (const reader of readers)
      for (const width of ['wide', 'narrow'])
        out.push({ op: 'render', spec, facts, reference, reader, options: { width, theme: 'css', id_prefix: 'f-', lang: 'en' } });
  const given = { facts, reference, reader: readers[2] };
  out.push(
    { op: 'evaluate', expression: 'ridge.fma.out', unit: 'FLOP/B', digits: 3, ...given },
    { op: 'evaluate', expression: 'h100-sxm.peak.bf16 / h100-sxm.bandwidth', unit: 'FLOP/B', digits: 3, ...given },
    { op: 'evaluate', expression: 'no.such.thing', unit: '', ...given },
    { op: 'grade', answer: 'P / B', given: { P: 'h100-sxm.peak.bf16', B: 'h100-sxm.bandwidth' }, unit: 'FLOP/B', tolerance: '2 %', input: '300', ...given },
    { op: 'grade', answer: '2 * 3', input: '7', unit: '', ...given },
    { op: 'verdict', on: 'ridge.fma.out', cases: [
      { when: 'empty', say: 'reference {ridge.fma.out | FLOP/B}' }, { when: 'untrusted', say: 'untrusted' },
      { when: 'value < 1 FLOP/B', say: 'low' }, { when: 'otherwise', say: 'yours {ridge.fma.out | FLOP/B}' }], ...given },
    { op: 'rendr' }, {});
  return out.map((request) => JSON.stringify(request));
};

test('pages load the module that draws their figures', () => {
  const names = (file, within) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return [...within.exec(text)[1].matchAll(/"(\w+)"/g)].map(([, name]) => name);
  };
  const drawn = names('figures/kinds_live.cpp', /live\[\] = \{([^;]*)\};/);
  assert.deepEqual(names('site/runtime/page.js', /common_kinds = \[([^\]]*)\]/), drawn);
});

// Suggestions are for authors; no page shows one, and no module has one.
const unsuggested = (answer) => answer.replace(/^(\{"error":.*"suggestion":")[^"]*/, '$1');

test('the module answers as the native build, byte for byte', () => {
  const lines = requests();
  const expected = execFileSync(native, { input: `${lines.join('\n')}\n`, maxBuffer: 1 << 28 }).toString().split('\n');
  lines.forEach((line, i) => {
    assert.equal(call_whole(line), unsuggested(expected[i]), line.slice(0, 200));
    JSON.parse(expected[i]);
    const answer = call(line);
    if (!answer.includes("unknown kind '")) assert.equal(answer, unsuggested(expected[i]), line.slice(0, 200));
  });
});

test('the answers are right', () => {
  const ask = (request) => JSON.parse(call(JSON.stringify({ facts, reference, reader: null, ...request })));
  const ridge = ask({ op: 'evaluate', expression: 'h100-sxm.peak.bf16 / h100-sxm.bandwidth', unit: 'FLOP/B', digits: 3 });
  assert.deepEqual([ridge.text, ridge.from], ['295 FLOP/B', 'facts']);
  const graded = (input) => ask({ op: 'grade', answer: 'P / B', unit: 'FLOP/B', input,
    given: { P: 'h100-sxm.peak.bf16', B: 'h100-sxm.bandwidth' } });
  assert.deepEqual(graded('295'), { correct: true, expected: '295 FLOP/B' });
  assert.equal(graded('29.5').correct, false);
  const megas = (input) => ask({ op: 'grade', answer: '209.5 MFLOP', unit: 'MFLOP', input }).correct;
  assert.deepEqual(['209.5', '2.095e8', '210M', '2.1e5'].map(megas), [true, true, true, false]);
  assert.match(graded('295 GB/s').error.message, /FLOP\/B/);
  const drawn = ask({ op: 'render', spec: read_json('figures/specs/canonical.json'), options: {} });
  assert.match(drawn.svg, /^<svg xmlns=.*<\/svg>$/);
  assert.match(ask({ op: 'verdct' }).error.message, /unknown operation 'verdct'/);
});

test('the module survives what is not a request', () => {
  for (const text of ['', 'null', '[', '['.repeat(1e5), '{"op":"render","facts":[1]}', '\u0000', '{"op":"verdict","cases":{"a":1}}'])
    assert.ok(JSON.parse(call(text)).error, text.slice(0, 30));
});

test('the module is small and needs nothing', () => {
  const functions = WebAssembly.Module.imports(module).map(({ name }) => name);
  assert.deepEqual(functions.filter((name) => name !== 'emscripten_notify_memory_growth'), []);
  assert.ok(gzipSync(bytes, { level: 9 }).length <= 72 * 1024);
});
