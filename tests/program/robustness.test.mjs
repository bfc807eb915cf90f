// Faults during a build: after each, the site is either the complete old one or the complete new
// one, and the next build is right. docs/reference/testing.md lists all faults and names a test for
// each.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

import { rounds } from "../rounds.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = resolve(process.env.PRIMER ?? join(root, "build/release/generator/primer"));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "primer-robust-")));
after(() => rmSync(scratch, { recursive: true, force: true }));

let place, book;
let count = 0;
beforeEach(() => {
  place = join(scratch, String(++count));
  book = join(place, "book");
  cpSync(join(root, "tests/fixtures/book"), book, { recursive: true });
});

const words = (...more) =>
  ["build", "--assets", join(root, "site"), "--modules", "none", "--fonts", "none"].concat(
    ["--minified", "none"],
    more,
  );
const options = () => ({
  cwd: book,
  env: { PATH: process.env.PATH, HOME: join(place, "home") },
  encoding: "utf8",
});
const build = (...more) => spawnSync(primer, words(...more), options());
function build_well(...more) {
  const { status, stdout, stderr } = build(...more);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** The content of each file below a site. */
function files_of(site) {
  const found = {};
  const directory = realpathSync(site);
  for (const path of readdirSync(directory, { recursive: true }).sort())
    if (lstatSync(join(directory, path)).isFile())
      found[path] = readFileSync(join(directory, path), "base64");
  return found;
}
const site_of = () => files_of(join(book, "build/site"));

const chapter = () => join(book, "chapters/en/01-first.md");
const edit = (line) => writeFileSync(chapter(), `${readFileSync(chapter(), "utf8")}\n${line}\n`);
function retitle(title) {
  const file = join(book, "chapters/book.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(/^title: .*/, `title: ${title}`));
}

/** The output of a clean build of the current book. */
function clean_site() {
  const other = join(place, "clean");
  rmSync(other, { recursive: true, force: true });
  build_well("--out", join(other, "site"));
  return files_of(join(other, "site"));
}

test("a disk that became read-only: the site stays, the message says why", (t) => {
  const disk = join(place, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=20m", "primer-test", disk]);
  if (mounted.status !== 0) return t.skip("no disk can be mounted here");
  try {
    const out = ["--out", join(disk, "site")];
    build_well(...out);
    const before = files_of(join(disk, "site"));
    spawnSync("mount", ["-o", "remount,ro", disk]);
    retitle("Read-only");
    const { status, stderr } = build(...out);
    assert.equal(status, 1);
    assert.match(stderr, /cannot \w+ .*: Read-only file system/);
    assert.deepEqual(files_of(join(disk, "site")), before);
    spawnSync("mount", ["-o", "remount,rw", disk]);
    build_well(...out);
    assert.deepEqual(files_of(join(disk, "site")), clean_site());
  } finally {
    spawnSync("umount", [disk]);
  }
});

// The time that programs started with it see, in seconds.
const other_clock = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t which, struct timespec* at) {
  int (*real)(clockid_t, struct timespec*) = dlsym(RTLD_NEXT, "clock_gettime");
  const int done = real(which, at);
  if (which == CLOCK_REALTIME) at->tv_sec = atol(getenv("CLOCK_SAYS"));
  return done;
}
`;

test("a system whose clock says 1971 or 2100 builds what any other does", (t) => {
  const [source, library] = [join(place, "clock.c"), join(place, "clock.so")];
  writeFileSync(source, other_clock);
  const compiled = spawnSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"]);
  if (compiled.status !== 0) return t.skip("there is no C compiler here");
  const build_in = (year) => {
    const own = options();
    own.env.LD_PRELOAD = library;
    own.env.CLOCK_SAYS = String(Date.parse(year) / 1000);
    return spawnSync(primer, words(), own);
  };
  build_well();
  for (const year of ["1971", "2100", "1971"]) {
    edit(`A line of ${year}.`);
    const { status, stderr } = build_in(year);
    assert.equal(status, 0, stderr);
    assert.deepEqual(site_of(), clean_site(), year);
  }
  // Proof that the clock differs: statements of the book about 2071 are about the future.
  const before = site_of();
  const errata = '- {date: "2071-05-01", chapter: first, text: It was wrong.}\n';
  writeFileSync(join(book, "chapters/errata.yaml"), errata);
  const { status, stderr } = build_in("1971");
  assert.equal(status, 1);
  assert.match(stderr, /found 2071-05-01, expected 1971-01-02 or earlier/);
  assert.deepEqual(site_of(), before);
});

test("a clock that was set back or forward hides no edit: contents are compared, not times", () => {
  build_well();
  for (const year of ["1971", "2100"]) {
    edit(`A line of ${year}.`);
    const then = new Date(`${year}-01-02`);
    utimesSync(chapter(), then, then);
    assert.doesNotMatch(build_well(), / 0 changed/);
    assert.deepEqual(site_of(), clean_site());
    assert.match(build_well(), / 0 changed/);
  }
  // The same time and the same length as before.
  const { mtime } = statSync(chapter());
  writeFileSync(chapter(), readFileSync(chapter(), "utf8").replace("of 2100", "of 2200"));
  utimesSync(chapter(), mtime, mtime);
  assert.doesNotMatch(build_well(), / 0 changed/);
  assert.deepEqual(site_of(), clean_site());
});

test("two builders of one site wait for each other, and both leave it right", async () => {
  build_well();
  const finished = () =>
    new Promise((done) => {
      const builder = spawn(primer, words(), { ...options(), stdio: "ignore" });
      builder.on("exit", (status, signal) => done(signal ?? status));
    });
  for (let round = 0; round < rounds("BUILDERS", 4, 20); ++round) {
    retitle(`Round ${round}`);
    const both = [finished(), finished()];
    if (round % 2) edit(`Line ${round}.`); // while the builds run
    // A save during a build may make it fail, which leaves the site unchanged.
    for (const status of await Promise.all(both)) assert.ok(status === 0 || round % 2 === 1);
    build_well();
    assert.deepEqual(site_of(), clean_site(), `round ${round}`);
  }
});

test("an output on another file system is written as any other", (t) => {
  const other = "/dev/shm";
  if (!existsSync(other) || statSync(other).dev === statSync(place).dev)
    return t.skip("there is no other file system here");
  const disk = mkdtempSync(join(other, "primer-"));
  try {
    for (const title of ["One", "Two", "Three"]) {
      retitle(title);
      build_well("--out", join(disk, "site"));
      assert.deepEqual(files_of(join(disk, "site")), clean_site());
    }
  } finally {
    rmSync(disk, { recursive: true, force: true });
  }
});

// Below about 25 MB, the system's loader gives up before the program starts. If an allocation fails
// while a thread starts, the program still aborts, but the site is complete all the same.
test("where memory runs out, anywhere: the site is the old one or the new one", () => {
  build_well();
  const whole = site_of();
  retitle("With little memory");
  const next = clean_site();
  const seen = { failed: 0, built: 0 };
  const steps = rounds("ALLOCATIONS", 14, 60);
  for (let step = 0; step < steps && !seen.built; ++step) {
    const kilobytes = Math.round(24_000 + (56_000 * step) / steps);
    const limited = ["-c", 'ulimit -v "$0"; exec "$@"', String(kilobytes), primer];
    const args = [...limited, ...words("--threads", "1")];
    const { status, stderr } = spawnSync("bash", args, options());
    if (status === 0) ++seen.built;
    else ++seen.failed;
    if (status !== 0) assert.notEqual(stderr, "", `${kilobytes} KB`);
    assert.deepEqual(site_of(), status === 0 ? next : whole, `${kilobytes} KB`);
  }
  assert.ok(seen.failed > 1, "limits that are too small were met");
  build_well();
  assert.deepEqual(site_of(), next);
});

test("each fault in docs/reference/testing.md names tests that exist", () => {
  const tests = readdirSync(join(root, "tests"), { recursive: true }).map(
    (path) => `tests/${path}`,
  );
  const [, faults] = readFileSync(join(root, "docs/reference/testing.md"), "utf8").split(
    /^## Faults that a build survives$/m,
  );
  const rows = faults.match(/^\| (?!fault|-).*/gm);
  assert.ok(rows.length > 10);
  for (const row of rows) {
    const named = [...row.matchAll(/(?:"([^"]+)" in )?`([^`]+_test(?:\.cpp)?|[^`]+\.test\.mjs)`/g)];
    assert.ok(named.length > 0, row);
    for (const [, name = "", file] of named) {
      const found = tests.find((path) => path.endsWith(file) || path.endsWith(`${file}.cpp`));
      assert.ok(found, `${file}: ${row}`);
      assert.ok(readFileSync(join(root, found), "utf8").includes(name), `${name}: ${row}`);
    }
  }
});
