// Every page of the book in every language comes out of primer.wasm as `primer build` writes it, byte for byte, and what is wrong
// after an edit is what `primer check` says.
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

/** What `primer build` wrote at an address: the page, and the data beside it. */
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

// The goal is 1.4 MB: models as a module of their own, as grammars are, would be 0.1 less.
test("the module and the book come to at most 1.6 MB over the network", () => {
  const bytes = [readFileSync(join(modules, "primer.wasm")), pack].map(
    (file) => gzipSync(file).length,
  );
  const sum = bytes.reduce((a, b) => a + b);
  assert.ok(sum <= 1.6e6, `${bytes.join(" + ")} = ${sum} bytes`);
});

test("grammars are loaded for code alone, each once", () => {
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
