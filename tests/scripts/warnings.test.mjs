// scripts/lib/warnings finds the warnings of every tool in a build's log, and nothing else.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const folder = mkdtempSync(join(tmpdir(), "warnings-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const log = join(folder, "build.log");

function asked(text) {
  writeFileSync(log, text);
  const { status, stdout } = spawnSync("scripts/lib/warnings", [log], { encoding: "utf8" });
  return { status, stdout };
}

const warnings = [
  "../../generator/core/base/a.cpp:157:24: warning: declaration of 'digits' shadows a global declaration [-Wshadow]",
  "\u001b[1ma.cpp:1:2: \u001b[0m\u001b[0;1;35mwarning: \u001b[0munused variable",
  "wasm-ld: warning: function signature mismatch: _ZNKSt3__217basic_string_view",
  "/usr/bin/ld: warning: libx.so.1, needed by liby.so, may conflict with libx.so.2",
  "lto-wrapper: warning: using serial compilation of 2 LTRANS jobs",
  "ninja: warning: premature end of file; recovering",
  "CMake Warning at CMakeLists.txt:5 (find_package):",
  "CMake Warning (dev) at CMakeLists.txt:5:",
  "CMake Deprecation Warning at CMakeLists.txt:1 (cmake_minimum_required):",
  "warning: something without a place",
  "(node:12) DeprecationWarning: punycode is deprecated",
  "(node:12) [DEP0040] DeprecationWarning: punycode is deprecated",
  "(node:12) Warning: an option changed",
  "▲ [WARNING] Duplicate key in object literal",
];

for (const line of warnings)
  test(`found: ${line.replace(/[^ -~]/g, "")}`, () => {
    const { status, stdout } = asked(`[1/2] Building\n${line}\n[2/2] Linking\n`);
    assert.equal(status, 1);
    assert.equal(stdout.split("\n").length, 3, stdout);
    assert.match(stdout, /^2:/);
  });

test("what only has the word in it is none", () => {
  const lines = [
    "[12/278] Building CXX object generator/CMakeFiles/primer_core.dir/base/warning.cpp.o",
    "c++ -Wall -Wno-warning -Werror=warnings a.cpp",
    "build/site: 253 files, no warnings",
    "-- Looking for warnings",
  ];
  assert.deepEqual(asked(`${lines.join("\n")}\n`), { status: 0, stdout: "" });
});

test("a log that is missing or empty says nothing, which is an error", () => {
  assert.equal(asked("").status, 2);
  for (const all of [[], [join(folder, "none.log")], [log, join(folder, "none.log")]]) {
    assert.equal(spawnSync("scripts/lib/warnings", all).status, 2);
  }
});
