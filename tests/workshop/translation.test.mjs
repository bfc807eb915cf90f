// A translation next to its original: its blocks in pairs, and the stamp that `primer translate
// stamp` writes.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { open_workshop, primer, root, scratch } from "./workshop.mjs";

const folder = scratch();
const book = join(folder, "book");
mkdirSync(book);
for (const part of ["chapters", "figures/profiles", "tests/fixtures/profiles"])
  cpSync(join(root, part), join(book, part), { recursive: true });
const pack = join(folder, "book.pack");
primer("pack", pack, "--trust", "--book", root, "--base-url", "none");
const workshop = await open_workshop(pack);
const translated = workshop.pages.filter(({ original }) => original);
const text_of = (file) => readFileSync(join(root, file), "utf8");
const beside = (file) => workshop.ask({ do: "beside", file });
after(() => assert.ok(translated.length >= 15, `${translated.length} translated pages`));

/** The native program's result for a file with this text. */
function natively_stamped(file, text, ...options) {
  writeFileSync(join(book, file), text);
  primer("translate", "stamp", file, "--book", book, ...options);
  const stamped = readFileSync(join(book, file), "utf8");
  writeFileSync(join(book, file), text_of(file));
  return stamped;
}

test("every translated page is all pairs of blocks, none of them stale, with the lines of both", async () => {
  for (const { file, original } of translated) {
    const { pairs, diagnostics } = await beside(file);
    assert.deepEqual(diagnostics, [], file);
    const [here, there] = [file, original].map((name) => text_of(name).split("\n"));
    for (const pair of pairs) {
      assert.equal(pair.state, "current", `${file}:${pair.here?.line}`);
      for (const [lines, { line, end, text }] of [
        [here, pair.here],
        [there, pair.there],
      ])
        assert.equal(lines.slice(line - 1, end - 1).join("\n"), text);
    }
  }
});

test("a stamp writes the bytes of the native program, on every translated page", async () => {
  for (const { file } of translated) {
    const old = text_of(file).replaceAll(/<!-- from [0-9a-f]{8} -->/g, "<!-- from 00000000 -->");
    await workshop.ask({ do: "write", file, text: old });
    assert.ok(
      (await beside(file)).pairs.some(({ state }) => state === "stale"),
      file,
    );
    const { text, diagnostics } = await workshop.ask({ do: "stamp", file });
    assert.deepEqual(diagnostics, []);
    assert.equal(text, natively_stamped(file, old), file);
    assert.equal(text, text_of(file));
    await workshop.ask({ do: "revert", file });
  }
});

const { file, original } = translated.find((page) => page.file.endsWith("/01-roofline.md"));

test("a paragraph of the original that changes makes one block stale, and its stamp makes it current", async () => {
  const { pairs } = await beside(file);
  const chosen = pairs.findIndex(({ kind }) => kind === "a paragraph");
  const { here, there } = pairs[chosen];
  const fresh = text_of(original).replace(there.text, `${there.text} More.`);
  await workshop.ask({ do: "write", file: original, text: fresh });
  const after_it = (await beside(file)).pairs;
  const states = after_it.map(({ state }) => state);
  assert.deepEqual(
    states.flatMap((state, at) => (state === "current" ? [] : [[state, at]])),
    [["stale", chosen]],
  );
  assert.equal(after_it[chosen].there.text, `${there.text} More.`);
  const { text } = await workshop.ask({ do: "stamp", file, line: here.line });
  writeFileSync(join(book, original), fresh);
  assert.equal(text, natively_stamped(file, text_of(file), "--line", `${here.line}`));
  writeFileSync(join(book, original), text_of(original));
  assert.ok((await beside(file)).pairs.every(({ state }) => state === "current"));
  assert.equal((await workshop.ask({ do: "read", file })).text, text);
  for (const name of [file, original]) await workshop.ask({ do: "revert", file: name });
});

test("missing blocks of a translation are at their place; extra or unmarked blocks are named", async () => {
  const { pairs } = await beside(file);
  const at = pairs.findIndex(({ kind }, i) => i > 3 && kind === "a paragraph");
  const whole = text_of(file);
  const without = whole.replace(`${pairs[at].here.text}\n`, "");
  const lacking = without.replace(/<!-- from [0-9a-f]{8} -->\n+(?=<!-- from)/, "");
  await workshop.ask({ do: "write", file, text: lacking });
  const missing = (await beside(file)).pairs;
  assert.deepEqual([missing[at].state, missing[at].here], ["missing", null]);
  assert.equal(missing[at].there.text, pairs[at].there.text);
  const more = `${whole}\n\nUn párrafo más.\n`;
  await workshop.ask({ do: "write", file, text: more });
  const extra = (await beside(file)).pairs.at(-1);
  assert.deepEqual([extra.state, extra.there], ["extra", null]);
  const { text, diagnostics } = await workshop.ask({ do: "stamp", file });
  assert.deepEqual([text, diagnostics[0].rule], [null, "bad-source-mark"]);
  const bare = whole.replace(/<!-- from [0-9a-f]{8} -->\n/, "");
  await workshop.ask({ do: "write", file, text: bare });
  assert.ok((await beside(file)).pairs.some(({ state }) => state === "unmarked"));
  await workshop.ask({ do: "revert", file });
});

test("a page that translates nothing is refused as by the native program", async () => {
  for (const [request, member] of [
    ["beside", "pairs"],
    ["stamp", "text"],
  ]) {
    const answer = await workshop.ask({ do: request, file: original });
    assert.equal(answer[member], null);
    assert.equal(answer.diagnostics[0].rule, "orphaned-translation");
  }
});
