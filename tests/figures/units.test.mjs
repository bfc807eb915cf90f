// Scripts and the generator set the same space before every unit that the generator reads: the
// units and prefixes are those of the tables in figures/quantities/quantity.cpp. Needs
// build/release, or PRIMER.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import { with_narrow_spaces } from "../../site/runtime/base/spaces.js";
import { build_small_site } from "../site/support/small_site.mjs";

const source = readFileSync("figures/quantities/quantity.cpp", "utf8");
const kinds = { no_prefix: 0, large: 1, small: 2, any: 3, binary: 4 };

/** The rows of a table, {text, kinds}; `kinds` has the bits of `Prefixes`. */
function rows_of(table) {
  const [, body] = new RegExp(`^constexpr ${table}\\[\\] = \\{(.*?)\\n\\};`, "ms").exec(source);
  const rows = [...body.matchAll(/\{"([^"]+)", [^{}]*?([a-z_| ]+)\}/g)];
  assert.equal(rows.length, body.match(/\{/g).length);
  return rows.map(([, text, names]) => ({
    text,
    kinds: names.split("|").reduce((bits, name) => bits | kinds[name.trim()], 0),
  }));
}

const prefixes = rows_of("Prefix prefixes");
const units = rows_of("Atom atoms").flatMap((unit) => [
  unit.text,
  ...prefixes.filter((one) => one.kinds & unit.kinds).map((one) => one.text + unit.text),
]);
const written = units.flatMap((unit) => [`3 ${unit}`, `3 ${unit}/s`]);

const { site, remove } = build_small_site({
  first: written.map((text) => `- it is ${text} here\n`).join(""),
});
after(remove);

test("every unit has the same space in a script's text as in the generator's", () => {
  assert.ok(
    units.length > 120 && ["kWh", "Gbit", "nm", "mm²", "fJ"].every((u) => units.includes(u)),
  );
  const page = readFileSync(join(site, "first/index.html"), "utf8");
  const typeset = [...page.matchAll(/<li>it is (.*) here<\/li>/g)].map(([, text]) => text);
  assert.equal(typeset.length, written.length);
  const differing = typeset.filter((text, i) => text !== with_narrow_spaces(written[i]));
  assert.deepEqual(differing, []);
});
