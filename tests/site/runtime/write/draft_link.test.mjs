import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";

import { draft_in, link_of } from "../../../../site/runtime/write/draft_link.js";

const hash_of = (value) =>
  `#draft=${deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")}`;

test("a text goes through an address whole", async () => {
  const draft = { file: "chapters/es/05-one-chip.md", text: "¿Qué? – 𝒾 ≤ b\n\n```figure\n```\n" };
  assert.deepEqual(await draft_in(await link_of(draft)), draft);
  assert.equal(await draft_in("#m=abc"), null);
  assert.equal(await draft_in(""), null);
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
  ["a number for a text", hash_of(["chapters/en/a.md", 1]), /does not belong to a book/],
])
  test(`an address is refused: ${what}`, () => assert.rejects(draft_in(hash), why));
