// git accepts the patches of /write/: applied, each gives exactly the text that was written.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

import { rounds } from "../../../rounds.mjs";
import {
  changed_text,
  changes_of,
  differences_of,
  patch_of,
} from "../../../../site/runtime/write/patch.js";

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

async function applied(files, more = about) {
  git("reset", "-q", "--hard");
  git("clean", "-qfd");
  const [head] = git("rev-parse", "HEAD").split("\n");
  writeFileSync(join(directory, ".git/patch"), await patch_of(files, more));
  git("am", "-q", ".git/patch");
  const found = files.map(({ path }) => readFileSync(at(path), "utf8"));
  const message = git("log", "-1", "--format=%an%n%ae%n%s%n%b");
  git("reset", "-q", "--hard", head);
  return { found, message };
}

/** Random numbers, the same each time. */
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

test("edits by chance: git am gives the text that was written", async () => {
  const chance = chances(7);
  for (let round = rounds("PATCHES", 25, 200); round > 0; --round) {
    const { path, text } = texts[chance(texts.length)];
    const after = edited(text, chance);
    if (after === text) continue;
    assert.deepEqual((await applied([{ path, before: text, after }])).found, [after]);
  }
});

const before = "One\nTwo\nThree\n";
const awkward = {
  "carriage returns": "One\r\nTwo\r\nThree – é = 3\r\n",
  "some carriage returns": "One\r\nTwo\nThr\ree\r\n",
  "no newline at the end": "One\nTwo",
  "carriage returns, no newline at the end": "One\r\nTwo\r",
  "a mail's first line": "From me Mon Sep 17 00:00:00 2001\nFrom: me\n",
  "what begins and ends a patch": "---\n-- \n--- a/x\n+++ b/x\n@@ -1 +1 @@\ndiff --git a/x b/x\n",
  "controls and NUL": "a\0b\x07\x1b[31m\x7f\f\v\u0085\u2028\u2029\n",
  "NUL and carriage returns": "a\0b\r\n\0\r\n",
  "a mark of the byte order": "\ufeffOne\n",
  "blanks at the ends": "One \t \n \nTwo\t\n",
  "long lines": `${"One – two = ".repeat(4000)}\n${"x".repeat(50_000)}\n`,
  "long lines with carriage returns": `${"One – two = ".repeat(400)}\r\n${"x".repeat(500)} \r\n`,
};

for (const [what, text] of Object.entries(awkward))
  test(`text with ${what}: written, changed and taken back by git am`, async () => {
    const path = texts[0].path;
    const [begun] = git("rev-parse", "HEAD").split("\n");
    try {
      for (const [from, to] of [
        [texts[0].text, before + text],
        [before + text, `${before}Four\n${text}`],
        [`${before}Four\n${text}`, before],
      ]) {
        assert.deepEqual((await applied([{ path, before: from, after: to }])).found, [to]);
        put(path, to);
        git("commit", "-qam", "on");
      }
    } finally {
      git("reset", "-q", "--hard", begun);
    }
  });

test("a commit's line and its author are what was typed", async () => {
  const files = [{ path: texts[0].path, before: texts[0].text, after: "x\n" }];
  const subjects = [
    "[1] and [2] swapped",
    "[Übersetzung] é",
    "Re: the roof",
    ": a colon",
    "Round the [roof]",
    "=?UTF-8?Q?x?= is no word",
    "é".repeat(300),
    "x".repeat(1000),
    "--- a",
    "From here",
    "山田 😀",
  ];
  for (const subject of subjects)
    assert.equal((await applied(files, { ...about, subject })).message.split("\n")[2], subject);
  for (const name of [
    "O’Brien, Pat",
    'Pat "P." Doe',
    "Pat\\Doe",
    "Pat (she) Doe",
    "Doe: x; y",
    "=?x?=",
  ])
    assert.equal((await applied(files, { ...about, name })).message.split("\n")[0], name);
  const controls = { ...about, name: "A\0 \x07B", subject: "x\0\x1b[31m y" };
  const [name, , subject] = (await applied(files, controls)).message.split("\n");
  assert.deepEqual([name, subject], ["A B", "x [31m y"]);
});

test("several files, one of them new, one without a newline at its end", async () => {
  const files = [
    { path: texts[0].path, before: texts[0].text, after: `${texts[0].text}One more` },
    { path: "chapters/en/09-mine.md", before: null, after: "---\ntitle: Mine\n---\nText.\n" },
  ];
  const { found, message } = await applied(files);
  assert.deepEqual(
    found,
    files.map(({ after }) => after),
  );
  assert.equal(
    message.trim(),
    [about.name, about.address, about.subject, about.licence].join("\n"),
  );
});

test("typed text cannot continue a header, and missing fields are reported", async () => {
  const files = [{ path: texts[0].path, before: texts[0].text, after: "x\n" }];
  const patch = await patch_of(files, { ...about, name: "A\nBcc: b", subject: "x\n\ny" });
  assert.doesNotMatch(patch, /^Bcc/m);
  for (const wrong of [
    { name: " " },
    { name: ".:" },
    { subject: "\n" },
    { address: "nowhere" },
    { address: "a@b> <c" },
  ])
    await assert.rejects(patch_of(files, { ...about, ...wrong }), /needs a name/);
  for (const name of ["a@b.example", "Pat <x>", "é".repeat(31)])
    await assert.rejects(patch_of(files, { ...about, name }), /at most 60 bytes/);
});

test("a patch of a chapter that has changed since, next to the correction, is merged by git am -3", async () => {
  const lines = (...words) => `${words.join("\n")}\n`;
  const path = "chapters/en/10-moved.md";
  const old = lines("one", "two", "thre", "four", "five", "six", "seven");
  const [begun] = git("rev-parse", "HEAD").split("\n");
  try {
    put(path, old);
    git("add", "-A");
    git("commit", "-qm", "add");
    const patch = await patch_of(
      [{ path, before: old, after: old.replace("thre", "three") }],
      about,
    );
    put(path, lines("one", "two", "thre", "four", "five and a half", "six", "seven"));
    git("commit", "-qam", "change a line near it");
    writeFileSync(join(directory, ".git/patch"), patch);
    assert.throws(() => git("am", "-q", ".git/patch"));
    git("am", "--abort");
    git("am", "-q", "-3", ".git/patch");
    assert.equal(
      readFileSync(at(path), "utf8"),
      lines("one", "two", "three", "four", "five and a half", "six", "seven"),
    );
  } finally {
    git("reset", "-q", "--hard", begun);
  }
});

test("a report's change is what git diff prints, and git applies it", async () => {
  const { path, text } = texts[0];
  const after = text.replace("\n", "\nA new line.\n");
  const change = await differences_of([{ path, before: text, after }]);
  assert.match(
    change,
    /^diff --git a\/chapters\/en\/00-workload\.md b\/.*\nindex [0-9a-f]{40}\.\./,
  );
  writeFileSync(join(directory, ".git/change"), `${change}\n`);
  git("apply", ".git/change");
  assert.equal(readFileSync(at(path), "utf8"), after);
  git("reset", "-q", "--hard");
});

test("changes fit the text that they were made from and later ones, or say that they do not", () => {
  const changes = JSON.parse(JSON.stringify(changes_of(before, "One\nTwo and a half\nThree\n")));
  assert.equal(changed_text(before, changes), "One\nTwo and a half\nThree\n");
  assert.equal(changed_text(`Zero\n${before}`, changes), "Zero\nOne\nTwo and a half\nThree\n");
  assert.equal(changed_text("One\nFour\n", changes), null);
});
