// The folders of site/runtime/: who imports from whom is generated into docs/reference/folders.md,
// without a cycle, and each folder's README names its modules.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path/posix";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { in_order, include_table, readme_faults } from "../../structure/support/folders.mjs";
import { expect_region } from "../../structure/support/generated.mjs";

const root = new URL("../../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const without_comments = (source) => source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm, "");

/**
 * The relative addresses that a script imports, at once or on demand, starts as a worker or loads
 * as a sheet.
 */
function imports_of(source) {
  const code = without_comments(source);
  const imported = [...code.matchAll(/\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]/g)];
  const beside = [...code.matchAll(/new URL\(\s*["'`]([^"'`]+)["'`],\s*import\.meta\.url/g)];
  return [...imported, ...beside]
    .map(([, address]) => address)
    .filter((address) => !address.endsWith("/"));
}

/**
 * What is imported, or found from where the script lies, by an address that cannot be read here.
 */
function computed_in(source) {
  const code = without_comments(source);
  const imported = [...code.matchAll(/\bimport\s*\((?!\s*["'`]).*/g)];
  const found = [...code.matchAll(/(?<!new URL\(\s*"[^"]*",\s*)\bimport\.meta\.url.*/g)];
  return [...imported, ...found].map(([text]) => text);
}
const computed = ['reading/search.js: import(new URL("pagefind.js", index_url)']; // of the book's own index

/**
 * Who imports from whom, folder → set of folders, and what is wrong with the addresses in `scripts`
 * ({path: source}).
 */
function imports_between(scripts) {
  const uses = new Map(Object.keys(scripts).map((path) => [dirname(path), new Set()]));
  const faults = [];
  for (const [path, source] of Object.entries(scripts)) {
    const from = dirname(path);
    for (const text of computed_in(source))
      if (!computed.some((allowed) => `${path}: ${text}`.startsWith(allowed)))
        faults.push(`${path}: write the address out: ${text}`);
    for (const address of imports_of(source)) {
      const target = normalize(join(from, address));
      if (/^(first_words|words|drawings)\.\$\{/.test(target)) continue; // made by the build
      if (!(target in scripts)) faults.push(`${path}: there is no ${target}`);
      else if (dirname(target) !== from) uses.get(from).add(dirname(target));
    }
  }
  return { uses, faults };
}

const scripts = Object.fromEntries(
  readdirSync(new URL("site/runtime/", root), { recursive: true })
    .map((path) => String(path).replaceAll("\\", "/"))
    .filter((path) => /\.(js|css)$/.test(path))
    .map((path) => [path, read(`site/runtime/${path}`)]),
);

test("folders import without a cycle, as docs/reference/folders.md lists", () => {
  assert.ok(Object.values(scripts).flatMap(imports_of).length > 200);
  const { uses, faults } = imports_between(scripts);
  assert.deepEqual(faults, []);
  const order = in_order(uses);
  assert.ok(order, "the folders have a cycle");
  const document = fileURLToPath(new URL("docs/reference/folders.md", root));
  expect_region(document, "site/runtime/", include_table(uses, order));
});

/** The scripts that `path` imports when it is loaded, and what these import. */
function loaded_with(path, scripts, loaded = new Set()) {
  if (loaded.has(path) || !(path in scripts)) return loaded;
  loaded.add(path);
  const code = without_comments(scripts[path]);
  for (const [, address] of code.matchAll(/\b(?:from|import)\s+"(\.[^"]+)"/g))
    loaded_with(normalize(join(dirname(path), address)), scripts, loaded);
  return loaded;
}

/** Dynamic imports that need part_of_page() and lack it, or use it needlessly. */
function wrong_parts(scripts) {
  const reads_strings = (path) =>
    [...loaded_with(path, scripts)].some((name) => /^base\/(frame_)?language\.js$/.test(name));
  return Object.entries(scripts).flatMap(([path, source]) =>
    [...without_comments(source).matchAll(/(part_of_page\(\(\) => )?import\("(\.[^"]+)"\)/g)]
      .filter(([, is_part, address]) => {
        const target = normalize(join(dirname(path), address));
        return Boolean(is_part) !== (reads_strings(target) && !reads_strings(path));
      })
      .map(([text]) => `${path}: ${text}`),
  );
}

test("a script that reads strings is imported after they are loaded", () => {
  const { "base/first_words.js": loader, ...others } = scripts;
  assert.ok(loader.includes("export async function part_of_page"));
  assert.deepEqual(wrong_parts(others), []);
  const plain = { "a.js": 'import("./b.js")', "b.js": 'import "./base/language.js";' };
  const read = { ...plain, "base/language.js": "" };
  assert.deepEqual(wrong_parts(read), ['a.js: import("./b.js")']);
  const part = 'part_of_page(() => import("./b.js"))';
  assert.deepEqual(wrong_parts({ ...read, "a.js": part }), []);
  assert.deepEqual(wrong_parts({ "a.js": part, "b.js": "" }), [`a.js: ${part.slice(0, -1)}`]);
});

test("only main.js uses top-level await, because WebKit runs the importers of such modules too early", () => {
  const waits = (source) =>
    /^(await |(export )?(const|let) [^(]*= (\w+\()*await )/m.test(without_comments(source));
  const waiting = Object.keys(scripts).filter((path) => waits(scripts[path]));
  assert.deepEqual(waiting, ["main.js"]);
});

test("a folder's README names every module of the folder", () => {
  for (const folder of new Set(Object.keys(scripts).map(dirname))) {
    const modules = Object.keys(scripts)
      .filter((path) => dirname(path) === folder)
      .map((path) => basename(path).replace(/\.js$/, ""));
    const readme = fileURLToPath(new URL(`site/runtime/${folder}/README.md`, root));
    assert.deepEqual(readme_faults(readme, modules), []);
  }
});

test("a test of these folders is named for its module or the folder, or holds modules alone", () => {
  const tests = readdirSync(new URL("tests/site/runtime/", root), { recursive: true })
    .map((path) => String(path).replaceAll("\\", "/"))
    .filter((path) => /\/.*\.test\.mjs$/.test(path));
  const is_named = (path) => {
    const name = path.replace(/\.test\.mjs$/, "");
    return `${name}.js` in scripts || [dirname(name), "alone"].includes(basename(name));
  };
  assert.ok(tests.length > 10);
  assert.deepEqual(
    tests.filter((path) => !is_named(path)),
    [],
  );
});

test("every way to import is seen", () => {
  const whole = {
    "low/a.js": 'import { b } from "./b.js";',
    "low/b.js": "// As in ../high/c.js.",
    "high/c.js": 'import { a } from "../low/a.js";\nnew URL("look.css", import.meta.url);',
    "high/look.css": "",
  };
  const changed = (changes) => imports_between({ ...whole, ...changes });
  const { uses, faults } = changed({});
  assert.deepEqual(faults, []);
  assert.deepEqual(in_order(uses), ["low", "high"]);
  for (const source of [
    'import { c } from "../high/c.js";',
    'export { c } from "../high/c.js";',
    'import "../high/c.js";',
    'const { c } = await import(\n  "../high/c.js"\n);',
    'new Worker(script(new URL("../high/c.js", import.meta.url)));',
  ])
    assert.equal(in_order(changed({ "low/b.js": source }).uses), null, source);
  for (const source of ["await import(name);", "new URL(name, import.meta.url);"])
    assert.match(
      changed({ "low/b.js": source }).faults.join(),
      /^low\/b\.js: write the address out: /,
    );
  assert.match(
    changed({ "low/b.js": 'import "./gone.js";' }).faults.join(),
    /there is no low\/gone\.js/,
  );
});
