// Compares costs.wasm with the native build: the same answers for every preset, for invalid and
// hostile configurations and for settings out of range. The module must be small, and every
// sentence must have a translation.
// Reads the book.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const file = path.join(root, "build/wasm/figures/costs.wasm");
const native = path.join(root, "build/release/tests/figures/costs_call");
const bytes = readFileSync(file);

const module = new WebAssembly.Module(bytes);
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module))
  (imports[from] ??= {})[name] = () => 0;
const { exports } = new WebAssembly.Instance(module, imports);
exports._initialize?.();
function call(text) {
  const input = new TextEncoder().encode(text);
  const at = exports.alloc(input.length);
  new Uint8Array(exports.memory.buffer, at, input.length).set(input);
  const answer = exports.call(at, input.length);
  const length = new DataView(exports.memory.buffer).getUint32(answer, true);
  const out = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, answer + 4, length));
  exports.reset();
  return out;
}
const natively = (requests) =>
  execFileSync(native, { input: requests.join("\n"), maxBuffer: 1 << 28 })
    .toString()
    .trim()
    .split("\n");

const json = (name) => JSON.parse(readFileSync(path.join(root, name), "utf8"));
const presets = Object.values(json("chapters/facts/configs.json")).map(({ config }) => config);
const others = Object.values(json("tests/fixtures/model_configs.json"));
const chip = ["H100", 989e12, 3.35e12, 80 * 2 ** 30, 0];
const core = ["One core", 60e9, 25e9, 0, 1];
const request = (config, settings = {}) =>
  JSON.stringify({
    config: typeof config === "string" ? config : JSON.stringify(config),
    settings,
    machines: [chip, core],
    chips: [chip, ["L40S", 362e12, 864e9, 48e9, 0]],
  });

const llama = presets.find(({ vocab_size }) => vocab_size === 128256);
const settings = [
  {},
  { training: 1, batch: 8, tokens: 4096, recompute: 0 },
  { batch: 64, tokens: 131072, weights: 4.5, cache: 8 },
  { batch: -1, tokens: 1e300, weights: 1e9, usable: 0, chunk: -5, cache: 0 },
];
const broken = [
  "",
  "{",
  "[]",
  "nul",
  '{"hidden_size": 1e400}',
  JSON.stringify({ ...llama, hidden_size: "4096" }),
  JSON.stringify({ ...llama, num_attention_heads: 0 }),
  JSON.stringify({ ...llama, model_type: "</script>¦text=x" }),
  JSON.stringify({ ...llama, layer_types: ["a¦b=c"] }),
  JSON.stringify(llama).replace("{", '{"time_step_limit": [0, Infinity], '),
  "[".repeat(100_000),
];

test("the module answers like the native build", () => {
  const requests = [...presets, ...others]
    .flatMap((config) => settings.map((one) => request(config, one)))
    .concat(broken.map((text) => request(text)))
    .concat(["{}", '{"config": "{}", "machines": [[]]}']);
  const expected = natively(requests);
  requests.forEach((one, i) => assert.equal(call(one), expected[i], one.slice(0, 200)));
});

test("the module is small", () => {
  const size = gzipSync(bytes, { level: 9 }).length;
  assert.ok(size <= 60 * 1024, `${size} bytes`);
});

test("an invalid configuration yields a sentence that names the error", () => {
  const problem = (text) => JSON.parse(call(request(text))).problem;
  assert.equal(problem("{"), "This is not JSON");
  assert.match(
    problem(JSON.stringify({ ...llama, hidden_size: "4096" })),
    /¦key=hidden_size¦line=1/,
  );
  assert.match(problem(JSON.stringify({ ...llama, vocab_size: undefined })), /¦key=vocab_size$/);
  // Nobody can insert other values into a sentence.
  const notes = JSON.parse(call(request({ ...llama, model_type: "x¦n=1" }))).notes;
  assert.match(notes[0], /¦type=x\|n=1$/);
});

test("every sentence has a translation", () => {
  const said = new Set();
  const sentence = (text) => said.add(text.split("¦")[0]);
  for (const config of [...presets, ...others])
    for (const one of settings) {
      const answer = JSON.parse(call(request(config, one)));
      assert.equal(answer.problem, undefined, JSON.stringify(config));
      answer.notes.forEach(sentence);
      sentence(answer.summary);
      for (const [kind, ...cells] of answer.rows)
        if (kind === "step") said.add(cells[0]);
        else cells.slice(0, kind === "line" ? 2 : 1).forEach(sentence);
      for (const grid of [answer.batches ?? [[]], answer.floors, answer.fits]) {
        grid[0].forEach((column) => said.add(column));
        grid.slice(1).flat().forEach(sentence);
      }
    }
  assert.ok(said.size > 60, `only ${said.size}`);
  const by_machines = new Set(["H100", "One core", "L40S"]);
  for (const name of readdirSync(path.join(root, "site/locales"))) {
    if (name.endsWith(".terms.json")) continue;
    const strings = json(`site/locales/${name}`);
    assert.deepEqual(
      [...said].filter((text) => !(text in strings) && !by_machines.has(text)),
      [],
      name,
    );
  }
});
