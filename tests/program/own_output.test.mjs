// primer replaces nothing that it did not write. The commands and their output paths come from the
// program itself, so a new command fails here until this test declares what it writes and tries it
// on files that must not change.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";

import { command_lines } from "./support/command_lines.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = resolve(process.env.PRIMER ?? join(root, "build/release/generator/primer"));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "primer-own-output-")));
after(() => rmSync(scratch, { recursive: true, force: true }));

let place, book, victim;
let count = 0;
beforeEach(() => {
  place = join(scratch, String(++count));
  [book, victim] = [join(place, "book"), join(place, "victim")];
  cpSync(join(root, "tests/fixtures/book"), book, { recursive: true });
  mkdirSync(join(victim, "deep"), { recursive: true });
  for (const file of ["a.md", "deep/b", "pages.md"]) writeFileSync(join(victim, file), "precious");
});

const usual = "--modules none --fonts none --minified none".split(" ");
const assets = ["--assets", join(root, "site"), ...usual];

/** Runs primer in the book with its home directory. */
function run(...words) {
  const { status, signal, stdout, stderr } = spawnSync(primer, words, {
    cwd: book,
    env: { PATH: process.env.PATH, HOME: join(place, "home") },
    encoding: "utf8",
    timeout: 120_000,
  });
  assert.equal(signal, null, words.join(" "));
  return { status, out: stdout, errors: stderr };
}

/** Every path except the user's own, with its type and content. */
function tree() {
  const found = {};
  for (const path of readdirSync(place, { recursive: true }).sort()) {
    if (path === "home" || path.startsWith("home/")) continue;
    const status = lstatSync(join(place, path));
    const what = `${status.mode} ${status.rdev} `;
    found[path] = status.isSymbolicLink()
      ? `-> ${readlinkSync(join(place, path))}`
      : what + (status.isFile() ? readFileSync(join(place, path), "base64") : "");
  }
  return found;
}

// The paths that each command reads (r) and writes (w).
const site_options = { assets: "r", modules: "r", fonts: "r", minified: "r", search: "r" };
const makes_site = { ...site_options, book: "r", workshop: "r" };
const takes = {
  build: { ...makes_site, out: "w" },
  check: { ...makes_site, out: "r", files: "w" },
  index: { book: "r", out: "r", search: "w" },
  pack: { ...makes_site, out: "r", file: "w" },
  serve: { ...makes_site, out: "w" },
  publish: { book: "r", directory: "w", kept: "w" },
  preview: { directory: "r" },
  lsp: { book: "r" },
  "new chapter": { book: "w" },
  "new kernel": { book: "w" },
  "new book": { directory: "w" },
  import: { from: "r", directory: "w" },
  measure: { book: "w", modules: "r", out: "w" },
  "profile validate": { book: "r", files: "r" },
  "profile compare": { book: "r", files: "r" },
  "profile use": { book: "w", file: "r" },
  "facts diff": { book: "r" },
  "facts list": { book: "r" },
  "facts show": { book: "r" },
  "facts search": { book: "r" },
  "facts set": { book: "w" },
  "facts import": { book: "w", file: "r" },
  "references import": { book: "w", file: "r" },
  "translate begin": { book: "w" },
  "translate status": { book: "r" },
  "translate stamp": { book: "w", file: "w" },
  manual: {},
  completion: {},
};

test("every place that a command takes is known as one that it reads or writes", () => {
  const found = {};
  for (const words of command_lines(primer).keys()) {
    const help = execFileSync(primer, [...words.split(" "), "--help"], { encoding: "utf8" });
    const places = [...help.matchAll(/^ {2}(?:--)?([\w-]+) (?:DIR|FILE)\b/gm)];
    found[words] = places.map(([, name]) => name).sort();
  }
  const known = Object.entries(takes).map(([words, all]) => [words, Object.keys(all).sort()]);
  assert.deepEqual(found, Object.fromEntries(known));
});

const results = ["../bench.json", "--url", "https://a.example/"];
// The arguments that make each command write to a path of the user's choice.
const writers = {
  "build --out": (path) => ["build", ...assets, "--out", path],
  "serve --out": (path) => ["serve", ...assets, "--port", "47000", "--out", path],
  "check files": (path) => ["check", "--fix", ...assets, path],
  "index --search": (path) => ["index", "--search", path],
  "pack file": (path) => ["pack", ...assets, path],
  "publish directory": (path) => ["publish", "-", path],
  "publish --kept": (path) => ["publish", "https://a.example/", "../published", "--kept", path],
  "new book directory": (path) => ["new", "book", path],
  "new chapter --book": (path) => ["new", "chapter", "third-one", "--book", path],
  "new kernel --book": (path) => ["new", "kernel", "third-two", "--book", path],
  "facts set --book": (path) => ["facts", "set", "a.b", "2 GB", "--book", path],
  "import directory": (path) => ["import", "../mdbook", path],
  "measure --out": (path) => ["measure", "--out", path],
  "measure --book": (path) => ["measure", "--book", path],
  "profile use --book": (path) => ["profile", "use", "../profile.json", "--book", path],
  "facts import --book": (path) => ["facts", "import", ...results, "--book", path],
  "references import --book": (path) => ["references", "import", "../list.json", "--book", path],
  "translate begin --book": (path) => ["translate", "begin", "fr", "--book", path],
  "translate stamp file": (path) => ["translate", "stamp", path],
  "translate stamp --book": (path) => ["translate", "stamp", "a.md", "--book", path],
};

test("every place that a command writes is tried below", () => {
  const written = Object.entries(takes).flatMap(([words, all]) =>
    Object.keys(all)
      .filter((name) => all[name] === "w")
      .map((name) => [words, name]),
  );
  const names = Object.keys(writers)
    .map((name) => name.replace("--", ""))
    .sort();
  assert.deepEqual(written.map((words) => words.join(" ")).sort(), names);
});

/**
 * What must not change, by type: the path from the book. A command that edits books may not replace
 * a book.
 */
function victims() {
  const at = (name) => join(place, name);
  symlinkSync("victim", at("link"));
  symlinkSync("victim/a.md", at("file-link"));
  symlinkSync("nowhere", at("dangling-link"));
  execFileSync("mkfifo", [at("pipe")]);
  writeFileSync(at("empty-file"), "");
  const all = {
    "a foreign directory": "../victim",
    "a foreign directory, with a slash": "../victim/",
    "a foreign file": "../victim/a.md",
    "an empty file": "../empty-file",
    "a link to a directory": "../link",
    "a link to a file": "../file-link",
    "a link to nothing": "../dangling-link",
    "a pipe": "../pipe",
    "its chapters": "chapters",
    "a directory of chapters": "chapters/en",
    "its settings": "chapters/book.yaml",
    "the directory that it is in": "..",
    "the root": "/",
    "no name": "",
  };
  if (spawnSync("mknod", [at("device"), "c", "1", "3"]).status === 0) all["a device"] = "../device";
  return all;
}

const results_of_benchmarks = JSON.stringify({
  context: { date: "2026-11-30T18:49:17+00:00", host_name: "lab", num_cpus: 8, mhz_per_cpu: 3200 },
  benchmarks: [
    {
      ...{ name: "copy", run_name: "copy", run_type: "iteration", threads: 1, iterations: 100 },
      ...{ real_time: 2, cpu_time: 2, time_unit: "us" },
    },
  ],
});
const list_of_works =
  '[{"id": "x", "type": "book", "title": "X", "URL": "https://x.example/", "author": [{"literal": "A"}]}]';

/** The book as an mdBook, a list of works and a profile. */
function write_sources() {
  mkdirSync(join(place, "mdbook/src"), { recursive: true });
  writeFileSync(join(place, "mdbook/book.toml"), '[book]\ntitle = "Old"\n');
  writeFileSync(join(place, "mdbook/src/SUMMARY.md"), "- [One](one.md)\n");
  writeFileSync(join(place, "mdbook/src/one.md"), "# One\n\nText.\n");
  writeFileSync(join(place, "list.json"), list_of_works);
  writeFileSync(join(place, "bench.json"), results_of_benchmarks);
  cpSync(join(root, "tests/fixtures/profiles/phone.json"), join(place, "profile.json"));
}

for (const [name, words_for] of Object.entries(writers)) {
  test(`${name}: what primer did not write stays, and the status says so`, () => {
    write_sources();
    assert.equal(run("build", ...assets).status, 0);
    const all = victims();
    if (!name.endsWith("--book")) all["the book"] = ".";
    // These commands work on the book's own chapters.
    if (["check files"].includes(name)) delete all["its settings"];
    if (name === "measure --out") delete all["no name"]; // writes the reference
    const before = tree();
    for (const [what, path] of Object.entries(all)) {
      const { status, errors } = run(...words_for(path));
      assert.ok(status > 0, `${what}: ${errors}`);
      assert.notEqual(errors, "", what);
      assert.doesNotMatch(errors, /\b(remove|delete) (it|them|those|what)\b/, what);
      assert.deepEqual(tree(), before, what);
    }
  });
}

test("what primer wrote is replaced, and where nothing or an empty directory is, something is written", () => {
  write_sources();
  mkdirSync(join(place, "empty"));
  mkdirSync(join(place, "empty too"));
  assert.equal(run("build", ...assets).status, 0);
  for (const words of [
    ["build", ...assets, "--out", "../new/site"],
    ["index", "--search", "../new/search"],
    ["index", "--search", "../empty/"],
    ["pack", ...assets, "../new/book.pack"],
  ]) {
    for (let i = 0; i < 2; ++i) {
      const { status, errors } = run(...words);
      assert.equal(status, 0, errors);
    }
  }
  for (const words of [
    ["new", "book", "../empty too"],
    ["new", "book", "../new/notes"],
    ["import", "../mdbook", "../new/imported"],
    ["new", "chapter", "third-one"],
    ["references", "import", "../list.json"],
  ]) {
    const { status, errors } = run(...words);
    assert.equal(status, 0, errors);
  }
  // Temporary files are removed.
  const names = ["book.pack", "imported", "notes", "search", "site", "site.lock", "site.trees"];
  const made = readdirSync(join(place, "new")).filter((name) => !name.startsWith("text-"));
  assert.deepEqual(made, names);
  assert.ok(existsSync(join(place, "empty/pagefind.js")));
});

test("the search index is in the site without the mark that it is primer's", () => {
  assert.equal(run("build", ...assets).status, 0);
  assert.equal(run("index").status, 0);
  assert.ok(existsSync(join(book, "build/search/.primer-output")));
  const { status, errors } = run("build", ...assets, "--search", "build/search");
  assert.equal(status, 0, errors);
  const site = readdirSync(join(book, "build/site/search"));
  const index = readdirSync(join(book, "build/search"));
  assert.deepEqual(site.sort(), index.filter((file) => file !== ".primer-output").sort());
});

test("an edited index does not change; a fixed name removes nothing", () => {
  assert.equal(run("build", ...assets).status, 0);
  assert.equal(run("index").status, 0);
  const search = join(book, "build/search");
  for (const name of ["search.new", "search.old"])
    cpSync(victim, join(book, "build", name), { recursive: true });
  const refused = (why) => {
    const before = tree();
    const { status, errors } = run("index");
    assert.equal(status, 1);
    assert.match(errors, why);
    assert.match(errors, /; choose another directory with --search\n$/);
    assert.deepEqual(tree(), before);
  };
  for (const path of ["notes.txt", "index/notes.txt", ".notes"]) {
    writeFileSync(join(search, path), "mine");
    refused(/search has "\S*notes(\.txt)?", which primer did not write/);
    rmSync(join(search, path));
  }
  symlinkSync("../../../victim", join(search, "deep"));
  refused(/search has "deep", which primer did not write/);
  rmSync(join(search, "deep"));
  const script = readFileSync(join(search, "pagefind.js"));
  appendFileSync(join(search, "pagefind.js"), "// mine");
  refused(/search has "pagefind\.js", which was changed after primer wrote it/);
  writeFileSync(join(search, "pagefind.js"), script);
  assert.equal(run("index").status, 0);
  rmSync(join(search, ".primer-output"));
  refused(/search is a directory that primer did not write/);
});

test("a mark that came with a book takes nothing of the book's own files", () => {
  assert.equal(run("build", ...assets).status, 0);
  assert.equal(run("index").status, 0);
  for (const name of ["chapters", "figures", "site", ".git", ".github"]) {
    cpSync(join(book, "build/search"), join(book, name, "search"), { recursive: true });
    const before = tree();
    const { status, errors } = run("index", "--search", `${name}/search`);
    assert.equal(status, 1);
    assert.match(errors, /is among the book's own files; choose another directory/);
    const packed = run("pack", ...assets, `${name}/new/book.pack`);
    assert.equal(packed.status, 1);
    assert.match(packed.errors, /is among the book's own files; choose another file/);
    assert.deepEqual(tree(), before);
  }
});

test("next to a pack, only its own texts are removed", () => {
  const folder = join(place, "packs");
  const pack = (name) => run("pack", ...assets, join(folder, name));
  assert.equal(pack("book.pack").status, 0);
  const texts = () => readdirSync(folder).filter((name) => name.startsWith("text-"));
  const [first, second] = texts();
  assert.equal(texts().length, 2);
  cpSync(victim, join(folder, "book.pack.new"), { recursive: true });
  const strange = `text-${"0".repeat(32)}.pack`;
  writeFileSync(join(folder, strange), "mine");
  const edit = () => appendFileSync(join(book, "chapters/en/01-first.md"), `\nLine ${++count}.\n`);
  edit();
  assert.equal(pack("book.pack").status, 0);
  assert.equal(texts().length, 3);
  assert.equal(readFileSync(join(folder, strange), "utf8"), "mine");
  assert.equal(readFileSync(join(folder, "book.pack.new/deep/b"), "utf8"), "precious");
  // A pack of another book, under any name, may be needed by that book.
  renameSync(join(folder, "book.pack"), join(folder, "theirs"));
  assert.equal(pack("book.pack").status, 0);
  edit();
  assert.equal(pack("book.pack").status, 0);
  assert.equal(texts().length, 4);
  // A text with that name that is not a pack is not replaced.
  rmSync(join(folder, "book.pack"));
  const taken = texts().find((name) => ![strange, first, second].includes(name));
  writeFileSync(join(folder, taken), "mine");
  for (const name of [first, second])
    if (existsSync(join(folder, name))) writeFileSync(join(folder, name), "mine");
  const before = tree();
  const { status, errors } = pack("new.pack");
  assert.equal(status, 1, errors);
  assert.match(errors, /text-[0-9a-f]{32}\.pack was not written by primer; choose another/);
  for (const name of texts().filter((one) => before[`packs/${one}`]))
    assert.equal(tree()[`packs/${name}`], before[`packs/${name}`]);
});

test("what belongs to another user is not primer's", (t) => {
  if (process.getuid() !== 0) return t.skip("only root can give a file away");
  assert.equal(run("build", ...assets).status, 0);
  assert.equal(run("index").status, 0);
  for (const path of ["build/search/.primer-output", "build/search"]) {
    execFileSync("chown", ["65534", join(book, path)]);
    const { status, errors } = run("index");
    assert.equal(status, 1);
    assert.match(
      errors,
      /search (is a directory that primer did not write|belongs to another user)/,
    );
    execFileSync("chown", ["0", join(book, path)]);
  }
  assert.equal(run("index").status, 0);
});

for (const [what, make] of [
  ["a link", (path) => symlinkSync(join(victim, "a.md"), path)],
  ["a link to nothing", (path) => symlinkSync(join(victim, "new"), path)],
  ["a directory", (path) => cpSync(victim, path, { recursive: true })],
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
]) {
  test(`a command that changes the book does not replace ${what}`, () => {
    write_sources();
    for (const [path, ...words] of [
      ["figures/specs/third-one.json", "new", "chapter", "third-one"],
      ["chapters/en/03-third-one.md", "new", "chapter", "third-one"],
      ["kernels/third-one", "new", "kernel", "third-one"],
      ["chapters/facts/references.json", "references", "import", "../list.json"],
      ["chapters/en/02-second.md", "check", "--fix", ...assets],
    ]) {
      const target = join(book, path);
      rmSync(target, { force: true });
      mkdirSync(dirname(target), { recursive: true });
      make(target);
      const before = tree();
      const { status, errors } = run(...words);
      assert.ok(status > 0, `${path}: ${errors}`);
      assert.deepEqual(tree(), before, path);
      rmSync(target, { recursive: true });
      if (path.endsWith("second.md")) writeFileSync(target, "---\ntitle: Second\n---\n\nText.\n");
    }
  });
}

test("unreadable references are not replaced by added ones", () => {
  write_sources();
  const file = join(book, "chapters/facts/references.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `{"mine": "${"x".repeat(9 << 20)}"}`);
  const { status, errors } = run("references", "import", "../list.json");
  assert.equal(status, 1);
  assert.match(errors, /references\.json: error: the file has more than 8388608 bytes/);
  assert.ok(lstatSync(file).size > 9 << 20);
});

test("a new chapter replaces no file that is there", () => {
  const too_large = "x".repeat(9 << 20); // too large for any build
  for (const [path, text] of [
    ["figures/specs/third-one.json", "mine"],
    ["figures/specs/third-one.json", too_large],
    ["chapters/en/03-third-one.md", "mine"],
    ["chapters/en/03-third-one.md", too_large],
  ]) {
    mkdirSync(join(book, dirname(path)), { recursive: true });
    writeFileSync(join(book, path), text);
    const before = tree();
    const { status, errors } = run("new", "chapter", "third-one");
    assert.equal(status, 1, `${path}: ${errors}`);
    assert.deepEqual(tree(), before, path);
    rmSync(join(book, path));
  }
});

test("a file that somebody put into the site is refused, not lost", () => {
  assert.equal(run("build", ...assets).status, 0);
  writeFileSync(join(book, "build/site/CNAME"), "book.example");
  for (const words of [[], ["--base-url", "https://book.example/"]]) {
    appendFileSync(join(book, "chapters/en/01-first.md"), "\nMore.\n");
    const { status, errors } = run("build", ...assets, ...words);
    assert.equal(status, 1);
    assert.match(errors, /site\/CNAME was not written by primer: move it out of the site/);
    assert.equal(readFileSync(join(book, "build/site/CNAME"), "utf8"), "book.example");
  }
  rmSync(join(book, "build/site/CNAME"));
  assert.equal(run("build", ...assets).status, 0);
});
