// The program as installed by cmake, with its tree moved, this repository hidden, and neither Node
// nor a compiler nor git on the path, like for a user who has nothing else. packages.test.mjs does
// the same in Debian roots.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { find_browser } from "../../scripts/lib/browsers.mjs";
import { fill_in } from "../placeholders.mjs";
import { is_full } from "../rounds.mjs";
import { assembled } from "./support/kernel_book.mjs";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const home = mkdtempSync(join(tmpdir(), "installed-"));
const prefix = join(home, "moved/here");
const tools = join(home, "tools");
const book = join(home, "notes");
after(() => rmSync(home, { recursive: true, force: true }));

const on_path = (name) =>
  process.env.PATH.split(delimiter)
    .map((directory) => join(directory, name))
    .find((path) => existsSync(path));

// Only the location of Chromium comes from this process's environment.
const { CHROME_SHELL } = process.env;
const browser = CHROME_SHELL
  ? { CHROME_SHELL }
  : is_full
    ? { CHROME: find_browser("chromium") }
    : {};

/**
 * The command prefix that hides this repository behind an empty directory; null if the system does
 * not allow that.
 */
const hide = (() => {
  const as_root = process.getuid() === 0 ? [] : ["--user", "--map-root-user"];
  const words = [
    "unshare",
    ...as_root,
    "--mount",
    "sh",
    "-c",
    'mount -t tmpfs none "$1" && shift && exec "$@"',
    "sh",
    repository,
  ];
  const { status } = spawnSync(words[0], [...words.slice(1), "true"]);
  return status === 0 ? words : null;
})();

function command(program, words) {
  const all = [...(hide ?? []), program, ...words];
  const env = { PATH: tools, HOME: home, ...browser };
  return [on_path(all[0]) ?? all[0], all.slice(1), { cwd: home, env, encoding: "utf8" }];
}

/** Runs the installed program, which is normally in the directory above the book. */
function primer(...words) {
  const { status, stdout, stderr } = spawnSync(...command(join(prefix, "bin/primer"), words));
  // Limits that this machine's kernel does not support, and a missing git, are reported and are not
  // errors.
  const errors = stderr.replace(
    /^primer: note: (the sandbox does not restrict|no dates, feeds).*\n/gm,
    "",
  );
  return { status, out: stdout, errors };
}
const is_well = ({ status, errors }) => assert.deepEqual([status, errors], [0, ""]);
const text_of = (...path) => readFileSync(join(...path), "utf8");

before(() => {
  mkdirSync(join(home, "moved"));
  mkdirSync(tools);
  // Other programs that scripts/publish and this test need.
  const names =
    "bash basename chmod cp dirname find grep head mkdir mktemp mount realpath rm sh tar true unshare";
  for (const name of names.split(" ")) symlinkSync(on_path(name), join(tools, name));
  execFileSync("cmake", ["--install", "build/release", "--prefix", join(home, "first")], {
    cwd: repository,
    stdio: "pipe",
  });
  renameSync(join(home, "first"), prefix);
  is_well(primer("new", "book", "notes"));
});

test("the repository is out of sight, where the system has name spaces for that", (t) => {
  if (!hide) return t.skip("unshare may not mount here: the other tests see the repository");
  const { stdout } = spawnSync(...command("bash", ["-c", `echo ${repository}/*`]));
  assert.equal(stdout, `${repository}/*\n`);
});

test("a new book is checked, built, indexed and printed", () => {
  const { status, errors } = primer("check", "--book", "notes");
  assert.equal(status, 0);
  assert.match(errors, /this text is a placeholder/);
  fill_in(book);
  const checked = primer("check", "--book", "notes");
  is_well(checked);
  assert.match(checked.out, /no errors\n$/);
  is_well(primer("build", "--book", "notes"));
  const indexed = primer("index", "--book", "notes");
  is_well(indexed);
  assert.match(indexed.out, /notes\/build\/search: \d+ sections\n$/);
  is_well(primer("build", "--book", "notes", "--search", "notes/build/search"));
  const page = text_of(book, "build/site/memory/index.html");
  assert.match(page, /<primer-bench/);
  // The small search script, not the one written by Pagefind.
  const script = text_of(book, "build/site/search/pagefind.js");
  assert.equal(script, text_of(prefix, "share/under-the-roofline/build/minified/pagefind.js"));
  const address = ["--base-url", "https://book.example/"];
  is_well(primer("build", "--book", "notes", "--out", "printed", ...address, "--renditions"));
  assert.match(text_of(home, "printed/print/index.html"), /<title>/);
});

test("the book is served", async () => {
  const words = ["serve", "--book", "notes", "--port", "8560"];
  const [program, all, options] = command(join(prefix, "bin/primer"), words);
  const serving = spawn(program, all, { ...options, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const url = await new Promise((done) =>
      serving.stdout.on("data", (data) => {
        const found = /http:\S+/.exec(data);
        if (found) done(found[0]);
      }),
    );
    assert.match(await (await fetch(`${url}memory/`)).text(), /<title>Memory · Notes<\/title>/);
  } finally {
    serving.kill("SIGKILL");
  }
});

test("a formula without Node, and an address without it, are reported", () => {
  is_well(primer("new", "book", "formula"));
  fill_in(join(home, "formula"));
  appendFileSync(join(home, "formula/chapters/en/00-memory.md"), "\nHere $x^2$ is one.\n");
  const { status, errors } = primer("build", "--book", "formula");
  assert.equal(status, 1);
  assert.match(errors, /node, which converts formulas, does not start/);
  const published = primer("publish", "--book", "notes", "https://book.example/", "published");
  assert.equal(published.status, 1);
  assert.match(published.errors, /needs Node.*primer publish - DIR/);
  assert.ok(!existsSync(join(home, "published")));
});

test("published: a preview without Node; with it the lists of what readers keep", () => {
  is_well(primer("publish", "--book", "notes", "-", "preview"));
  assert.ok(existsSync(join(home, "preview/search/pagefind.js")));
  assert.ok(!existsSync(join(home, "preview/sw.js")));
  symlinkSync(on_path("node"), join(tools, "node"));
  try {
    is_well(primer("build", "--book", "formula"));
    assert.match(text_of(home, "formula/build/site/memory/index.html"), /<math/);
    is_well(primer("publish", "--book", "notes", "https://book.example/", "published"));
    for (const name of ["offline.json", "kept.json", "search/pagefind.js"])
      assert.ok(existsSync(join(home, "published", name)), name);
    assert.ok(existsSync(join(book, "build/kept/sealed.json")), "the next publication's");
    const again = primer("publish", "--book", "notes", "https://book.example/", "published");
    assert.equal(again.status, 2);
    assert.match(again.errors, /already exists/);
  } finally {
    rmSync(join(tools, "node"));
  }
});

test(
  "published with a PDF and pictures for shared links, by Chromium",
  { skip: is_full ? false : "only in a full run", timeout: 120_000 },
  () => {
    symlinkSync(on_path("node"), join(tools, "node"));
    try {
      const words = ["--book", "notes", "--renditions", "https://book.example/", "with-pdf"];
      // Chromium's messages about its sandbox are not errors.
      const { status, errors } = primer("publish", ...words);
      assert.equal(status, 0, errors);
      assert.match(text_of(home, "with-pdf/book.pdf"), /^%PDF/);
      assert.ok(existsSync(join(home, "with-pdf/cards/memory.png")));
    } finally {
      rmSync(join(tools, "node"));
    }
  },
);

test(
  "a kernel of the book is measured, and its record is the book's reference",
  {
    skip: Object.keys(browser).length > 0 ? false : "without CHROME_SHELL, only in a full run",
    timeout: 300_000,
  },
  () => {
    is_well(primer("new", "kernel", "copy", "--source", "wat", "--book", "notes"));
    const kernel = join(book, "kernels/copy");
    writeFileSync(join(kernel, "copy.wasm"), assembled(text_of(kernel, "copy.wat")));
    const early = primer("measure", "--book", "notes");
    assert.equal(early.status, 1);
    assert.match(early.errors, /measuring needs Node 18\.19 or later/);
    symlinkSync(on_path("node"), join(tools, "node"));
    try {
      const { status, out, errors } = primer("measure", "--book", "notes", "--pace", "quick");
      assert.equal(status, 0, errors);
      assert.match(out, /chapters\/book\.yaml\nfigures\/profiles\/this-machine\.json\n/);
    } finally {
      rmSync(join(tools, "node"));
    }
    // On a busy machine, the record lacks roofs that the first chapter needs.
    is_well(primer("build", "--book", "notes", "--unmeasured"));
    const [assets] = readdirSync(join(book, "build/site/_"));
    const { results } = JSON.parse(text_of(book, "build/site/_", assets, "reference.json"));
    const own = results.filter(({ kernel: id }) => id === "own.copy");
    assert.deepEqual(
      own.map(({ status }) => status),
      ["measured", "measured"],
    );
  },
);

test("a program without its files reports that", (t) => {
  if (!hide) return t.skip("without name spaces it finds the repository that it was built from");
  mkdirSync(join(home, "alone/bin"), { recursive: true });
  cpSync(join(prefix, "bin/primer"), join(home, "alone/bin/primer"));
  const { status, stderr } = spawnSync(
    ...command(join(home, "alone/bin/primer"), ["build", "--book", "notes"]),
  );
  assert.equal(status, 1);
  assert.match(stderr, /^primer: error: its own files are missing: no templates in .*\n/);
  assert.match(stderr, /reinstall primer/);
});

test("manual, completions and licences lie where systems look for them", () => {
  const share = join(prefix, "share");
  assert.match(text_of(share, "man/man1/primer.1"), /^\.TH PRIMER 1/);
  assert.match(
    text_of(share, "bash-completion/completions/primer"),
    /^complete -F _primer primer$/m,
  );
  assert.match(text_of(share, "zsh/site-functions/_primer"), /^#compdef primer\n/);
  assert.match(text_of(share, "fish/vendor_completions.d/primer.fish"), /^complete -c primer /m);
  for (const name of ["copyright", "licences/cmark-gfm", "licences/pagefind", "licences/stix-two"])
    assert.ok(text_of(share, "doc/under-the-roofline", name).length > 500, name);
});
