// Messages are for people: no code makes decisions based on their text. Errors have what callers
// need in `code`, `cause` and `path`.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const root = resolve(fileURLToPath(import.meta.url), "../../..");

// Exceptions: code that explains messages of other programs, which offer only text.
const foreign = new Set([
  "generator/core/formats/yaml.cpp",
  "generator/core/typeset/typesetting.cpp",
]);

const reads =
  /\bmessage(\(\))?\s*(\.\s*(starts_with|ends_with|contains|r?find\w*|compare|substr)\b|[!=]= )/;

/** The lines of a source that inspect a message. */
export const readers = (text) =>
  text.split("\n").flatMap((line, at) => (reads.test(line.replace(/\/\/.*/, "")) ? [at + 1] : []));

test("a line that looks into a message is found", () => {
  const lines = [
    'if (e.message.starts_with("no")) {',
    "// e.message.find",
    'x = error().message == "y";',
    "e.message += y;",
    "return message.substr(0, 3);",
    "if (e.message.empty()) {",
    "what.message().find(' ')",
  ];
  assert.deepEqual(readers(lines.join("\n")), [1, 3, 5, 7]);
});

test("no code decides by the words of a message", () => {
  const sources = ["generator", "figures"].flatMap((folder) =>
    readdirSync(resolve(root, folder), { recursive: true })
      .filter((name) => /\.[ch]pp$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  assert.ok(sources.length > 300, `${sources.length} sources`);
  const found = (path) =>
    readers(readFileSync(resolve(root, path), "utf8")).map((line) => `${path}:${line}`);
  assert.deepEqual(sources.filter((path) => !foreign.has(path)).flatMap(found), []);
  for (const path of foreign)
    assert.notDeepEqual(found(path), [], `${path} looks into none: take it off the list`);
});
