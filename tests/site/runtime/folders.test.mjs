// The folders of site/runtime/: who imports from whom is what docs/architecture.md says, without a cycle, and every
// module is named there.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path/posix";
import { test } from "node:test";

const root = new URL("../../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const top = "."; // main.js and theme.js
const code_names = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

/** The table of folders in a document: [{folder, uses, modules}]. */
function folders_in(text) {
  const [, table] =
    /^\| folder \| imports from \| modules \|\n\|[-|]+\n((?:\|.*\n)+)/m.exec(text) ?? [];
  assert.ok(table, "docs/architecture.md has no table of folders");
  const rows = table
    .trim()
    .split("\n")
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const folders = rows.map(([name]) =>
    name === "`site/runtime/`" ? top : name.replace(/^`(.+)\/`$/, "$1"),
  );
  return rows.map(([, uses, modules], i) => ({
    folder: folders[i],
    uses:
      uses === "all"
        ? folders.filter((name) => name !== folders[i])
        : uses.split(", ").filter(Boolean),
    modules: code_names(modules),
  }));
}

const without_comments = (source) => source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/gm, "");

/** The relative addresses that a script imports, at once or on demand, starts as a worker or loads as a sheet. */
function imports_of(source) {
  const code = without_comments(source);
  const imported = [...code.matchAll(/\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]/g)];
  const beside = [...code.matchAll(/new URL\(\s*["'`]([^"'`]+)["'`],\s*import\.meta\.url/g)];
  return [...imported, ...beside]
    .map(([, address]) => address)
    .filter((address) => !address.endsWith("/"));
}

/** What is imported, or found from where the script lies, by an address that cannot be read here. */
function computed_in(source) {
  const code = without_comments(source);
  const imported = [...code.matchAll(/\bimport\s*\((?!\s*["'`]).*/g)];
  const found = [...code.matchAll(/(?<!new URL\(\s*"[^"]*",\s*)\bimport\.meta\.url.*/g)];
  return [...imported, ...found].map(([text]) => text);
}
const computed = ['reading/search.js: import(new URL("pagefind.js", index_url)']; // of the book's own index

/** What is wrong with scripts ({path: source}) under a table. */
function faults_of(scripts, table) {
  const uses = new Map(table.map(({ folder, uses }) => [folder, uses]));
  const faults = [];
  for (const [path, source] of Object.entries(scripts)) {
    const from = dirname(path);
    if (!uses.has(from))
      faults.push(`${path}: ${from}/ is not in the table of docs/architecture.md`);
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.js$/, "");
    if (!table.some(({ folder, modules }) => folder === from && modules.includes(name)))
      faults.push(`${path}: the row of ${from}/ in docs/architecture.md does not name \`${name}\``);
    for (const text of computed_in(source))
      if (!computed.some((allowed) => `${path}: ${text}`.startsWith(allowed)))
        faults.push(`${path}: write the address out: ${text}`);
    for (const address of imports_of(source)) {
      const target = normalize(join(from, address));
      if (/^(first_words|words|drawings)\.\$\{/.test(target)) continue; // made by the build
      const to = dirname(target);
      if (!(target in scripts)) faults.push(`${path}: there is no ${target}`);
      else if (to !== from && !uses.get(from)?.includes(to))
        faults.push(`${path}: ${from}/ does not import from ${to}/ (${target})`);
    }
  }
  for (const { folder, uses: targets, modules } of table) {
    for (const target of targets)
      if (!uses.has(target))
        faults.push(`the table: ${folder}/ imports from ${target}/, which has no row`);
    for (const name of modules.filter((name) => /^\w+(\.css)?$/.test(name)))
      if (!(join(folder, name.endsWith(".css") ? name : `${name}.js`) in scripts))
        faults.push(`the table: ${folder}/ has no module ${name}`);
  }
  return [...faults, ...cycles_of(uses)];
}

/** Folders that cannot be put into an order in which each imports from those before it. */
function cycles_of(uses) {
  const open = new Map(uses);
  for (let found = true; found;) {
    found = false;
    for (const [folder, targets] of open) {
      if (targets.some((target) => open.has(target))) continue;
      open.delete(folder);
      found = true;
    }
  }
  return open.size ? [`the table has a cycle among ${[...open.keys()].join(", ")}`] : [];
}

const scripts = Object.fromEntries(
  readdirSync(new URL("site/runtime/", root), { recursive: true })
    .map((path) => String(path).replaceAll("\\", "/"))
    .filter((path) => /\.(js|css)$/.test(path))
    .map((path) => [path, read(`site/runtime/${path}`)]),
);
const table = folders_in(read("docs/architecture.md"));

test("folders import as docs/architecture.md says, which names every module", () => {
  assert.ok(Object.values(scripts).flatMap(imports_of).length > 200);
  assert.deepEqual(faults_of(scripts, table), []);
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

test("what breaks the order is found, however it is imported", () => {
  const rows = [
    { folder: "low", uses: [], modules: ["a", "b"] },
    { folder: "high", uses: ["low"], modules: ["c", "look.css"] },
  ];
  const whole = {
    "low/a.js": 'import { b } from "./b.js";',
    "low/b.js": "// As in ../high/c.js.",
    "high/c.js": 'import { a } from "../low/a.js";\nnew URL("look.css", import.meta.url);',
    "high/look.css": "",
  };
  const broken = (changes, changed = rows) =>
    faults_of({ ...whole, ...changes }, changed).join("\n");
  assert.equal(broken({}), "");
  for (const source of [
    'import { c } from "../high/c.js";',
    'export { c } from "../high/c.js";',
    'import "../high/c.js";',
    'const { c } = await import(\n  "../high/c.js"\n);',
    'new Worker(script(new URL("../high/c.js", import.meta.url)));',
  ])
    assert.match(
      broken({ "low/b.js": source }),
      /^low\/b\.js: low\/ does not import from high\/ \(high\/c\.js\)$/,
      source,
    );
  for (const source of ["await import(name);", "new URL(name, import.meta.url);"])
    assert.match(broken({ "low/b.js": source }), /^low\/b\.js: write the address out: /, source);
  assert.match(broken({ "low/b.js": 'import "./gone.js";' }), /there is no low\/gone\.js/);
  assert.match(broken({ "low/new.js": "" }), /the row of low\/ .* does not name `new`/);
  assert.match(broken({ "deep/x.js": "" }), /deep\/ is not in the table/);
  assert.match(
    broken({}, [{ ...rows[0], modules: ["a", "b", "old"] }, rows[1]]),
    /low\/ has no module old/,
  );
  assert.match(broken({}, [{ ...rows[0], uses: ["high"] }, rows[1]]), /a cycle among low, high/);
});
