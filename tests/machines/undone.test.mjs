// Reverts each fix of the measuring engine, one at a time; the test that undone.json names must
// then fail. Every run checks that each fix can be found in the source. A full run also runs the
// tests, on a copy of the scripts.
//   UNDO=15 node --test tests/machines/undone.test.mjs    undoes those whose name begins so
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { is_full } from "../rounds.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const mends = JSON.parse(readFileSync(new URL("./undone.json", import.meta.url), "utf8"));
const asked = process.env.UNDO;
const tried = mends.filter(({ mend }) => (asked ? mend.startsWith(asked) : is_full));
const copied = ["site", "tests", "scripts", "docs", "package.json"];
const linked = ["build", "node_modules", "chapters", "figures", "wasm_kernels"];

/** A copy of the files that the tests read. Its scripts may be changed. */
function copy_of_scripts() {
  const copy = mkdtempSync(path.join(tmpdir(), "undone-"));
  for (const name of copied)
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  for (const name of linked) symlinkSync(path.join(root, name), path.join(copy, name));
  return copy;
}

/** Does the test that should notice pass in `copy`? */
function passes(copy, [file, pattern]) {
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const named = pattern ? [`--test-name-pattern=${pattern}`] : [];
  const how = { cwd: copy, env: { ...env, TESTS: "" }, encoding: "utf8", timeout: 300_000 };
  const { status, stdout } = spawnSync(process.execPath, ["--test", ...named, file], how);
  assert.notEqual(status, null, `${file} did not end`);
  assert.ok(/# pass [1-9]/.test(stdout) || status !== 0, `${file} has no test called ${pattern}`);
  return status === 0;
}

test("each fix in the table occurs exactly once in the sources", () => {
  for (const { mend, file, from } of mends) {
    const parts = readFileSync(path.join(root, file), "utf8").split(from);
    assert.equal(parts.length, 2, `${mend}: ${file} has ${parts.length - 1} times ${from}`);
  }
});

for (const { mend, file, from, to, noticed_by } of tried)
  test(`undone, it is noticed: ${mend}`, () => {
    const copy = copy_of_scripts();
    try {
      assert.ok(passes(copy, noticed_by), "the test passes before anything is undone");
      const at = path.join(copy, file);
      writeFileSync(
        at,
        readFileSync(at, "utf8").replace(from, () => to),
      );
      assert.ok(!passes(copy, noticed_by), `${noticed_by.join(" ")} passes without it`);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
