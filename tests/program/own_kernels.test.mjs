// Kernels of a book in `primer check`: every error in a manifest or a module produces a message at
// its position.
import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { assembled, examples, KernelBook, manifest_with } from "./support/kernel_book.mjs";

const books = [];
after(() => books.forEach((book) => book.remove()));

/** A book whose only kernel is own.copy, changed as in add_copy(), and the output of check. */
function checked(change, kernels = ["own.copy"]) {
  const book = new KernelBook();
  books.push(book);
  book.add_copy(change);
  book.write_bench(kernels);
  return book.check().said;
}

/** The message in front of its rule, and the text that its caret marks. */
function message_of(said) {
  const [, line, column, message] = said.match(/kernels\.json:(\d+):(\d+): error: (.*) \[/) ?? [];
  assert.ok(message, said);
  return { message, place: `${line}:${column}` };
}

test("a chapter names kernels of the book like others", () => {
  const book = new KernelBook();
  books.push(book);
  book.add_copy();
  book.write_chapter(`[16.8 MB](calc:Q(own.copy)) of traffic.

\`\`\`bench
id: bench-own
kernels: [own.copy, "own.copy{w=64KiB}"]
try: Measure.
\`\`\`

\`\`\`listing
source: kernels/copy/copy.wat
\`\`\`

\`\`\`verdict
id: v
on: own.copy / own.copy{w=64KiB}
cases:
  - when: value > 1
    say: "Large sets are {value|×} as fast."
  - when: otherwise
    say: "Small sets are faster."
\`\`\`
`);
  assert.match(book.check().said, /^checked \d+ pages? against .*: no errors\n$/);
});

test("a misspelled kernel, parameter or value has its nearest name or its range", () => {
  assert.match(
    checked({}, ["own.coyp"]),
    /first\.md:6:11: error: unknown kernel "own\.coyp"[^]*own\.copy/,
  );
  assert.match(checked({}, ["own.copy{v=4096}"]), /own\.copy has no parameter "v"/);
  assert.match(checked({}, ["own.copy{w=1}"]), /"w" of own\.copy must be between 4 KiB and 1 GiB/);
  assert.match(checked({}, ["own.copy{threads=2}"]), /these run on one thread/);
});

const manifests = {
  "an id that primer has": [{ id: "stream.copy" }, /there is another kernel "stream\.copy"/],
  "a module that is not listed": [{ module: "copi.wasm" }, /"copi\.wasm" is not among "modules"/],
  "an expression with a wrong name": [{ bytes: "2 * v" }, /unknown name 'v'/],
  "a product without its operator": [
    { bytes: "2w" },
    /"w" is a parameter, not a unit; expected \* /,
  ],
  "a parameter in front of parentheses": [
    { bytes: "w(w + 1)" },
    /not a function; expected \* after/,
  ],
  "an unknown function": [
    { bytes: "pow(w, 2)" },
    /unknown function 'pow'; expected one of min, max/,
  ],
  "an expression with a unit": [{ bytes: "2 B * w" }, /expected a number without a unit, not B/],
  "less than nothing": [{ flops: "0 - w" }, /expected a number from 0 to .*, not -16777216/],
  "more memory than a page has": [{ memory: "w * 1000" }, /expected a number from 0 to 2147483648/],
  "a parameter that is a unit": [
    { params: [{ name: "s", default: 1, min: 0, max: 2 }] },
    /"s" cannot be used in expressions/,
  ],
  "a default outside its range": [
    { params: [{ name: "w", default: 1, min: 2, max: 3 }] },
    /the default must be between min and max/,
  ],
  "a check without its key": [{ check: { kind: "product" } }, /needs the key "m"/],
  "a check of an unknown parameter": [
    { check: { kind: "reference", params: { v: 4096 } } },
    /the kernel has no parameter "v"/,
  ],
  "no function for its check": [
    { check: { kind: "reference" } },
    /must export the function verify/,
  ],
  "a source that is not there": [
    { source: "copy.wax" },
    /there is no file "kernels\/copy\/copy\.wax"/,
  ],
  "a region that is not there": [
    { source: "copy.wat#copi" },
    /kernels\/copy\/copy\.wat has no region "copi"/,
  ],
  "a huge name": [{ title: "x".repeat(1e5) }, /"title" .*100/],
  "a class of its own": [{ class: "fast" }, /compute, bandwidth, latency/],
};
for (const [what, [kernel, message]] of Object.entries(manifests)) {
  test(`a manifest with ${what} is refused at its place`, () => {
    assert.match(checked({ kernel }), message);
  });
}

test("the caret is below the name in the expression", () => {
  const { place } = message_of(checked({ kernel: { bytes: "2 * v" } }));
  const lines = JSON.stringify(manifest_with({ bytes: "2 * v" }), null, 2).split("\n");
  const line = lines.findIndex((text) => text.includes("2 * v"));
  assert.equal(place, `${line + 1}:${lines[line].indexOf('v"') + 1}`);
});

const body = examples.copy.source.replace(/^\(module\n/, "");
/** The module of the reference, with additions. */
const with_more = (text) => examples.copy.source.replace(/\)\s*$/, `${text})`);
const memory = '(import "env" "memory" (memory 1))';
const modules = {
  "another import": [
    `(module (import "env" "puts" (func)) ${body}`,
    /imports the function "puts" from "env"; a kernel may import only the memory env\.memory/,
  ],
  "its own memory": [
    `(module ${body.replace(memory, "(memory 1)")}`,
    /it has its own memory; it must import env\.memory/,
  ],
  "shared memory": [
    `(module ${body.replace(memory, '(import "env" "memory" (memory 1 2 shared))')}`,
    /its memory is shared/,
  ],
  "a start function": [with_more("(func $s unreachable) (start $s)"), /start function/],
  "a table without end": [with_more("(table 1 funcref)"), /a table without a maximum/],
  "objects of the engine": [
    with_more(
      '(type $a (array i8)) (func (export "big") (drop (array.new_default $a (i32.const 9))))',
    ),
    /a type that is not a function over numbers/,
  ],
  exceptions: [with_more('(tag $t) (func (export "up") (throw $t))'), /a section of kind 13/],
  "an export of another type": [
    `(module ${body.replace("(param $reps i32)", "(param $reps f64)").replaceAll("(local.get $reps)", "(i32.const 1)").replace("(local.set $reps (i32.sub (i32.const 1) (i32.const 1)))", "")}`,
    /must export the function run \(i32, i32, i32\) -> nothing, not \(i32, i32, f64\) -> nothing/,
  ],
  "100,000 exports": [
    with_more(Array.from({ length: 1e5 }, (_, i) => `(export "e${i}" (func $half))`).join("")),
    /it has 100003 exports; at most 1000 are allowed/,
  ],
  "a huge name": [
    with_more(`(export "${"x".repeat(1e5)}" (func $half))`),
    /an export whose name is longer than 100 bytes/,
  ],
};
for (const [what, [text, message]] of Object.entries(modules)) {
  test(`a module with ${what} is refused`, () => {
    const { message: said } = message_of(checked({ text }));
    assert.match(said, message);
    assert.ok(said.length < 400, said);
  });
}

test("damaged modules are refused, wherever they are cut", () => {
  const whole = assembled(examples.copy.source);
  const book = new KernelBook();
  books.push(book);
  book.add("copy", manifest_with({}), { "copy.wat": "", "copy.wasm": whole });
  book.write_bench(["own.copy"]);
  for (let length = 0; length < 100; length += 7) {
    book.write("kernels/copy/copy.wasm", whole.subarray(0, length));
    assert.match(
      book.check().said,
      /kernels\/copy\/copy\.wasm: it (is|does|has)|must export/,
      `${length}`,
    );
  }
});

test("a module that is missing, or not the one of the manifest, is named", () => {
  const book = new KernelBook();
  books.push(book);
  const { manifest, source } = examples.copy;
  book.add("copy", manifest, { "copy.wat": source });
  book.write_bench(["own.copy"]);
  assert.match(
    book.check().said,
    /error: kernels\/copy\/copy\.wasm is not built \[missing-module\][^]*note: in kernels\/copy, run: sh build\.sh/,
  );
  const lying = { modules: { "copy.wasm": { sha256: "0".repeat(64) } } };
  assert.match(
    checked({ whole: lying }),
    /copy\.wasm is another file: its SHA-256 is [0-9a-f]{64} \[bad-value\]/,
  );
});

test("a source that is newer than its module is a warning until the module is built", () => {
  const book = new KernelBook();
  books.push(book);
  book.add_copy();
  book.write_bench(["own.copy"]);
  const edit = (file, seconds) =>
    utimesSync(join(book.root, "kernels/copy", file), seconds, seconds);
  edit("copy.wasm", 1e9);
  edit("copy.wat", 1e9 + 60);
  const { status, said } = book.check();
  assert.equal(status, 0, said);
  assert.match(
    said,
    /kernels\.json:\d+:\d+: warning: kernels\/copy\/copy\.wat is newer than copy\.wasm/,
  );
  assert.match(said, /note: in kernels\/copy, run: sh build\.sh/);
  assert.match(said, /checked [1-9]\d* pages?/);
  edit("copy.wasm", 1e9 + 60);
  assert.doesNotMatch(book.check().said, /newer/);
});

test("a directory without a manifest, and a manifest without sense, are named", () => {
  const book = new KernelBook();
  books.push(book);
  book.add_copy();
  book.directories.push("kernels/none");
  book.write_bench(["own.copy"]);
  assert.match(
    book.check().said,
    /book\.yaml:2:25: error: there is no file "kernels\/none\/kernels\.json"/,
  );
  book.directories.pop();
  book.write("kernels/copy/kernels.json", '{"version": 2, "modules": {}, "kernels": [{}]}');
  book.write_bench(["own.copy"]);
  assert.match(book.check().said, /kernels\.json:1:13: error: /);
});

const in_wgsl = examples.wgsl.manifest.kernels[0];
const shader_faults = {
  "an id without gpu.": [{ id: "own.saxpy" }, /the id of a kernel in WGSL begins with "gpu\."/],
  "no groups and buffers": [{ gpu: undefined }, /a kernel in WGSL needs the key "gpu"/],
  "a count that is no number": [
    { gpu: { groups: ["m / 256"], buffers: ["4 * n"] } },
    /"m"|unknown/,
  ],
  "a reference without its place": [
    { check: { kind: "reference" } },
    /a reference in WGSL needs the keys "at" and "bytes"/,
  ],
};
for (const [what, [change, message]] of Object.entries(shader_faults)) {
  test(`a kernel in WGSL with ${what} is refused`, () => {
    const manifest = { ...examples.wgsl.manifest, kernels: [{ ...in_wgsl, ...change }] };
    assert.match(message_of(shader_checked(manifest)).message, message);
  });
}

test("a kernel in WGSL is accepted, and its entry points must be there", () => {
  const { manifest, source } = examples.wgsl;
  assert.match(shader_checked(manifest), /no errors\n$/);
  const misspelled = source.replace("fn verify", "fn verifi");
  const { message } = message_of(shader_checked(manifest, misspelled));
  assert.equal(message, 'saxpy.wgsl must have the entry point "verify"');
});

test("a kernel in WebAssembly has no groups, and its id does not begin with gpu.", () => {
  const { gpu } = in_wgsl;
  assert.match(checked({ kernel: { gpu } }), /only a kernel in WGSL has the key "gpu"/);
  assert.match(
    checked({ kernel: { id: "gpu.copy2" } }, ["gpu.copy2"]),
    /only ids of kernels in WGSL begin with "gpu\."/,
  );
});

/** The output of check for a book whose only kernel is in WGSL. */
function shader_checked(manifest, source = examples.wgsl.source) {
  const book = new KernelBook();
  books.push(book);
  book.add("saxpy", manifest, { "saxpy.wgsl": source });
  book.write_bench([manifest.kernels[0].id]);
  return book.check().said;
}
