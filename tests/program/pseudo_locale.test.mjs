// A pseudo-locale, called xa: the program's English, lengthened and accented. Plain English on one
// of its pages shows a string that cannot be translated.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { write_small_book } from "../site/support/small_site.mjs";

const folder = mkdtempSync(join(tmpdir(), "pseudo-locale-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const accents = Object.fromEntries(
  [..."aceinouyACEINOUY"].map((letter, i) => [letter, [..."áçéíñóúýÁÇÉÍÑÓÚÝ"][i]]),
);
/** "Measure {n}" → "⟦Méáśúré {n} ···⟧": longer by a third, with the same placeholders. */
const strange = (english) =>
  `⟦${english.replace(/\{\w+\}|[a-zA-Z]/g, (part) => accents[part] ?? (part.length > 1 ? part : `${part}̌`))}${"·".repeat(Math.ceil(english.length / 3))}⟧`;

// The author's text is accented too, so the remaining text is the program's.
const chapter = `## ⟦Á⟧

⟦Á⟧.

\`\`\`predict
id: p-a
ask: ⟦Á⟧?
measured: stream.add{w=64MiB}
unit: GB/s
then: ⟦Á⟧.
\`\`\`

\`\`\`bench
id: bench-a
roofs: true
try: ⟦Á⟧.
\`\`\`

> [!TAKEAWAY]
> ⟦Á⟧.

> [!DEEPER]
> ⟦Á⟧.

Table tbl-a: ⟦Á⟧.

| ⟦Á⟧ | ⟦É⟧ |
|---|---|
| ⟦Í⟧ | 1 |

\`\`\`worked
id: q-a
ask: ⟦Á⟧?
given: {a: 2}
answer: a * 2
expect: 4
why: ⟦Á⟧.
trap: ⟦Á⟧.
\`\`\`

\`\`\`quiz
id: q-b
ask: ⟦Á⟧?
choices:
  - {say: ⟦Á⟧, right: true, why: ⟦Á⟧.}
  - {say: ⟦É⟧, why: ⟦Á⟧.}
\`\`\`
`;

/** The plain words of a page: in its text and in the attributes that screen readers speak. */
function plain_words(html) {
  const shown = html
    .replace(/^[\s\S]*?<body>/, "")
    .replace(/<(svg|math|code|pre|script)\b[\s\S]*?<\/\1>/g, " ");
  const spoken = [...shown.matchAll(/ (?:title|aria-label|alt|placeholder)="([^"]*)"/g)].map(
    ([, text]) => text,
  );
  const text = shown.replace(/<[^>]*>/g, " ").replace(/&\w+;/g, " ");
  return [text, ...spoken].flatMap(
    (part) => part.match(/(?<![\p{L}\p{M}/])[A-Za-z]{3,}(?![\p{L}\p{M}/])/gu) ?? [],
  );
}

test("on a page in a language of accents no word of the program is left plain", () => {
  const assets = join(folder, "site");
  cpSync("site", assets, { recursive: true });
  const strange_words = (words) =>
    Object.fromEntries(
      Object.entries(words).map(([english, word]) => [
        english,
        typeof word === "string" ? strange(english) : strange_words(word),
      ]),
    );
  writeFileSync(
    join(assets, "locales/xa.json"),
    JSON.stringify(strange_words(JSON.parse(readFileSync("site/locales/es.json", "utf8")))),
  );
  const book = join(folder, "book");
  write_small_book(book, { one: chapter, two: "⟦Á⟧.\n" });
  const settings = join(book, "chapters/book.yaml");
  cpSync(join(book, "chapters/en"), join(book, "chapters/xa"), { recursive: true });
  writeFileSync(
    settings,
    readFileSync(settings, "utf8").replace(
      "title: Small\nlanguage: en",
      "title: ⟦Á⟧\nlanguage: xa",
    ),
  );
  for (const slug of ["one", "two"]) {
    const file = join(book, `chapters/xa/${slug}.md`);
    writeFileSync(file, readFileSync(file, "utf8").replace(/^title: .*$/m, "title: ⟦Á⟧"));
  }
  const site = join(folder, "out");
  const primer = process.env.PRIMER ?? "build/release/generator/primer";
  execFileSync(primer, ["build", "--book", book, "--assets", assets, "--out", site], {
    stdio: "pipe",
  });
  const page = readFileSync(join(site, "one/index.html"), "utf8");
  assert.ok(plain_words(page.replaceAll(strange("Answer"), "Answer")).includes("Answer"));
  // A machine keeps its name.
  const { devices } = JSON.parse(readFileSync("figures/profiles/reference-chromium.json", "utf8"));
  const named = devices.flatMap(({ name }) => name.split(/[\s,]+/));
  assert.deepEqual(
    plain_words(page).filter((word) => !named.includes(word)),
    [],
  );
});
