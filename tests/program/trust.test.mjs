// primer treats a stranger's book as data. Its .git and its site/ are code and need --trust.
// Neither the environment nor the book decides which program runs, and the sandbox contains
// everything else that goes wrong.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const primer = resolve(process.env.PRIMER ?? "build/release/generator/primer");
const root = realpathSync(mkdtempSync(join(tmpdir(), "trust-")));
after(() => rmSync(root, { recursive: true, force: true }));

const public_address = ["--base-url", "https://h.io/book/"];

/**
 * A book of one chapter with a formula, a program that reports that it ran, and a git in the book's
 * directory.
 */
class StrangersBook {
  static count = 0;

  constructor() {
    this.home = join(root, String(++StrangersBook.count));
    this.book = join(this.home, "book");
    this.ran = join(this.home, "ran");
    this.evil = join(this.home, "evil");
    mkdirSync(join(this.book, "chapters/en"), { recursive: true });
    this.save("chapters/book.yaml", "title: Notes\nchapters: [one]\n");
    this.save("chapters/en/one.md", "---\ntitle: One\n---\nA sum: $1 + 1$.\n");
    writeFileSync(this.evil, `#!/bin/sh\necho "$0 $*" >> '${this.ran}'\n`);
    chmodSync(this.evil, 0o755);
  }

  save(path, text) {
    mkdirSync(join(this.book, path, ".."), { recursive: true });
    writeFileSync(join(this.book, path), text);
  }

  git(...words) {
    const who = [
      "-c",
      "user.name=A",
      "-c",
      "user.email=a@example.org",
      "-c",
      "commit.gpgSign=false",
    ];
    return execFileSync("git", [...who, ...words], { cwd: this.book, encoding: "utf8" }).trim();
  }

  commit(message) {
    if (!existsSync(join(this.book, ".git"))) this.git("init", "--quiet", "--initial-branch=main");
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", message);
  }

  /** The last commit has a signature, and checking it runs a program. */
  arm() {
    const text = this.git("cat-file", "commit", "HEAD");
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n -----END PGP SIGNATURE-----\n\n";
    writeFileSync(join(this.home, "commit"), `${text.replace("\n\n", `\n${signature}`)}\n`);
    this.git(
      "update-ref",
      "HEAD",
      this.git("hash-object", "-t", "commit", "-w", join(this.home, "commit")),
    );
    this.git("config", "log.showSignature", "true");
    this.git("config", "gpg.program", this.evil);
    this.git("config", "core.fsmonitor", this.evil);
  }

  primer(command, options = [], { environment = {}, book = ".", cwd = this.book } = {}) {
    const words = [command, "--book", book, "--modules", "none", "--fonts", "none", ...options];
    if (command !== "check") words.push("--out", join(this.home, "out/site"));
    const { status, stdout, stderr } = spawnSync(primer, words, {
      cwd,
      encoding: "utf8",
      env: { ...process.env, ...environment },
    });
    return { status, out: stdout, said: stderr };
  }

  /** A file of the site, or null. */
  made(path) {
    const file = join(this.home, "out/site", path);
    return existsSync(file) ? readFileSync(file, "utf8") : null;
  }
}

test("a repository's configuration runs nothing, trusted or not", () => {
  const book = new StrangersBook();
  book.commit("One");
  book.arm();
  book.save("chapters/book.yaml", "title: Notes\nbase_url: https://h.io/book/\nchapters: [one]\n");
  for (const [command, options] of [
    ["check", []],
    ["build", []],
    ["check", ["--trust"]],
    ["build", ["--trust"]],
  ]) {
    const { status, said } = book.primer(command, options);
    assert.equal(status, 0, said);
    assert.equal(existsSync(book.ran), false, `${command} ${options}`);
  }
  assert.match(book.made("changes/index.html"), /<h2 id="one">/);
});

test("a bare repository below a book is none", () => {
  const book = new StrangersBook();
  book.commit("One");
  book.arm();
  const bare = join(book.home, "clone/chapters_and_more");
  cpSync(join(book.book, ".git"), bare, { recursive: true });
  cpSync(join(book.book, "chapters"), join(bare, "chapters"), { recursive: true });
  book.git("--git-dir", bare, "config", "core.bare", "true");
  const { status, said } = book.primer("build", [...public_address, "--trust"], { book: bare });
  assert.equal(status, 0, said);
  assert.match(said, /^primer: note: no dates, .*: the book is not in a git repository$/m);
  assert.equal(existsSync(book.ran), false);
});

test("without --trust the book's .git is not read, with a note; --trust gives dates", () => {
  const book = new StrangersBook();
  book.commit("One");
  for (let i = 0; i < 2; ++i) {
    // even if there is nothing to do
    const { status, said } = book.primer("build", public_address);
    assert.equal(status, 0, said);
    assert.match(
      said,
      /^primer: note: no dates, feeds, e-book or list of changes: ignoring the book's \.git; pass --trust to read it$/m,
    );
    assert.equal(book.made("feed.xml"), null);
  }
  const { said } = book.primer("build", [...public_address, "--trust"]);
  assert.doesNotMatch(said, /no dates/);
  assert.match(book.made("feed.xml"), /<entry>/);
  // Without a public address there is no message.
  assert.doesNotMatch(book.primer("build").said, /no dates/);
});

test("a shallow clone, another user's checkout, a program without git", () => {
  const book = new StrangersBook();
  book.commit("One");
  book.save("chapters/en/one.md", "---\ntitle: One\n---\nText.\n");
  book.commit("Two");
  const options = [...public_address, "--trust"];
  book.git("clone", "--quiet", "--depth", "1", `file://${book.book}`, join(book.home, "shallow"));
  assert.match(
    book.primer("build", options, { book: join(book.home, "shallow") }).said,
    /no dates, .*: the clone is shallow/,
  );
  assert.equal(book.made("feed.xml"), null);
  mkdirSync(join(book.home, "empty"));
  const without = book.primer("build", options, {
    environment: { PATH: join(book.home, "empty") },
  });
  assert.match(without.said, /no dates, .*: git is not installed$/m);
  if (process.getuid() === 0) {
    for (const name of ["", ".git", ".git/config"]) chownSync(join(book.book, name), 65534, 65534);
  }
  const { status, said } = book.primer("build", options);
  assert.equal(status, 0);
  assert.doesNotMatch(said, /no dates/);
  assert.match(book.made("changes/index.html"), /Two<\/li>[^]*One<\/li>/);
});

test("a commit of the year 2100 or 10000 is of today", () => {
  const book = new StrangersBook();
  book.commit("One");
  const text = book.git("cat-file", "commit", "HEAD");
  for (const seconds of ["4102444800", "253402400800"]) {
    writeFileSync(
      join(book.home, "commit"),
      `${text.replace(/^(committer .* )\d+ (.*)$/m, `$1${seconds} $2`)}\n`,
    );
    book.git(
      "update-ref",
      "HEAD",
      book.git("hash-object", "-t", "commit", "-w", "--literally", join(book.home, "commit")),
    );
    const before = new Date().toISOString();
    assert.equal(book.primer("build", [...public_address, "--trust"]).status, 0);
    const [, updated] = /<updated>(.*?)<\/updated>/.exec(book.made("feed.xml"));
    assert.ok(updated.slice(0, 4) <= new Date().toISOString().slice(0, 4), updated);
    assert.ok(updated >= before.slice(0, 19), updated);
  }
});

test("neither the environment nor the book says which programs run, or how", () => {
  const book = new StrangersBook();
  book.commit("One");
  const script = join(book.home, "evil.cjs");
  writeFileSync(
    script,
    `require("node:fs").appendFileSync(${JSON.stringify(book.ran)}, "node\\n");\n`,
  );
  for (const name of [
    "git",
    "node",
    "bin/git",
    "bin/node",
    "node_modules/.bin/node",
    "node_modules/.bin/git",
  ]) {
    book.save(name, readFileSync(book.evil));
    chmodSync(join(book.book, name), 0o755);
  }
  book.save("node_modules/temml/index.js", readFileSync(script));
  book.save("node_modules/temml/package.json", '{"name": "temml", "main": "index.js"}');
  const config = join(book.home, "gitconfig");
  writeFileSync(config, `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${book.evil}\n`);
  const { status, said } = book.primer("build", [...public_address, "--trust"], {
    environment: {
      PATH: `.:bin::./node_modules/.bin:${book.book}/bin:${book.book}/node_modules/.bin:${process.env.PATH}`,
      NODE_OPTIONS: `--require ${script}`,
      NODE_PATH: join(book.book, "node_modules"),
      GIT_CONFIG_GLOBAL: config,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.pager",
      GIT_CONFIG_VALUE_0: book.evil,
      GIT_PAGER: book.evil,
      GIT_EXTERNAL_DIFF: book.evil,
      GIT_DIR: "/nowhere",
      GIT_EXEC_PATH: join(book.book, "bin"),
    },
  });
  assert.equal(status, 0, said);
  assert.doesNotMatch(said, /no dates/);
  assert.match(book.made("one/index.html"), /<math/);
  assert.equal(existsSync(book.ran), false, existsSync(book.ran) && readFileSync(book.ran, "utf8"));
});

test("a book's own site/ is code: it waits for --trust, and --assets says it too", () => {
  const book = new StrangersBook();
  cpSync("site", join(book.book, "site"), { recursive: true });
  const page = join(book.book, "site/templates/page.mustache");
  writeFileSync(
    page,
    readFileSync(page, "utf8").replace("</head>", "<script>strange()</script></head>"),
  );
  for (const command of ["check", "build"]) {
    const { status, said } = book.primer(command);
    assert.equal(status, 0, said);
    assert.match(
      said,
      /^primer: note: ignoring the book's own site\/, which is code; pass --trust to use it$/m,
    );
  }
  assert.doesNotMatch(book.made("one/index.html"), /strange/);
  for (const options of [["--trust"], ["--assets", "site"]]) {
    const { status, said } = book.primer("build", options);
    assert.equal(status, 0, said);
    assert.doesNotMatch(said, /is code/);
    assert.match(book.made("one/index.html"), /strange/, options[0]);
    rmSync(join(book.home, "out"), { recursive: true });
  }
});

/** Whether file access is limited on this machine. */
function limits_files(t) {
  const { said } = new StrangersBook().primer("check");
  const lack = said.match(/^primer: note: the sandbox does not restrict .*/m)?.[0];
  if (lack) t.skip(lack);
  return !lack;
}

test("what writes and erases through links stops at the sandbox", (t) => {
  if (!limits_files(t)) return;
  const book = new StrangersBook();
  const victim = join(book.home, "victim");
  mkdirSync(victim);
  writeFileSync(join(victim, "kept"), "kept");
  mkdirSync(join(book.book, "figures"));
  mkdirSync(join(book.home, "out"));
  symlinkSync(victim, join(book.book, "figures/specs"));
  symlinkSync(victim, join(book.home, "out/site.9"));
  const made = spawnSync(primer, ["new", "chapter", "two", "--book", "."], {
    cwd: book.book,
    encoding: "utf8",
  });
  assert.equal(made.status, 1, made.stdout);
  for (let i = 0; i < 3; ++i) {
    book.save(
      "chapters/en/one.md",
      `---\ntitle: One\n---\nText ${i}.\n\n[A](https://example.org/${i})\n`,
    );
    book.primer("build");
  }
  assert.deepEqual(readdirSync(victim), ["kept"]);
});

test("--no-sandbox is reported", () => {
  const book = new StrangersBook();
  const { status, said } = book.primer("build", ["--no-sandbox"]);
  assert.deepEqual([status, said], [0, "primer: note: the sandbox is disabled (--no-sandbox)\n"]);
});

test("a server keeps no privileges, in any of its threads", async (t) => {
  if (process.platform !== "linux" || !limits_files(t)) return;
  const book = new StrangersBook();
  const words = [
    "serve",
    "--book",
    book.book,
    "--out",
    join(book.home, "out/site"),
    "--modules",
    "none",
    "--port",
    "8490",
  ];
  const server = spawn(primer, words, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((found, lost) => {
      server.stdout.on("data", (bytes) => found(String(bytes).match(/http:\S+/)?.[0]));
      server.on("exit", () => lost(new Error("primer serve has ended")));
    });
    const tasks = readdirSync(`/proc/${server.pid}/task`);
    assert.ok(tasks.length > 1);
    for (const task of tasks) {
      const state = readFileSync(`/proc/${server.pid}/task/${task}/status`, "utf8");
      assert.match(state, /^NoNewPrivs:\t1$/m);
    }
    assert.match(await (await fetch(`${address}one/`)).text(), /<math/);
  } finally {
    server.kill("SIGKILL");
  }
});
