// Patches of the page /write/ are what git takes: applied, each gives the very text that was written.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

import { rounds } from "../../../rounds.mjs";
import { patch_of } from "../../../../site/runtime/write/patch.js";

const book = new URL("../../../../chapters/", import.meta.url);
const texts = ["en/00-workload.md", "es/01-roofline.md", "facts/claims.json"].map((path) => ({
  path: `chapters/${path}`,
  text: readFileSync(new URL(path, book), "utf8"),
}));
const about = {
  name: "Zoë Åström 山田",
  address: "zoe@example.org",
  date: new Date("2026-11-27T03:00:00Z"),
  subject:
    "Ein Tippfehler – mit Umlauten: äöü, und einer langen Zeile, die mehr als ein Wort braucht",
  licence: "Text and figures under CC BY 4.0, code under MIT.",
};

const directory = mkdtempSync(join(tmpdir(), "patches-"));
after(() => rmSync(directory, { recursive: true, force: true }));
const git = (...words) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
    cwd: directory,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
const at = (path) => join(directory, path);
function put(path, text) {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

git("init", "-q");
for (const { path, text } of texts) put(path, text);
git("add", "-A");
git("commit", "-qm", "begin");

function applied(files, more = about) {
  git("reset", "-q", "--hard");
  git("clean", "-qfd");
  const [head] = git("rev-parse", "HEAD").split("\n");
  writeFileSync(join(directory, ".git/patch"), patch_of(files, more));
  git("am", "-q", ".git/patch");
  const found = files.map(({ path }) => readFileSync(at(path), "utf8"));
  const message = git("log", "-1", "--format=%an%n%ae%n%s%n%b");
  git("reset", "-q", "--hard", head);
  return { found, message };
}

/** Numbers by chance, the same each time. */
function chances(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function edited(text, chance) {
  const lines = text.split("\n");
  for (let i = 1 + chance(4); i > 0; --i) {
    const line = chance(lines.length);
    const words = [
      "",
      "- from a list",
      "-- ",
      "From here on",
      "diff --git a/x b/x",
      "é – 山",
      "@@ -1 +1 @@",
    ];
    const fresh = words[chance(words.length)];
    if (chance(3) === 0) lines.splice(line, 1 + chance(3));
    else lines.splice(line, chance(2), fresh);
  }
  const whole = lines.join("\n");
  return chance(4) === 0 ? whole.replace(/\n$/, "") : whole;
}

test("edits by chance: git am gives the text that was written", () => {
  const chance = chances(7);
  for (let round = rounds("PATCHES", 25, 200); round > 0; --round) {
    const { path, text } = texts[chance(texts.length)];
    const after = edited(text, chance);
    if (after === text) continue;
    assert.deepEqual(applied([{ path, before: text, after }]).found, [after]);
  }
});

test("several files, one of them new, one without a newline at its end", () => {
  const files = [
    { path: texts[0].path, before: texts[0].text, after: `${texts[0].text}One more` },
    { path: "chapters/en/09-mine.md", before: null, after: "---\ntitle: Mine\n---\nText.\n" },
  ];
  const { found, message } = applied(files);
  assert.deepEqual(
    found,
    files.map(({ after }) => after),
  );
  assert.equal(
    message.trim(),
    [about.name, about.address, about.subject, about.licence].join("\n"),
  );
});

test("a header cannot be continued by what is typed, and what is missing is said", () => {
  const files = [{ path: texts[0].path, before: texts[0].text, after: "x\n" }];
  const patch = patch_of(files, { ...about, name: "A\nBcc: b@example.org", subject: "x\n\ny" });
  assert.doesNotMatch(patch, /^Bcc/m);
  for (const wrong of [
    { name: " " },
    { subject: "\n" },
    { address: "nowhere" },
    { address: "a@b> <c" },
  ])
    assert.throws(() => patch_of(files, { ...about, ...wrong }), /needs a name/);
});
