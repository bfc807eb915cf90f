// site/styles/: every sheet has its place in the one order in which they are joined.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../site/styles/", import.meta.url);
const order = readFileSync(new URL("order.txt", folder), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"));

test("order.txt names every sheet, and each once", () => {
  assert.deepEqual(
    [...order].sort(),
    readdirSync(folder)
      .filter((name) => name.endsWith(".css"))
      .sort(),
  );
});

test("a sheet says in its first line what it styles, and closes what it opens", () => {
  for (const name of order) {
    const text = readFileSync(new URL(name, folder), "utf8");
    assert.match(text, /^\/\* \w/, name);
    const bare = text.replace(/\/\*[\s\S]*?\*\/|"[^"]*"/g, "");
    assert.equal(bare.split("{").length, bare.split("}").length, name);
  }
});
