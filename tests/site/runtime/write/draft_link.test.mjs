import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";

import { draft_in, link_of } from "../../../../site/runtime/write/draft_link.js";

const hash_of = (value) =>
  `#draft=${deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;

test("a text survives encoding in an address", async () => {
  const draft = { file: "chapters/es/05-one-chip.md", text: "¿Qué? – 𝒾 ≤ b\n\n```figure\n```\n" };
  assert.deepEqual(await draft_in(await link_of(draft)), draft);
  assert.equal(await draft_in("#m=abc"), null);
  assert.equal(await draft_in(""), null);
});

test("an address holds what differs from the published text, so that a chapter fits into it", async () => {
  const file = "chapters/en/03-gpu.md";
  const published = readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");
  const text = published.replace("memory", "memroy");
  const link = await link_of({ file, text, published });
  assert.ok(link.length < 1000, `${link.length} characters`);
  assert.deepEqual(await draft_in(link, async () => published), { file, text });
  await assert.rejects(
    draft_in(link, async () => "Another text.\n"),
    /has changed since/,
  );
  await assert.rejects(draft_in(link), /has changed since/);
});

test("a text that is too long for an address is refused", async () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `${(i * 7919) % 10_007} `).join("");
  await assert.rejects(link_of({ file: "chapters/en/a.md", text }), /too long for an address/);
});

for (const [what, hash, why] of [
  ["cut off", hash_of(["chapters/en/a.md", "text"]).slice(0, -4), /damaged/],
  ["no JSON", hash_of("text"), /damaged/],
  ["a bomb", hash_of(["chapters/en/a.md", "a".repeat(3_000_000)]), /damaged/],
  ["a text without a file", hash_of({ text: "a" }), /does not belong to a book/],
  ["a file outside the book", hash_of(["../../etc/passwd.md", "a"]), /does not belong to a book/],
  ["a script", hash_of(["site/runtime/main.js", "a"]), /does not belong to a book/],
  ["changes that are none", hash_of(["chapters/en/a.md", null, [{ lines: 1 }]]), /does not belong/],
  ["a number for a text", hash_of(["chapters/en/a.md", 1]), /does not belong to a book/],
])
  test(`an address is refused: ${what}`, () => assert.rejects(draft_in(hash), why));
