// The page's modules answer as the native build does, byte for byte: every figure for every
// machine, and the other operations. Needs build/wasm and build/release, or PAGE_MODULES and
// FIGURE_CALL.
// Reads the book.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { with_named } from "../../site/runtime/page/page_module.js";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const modules = process.env.PAGE_MODULES ?? path.join(root, "build/wasm/figures");
const native =
  process.env.FIGURE_CALL ?? path.join(root, "build/release/tests/figures/figure_call");

const read_json = (file) => JSON.parse(readFileSync(path.join(root, file), "utf8"));

// As site/runtime/page/page_module.js does it.
const instantiate = (compiled) => {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(compiled))
    (imports[from] ??= {})[name] = () => 0;
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

// Each group of kinds with its module; no page loads the last (figures/kinds/kinds.hpp).
const names = (file, within) => {
  const text = readFileSync(path.join(root, file), "utf8");
  return [...within.exec(text)[1].matchAll(/"(\w+)"/g)].map(([, name]) => name);
};
const groups = [
  ["roof", "page"],
  ["plot", "page-plots"],
  ["still", "page-stills"],
].map(([group, name]) => {
  const bytes = readFileSync(path.join(modules, `${name}.wasm`));
  const compiled = new WebAssembly.Module(bytes);
  const kinds = names(`figures/kinds/${group}_kinds.cpp`, /group\[\] = \{([^;]*)\};/);
  return { name, kinds, bytes, compiled, call: caller(compiled) };
});
const [{ call }, plots] = groups;

const fact_files = readdirSync(path.join(root, "chapters/facts"))
  .map((file) => path.basename(file, ".json"))
  .filter((name) => !["configs", "glossary", "references"].includes(name)); // files without numbers
const sourced = Object.assign(
  {},
  ...fact_files.map((name) => read_json(`chapters/facts/${name}.json`)),
);

const ask_native = (lines) =>
  execFileSync(native, { input: `${lines.join("\n")}\n`, maxBuffer: 1 << 28 })
    .toString()
    .trim()
    .split("\n");

// The form that a page has: base units and the unit to show them in, without sources.
const plain = (entries) => {
  const answers = ask_native(
    entries.map(([, fact]) =>
      JSON.stringify({ op: "evaluate", expression: "fact", unit: unit_of(fact), facts: { fact } }),
    ),
  );
  return Object.fromEntries(
    entries.map(([id, fact], i) => {
      const { value, error } = JSON.parse(answers[i]);
      assert.equal(error, undefined, id);
      return [id, { value, unit: unit_of(fact) }];
    }),
  );
};
const unit_of = ({ value }) => value.replace(/^(\$?)[−-]?[\d.,]+(e[+-]?\d+)?\s*/, "$1");
const facts = plain(Object.entries(sourced).filter(([, { value }]) => value !== undefined));
// The kernels of the C++ tests.
const support = readFileSync(path.join(root, "tests/figures/support.hpp"), "utf8");
const registry = JSON.parse(
  /catalogue\(\) \{\s*const auto array = nlohmann::json::parse\(R"\((.*?)\)"/s.exec(support)[1],
);
const reference = read_json("tests/fixtures/figures/reference.json");
const machines = ["bare", "big", "contrary", "empty", "gpu", "phone"];
const readers = [
  null,
  reference,
  ...machines.map((name) => read_json(`tests/fixtures/profiles/${name}.json`)),
];
const specs = readdirSync(path.join(root, "figures/specs")).map((file) =>
  read_json(`figures/specs/${file}`),
);

const requests = () => {
  const out = [];
  for (const spec of specs)
    for (const reader of readers)
      for (const width of ["wide", "narrow"]) {
        const options = { width, theme: "css", lang: "en" };
        const about = { facts, registry, reference, reader };
        out.push(with_named({ op: "render", spec, options }, about)); // as a page asks
      }
  const given = { facts, reference, reader: readers[2] };
  out.push(
    { op: "evaluate", expression: "ridge.fma.out", unit: "FLOP/B", digits: 3, ...given },
    {
      op: "evaluate",
      expression: "h100-sxm.peak.bf16 / h100-sxm.bandwidth",
      unit: "FLOP/B",
      digits: 3,
      ...given,
    },
    { op: "evaluate", expression: "no.such.thing", unit: "", ...given },
    {
      op: "grade",
      answer: "P / B",
      given: { P: "h100-sxm.peak.bf16", B: "h100-sxm.bandwidth" },
      unit: "FLOP/B",
      tolerance: "2 %",
      input: "300",
      ...given,
    },
    { op: "grade", answer: "2 * 3", input: "7", unit: "", ...given },
    { op: "grade", answer: "48 h", input: "2 días", unit: "días", ...given },
    {
      op: "verdict",
      on: "ridge.fma.out",
      cases: [
        { when: "empty", say: "reference {ridge.fma.out | FLOP/B}" },
        { when: "untrusted", say: "untrusted" },
        { when: "value < 1 FLOP/B", say: "low" },
        { when: "otherwise", say: "yours {ridge.fma.out | FLOP/B}" },
      ],
      ...given,
    },
    { op: "rendr" },
    {},
  );
  return out;
};

test("pages load the module that draws their figures", () => {
  assert.deepEqual(names("site/runtime/page/page.js", /plot_kinds = \[([^\]]*)\]/), plots.kinds);
});

// A module reports a mistake that only an author can make in one sentence.
const for_author =
  '{"error":{"message":"this page contains an error that its build should have rejected","suggestion":""}}';
const same = (answer, expected, line) => {
  if (answer === for_author) assert.match(expected, /^\{"error":/, line.slice(0, 200));
  else assert.equal(answer, expected, line.slice(0, 200));
};

test("the modules answer as the native build, byte for byte", () => {
  const asked = requests();
  const lines = asked.map((request) => JSON.stringify(request));
  const expected = ask_native(lines);
  asked.forEach(({ op, spec }, i) => {
    const { error } = JSON.parse(expected[i]);
    if (op === "render") assert.equal(error, undefined, lines[i].slice(0, 200));
    const drawing = groups.filter(({ kinds }) => !spec || kinds.includes(spec.kind));
    assert.equal(drawing.length, spec ? 1 : groups.length);
    for (const { call } of drawing) same(call(lines[i]), expected[i], lines[i]);
  });
});

test("what a request does not name changes no answer", () => {
  const desk = { facts, registry, reference };
  const asked = readers.flatMap((reader) => [
    ...specs.map((spec) => [
      { op: "render", spec, options: { width: "wide" } },
      { ...desk, reader },
    ]),
    ...[
      "P",
      "ridge.fma.out",
      "B.L1",
      "beta(matmul.packed(n=512))",
      "h100-sxm.bandwidth / B.out",
    ].map((expression) => [
      { op: "evaluate", expression, unit: "" },
      { ...desk, reader },
    ]),
    // The number belongs to no machine. The reader's probe, which the expression does not name, has
    // the reason.
    [
      { op: "evaluate", expression: "P.i8dot", unit: "" },
      { ...desk, reference: null, reader },
    ],
  ]);
  const named = asked.map(([request, about]) => JSON.stringify(with_named(request, about)));
  const whole = asked.map(([request, about]) => JSON.stringify({ ...about, ...request }));
  assert.ok(named.join().length * 4 < whole.join().length);
  const answers = ask_native(named);
  ask_native(whole).forEach((expected, i) =>
    assert.equal(answers[i], expected, named[i].slice(0, 200)),
  );
});

test("the module's messages for readers equal the native ones", () => {
  const lines = [
    { op: "evaluate", expression: "ridge.fma.out", unit: "FLOP/B" },
    { op: "evaluate", expression: "B.L9", unit: "GB/s", reference },
    { op: "grade", answer: "2 B", unit: "B", input: "x" },
    { op: "grade", answer: "2 B", unit: "B", input: "3 quux" },
    { op: "grade", answer: "2 B", unit: "B", input: "3 s" },
    { op: "compare", measured: "ridge", unit: "FLOP/B", input: "-3", reference },
  ].map((request) => JSON.stringify(request));
  ask_native(lines).forEach((expected, i) => {
    assert.ok(JSON.parse(expected).error.message, lines[i]);
    assert.equal(call(lines[i]), expected);
  });
});

test("the answers are right", () => {
  const ask = (request) =>
    JSON.parse(call(JSON.stringify({ facts, reference, reader: null, ...request })));
  const ridge = ask({
    op: "evaluate",
    expression: "h100-sxm.peak.bf16 / h100-sxm.bandwidth",
    unit: "FLOP/B",
    digits: 3,
  });
  assert.deepEqual([ridge.text, ridge.from], ["295 FLOP/B", "facts"]);
  const graded = (input) =>
    ask({
      op: "grade",
      answer: "P / B",
      unit: "FLOP/B",
      input,
      given: { P: "h100-sxm.peak.bf16", B: "h100-sxm.bandwidth" },
    });
  assert.deepEqual(graded("295"), { correct: true, expected: "295 FLOP/B" });
  assert.equal(graded("29.5").correct, false);
  const megas = (input) =>
    ask({ op: "grade", answer: "209.5 MFLOP", unit: "MFLOP", input }).correct;
  assert.deepEqual(["209.5", "2.095e8", "210M", "2.1e5"].map(megas), [true, true, true, false]);
  assert.match(graded("295 GB/s").error.message, /FLOP\/B/);
  const drawn = ask({ op: "render", spec: read_json("figures/specs/canonical.json"), options: {} });
  assert.match(drawn.svg, /^<svg xmlns=.*<\/svg>$/);
  assert.ok(ask({ op: "verdct" }).error.message);
});

test("the module survives an invalid request", () => {
  for (const text of [
    "",
    "null",
    "[",
    "[".repeat(1e5),
    '{"op":"render","facts":[1]}',
    "\u0000",
    '{"op":"verdict","cases":{"a":1}}',
  ])
    assert.ok(JSON.parse(call(text)).error, text.slice(0, 30));
});

for (const { name, bytes, compiled } of groups.slice(0, 2))
  test(`${name}.wasm is small and needs nothing`, () => {
    const functions = WebAssembly.Module.imports(compiled).map((one) => one.name);
    assert.deepEqual(
      functions.filter((one) => one !== "emscripten_notify_memory_growth"),
      [],
    );
    assert.ok(gzipSync(bytes, { level: 9 }).length <= 60 * 1024);
  });
