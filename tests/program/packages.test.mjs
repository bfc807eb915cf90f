// The packages built by scripts/package, each in a Debian root without anything else
// (scripts/try_package). Only in a full run, and if roots can be created. The .deb for another
// Debian is tested if scripts/package --in has built it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { before, test } from "node:test";

import { is_full } from "../rounds.mjs";

const packages = "build/packages";
const roots =
  process.getuid() === 0 &&
  existsSync("/etc/debian_version") &&
  existsSync("/usr/sbin/debootstrap") &&
  spawnSync("unshare", ["--mount", "true"]).status === 0; // a container may not mount
const reason = !is_full
  ? "only in a full run"
  : !roots
    ? "only on a Debian whose root may mount"
    : false;
const suites = { debian12: "bookworm", debian13: "trixie" };

before(() => {
  if (!reason) execFileSync("scripts/package", { stdio: "pipe" });
});

const made = (ending) => readdirSync(packages).filter((name) => name.endsWith(ending));
function tried(suite, name) {
  const { status, stdout, stderr } = spawnSync(
    "scripts/try_package",
    [suite, `${packages}/${name}`],
    {
      encoding: "utf8",
    },
  );
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /: all tried\n$/);
}

test("each .deb on its own Debian", { skip: reason, timeout: 1_200_000 }, () => {
  const names = made(".deb");
  assert.ok(names.length > 0);
  for (const name of names) {
    const suite = suites[/_(debian\d+)_/.exec(name)?.[1]];
    if (suite) tried(suite, name);
  }
});

test("the archive on both, with its own libraries", { skip: reason, timeout: 1_200_000 }, () => {
  const [name] = made(".tar.gz");
  for (const suite of Object.values(suites)) tried(suite, name);
});

test("the sums are of these files", { skip: reason }, () => {
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: packages, stdio: "pipe" });
  const lines = readFileSync(`${packages}/SHA256SUMS`, "utf8").trim().split("\n");
  assert.equal(lines.length, made(".deb").length + made(".tar.gz").length);
});
