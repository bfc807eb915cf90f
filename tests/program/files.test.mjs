// The files that primer writes: nothing in a book makes it write, remove or trust anything else.
// Each test has a separate book and a separate home directory. FLIPS=3000 damages the cache more
// often.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

import { rounds } from "../rounds.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = resolve(process.env.PRIMER ?? join(root, "build/release/generator/primer"));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "primer-files-")));
after(() => rmSync(scratch, { recursive: true, force: true }));

let place, book, victim;
let count = 0;
beforeEach(() => {
  place = join(scratch, String(++count));
  [book, victim] = [join(place, "book"), join(place, "victim")];
  cpSync(join(root, "tests/fixtures/book"), book, { recursive: true });
  mkdirSync(join(book, "build"));
  mkdirSync(join(victim, "deep"), { recursive: true });
  for (const file of ["a", "deep/b"]) writeFileSync(join(victim, file), "precious");
});

const assets = [
  "--assets",
  join(root, "site"),
  "--modules",
  "none",
  "--fonts",
  "none",
  "--minified",
  "none",
];

/** Runs a program in the book with its home directory. */
function run(program, words, env = { HOME: join(place, "home") }) {
  const { status, signal, stdout, stderr } = spawnSync(program, words, {
    cwd: book,
    env: { PATH: process.env.PATH, ...env },
    encoding: "utf8",
  });
  assert.equal(signal, null);
  return { status, out: stdout, errors: stderr };
}
const build = (...words) => run(primer, ["build", ...assets, ...words]);

/** Every path below a directory, with the content of the file or link. */
function tree(directory) {
  const found = {};
  for (const path of readdirSync(directory, { recursive: true }).sort()) {
    const status = lstatSync(join(directory, path));
    found[path] = status.isSymbolicLink()
      ? `-> ${readlinkSync(join(directory, path))}`
      : status.isFile()
        ? readFileSync(join(directory, path), "base64")
        : "";
  }
  return found;
}

const site_of = () => tree(realpathSync(join(book, "build/site")));
const edit = (text = `Line ${++edit.count}.`) =>
  writeFileSync(
    join(book, "chapters/en/01-first.md"),
    `${readFileSync(join(book, "chapters/en/01-first.md"), "utf8")}\n${text}\n`,
  );
edit.count = 0;
/** Changes every page, so that a build makes a new tree. */
const retitle = () => {
  const file = join(book, "chapters/book.yaml");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(/^title: .*/, `title: Book ${++edit.count}`),
  );
};

/**
 * Builds, edits and builds again, until each tree has been made from the other. The victim must not
 * change.
 */
function build_around(before = tree(victim)) {
  for (let i = 0; i < 4; ++i) {
    const { status, errors } = build();
    assert.equal(status, 0, errors);
    assert.deepEqual(tree(victim), before);
    retitle();
  }
  assert.ok(existsSync(join(book, "build/site/index.html")));
  assert.ok(!existsSync(join(victim, "index.html")));
}

for (const [name, target] of [
  ["site.9", "../../victim"],
  ["site.1", "../../victim"],
  ["cache", "../../victim"],
  ["site.link", "../../victim"],
  ["site.file", "../../victim/a"],
]) {
  test(`a link build/${name} that came with the book is not followed`, () => {
    symlinkSync(target, join(book, "build", name));
    build_around();
    assert.equal(readlinkSync(join(book, "build", name)), target);
  });
}

/** Runs a build that must fail with a reason and change nothing in the book or the victim. */
function refused(why) {
  const before = [tree(join(book, "build")), tree(victim)];
  const { status, errors } = build();
  assert.notEqual(status, 0);
  assert.match(errors, why);
  rmSync(join(book, "build/site.lock"), { force: true });
  assert.deepEqual([tree(join(book, "build")), tree(victim)], before);
}

test("a link to a link of the form of a tree is refused", () => {
  symlinkSync("../../victim", join(book, "build/site.1"));
  symlinkSync("site.1", join(book, "build/site"));
  refused(/site is a symbolic link that primer did not make/);
});

test("a link in place of the trees' directory is refused", () => {
  symlinkSync("../../victim", join(book, "build/site.trees"));
  refused(/site\.trees was not made by your builds/);
});

test("a tree in a directory that looks like primer's is not primer's", () => {
  mkdirSync(join(book, "build/site.trees"));
  symlinkSync("../../../victim", join(book, "build/site.trees/9"));
  writeFileSync(join(book, "build/site.trees/.primer-output"), "somebody's marker\n");
  symlinkSync("site.trees/9", join(book, "build/site"));
  refused(/site\.trees was not made by your builds/);
});

test("a forged marker exposes the files next to it and nothing else", () => {
  mkdirSync(join(book, "build/site.trees/9"), { recursive: true });
  writeFileSync(join(book, "build/site.trees/.primer-output"), "primer site trees 1\n");
  symlinkSync("../../../../victim", join(book, "build/site.trees/9/deep"));
  symlinkSync("../../../victim", join(book, "build/site.trees/8"));
  linkSync(join(victim, "a"), join(book, "build/site.trees/9/index.html"));
  symlinkSync("site.trees/8", join(book, "build/site"));
  build_around();
  assert.match(readlinkSync(join(book, "build/site")), /^site\.trees\//);
});

test("what a build cannot have made among the trees stays", () => {
  assert.equal(build().status, 0);
  const trees = join(book, "build/site.trees");
  for (const name of ["20261101", "9"]) {
    mkdirSync(join(trees, name));
    writeFileSync(join(trees, name, "mine"), "precious");
  }
  writeFileSync(join(trees, "1000"), "precious");
  build_around();
  assert.equal(readFileSync(join(trees, "20261101/mine"), "utf8"), "precious");
  assert.equal(readFileSync(join(trees, "9/mine"), "utf8"), "precious");
  assert.equal(readFileSync(join(trees, "1000"), "utf8"), "precious");
});

test("a link among the trees themselves is not followed", () => {
  assert.equal(build().status, 0);
  retitle();
  assert.equal(build().status, 0);
  assert.equal(readlinkSync(join(book, "build/site")), "site.trees/2");
  symlinkSync("../../../victim", join(book, "build/site.trees/9"));
  symlinkSync("../../../../victim", join(book, "build/site.trees/1/deep"));
  linkSync(join(victim, "a"), join(book, "build/site.trees/1/a"));
  build_around();
  assert.equal(readlinkSync(join(book, "build/site.trees/9")), "../../../victim");
  assert.ok(!existsSync(join(book, "build/site/deep")));
  // A file in the published site may be somebody's.
  symlinkSync("../../../../victim", join(book, "build/site/deep"));
  const before = tree(victim);
  assert.match(build().errors, /site\/deep was not written by primer: move it out of the site/);
  assert.deepEqual(tree(victim), before);
});

test("somebody's backups are neither removed nor used", () => {
  for (const name of ["site.2024", "site.2022", "site.20240101", "site.1"]) {
    mkdirSync(join(book, "build", name));
    writeFileSync(join(book, "build", name, "x"), "backup");
  }
  for (const name of ["site.link", "site.file"]) writeFileSync(join(book, "build", name), "mine");
  const names = [
    "site.2024/x",
    "site.2022/x",
    "site.20240101/x",
    "site.1/x",
    "site.link",
    "site.file",
  ];
  const kept = () => names.map((name) => readFileSync(join(book, "build", name), "utf8")).join();
  const before = kept();
  build_around();
  assert.equal(kept(), before);
});

test("an address that leads out of the site is written nowhere", () => {
  const alias = `${"b".repeat(200)}${`/${"c".repeat(199)}`.repeat(4)}${"/..".repeat(7)}/pwned`;
  edit.first = readFileSync(join(book, "chapters/en/01-first.md"), "utf8");
  writeFileSync(
    join(book, "chapters/en/01-first.md"),
    edit.first.replace("---\n", `---\naliases: ["${alias}"]\n`),
  );
  const before = readdirSync(book).sort();
  const { status, errors } = build();
  assert.notEqual(status, 0);
  assert.match(errors, /error: /);
  assert.deepEqual(readdirSync(book).sort(), before);
  assert.ok(!existsSync(join(book, "build/pwned")) && !existsSync(join(place, "pwned")));
});

for (const name of ["site.lock", "site.trees/.primer-output"]) {
  test(`${name} that leads outside is refused, and nothing is made there`, () => {
    mkdirSync(join(book, "build", dirname(name)), { recursive: true });
    symlinkSync(join(victim, "new"), join(book, "build", name));
    const { status, errors } = build();
    assert.ok(!existsSync(join(victim, "new")));
    if (name === "site.lock")
      assert.match(errors, /cannot lock \S+site\.lock: Too many levels of symbolic links/);
    else assert.match(errors, /site\.trees was not made by your builds/);
    assert.notEqual(status, 0);
  });
}

test("build/ itself as a link is refused in words", () => {
  rmSync(join(book, "build"), { recursive: true });
  symlinkSync("../victim", join(book, "build"));
  const before = tree(victim);
  const { status, errors } = build();
  assert.equal(status, 1);
  assert.match(errors, /cannot make \S+\/build: .*pass the target of the link with --out/);
  assert.deepEqual(tree(victim), before);
  assert.equal(build("--out", join(victim, "site")).status, 0); // the user chose it
});

test("what cannot be a site is refused before anything is written", () => {
  const all = () => [tree(book), tree(victim), ["/cache", "/.lock", "/.trees"].filter(existsSync)];
  const before = all();
  for (const out of [
    "/",
    ".",
    "..",
    "chapters",
    "chapters/",
    "chapters/en/site",
    "figures/x",
    ".git/x",
    victim,
    join(victim, "a"),
  ]) {
    const { status, errors } = build("--out", out);
    assert.equal(status, 1, out);
    assert.match(
      errors,
      /the site cannot be written: .*; choose another directory with --out/,
      out,
    );
  }
  assert.deepEqual(all(), before);
});

test("check writes nothing, whatever is there", () => {
  symlinkSync("../../victim", join(book, "build/cache"));
  const all = () => [tree(place)];
  const before = all();
  assert.equal(run(primer, ["check", ...assets]).status, 0);
  assert.deepEqual(all(), before);
  assert.equal(build().status, 0);
  edit();
  const built = all();
  assert.equal(run(primer, ["check", ...assets]).status, 0);
  assert.deepEqual(all(), built);
});

test("no cache is written into the book, and none in it is read", () => {
  mkdirSync(join(book, "build/cache"));
  writeFileSync(join(book, "build/cache/primer.mdb"), "<script>");
  assert.equal(build().status, 0);
  assert.deepEqual(readdirSync(join(book, "build")).sort(), [
    "cache",
    "site",
    "site.lock",
    "site.trees",
  ]);
  assert.deepEqual(readdirSync(join(book, "build/cache")), ["primer.mdb"]);
  const [own] = readdirSync(join(place, "home/.cache/primer"));
  assert.match(own, /^[0-9a-f]{32}$/);
  assert.equal(lstatSync(join(place, "home/.cache/primer")).mode & 0o777, 0o700);
});

test("--fix does not write through a chapter that is a link", () => {
  const chapter = join(book, "chapters/en/01-first.md");
  cpSync(join(root, "chapters/facts"), join(book, "chapters/facts"), { recursive: true });
  const text = `${readFileSync(chapter, "utf8")}\nIt moves [9.99 TB/s](fact:h100-sxm.bandwidth).\n`;
  mkdirSync(join(book, ".github/workflows"), { recursive: true });
  writeFileSync(join(book, ".github/workflows/x.yml"), text);
  rmSync(chapter);
  symlinkSync("../../.github/workflows/x.yml", chapter);
  const before = tree(book);
  const { status, errors } = run(primer, ["check", "--fix", ...assets]);
  assert.equal(status, 1);
  assert.match(errors, /chapters\/en\/01-first\.md: error: this is a symbolic link/);
  assert.deepEqual(tree(book), before);
});

test("a new chapter is written whole or not at all, and not through a link", () => {
  mkdirSync(join(book, "figures"));
  symlinkSync("../../victim", join(book, "figures/specs"));
  const before = tree(place);
  const { status, errors } = run(primer, ["new", "chapter", "second-one"]);
  assert.equal(status, 1);
  assert.match(
    errors,
    /figures\/specs\/second-one\.json: error: part of the path is a symbolic link/,
  );
  assert.deepEqual(tree(place), before);
});

/** With a limit of this many kilobytes per file. */
const build_limited = (kilobytes) =>
  run("bash", ["-c", 'ulimit -f "$0"; exec "$@"', String(kilobytes), primer, "build", ...assets]);

test("a file that cannot be written whole: the site stays, the message says why", () => {
  assert.equal(build().status, 0);
  const before = site_of();
  edit("x ".repeat(20_000));
  retitle();
  const { status, errors } = build_limited(4);
  assert.equal(status, 1);
  assert.match(errors, /cannot write \S+: File too large/);
  assert.deepEqual(site_of(), before);
  const next = build();
  assert.equal(next.status, 0, next.errors);
  assert.notDeepEqual(site_of(), before);
});

test("a full disk: the site stays, the message says why", (t) => {
  const disk = join(place, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=3m", "primer-test", disk]);
  if (mounted.status !== 0) return t.skip("a small disk cannot be mounted here");
  try {
    const out = ["--out", join(disk, "site")];
    assert.equal(build(...out).status, 0);
    const before = tree(realpathSync(join(disk, "site")));
    spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "filler")}`, "bs=1k"]);
    retitle();
    const { status, errors } = build(...out);
    assert.equal(status, 1);
    assert.match(errors, /cannot (write|make) \S+: No space left on device/);
    assert.deepEqual(tree(realpathSync(join(disk, "site"))), before);
    rmSync(join(disk, "filler"));
    assert.equal(build(...out).status, 0);
  } finally {
    spawnSync("umount", [disk]);
  }
});

test("without a home nothing is kept, which is said, and the site's own trees are known again", () => {
  for (let i = 0; i < 3; ++i) {
    const { status, errors } = run(primer, ["build", ...assets], {});
    assert.equal(status, 0, errors);
    assert.equal(
      errors,
      "primer: note: caching is off for this build: neither HOME nor XDG_CACHE_HOME is set\n",
    );
    retitle();
  }
  assert.equal(
    readdirSync(join(book, "build")).filter((name) => name.startsWith("site.trees")).length,
    1,
  );
});

test("a cache with other bits than were written never ends a build, and never gets into a page", () => {
  assert.equal(build().status, 0);
  const clean = site_of();
  const all = join(place, "home/.cache/primer");
  const cache = join(all, readdirSync(all)[0]);
  cpSync(cache, join(place, "whole"), { recursive: true });
  let seed = 14; // generator of Numerical Recipes, so that each run damages the same
  const below = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  const names = readdirSync(cache).filter((name) => name !== "lock");
  for (let round = 0; round < rounds("FLIPS", 16, 60); ++round) {
    rmSync(cache, { recursive: true });
    cpSync(join(place, "whole"), cache, { recursive: true });
    const file = join(cache, names[round % names.length]);
    const bytes = readFileSync(file);
    for (let i = 0; i <= below(8); ++i) bytes[below(bytes.length)] ^= 1 << below(8);
    writeFileSync(file, round % 7 === 0 ? bytes.subarray(0, below(bytes.length)) : bytes);
    // The record is not compared with the output of the last build.
    rmSync(join(book, "build"), { recursive: true });
    const { status, errors } = build();
    assert.equal(status, 0, `round ${round}: ${errors}`);
    assert.deepEqual(site_of(), clean, `round ${round}`);
  }
});

test("a file of the search index that cannot be published is named, and nothing is published in its place", () => {
  const search = join(place, "search");
  mkdirSync(search);
  writeFileSync(join(search, "whole.json"), "{}");
  assert.equal(build("--search", search).status, 0);
  symlinkSync(join(victim, "a"), join(search, "secret.json"));
  let { status, errors } = build("--search", search);
  assert.equal(status, 1);
  assert.match(errors, /secret\.json.*\[file-unreadable\]/);
  rmSync(join(search, "secret.json"));
  writeFileSync(join(search, "a\u001b[31m.json"), "{}");
  ({ status, errors } = build("--search", search));
  assert.equal(status, 1);
  assert.match(errors, /its name contains invisible characters/);
});

test("a name that is too long, or none, is an error like others", () => {
  const long = run(primer, ["new", "book", join(place, "a".repeat(300))]);
  assert.equal(long.status, 1);
  assert.match(long.errors, /the directory cannot be written: File name too long/);
  const none = build("--out", "");
  assert.equal(none.status, 1);
  assert.match(none.errors, /missing directory for the site/);
});

for (const [what, link, target, said] of [
  [
    "a chapter",
    "chapters/en/01-first.md",
    "../../private/d.md",
    /^chapters\/en\/01-first\.md: error: this is a symbolic link; put the file itself there/,
  ],
  [
    "a directory of chapters",
    "chapters/en",
    "../private",
    /^chapters\/en: error: this is a symbolic link; put the directory itself there/,
  ],
  [
    "a picture",
    "chapters/en/secret.svg",
    "../../private/s.svg",
    /^chapters\/en\/01-first\.md:\d+:\d+: error: "chapters\/en\/secret\.svg": this is a symbolic link/m,
  ],
]) {
  test(`${what} that is a link to another place in the book is not published`, () => {
    mkdirSync(join(book, "private"));
    writeFileSync(join(book, "private/d.md"), "---\ntitle: D\n---\n\nDIARY\n");
    writeFileSync(
      join(book, "private/s.svg"),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>DIARY</title></svg>',
    );
    if (what === "a picture") edit("![A secret](secret.svg)");
    rmSync(join(book, link), { recursive: true, force: true });
    symlinkSync(target, join(book, link));
    const { status, errors } = build();
    assert.equal(status, 1);
    assert.match(errors, said);
    assert.ok(!existsSync(join(book, "build/site")));
  });
}

test(
  "a build that waits for another one reports it",
  { skip: spawnSync("flock", ["--version"]).error && "there is no flock" },
  async () => {
    // The lock is held until the build reports that it is waiting.
    const holder = spawn("flock", [
      "--no-fork",
      join(book, "build/site.lock"),
      "sh",
      "-c",
      "echo held; exec sleep 600",
    ]);
    await once(holder.stdout, "data");
    const waiting = spawn(primer, ["build", ...assets], {
      cwd: book,
      env: { PATH: process.env.PATH, HOME: join(place, "home") },
    });
    let said = "";
    while (!said.includes("\n")) said += (await once(waiting.stderr, "data"))[0];
    assert.match(
      said,
      /^primer: note: waiting for another process that holds .*build\/site\.lock, as a build does/,
    );
    assert.ok(!existsSync(join(book, "build/site")));
    holder.kill("SIGKILL");
    assert.deepEqual(await once(waiting, "close"), [0, null]);
    assert.ok(existsSync(join(book, "build/site/index.html")));
  },
);
