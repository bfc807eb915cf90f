// scripts/mutate: the changes that it makes and its output, in a separate small repository.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { chosen, code_of, mutants_of } from "../../scripts/lib/mutants.mjs";

const lines_of = (source, language) => mutants_of(source, language).map(({ now }) => now);

test("one operator is changed, only in code", () => {
  assert.deepEqual(lines_of("if (a == b && !c) return !d;\n", "cpp"), [
    "if (a != b && !c) return !d;",
    "if (a == b || !c) return !d;",
    "if (a == b && c) return !d;",
    "if (a == b && !c) return d;",
  ]);
  assert.deepEqual(lines_of("const x = y <= n - 1 ? true : z;\n", "js"), [
    "const x = y < n - 1 ? true : z;",
    "const x = y <= n - 2 ? true : z;",
    "const x = y <= n - 1 ? false : z;",
  ]);
  for (const [source, language] of [
    ['f("a == b", R"x(a && b " true)x", \'"\'); // a == b\n/* a\n == b */\n', "cpp"],
    ["#if a == b\ntemplate <bool b = true>\nfor (int i = 0; i < n; ++i) {}\nx = n + 1.5;\n", "cpp"],
    [
      'f(`a == ${b && c}`, \'true\', "a === b", /x && y\'/); // a == b\nimport a from "true";\n',
      "js",
    ],
  ]) {
    assert.deepEqual(lines_of(source, language), [], source);
    assert.equal(code_of(source, language).length, source.length);
  }
});

test("the same seed chooses the same changes, and each file has one before any has two", () => {
  const mutants = ["a", "b", "c"].flatMap((file) => [1, 2, 3, 4].map((line) => ({ file, line })));
  const five = chosen(mutants, 5, 7);
  assert.deepEqual(chosen(mutants, 5, 7), five);
  assert.notDeepEqual(chosen(mutants, 5, 8), five);
  assert.deepEqual(new Set(five.slice(0, 3).map(({ file }) => file)), new Set(["a", "b", "c"]));
  assert.equal(new Set(five).size, 5);
});

const noticed = `import assert from "node:assert/strict";
import { test } from "node:test";
import { is_one } from "../../../site/runtime/one.js";
test("one", () => assert.ok(is_one(1)));
`;
const files = {
  ".gitignore": "/build/\n",
  "site/runtime/one.js": "export const is_one = (a) => a === 1;\n",
  "site/runtime/other.js": "export const is_none = (a) => a === null;\n",
  "tests/site/runtime/one.test.mjs": noticed,
  "tests/site/runtime/wrong.test.mjs": "throw new Error();\n",
};

/**
 * The output and exit status of scripts/mutate in a repository with these files. `broken` is
 * written over its copy first.
 */
function mutated(words, broken = {}) {
  const home = mkdtempSync(join(tmpdir(), "mutate-test-"));
  try {
    for (const name of ["mutate", "mutate.mjs", "lib/mutants.mjs"])
      cpSync(`scripts/${name}`, join(home, "scripts", name));
    const write = (name, text) => {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    };
    for (const [name, text] of Object.entries(files)) write(name, text);
    for (const [name, text] of Object.entries(broken)) write(`build/mutate/runtime/${name}`, text);
    assert.equal(spawnSync("git", ["init", "--quiet"], { cwd: home }).status, 0);
    // A run of tests inside a run of tests: node would skip the inner one.
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(join(home, "scripts/mutate"), words, {
      cwd: home,
      encoding: "utf8",
      env,
    });
    for (const [name, text] of Object.entries(files)) {
      assert.equal(readFileSync(join(home, name), "utf8"), text);
      if (status === 0)
        assert.equal(readFileSync(join(home, "build/mutate/runtime", name), "utf8"), text);
    }
    return { status, stdout, stderr };
  } finally {
    rmSync(home, { recursive: true });
  }
}

test("a change that a test notices is killed, another survives, and the copy is put right before and after", () => {
  // The state after a run that was killed.
  const { status, stdout, stderr } = mutated(["runtime"], {
    "site/runtime/one.js": "export const is_one = 1;\n",
    "tests/old.js": "",
  });
  assert.equal(status, 0, stderr);
  assert.deepEqual(
    stdout.split("\n").sort(),
    [
      "",
      "SURVIVED site/runtime/other.js:1  export const is_none = (a) => a === null;  →  export const is_none = (a) => a !== null;",
      "killed   site/runtime/one.js:1  export const is_one = (a) => a === 1;  →  export const is_one = (a) => a !== 1;",
      "noticed: 1 of 2, 50 %",
      "seed 1: killed 1, SURVIVED 1, no build 0",
    ].sort(),
  );
  assert.equal(
    stderr,
    "mutate: tests/site/runtime/wrong.test.mjs is left out, because it fails on the unchanged sources\n",
  );
});

test("what survived is tried again, wherever it is by now", () => {
  const log = `killed   site/runtime/one.js:1  export const is_one = (a) => a === 1;  →  export const is_one = (a) => a !== 1;
SURVIVED site/runtime/other.js:7  export const is_none = (a) => a === null;  →  export const is_none = (a) => a !== null;
`;
  const { stdout } = mutated(["runtime", "--again", "build/log"], { "../../log": log });
  assert.deepEqual(
    stdout.split("\n").map((line) => line.slice(0, 31)),
    [
      "SURVIVED site/runtime/other.js:",
      "again: killed 0, SURVIVED 1, no",
      "noticed: 0 of 1, 0 %",
      "",
    ],
  );
});

test("impossible requests are reported", () => {
  for (const [words, said] of [
    [[], 'mutate: expected cpp or runtime, not ""\n'],
    [
      ["runtime", "--number", "x"],
      'mutate: --number: expected a whole number, at least 1, not "x"\n',
    ],
    [["runtime", "--seed"], "mutate: Option '--seed <value>' argument missing\n"],
    [["runtime", "scripts"], "mutate: scripts is not below site/runtime\n"],
    [["runtime", "site/runtime/none.js"], "mutate: nothing to change in site/runtime/none.js\n"],
    [["runtime", "--again", "no.log"], "mutate: no change survived in no.log\n"],
  ]) {
    const { status, stdout, stderr } = mutated(words);
    assert.deepEqual([status, stdout, stderr], [2, "", said]);
  }
});
