// scripts/test: every test file belongs to one of its runs, and an unknown option runs nothing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const script = readFileSync("scripts/test", "utf8");

test("every file of tests is in one run, and in no other", () => {
  const runs = script.replace(/^book_tests\(\) .*?^}$/ms, "");
  const patterns = [...runs.matchAll(/\btests\/\S+\.test\.mjs/g)].map(([glob]) => glob);
  const expressions = patterns.map(
    (glob) => new RegExp(`^${glob.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`),
  );
  const files = readdirSync("tests", { recursive: true }).filter((name) =>
    name.endsWith(".test.mjs"),
  );
  assert.ok(files.length > 50);
  for (const file of files.map((name) => `tests/${name}`)) {
    assert.equal(expressions.filter((expression) => expression.test(file)).length, 1, file);
  }
});

test("files of tests that read the book are marked, so that --quick runs them", () => {
  const reads = /["`(]chapters"|"(?:site\/locales|figures\/specs)|judged_machine|\/site\.mjs"/;
  const drives = /browser|mkdtemp|small_book/; // tests with pages or separate books
  const marked = /^\/\/ Reads the book\.$/m;
  for (const folder of readdirSync("tests").filter(
    (name) => !/\./.test(name) && name !== "workshop",
  ))
    for (const name of readdirSync(`tests/${folder}`).filter((one) => one.endsWith(".test.mjs"))) {
      const text = readFileSync(`tests/${folder}/${name}`, "utf8");
      if (reads.test(text) && !drives.test(text))
        assert.match(text, marked, `tests/${folder}/${name}`);
    }
  assert.match(script, /grep -lx '\/\/ Reads the book\\\.' tests\/\*\/\*\.test\.mjs/);
});

test("what it is asked and does not know is said, with what it knows", () => {
  for (const all of [["--fast"], ["full"], ["--quick", "--full"]]) {
    const { status, stdout, stderr } = spawnSync("scripts/test", all, { encoding: "utf8" });
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.ok(
      stderr.startsWith(`test: expected no option, --quick or --full, not "${all.join(" ")}"\n`),
      stderr,
    );
    assert.match(stderr, /scripts\/test --quick\s+for authors/);
  }
});

test("scripts/test_build runs every preset that has tests but the usual one, and knows no other", () => {
  const { testPresets } = JSON.parse(readFileSync("CMakePresets.json", "utf8"));
  const names = testPresets.map(({ name }) => name).filter((name) => name !== "release");
  const cases = /^ {2}(.*)\) shift ;;$/m.exec(readFileSync("scripts/test_build", "utf8"))[1];
  assert.deepEqual(cases.split(" | "), names);
  for (const name of ["", "release", "wasm"]) {
    const { status, stdout, stderr } = spawnSync("scripts/test_build", [name], {
      encoding: "utf8",
    });
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.ok(stderr.startsWith(`test_build: expected ci, asan or tsan, not "${name}"\n`), stderr);
  }
});
