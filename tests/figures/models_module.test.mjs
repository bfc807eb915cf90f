// Compares the model modules with the native build: the same counts over random parameters of each
// model (SETS per model), the same drawings and the same errors. The modules must be small, and
// fast enough for an animation.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rounds } from "../rounds.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const directory = process.env.MODELS_MODULES ?? path.join(root, "build/wasm/figures");
const native =
  process.env.MODELS_CALL ?? path.join(root, "build/release/tests/figures/models_call");

/** The module of a group: {call(text), ask(object), bytes, imports}. */
function load(group) {
  const bytes = readFileSync(path.join(directory, `models-${group}.wasm`));
  const module = new WebAssembly.Module(bytes);
  const needed = WebAssembly.Module.imports(module);
  const imports = {};
  for (const { module: from, name } of needed) (imports[from] ??= {})[name] = () => 0;
  const { exports } = new WebAssembly.Instance(module, imports);
  exports._initialize?.();
  const call = (text) => {
    const input = new TextEncoder().encode(text);
    const at = exports.alloc(input.length);
    new Uint8Array(exports.memory.buffer, at, input.length).set(input);
    const answer = exports.call(at, input.length);
    const length = new DataView(exports.memory.buffer).getUint32(answer, true);
    const out = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, answer + 4, length));
    exports.reset();
    return out;
  };
  return {
    call,
    ask: (request) => JSON.parse(call(JSON.stringify(request))),
    bytes,
    imports: needed,
  };
}
const groups = Object.fromEntries(
  ["layers", "chips", "knobs", "many"].map((group) => [group, load(group)]),
);

const machine = { label: "your machine", peak: 45.3e9, bandwidth: 12.7e9, l1: 49152, l2: 2 << 20 };
// Every fact that the models may need, in the form that a page has. The values only have to be the
// same in both builds.
const facts = Object.values(groups).flatMap(({ ask }) => ask({ op: "controls" }).facts);
const known = {
  machine,
  facts: Object.fromEntries(facts.map((id, i) => [id, { value: 16 + i, unit: "" }])),
};

/** A small seeded generator with the same numbers everywhere (mulberry32). */
function seeded(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function random_params(rows, random) {
  return Object.fromEntries(
    rows.map(([id, low, high, , kind, ...choices]) => {
      if (choices.length) return [id, choices[Math.floor(random() * choices.length)]];
      if (kind !== "doubling") return [id, Number(low) + Math.floor(random() * (high - low + 1))];
      const doublings = Math.round(Math.log2(high / low));
      return [id, low * 2 ** Math.floor(random() * (doublings + 1))];
    }),
  );
}

function compare({ call }, requests) {
  const lines = requests.map((request) => JSON.stringify(request));
  const expected = execFileSync(native, { input: `${lines.join("\n")}\n`, maxBuffer: 1 << 28 })
    .toString()
    .split("\n");
  lines.forEach((line, i) => {
    assert.equal(call(line), expected[i], line.slice(0, 300));
    assert.ok(!JSON.parse(expected[i]).error, expected[i].slice(0, 300));
  });
  return expected;
}

for (const module of Object.values(groups)) {
  for (const model of module.ask({ op: "controls" }).models) {
    const { rows } = module.ask({ op: "controls", model });
    const random = seeded(7);

    test(`${model}: counts as the native build over random parameter sets`, () => {
      const sets = Array.from({ length: rounds("SETS", 150, 1000) }, () =>
        random_params(rows, random),
      );
      const answers = compare(
        module,
        sets.map((params) => ({ op: "counts", model, params, ...known })),
      );
      for (const answer of answers.slice(0, -1))
        for (const [name, counted, low, high] of JSON.parse(answer).rows) {
          const slack = 1e-9 * Math.max(Math.abs(low), Math.abs(high));
          assert.ok(
            counted >= low - slack && counted <= Number(high) + slack,
            `${name}: ${counted}, not ${low} to ${high}`,
          );
        }
    });

    test(`${model}: draws the native build's bytes`, () => {
      compare(
        module,
        Array.from({ length: 24 }, (_, i) => ({
          op: "frame",
          model,
          params: i < 4 ? {} : random_params(rows, random),
          step: [-1, -2, 0, 1e6][i % 4],
          options: {
            width: i % 2 ? "column" : "narrow",
            theme: "css",
            lang: "en",
          },
          ...known,
        })),
      );
    });
  }
}

test("every model is in a module, and in one", () => {
  const all = JSON.parse(execFileSync(native, { input: '{"op":"controls"}\n' }).toString()).models;
  const found = Object.values(groups).flatMap(({ ask }) => ask({ op: "controls" }).models);
  assert.deepEqual([...found].sort(), all);
});

test("a module survives an invalid request", () => {
  const { call, ask } = groups.layers;
  for (const text of [
    "",
    "null",
    "[",
    "[".repeat(1e5),
    '{"op":"frame","model":1}',
    '{"op":"frame","model":"x","params":[]}',
    '{"op":"counts","model":"cache-tiling","params":{"n":"4"}}',
    '{"op":"controls","model":"no"}',
  ])
    assert.ok(JSON.parse(call(text)).error, text.slice(0, 30));
  const odd = ask({
    op: "frame",
    model: "cache-tiling",
    params: { n: 1e300, tile: -5 },
    step: 1e300,
  });
  assert.equal(odd.notices.length, 3);
});

test("the modules are small and need nothing", () => {
  for (const { bytes, imports } of Object.values(groups)) {
    const functions = imports
      .map(({ name }) => name)
      .filter((name) => name !== "emscripten_notify_memory_growth");
    assert.deepEqual(functions, []);
    assert.ok(gzipSync(bytes, { level: 9 }).length <= 60 * 1024);
  }
});
