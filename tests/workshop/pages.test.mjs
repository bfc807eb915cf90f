// primer.wasm produces every page of the book in every language exactly as `primer build` writes
// it, and the diagnostics after an edit are those of `primer check`.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { modules, native_book, open_workshop, scratch } from "./workshop.mjs";

const folder = scratch();
const { site, pack } = native_book(folder);
const loaded = [];
const workshop = await open_workshop(pack, loaded);

/** The files that `primer build` wrote at an address: the page, and its data. */
function published(address) {
  const at = join(site, address);
  const data = readdirSync(at).find((name) => /^page\.[0-9a-f]+\.json$/.test(name));
  return {
    html: readFileSync(join(at, "index.html"), "utf8"),
    data: data ? readFileSync(join(at, data), "utf8") : "",
  };
}

test("every page of the book, in each language, has the bytes of the native build", async () => {
  const locales = new Set(workshop.pages.map(({ locale }) => locale));
  assert.ok(locales.size >= 2 && workshop.pages.length >= 30, `${workshop.pages.length} pages`);
  const different = [];
  for (const { file, address } of workshop.pages) {
    const { diagnostics, page } = await workshop.ask({ do: "make", file });
    assert.deepEqual(diagnostics, [], file);
    const native = published(address);
    if (page?.html !== native.html) different.push(`${file}: its page`);
    if (page?.data !== native.data) different.push(`${file}: the data beside it`);
  }
  assert.deepEqual(different, []);
});

test("opening a page loads only the module, the book and the text of that page: at most 1.35 MB over the network", async () => {
  const longest = "chapters/en/02-matmul.md";
  const texts = [];
  const fresh = await open_workshop(pack, [], texts);
  await fresh.ask({ do: "read", file: longest });
  await fresh.ask({ do: "make", file: longest });
  await fresh.ask({ do: "complete", file: longest, before: "[there](01-roofline.md#" });
  assert.equal(texts.length, 1);
  const files = [join(modules, "primer.wasm"), pack, join(folder, texts[0])];
  const bytes = files.map((file) => gzipSync(readFileSync(file)).length);
  const sum = bytes.reduce((a, b) => a + b);
  assert.ok(sum <= 1.35e6, `${bytes.join(" + ")} = ${sum} bytes`);
});

test("a page that is edited makes its translation stale, whose text is needed then; a check needs all", async () => {
  const texts = [];
  const fresh = await open_workshop(pack, [], texts);
  const [file, es] = ["chapters/en/pages/why-slow.md", "chapters/es/pages/why-slow.md"];
  const { text } = await fresh.ask({ do: "read", file });
  await fresh.ask({ do: "write", file, text: text.replace("avoid work", "avoid all work") });
  const { diagnostics } = await fresh.ask({ do: "make", file });
  assert.deepEqual(
    diagnostics.map((one) => [one.file, one.rule]),
    [[es, "stale-translation"]],
  );
  assert.equal(texts.length, 2);
  await fresh.ask({ do: "revert", file });
  assert.deepEqual((await fresh.ask({ do: "check" })).diagnostics, []);
  assert.equal(texts.length, fresh.pages.length);
});

test("a text of another publication is refused in words", async () => {
  const fresh = await open_workshop(pack);
  const bring = (file, text) => fresh.ask({ do: "bring", file }, new TextEncoder().encode(text));
  const wanted = { message: "the book was published again: reload the page" };
  await assert.rejects(bring("chapters/en/pages/why-slow.md", "Other words."), wanted);
  await assert.rejects(bring("chapters/en/none.md", "Words."), wanted);
});

test("grammars are loaded only for code, each once", () => {
  assert.ok(loaded.length > 0);
  assert.equal(new Set(loaded).size, loaded.length);
  for (const name of loaded) assert.ok(existsSync(join(modules, `grammar-${name}.wasm`)));
});

test("the module needs nothing that a browser of 2022 lacks", () => {
  const names = readdirSync(modules).filter((name) => name.endsWith(".wasm"));
  assert.ok(names.includes("primer.wasm"));
  for (const name of names) {
    const imports = WebAssembly.Module.imports(
      new WebAssembly.Module(readFileSync(join(modules, name))),
    );
    const strange = imports.filter(
      ({ module, kind }) =>
        kind !== "function" || !["page", "env", "wasi_snapshot_preview1"].includes(module),
    );
    assert.deepEqual(strange, [], name);
  }
});
