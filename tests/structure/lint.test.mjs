// scripts/lint: the sources follow their rules, and ESLint's configuration catches what it should.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

import { ESLint } from "eslint";

const root = resolve(fileURLToPath(import.meta.url), "../../..");
const eslint = new ESLint({ cwd: root });

test("every source keeps the rules", () => {
  const lint = resolve(root, "scripts/lint");
  const { status, stdout, stderr } = spawnSync(lint, ["--sources"], { encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
});

test("a name that is nowhere, one that is for nothing and a loose comparison are found, in each world", async () => {
  const rules_broken = async (text, filePath) => {
    const [{ messages }] = await eslint.lintText(text, { filePath: resolve(root, filePath) });
    return messages.map(({ ruleId }) => ruleId).sort();
  };
  const bad = "const a = process.argv == document.title;\n";
  assert.deepEqual(await rules_broken(bad, "site/runtime/page/x.js"), [
    "eqeqeq",
    "no-undef",
    "no-unused-vars",
  ]);
  assert.deepEqual(await rules_broken(bad, "site/static/sw.js"), [
    "eqeqeq",
    "no-undef",
    "no-undef",
    "no-unused-vars",
  ]);
  assert.deepEqual(await rules_broken(bad, "generator/host/x.mjs"), [
    "eqeqeq",
    "no-undef",
    "no-unused-vars",
  ]);
  assert.deepEqual(await rules_broken(bad, "tests/site/x.test.mjs"), ["eqeqeq", "no-unused-vars"]);
});

test("what scripts/lint is asked and does not know is said, with what it knows", () => {
  for (const [words, said] of [
    [["--all"], 'lint: expected no option, --fix, --sources or --tidy, not "--all"\n'],
    [["--fix", "a.mjs"], 'lint: expected nothing after --fix, not "a.mjs"\n'],
    [["--tidy"], "lint: expected files after --tidy\n"],
  ]) {
    const { status, stdout, stderr } = spawnSync(resolve(root, "scripts/lint"), words, {
      encoding: "utf8",
    });
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.ok(stderr.startsWith(said), stderr);
    assert.match(stderr, /scripts\/lint --fix +fix the problems/);
  }
});
