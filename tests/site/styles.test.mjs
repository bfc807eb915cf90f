// site/styles/: every sheet has its place in the order in which they are joined.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../site/styles/", import.meta.url);
const order = readFileSync(new URL("order.txt", folder), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"));

test("order.txt names every sheet, and each once", () => {
  assert.deepEqual(
    [...order].sort(),
    readdirSync(folder)
      .filter((name) => name.endsWith(".css"))
      .sort(),
  );
});

test("a sheet says in its first line what it styles, and closes what it opens", () => {
  for (const name of order) {
    const text = readFileSync(new URL(name, folder), "utf8");
    assert.match(text, /^\/\* \w/, name);
    const bare = text.replace(/\/\*[\s\S]*?\*\/|"[^"]*"/g, "");
    assert.equal(bare.split("{").length, bare.split("}").length, name);
  }
});

// Books can be right-to-left, so a sheet uses the start and end of a line, not left and right.

/**
 * Formulas run from left to right in every language, and the other sheet is for right-to-left
 * pages.
 */
const physical_sheets = ["site/styles/maths.css", "site/sheets/right-to-left.css"];
/**
 * Properties without a logical equivalent, with the rule that mirrors them in right-to-left.css.
 */
const mirrored = {
  "site/runtime/ladder/stage.css: background: repeating-linear-gradient(90deg, transparent 0 calc(100% / 14 - 1px), var(--paper) 0 calc(100% / 14)), repeating-linear-gradient(transparent 0 calc(100% / 14 - 1px), var(--paper) 0 calc(100% / 14))":
    ".race-matrix:dir(rtl)::before",
  "site/styles/head.css: transform-origin: 0 0": ".page-head:dir(rtl)::after",
  "site/styles/numbers.css: background: linear-gradient(var(--from, var(--reference)) 0 0) 0 0.5rem / 2px 1.2em no-repeat":
    ".verdict:dir(rtl)",
  "site/styles/measurements.css: background: linear-gradient(var(--ink-soft) 0 0) right center / 3ch 2px no-repeat":
    "[data-after] > .reference:dir(rtl)",
  "site/styles/tables.css: background: linear-gradient(270deg, var(--paper) 30%, transparent) 100% / 2rem no-repeat local, linear-gradient(270deg, var(--rule), transparent) 100% / 0.7rem no-repeat, var(--paper)":
    ".table:dir(rtl)",
};

/** The parts of a value: "0 calc(1px + 2px)" has two. */
const parts_of = (value) => value.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];

const has_sides = {
  float: (value) => /^(left|right)$/.test(value),
  clear: (value) => /^(left|right)$/.test(value),
  "text-align": (value) => /^(left|right)$/.test(value),
  "transform-origin": (value) => !/^(center|50%)/.test(value),
  transform: (value) => /translate(X|3d)?\(/.test(value),
  "border-radius": (value) => {
    const [a, b = a, c = a, d = b] = parts_of(value);
    return a !== b || c !== d;
  },
  background: (value) =>
    /\b(left|right)\b|\b(90|270)deg/.test(value) ||
    value.split(/,(?![^(]*\))/).some((layer) => /no-repeat/.test(layer) && !/center/.test(layer)),
};

/** The declarations of a sheet that use left or right, or distinguish them. */
function physical_declarations(sheet) {
  const bare = sheet.replace(/\/\*[\s\S]*?\*\/|"[^"]*"/g, "");
  const declarations = [...bare.matchAll(/([-\w]+)\s*:\s*([^;{}]+)(?=[;}])/g)];
  return declarations
    .filter(([, name, value]) => {
      if (name.startsWith("--")) return false;
      if (/(^|-)(left|right)(-|$)/.test(name)) return true;
      const own = has_sides[name.replace("background-position", "background")];
      if (own?.(value.trim())) return true;
      const is_box = /^(margin|padding|inset|border-(width|style|color)|scroll-(margin|padding))$/;
      const [, right, , left = right] = parts_of(value);
      return is_box.test(name) && right !== left;
    })
    .map(([text]) => text.replace(/\s+/g, " "));
}

test("what names left or right in a sheet is found", () => {
  const physical = [
    "margin-left: 1px",
    "left: 0",
    "border-top-right-radius: 2px",
    "float: right",
    "text-align: left",
    "margin: 0 0 0 calc(-1 * var(--px))",
    "padding: 1px 2px 3px calc(2px + (1px))",
    "border-radius: 0 6px 6px 0",
    "background: linear-gradient(90deg, red, blue)",
    "background: linear-gradient(red 0 0) 0 0.5rem / 2px 1em no-repeat",
    "transform: translateX(2px)",
    "transform-origin: 0 0",
  ];
  for (const one of physical) assert.deepEqual(physical_declarations(`a { ${one}; }`), [one]);
  const logical =
    "a { margin: 1px 2px 3px; inset: auto 0 0; padding: 1px calc(1px + 2px) 0 calc(1px + 2px); border-radius: 6px 6px 0 0; " +
    "margin-inline: 0 1px; float: inline-end; transform: scale(2); background: linear-gradient(red 0 0) center / 1px 1px no-repeat }";
  assert.deepEqual(physical_declarations(logical), []);
});

test("no sheet names left or right", () => {
  const site = new URL("../../site/", import.meta.url);
  const sheets = readdirSync(site, { recursive: true })
    .map((name) => `site/${String(name)}`)
    .filter((name) => name.endsWith(".css") && !physical_sheets.includes(name));
  assert.ok(sheets.length > 30, String(sheets));
  const found = sheets.flatMap((name) =>
    physical_declarations(readFileSync(new URL(name.slice(5), site), "utf8")).map(
      (text) => `${name}: ${text}`,
    ),
  );
  assert.deepEqual(found.sort(), Object.keys(mirrored).sort());
  const mirror = readFileSync(new URL("sheets/right-to-left.css", site), "utf8");
  for (const rule of Object.values(mirrored)) assert.ok(mirror.includes(`${rule} {`), rule);
});
