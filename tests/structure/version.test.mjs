// Every file that states the program's version agrees with CMakeLists.txt.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(path, "utf8");
const [, version] = /^project\(\w+ VERSION ([\d.]+)/m.exec(read("CMakeLists.txt"));

test("CITATION.cff and the package.json files have the program's version", () => {
  assert.equal(/^version: "(.+)"$/m.exec(read("CITATION.cff"))[1], version);
  for (const path of ["package.json", "npm/package.json"])
    assert.equal(JSON.parse(read(path)).version, version, path);
});

test("the last release in CHANGELOG.md is that version", () => {
  const releases = [...read("CHANGELOG.md").matchAll(/^## \[(\d[\d.]*)\] - (\S+)$/gm)];
  assert.equal(releases[0][1], version);
  assert.equal(releases[0][2], /^date-released: (.+)$/m.exec(read("CITATION.cff"))[1]);
});
