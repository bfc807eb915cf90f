// scripts/lib/run_tests.mjs reports failures, counts a file without a result as failed, and loses
// nothing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const folder = mkdtempSync(join(tmpdir(), "run-tests-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const head = 'import { test } from "node:test";\n';
/**
 * A test that records which browser it got and how many pages it saw there, opens a page, and then
 * does `then`.
 */
const browsing = (then) => `${head}import { appendFileSync } from "node:fs";
import { open_browser } from "${new URL("../../scripts/lib/browsers.mjs", import.meta.url)}";
test("browses", async () => {
  const browser = await open_browser("chromium");
  const endpoint = await (await fetch(process.env.SHARED_BROWSERS + "/chromium")).text();
  const { length } = await browser.pages();
  appendFileSync(new URL("browsers", import.meta.url), endpoint + " " + length + "\\n");
  await browser.newPage();
  await browser.close();
  ${then}
});
`;
const files = {
  good: `${head}test("one", () => {});\ntest("two", () => {});\n`,
  bad: `${head}test("holds", () => {});\ntest("is wrong", () => { throw new Error("seven"); });\n`,
  skipped: `${head}test("later", { skip: "there is no moon" }, () => {});\n`,
  long: `// Takes minutes.\n${head}test("long", () => {});\n`,
  broken: "this is not a script;\n",
  // Its child starts another child and ends before that one has worked for a second.
  orphan: `${head}import { spawn } from "node:child_process";
test("orphan", async () => {
  const work = "while (process.cpuUsage().user < 1e6);";
  const child = spawn("sh", ["-c", '"$0" -e "$1" &', process.execPath, work], { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.resume();
  await new Promise((resolve) => child.on("close", resolve));
});
`,
  late: `${head}import { existsSync, writeFileSync } from "node:fs";
test("late", () => {
  if (existsSync(import.meta.filename + ".seen")) return;
  writeFileSync(import.meta.filename + ".seen", "");
  throw new Error("too late");
});
`,
  browses: browsing(""),
  browses_on: browsing(""),
  crashes: browsing('throw new Error("crashed");'),
  gone: `${head}test("goes", () => {});\nsetTimeout(() => process.exit(0), 0);\nawait new Promise(() => {});\n`,
};

function run(options, ...names) {
  const paths = names.map((name) => {
    const path = join(folder, `${name}.test.mjs`);
    writeFileSync(path, files[name]);
    return path;
  });
  // A run of tests inside a run of tests: node would skip the inner one.
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const all = ["scripts/lib/run_tests.mjs", "--at-once", ...String(options).split(" "), ...paths];
  const { status, stdout } = spawnSync(process.execPath, all, { encoding: "utf8", env });
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(stdout)[1]);
  return {
    status,
    stdout,
    tests: count("tests"),
    pass: count("pass"),
    fail: count("fail"),
    skipped: count("skipped"),
  };
}

test("the counts of all files are summed, and skipped tests have their reason", () => {
  const { status, stdout, tests, pass, fail, skipped } = run(2, "good", "skipped");
  assert.deepEqual([status, tests, pass, fail, skipped], [0, 3, 2, 0, 1]);
  assert.match(stdout, /^ok +\d+\.\d s \( *\d+\.\d\) +2 tests .*good\.test\.mjs$/m);
  assert.match(stdout, /# SKIP there is no moon/);
});

test(
  "CPU time includes processes that nobody waited for, such as a browser's",
  { skip: process.platform !== "linux" && "only Linux hands on such processes" },
  () => {
    const { stdout } = run(1, "orphan");
    const [, busy] = /^ok +[\d.]+ s \( *([\d.]+)\) .*orphan\.test\.mjs$/m.exec(stdout);
    assert.ok(Number(busy) >= 1, stdout);
  },
);

test("a test that fails is shown, and the others still run", () => {
  const { status, stdout, tests, pass, fail } = run(1, "bad", "good");
  assert.deepEqual([status, tests, pass, fail], [1, 4, 3, 1]);
  assert.match(stdout, /^FAIL .*bad\.test\.mjs$/m);
  assert.match(stdout, /not ok 2 - is wrong[^]*error: 'seven'/);
  assert.doesNotMatch(stdout, /ok 1 - holds/);
});

test("with --again a failed file runs once more, and fails if it fails again", () => {
  const { status, stdout, tests, pass, fail } = run("2 --again", "good", "late");
  assert.deepEqual([status, tests, pass, fail], [0, 3, 3, 0]);
  assert.match(stdout, /^FAIL .*late[^]*too late[^]*^once more, alone: .*late[^]*^ok .*late/m);
  const twice = run("2 --again", "bad", "good");
  assert.deepEqual([twice.status, twice.tests, twice.pass, twice.fail], [1, 4, 3, 1]);
  assert.equal(twice.stdout.match(/^FAIL .*bad/gm).length, 2);
});

test("files of a lane share a browser and see no page of another, until one fails", () => {
  assert.equal(run(1, "browses", "browses_on", "crashes").fail, 1); // the largest begins: it crashes
  const seen = readFileSync(join(folder, "browsers"), "utf8").trim().split("\n");
  const [crashed, ...others] = seen.map((line) => line.split(" ")[0]);
  assert.equal(others.length, 2);
  assert.equal(others[0], others[1]);
  assert.notEqual(others[0], crashed);
  for (const line of seen) assert.match(line, / 0$/);
});

test("what takes minutes begins first, then the largest file", () => {
  const { stdout } = run(1, "good", "long", "bad");
  assert.deepEqual(
    [...stdout.matchAll(/(\w+)\.test\.mjs$/gm)].map(([, name]) => name),
    ["long", "bad", "good"],
  );
});

for (const [name, words] of [
  ["broken", /SyntaxError/],
  ["gone", /gone\.test\.mjs/],
])
  test(`a file that gives no result has failed: ${name}`, () => {
    const { status, stdout, fail } = run(1, name, "good");
    assert.equal(status, 1);
    assert.equal(fail, 1);
    assert.match(stdout, words);
  });

test("without files, or with a number that is none, nothing runs", () => {
  for (const all of [[], ["--at-once", "none", "x"]]) {
    const { status, stderr } = spawnSync(process.execPath, ["scripts/lib/run_tests.mjs", ...all], {
      encoding: "utf8",
    });
    assert.equal(status, 2);
    assert.match(stderr, /--at-once N/);
  }
});
