// Regions of docs/reference/ that are generated from schemas and from the table of rules.
// UPDATE_GOLDENS=1 writes them.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

import { expect_region, plain, table } from "./support/generated.mjs";
import { schema_table } from "./support/schema_table.mjs";

const root = resolve(fileURLToPath(import.meta.url), "../../..");
const reference = resolve(root, "docs/reference");
const read = (path) => readFileSync(resolve(root, path), "utf8");

test("tables of keys are those of the schemas", () => {
  let count = 0;
  for (const name of readdirSync(reference)) {
    const path = resolve(reference, name);
    for (const [, schema] of readFileSync(path, "utf8").matchAll(
      /^<!-- generated: (\S+\.json) -->$/gm,
    )) {
      ++count;
      expect_region(path, schema, schema_table(JSON.parse(read(`site/static/schemas/${schema}`))));
    }
  }
  assert.ok(count >= 11, `${count} tables`);
});

/** The texts of adjacent string literals, joined. */
const text_of = (literals) =>
  [...literals.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, text]) => JSON.parse(`"${text}"`))
    .join("");

test("the table of rules is that of rule.cpp", () => {
  const source = read("generator/core/diagnostic/rule.cpp");
  const literals = '((?:"(?:[^"\\\\]|\\\\.)*"\\s*)+)';
  const entry = new RegExp(
    `RuleInfo\\{\\s*Rule::(\\w+),\\s*"([\\w-]+)",\\s*${literals},\\s*${literals}\\}`,
    "g",
  );
  const [, listed] = read("generator/core/diagnostic/diagnostic.cpp").match(
    /lowered\[\] = \{([^}]*)\}/,
  );
  const lowered = new Set([...listed.matchAll(/Rule::(\w+)/g)].map(([, name]) => name));
  const rules = [...source.matchAll(entry)];
  assert.equal(rules.length, source.match(/RuleInfo\{/g).length);
  const rows = rules.map(([, name, id, meaning, help]) => [
    `\`${id}\``,
    plain(text_of(meaning)),
    plain(text_of(help)),
    lowered.has(name) ? "yes" : "",
  ]);
  const head = ["rule", "meaning", "what to do", "can be a warning"];
  expect_region(resolve(reference, "rules.md"), "rules", table(head, rows));
});
