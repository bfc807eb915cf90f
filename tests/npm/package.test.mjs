// The npm package for a user who has only Node: packed, installed into an empty directory, run by
// npx, and compared with the native program. Needs build/release and build/workshop
// (scripts/workshop).
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { is_full } from "../rounds.mjs";
import { write_small_book } from "../site/support/small_site.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const primer = join(root, "build/release/generator/primer");
const place = mkdtempSync(join(tmpdir(), "npm-package-"));
after(() => rmSync(place, { recursive: true, force: true }));
// No npm files of the user are read or written, and no registry is contacted.
const env = {
  ...process.env,
  npm_config_cache: join(place, "cache"),
  npm_config_offline: "true",
  npm_config_update_notifier: "false",
};
const options = { cwd: place, env, encoding: "utf8", maxBuffer: 2 ** 28 };

/** {status, out, err} of a program. */
function said(program, ...words) {
  const { status, stdout, stderr, error } = spawnSync(program, words, options);
  assert.equal(error, undefined);
  return { status, out: stdout, err: stderr };
}
// The program that `npx under-the-roofline` starts; one test runs npx itself.
const program = join(place, "node_modules/.bin/under-the-roofline");
const installed = (...words) => said(program, ...words);
const native = (...words) => said(primer, ...words);

/** Path → bytes of all files below a directory, as text that can be compared. */
function tree(directory) {
  const files = {};
  for (const path of readdirSync(directory, { recursive: true }).sort()) {
    const at = join(directory, path);
    if (statSync(at).isFile()) files[path] = readFileSync(at).toString("latin1");
  }
  return files;
}

/** Both programs build a book and must print and write the same. */
function build_alike(book, ...words) {
  const [mine, theirs] = [join(place, "mine"), join(place, "theirs")];
  const here = installed("build", "--book", book, "--out", mine, ...words);
  assert.deepEqual([here.status, here.err.replace(/^primer: note: .*\n/gm, "")], [0, ""]);
  assert.equal(native("build", "--book", book, "--out", theirs, ...words).status, 0);
  const [made, wanted] = [tree(mine), tree(theirs)];
  assert.deepEqual(Object.keys(made), Object.keys(wanted));
  for (const [path, bytes] of Object.entries(wanted)) assert.ok(made[path] === bytes, path);
  for (const path of [mine, `${mine}.made.json`]) rmSync(path, { recursive: true });
  return Object.keys(made);
}

before(() => {
  execFileSync(join(root, "scripts/package_npm"), [place], { ...options, cwd: root });
  const [file] = readdirSync(place).filter((name) => name.endsWith(".tgz"));
  assert.equal(`${native("--version").out.trim()}`, `primer ${/-([\d.]+)\.tgz$/.exec(file)[1]}`);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", `./${file}`], options);
});

test("it is as large as docs/reference/installing.md says, and brings the licence of each grammar", () => {
  const package_at = join(place, "node_modules/under-the-roofline");
  const files = readdirSync(package_at, { recursive: true }).map((path) => join(package_at, path));
  const size_of = (path) => (statSync(path).isFile() ? statSync(path).size : 0);
  const [packed] = readdirSync(place).filter((name) => name.endsWith(".tgz"));
  const installed_bytes = files.reduce((sum, path) => sum + size_of(path), 0);
  const told = readFileSync(join(root, "docs/reference/installing.md"), "utf8");
  const [, fetch, unpacked] = /\(([\d.]+) MB to fetch, ([\d.]+) MB installed\)/.exec(told);
  for (const [said_mb, bytes] of [
    [fetch, size_of(join(place, packed))],
    [unpacked, installed_bytes],
  ])
    assert.ok(Math.abs(bytes / 1e6 / said_mb - 1) < 0.1, `${said_mb} MB for ${bytes} bytes`);

  const languages = files.flatMap((path) => /grammar-(\w+)\.wasm$/.exec(path)?.[1] ?? []);
  assert.ok(languages.length > 6);
  const without = languages.filter(
    (name) => !existsSync(join(package_at, `licences/tree-sitter-${name}`)),
  );
  assert.deepEqual(without, []);
});

test("a new book is the one that primer begins", () => {
  const { status, out } = said("npx", "under-the-roofline", "new", "book", "gpu-notes");
  assert.deepEqual([status, out.startsWith("a new book; to build it: npx ")], [0, true]);
  native("new", "book", "native/gpu-notes");
  assert.deepEqual(tree(join(place, "gpu-notes")), tree(join(place, "native/gpu-notes")));
  const again = installed("new", "book", "gpu-notes");
  assert.deepEqual(
    [again.status, again.err],
    [
      1,
      "primer: error: gpu-notes: the directory is not empty; choose one that is empty or does not exist yet\n",
    ],
  );
  mkdirSync(join(place, "empty"));
  assert.equal(
    installed("new", "book", "empty", "--title", "Notes: 1", "--language", "es").status,
    0,
  );
  native("new", "book", "native/empty", "--title", "Notes: 1", "--language", "es");
  assert.deepEqual(tree(join(place, "empty")), tree(join(place, "native/empty")));
});

test("it is checked and built as primer does it, and begins further chapters", () => {
  assert.deepEqual(
    installed("check", "--book", "gpu-notes"),
    native("check", "--book", "gpu-notes"),
  );
  assert.ok(build_alike("gpu-notes").includes("memory/index.html"));
  for (const [begin, book] of [
    [installed, "gpu-notes"],
    [native, "native/gpu-notes"],
  ])
    assert.equal(begin("new", "chapter", "caches", "--book", book).status, 0);
  assert.deepEqual(tree(join(place, "gpu-notes")), tree(join(place, "native/gpu-notes")));
  build_alike("gpu-notes", "--base-url", "https://book.example/notes/", "--drafts");
});

test("a book with images, code in every language and two custom languages", () => {
  const book = join(place, "small");
  const images = join(root, "tests/fixtures/images");
  const languages = ["bash", "c", "cpp", "javascript", "json", "python", "wgsl"];
  const code = languages.map((name) => `\`\`\`${name}\nfor (;;) { 1; }\n\`\`\`\n`).join("\n");
  const pictures = ["clear.webp", "palette.png", "graphviz.svg"];
  write_small_book(
    book,
    {
      one: `## A section\n\nA formula, $\\frac{a}{b}$, and [3.35 TB/s](fact:h100-sxm.bandwidth).\n\n${code}`,
      two: pictures.map((name) => `![A picture.](${name})\n`).join("\n"),
    },
    { languages: ["en", "es"], pages: ["machine"] },
  );
  for (const name of pictures) cpSync(join(images, name), join(book, "chapters/en", name));
  const files = build_alike(book, "--repository", "https://example.org/o/book");
  assert.ok(files.some((path) => path.endsWith(".webp")) && files.includes("es/index.html"));
});

test("errors have primer's messages, with carets, in every format", () => {
  const chapter = join(place, "gpu-notes/chapters/en/01-caches.md");
  const text = readFileSync(chapter, "utf8");
  const mistakes =
    "See [there](#nowhere), [](fact:h100-sxm.bandwith) and $\\fraq{1}{2}$.\n\n```cpp\nint i;\n";
  writeFileSync(chapter, text.replace("title:", "titel:") + mistakes);
  writeFileSync(join(place, "gpu-notes/chapters/facts/more.json"), '{"a": }');
  symlinkSync(chapter, join(place, "gpu-notes/chapters/en/02-linked.md"));
  const seen = [];
  for (const words of [
    [],
    ["--format", "json"],
    ["--format", "github"],
    ["--counts"],
    ["--prose"],
  ]) {
    const here = installed("check", "--book", "gpu-notes", ...words);
    assert.deepEqual(here, native("check", "--book", "gpu-notes", ...words), words.join(" "));
    seen.push(here);
  }
  assert.deepEqual([seen[0].status, seen[0].out], [1, ""]);
  assert.match(seen[0].err, /^ {2}.*\n {2}.*\^/m);
  const refused = installed("build", "--book", "gpu-notes", "--out", "refused");
  assert.deepEqual([refused.status, existsSync(join(place, "refused"))], [1, false]);
  const one = "gpu-notes/chapters/en/00-memory.md";
  assert.deepEqual(
    installed("check", "--book", "gpu-notes", one),
    native("check", "--book", "gpu-notes", one),
  );
  for (const path of [chapter, join(place, "gpu-notes/chapters/en/02-linked.md")]) rmSync(path);
  rmSync(join(place, "gpu-notes/chapters/facts/more.json"));
  writeFileSync(chapter, text);
});

test("foreign files are not replaced, and leftovers are removed", () => {
  const out = join(place, "gpu-notes/build/site");
  const built = () => installed("build", "--book", "gpu-notes");
  assert.match(built().out, /^gpu-notes\/build\/site: (\d+) files, \1 changed\n$/);
  assert.match(built().out, /: \d+ files, 0 changed\n$/);
  assert.deepEqual(readdirSync(join(place, "gpu-notes/build")).sort(), ["site", "site.made.json"]);
  writeFileSync(join(out, "index.html"), "other");
  assert.match(built().out, /: \d+ files, 1 changed\n$/);
  writeFileSync(join(out, "mine.txt"), "mine");
  assert.match(built().err, /site\/mine\.txt was not written by primer: move it out of the site/);
  assert.equal(readFileSync(join(out, "mine.txt"), "utf8"), "mine");
  rmSync(join(out, "mine.txt"));
  // The list of written files is replaced, not the target of the link.
  const list = `${out}.made.json`;
  cpSync(list, join(place, "list"));
  rmSync(list);
  writeFileSync(join(place, "letter"), "mine");
  symlinkSync(join(place, "letter"), list);
  assert.match(built().err, /site\.made\.json is not a list that primer wrote; choose another/);
  assert.equal(readFileSync(join(place, "letter"), "utf8"), "mine");
  rmSync(list);
  assert.match(built().err, /site is not a site that primer wrote; choose another/);
  cpSync(join(place, "list"), list);
  assert.equal(built().status, 0);
  for (const place_of_site of ["gpu-notes", ".", "gpu-notes/chapters/en/x"]) {
    const { status, err } = installed("build", "--book", "gpu-notes", "--out", place_of_site);
    assert.equal(status, 1);
    assert.match(
      err,
      /the site cannot be written: .* (holds the book|is among the book's own files)/,
    );
  }
});

test("what it is not asked rightly it says", () => {
  for (const [words, complaint] of [
    [["serve"], /unknown command "serve"/],
    [["build", "x"], /build takes no "x"/],
    [["check", "--format", "xml"], /--format is text, json or github, not "xml"/],
    [["check", "--nothing"], /Unknown option '--nothing'/],
    [["new", "book"], /new book wants to know which/],
  ]) {
    const { status, out, err } = installed(...words);
    assert.deepEqual([status, out], [2, ""]);
    assert.match(err, complaint);
  }
  assert.match(installed("--help").out, /^under-the-roofline check /);
  const { status, err } = installed("check", "--book", "gpu-notes", "--base-url", "ftp://x");
  assert.equal(status, 1);
  assert.match(err, /^primer: error: --base-url: /);
});

// The package has the content of the book's own site/.
test("this book too", { skip: !is_full && "only in a full run" }, () => {
  const book = join(place, "this");
  for (const name of ["chapters", "figures", "wasm_kernels", "tests", "generator", "site"])
    cpSync(resolve(root, name), join(book, name), { recursive: true });
  build_alike(book, "--base-url", "none");
});
