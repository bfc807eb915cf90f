// The checks of a WGSL program without a GPU, the copy whose loops end, and which exercises a
// result solves.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { translate } from "naga-wasm";

import { read_shaders } from "../../../../scripts/lib/page_in_node.mjs";
import { pack, unpack } from "../../../../site/runtime/base/packed.js";
import { exercises, gpu_roof, rungs_of, solved_by } from "../../../../site/runtime/wgsl/judge.js";
import {
  indented,
  limited,
  longest_program,
  problem_of,
  shared_program,
  sizes_of,
  starts,
  without_comments,
} from "../../../../site/runtime/wgsl/program.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const shaders = read_shaders(join(root, "wasm_kernels/webgpu"));
/** Throws if naga, Firefox's compiler, rejects the text. */
const accept = (text) =>
  translate({
    from: "wgsl",
    to: "spirv",
    source: text.replace(/override (\w): u32;/g, "const $1: u32 = 32u;"),
  });
const program_of = (id) => shaders[`matmul_${id}`];

test("the programs of the book have no problem, and neither has their copy", () => {
  for (const { id } of starts) {
    const text = program_of(id);
    assert.equal(problem_of(text), null, id);
    assert.deepEqual(sizes_of(text).sort(), ["k", "m", "n"], id);
    const copy = limited(text, 32);
    const loops = text.match(/\bfor \(/g).length;
    assert.equal(copy.match(/endless_loop = \d+u/g).length, loops, id);
    assert.equal(copy.split("\n").length, text.split("\n").length + 2, "lines stay lines");
    accept(copy);
  }
});

test("each kind of loop is limited, and no comment is taken for one", () => {
  const text = `// for (;;) {}
/* loop { /* while */ } */
fn helper(x: u32) -> u32 { var y = x; while (y > 1u) { y /= 2u; } return y; }
@compute @workgroup_size(1) fn main() {
  var i = 0u;
  loop { i++; if (i > 3u) { break; } continuing { i++; } }
  for (var before = 0u; before < 2u; before++) { i = helper(i); }
}`;
  const copy = limited(text, 32);
  assert.deepEqual(
    [...copy.matchAll(/endless_loop = (\d+)u/g)].map((found) => found[1]),
    ["3", "6", "7"],
  );
  accept(copy);
  assert.equal(limited("@compute @workgroup_size(1) fn main() {}", 32), null);
  assert.equal(without_comments("a//b\nc/*d*/e"), "a   \nc     e");
});

test("a published program is shown with indentation and without holes", () => {
  const bare =
    "\n\noverride n: u32;\n\n\nfn f() {\nif (n > 1) { return; }\nfor (;;) {\nx();\n}\n}\n";
  const shown =
    "override n: u32;\n\nfn f() {\n  if (n > 1) { return; }\n  for (;;) {\n    x();\n  }\n}\n";
  assert.equal(indented(bare), shown);
  assert.equal(indented(shown), shown);
});

test("errors that need no compiler are reported immediately", () => {
  const naive = program_of("naive");
  const said = (text) => problem_of(text)?.[0];
  assert.match(said("x".repeat(longest_program + 1)), /longer/);
  assert.match(said(naive.replace("@compute", "// @compute")), /one function with @compute/);
  assert.match(said(naive + naive), /one function with @compute/);
  assert.match(said(naive.replace("@binding(2)", "@binding(3)")), /no binding/);
  assert.match(said(naive.replace("@group(0) @binding(2)", "@group(1) @binding(2)")), /group 0/);
});

test("a program survives its address, and a damaged one is none", async () => {
  const value = [program_of("vec4"), 64, 32];
  const text = await pack(value);
  assert.match(text, /^[\w-]+$/);
  assert.deepEqual(shared_program(await unpack(text)), { text: value[0], block: [64, 32] });
  for (const wrong of [null, {}, [1, 2, 3], ["x"], ["x", 0, 16], ["x", 16, 1.5], ["x", 1e9, 1]])
    assert.equal(shared_program(wrong), null, JSON.stringify(wrong));
  await assert.rejects(unpack("abc"), /damaged/);
});

test("the recorded H100 solves each exercise with its solution and with no program before it", () => {
  const profile = JSON.parse(readFileSync(join(root, "figures/profiles/h100-webgpu.json"), "utf8"));
  const roof = gpu_roof(profile);
  const rungs = rungs_of(profile, { n: 1024, rate: 1 });
  assert.equal(rungs[0].label, "your program");
  const rate_of = (id) => rungs.find(({ label }) => label === id).rate;
  for (const { id, start, solution } of exercises) {
    assert.ok(!solved_by({ rate: rate_of(start) }, roof).includes(id), id);
    assert.ok(solved_by({ rate: rate_of(solution) }, roof).includes(id), id);
  }
  assert.deepEqual(solved_by({ rate: 1e15 }, null), []);
});
