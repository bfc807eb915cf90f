// The calling convention of the page's modules, with a fake module, and the content of a request.
import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, with_named } from "../../../../site/runtime/page/page_module.js";

/**
 * connect() to a module that answers with `answer(request)`; `noted` records the requests.
 */
async function connected(answer, noted = {}) {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const exports = {
    memory,
    _initialize: () => (noted.begun = true),
    alloc: () => 256,
    reset: () => (noted.resets = (noted.resets ?? 0) + 1),
    call(at, length) {
      const text = new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
      const bytes = new TextEncoder().encode(JSON.stringify(answer(JSON.parse(text))));
      new DataView(memory.buffer).setUint32(4096, bytes.length, true);
      new Uint8Array(memory.buffer, 4100).set(bytes);
      return 4096;
    },
  };
  const { instantiate, Module } = WebAssembly;
  WebAssembly.instantiate = async (_, imports) => ((noted.imports = imports), { exports });
  WebAssembly.Module = {
    imports: () => [
      { module: "env", name: "now", kind: "function" },
      { module: "env", name: "table", kind: "table" },
      { module: "wasi", name: "write", kind: "function" },
    ],
  };
  try {
    return await connect({});
  } finally {
    Object.assign(WebAssembly, { instantiate, Module });
  }
}

test("a request goes in and its answer comes out, or its error is thrown", async () => {
  const noted = {};
  const answers = {
    a: { value: "µ" },
    b: { error: "in words" },
    c: { error: { message: "with a place", at: 3 } },
  };
  const call = await connected(({ op }) => answers[op], noted);
  assert.equal(noted.begun, true);
  assert.deepEqual(call({ op: "a", words: "é" }), { value: "µ" });
  assert.throws(() => call({ op: "b" }), /^Error: in words$/);
  assert.throws(() => call({ op: "c" }), /^Error: with a place$/);
  assert.equal(noted.resets, 3, "the module's memory is free again, after an error too");
  assert.deepEqual(call({ op: "a" }), { value: "µ" });
});

test("what the module imports of functions does nothing, and nothing else is given", async () => {
  const noted = {};
  await connected(() => ({}), noted);
  const { env, wasi } = noted.imports;
  assert.deepEqual([Object.keys(env), Object.keys(wasi)], [["now"], ["write"]]);
  assert.deepEqual([env.now(), wasi.write(1, 2)], [0, 0]);
});

test("a request takes along what it names, of both machines", () => {
  const result = (kernel, status = "measured") => ({ kernel, status, median: 1, values: [1, 2] });
  const profile = {
    name: "R",
    results: [result("k.one"), result("k.two"), result("k.two", "unavailable")],
  };
  const known = {
    facts: { "a.b": 1, c: 2 },
    registry: [{ id: "k.one" }, { id: "k.two" }],
    reference: profile,
    reader: null,
  };
  const sent = with_named({ op: "evaluate", expression: "a.b * k.one()" }, known);
  assert.deepEqual(
    [sent.op, sent.facts, sent.registry, sent.reader],
    ["evaluate", { "a.b": 1 }, [{ id: "k.one" }], null],
  );
  assert.deepEqual(sent.reference.results, [
    { kernel: "k.one", status: "measured", median: 1 },
    { kernel: "k.two", status: "unavailable", median: 1 },
  ]);
  assert.equal(with_named({ reader: 3 }, known).reader, 3, "a request's own members stay");
  assert.deepEqual(with_named({}, { ...known, reader: { name: "M" } }).reader, {
    name: "M",
    results: [],
  });
});
