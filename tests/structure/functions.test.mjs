// No function has more than sixty lines (CONTRIBUTING.md), from the line that opens it to the line
// that closes it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const root = resolve(fileURLToPath(import.meta.url), "../../..");
const most = 60;

const below = (folder, ending) =>
  readdirSync(resolve(root, folder), { recursive: true })
    .filter((name) => ending.test(name) && !name.includes("node_modules"))
    .map((name) => `${folder}/${name}`);

// Starts of blocks that are not functions.
const others =
  /^\s*(namespace|struct|class|enum|union|extern|if|else|for|while|switch|do|try|catch|case|default|return|export default \{|static_assert)\b/;
const opens = {
  cpp: (line) =>
    /\{$/.test(line) &&
    !others.test(line) &&
    /[)>\w]\s*\{$/.test(line) &&
    !/[=,]\s*\w*\{$/.test(line),
  js: (line) =>
    /\{$/.test(line) && !others.test(line) && /(\bfunction\b|=>\s*\{$|\)\s*\{$)/.test(line),
};

/**
 * [first line, number of lines] of each function in a source whose blocks close at the indentation
 * at which they open.
 */
export function functions(text, kind) {
  const lines = text.split("\n");
  const found = [];
  lines.forEach((line, first) => {
    if (!opens[kind](line)) return;
    // A parameter list of several lines begins at its indentation.
    let start = first;
    while (
      start > 0 &&
      /^\s{4,}\S/.test(lines[start]) &&
      !/[;{}]$/.test(lines[start - 1]) &&
      lines[start - 1].trim()
    )
      --start;
    const indent = /^ */.exec(lines[start])[0];
    const last = lines.findIndex((other, i) => i > first && other.startsWith(`${indent}}`));
    if (last > 0) found.push([start + 1, last - start + 1]);
  });
  return found;
}

test("a long function is found, in both languages", () => {
  const body = "  work();\n".repeat(61);
  assert.deepEqual(functions(`int f(int a,\n      int b) {\n${body}}\n`, "cpp"), [[1, 64]]);
  assert.deepEqual(functions(`export const f = (a) => {\n${body}};\n`, "js"), [[1, 63]]);
  assert.deepEqual(functions(`struct Table {\n${body}};\n`, "cpp"), []);
});

for (const [kind, sources] of [
  ["cpp", ["generator", "figures", "wasm_kernels"].flatMap((folder) => below(folder, /\.[ch]pp$/))],
  ["js", ["site/runtime", "site/static", "scripts"].flatMap((folder) => below(folder, /\.m?js$/))],
]) {
  test(`no function in ${kind} has more than ${most} lines`, () => {
    const all = sources.flatMap((path) =>
      functions(readFileSync(resolve(root, path), "utf8"), kind).map(([line, count]) => ({
        at: `${path}:${line}`,
        count,
      })),
    );
    assert.ok(all.length > 500, `${all.length} functions`);
    assert.deepEqual(
      all.filter(({ count }) => count > most).map(({ at, count }) => `${at} has ${count} lines`),
      [],
    );
  });
}
