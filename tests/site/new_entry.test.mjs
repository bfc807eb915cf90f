// A reference and a fact that a page names and the book lacks, added by form on /write/. Errors are
// next to their field, the problems disappear, a patch of only the new lines passes the book's
// checks, the tab can be closed, and each entry can be removed again.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { id_in, missing_entry } from "../../site/runtime/write/new_entry.js";
import { axe_violations } from "./support/axe.mjs";
import { any_browser, until } from "./support/browser_page.mjs";
import {
  checked_clone,
  exported_patch,
  fill_in,
  make_site,
  press,
  says,
  skip,
  tab_to,
  type_whole,
  workshop_session,
} from "./support/workshop_page.mjs";

const file = "chapters/en/pages/why-slow.md";
const published = readFileSync(file, "utf8");
const place = mkdtempSync(join(tmpdir(), "new-entry-"));
after(() => rmSync(place, { recursive: true, force: true }));

const lacking = "It is [447 GB/s](fact:h100-sxm.tried), says a report [@tried2026].";
const [fact, reference] = ["New fact … h100-sxm.tried", "New reference … tried2026"];
const fact_line =
  '  "h100-sxm.tried": {"value": "447 GB/s", "sources": ["tried2026"], "note": "one direction"},';
const reference_lines = [
  '  "tried2026": {',
  '    "type": "report",',
  '    "title": "What was “tried”",',
  '    "authors": ["A. Reader", "B. Writer"],',
  '    "year": 2026,',
  '    "url": "https://example.org/tried",',
  '    "checked": true',
  "  },",
];

test("an id is read where a problem is, and from words that are nothing else", () => {
  for (const [words, id] of [
    ["h100-sxm.peak", "h100-sxm.peak"],
    ["@dao2022", "dao2022"],
    ["two words", ""],
    ["H100", ""],
    ["", ""],
  ])
    assert.equal(id_in(words), id);
  const text = "\n😀 [1](fact:a.b)";
  const at = (rule, column, length) => missing_entry({ rule, line: 2, column, length }, text);
  assert.deepEqual(at("unknown-fact", 12, 3), { kind: "fact", id: "a.b" });
  assert.equal(at("unknown-fact", 11, 4), null);
  assert.equal(at("wrong-literal", 12, 3), null);
  assert.equal(missing_entry({ rule: "unknown-fact", line: 9, column: 1, length: 1 }, text), null);
});

const field = (name) => `.write-new .write-field [name=${name}]`;
const value = (page, name) => page.$eval(field(name), (input) => input.value);
const is_told = (page, name, words) =>
  until(
    page,
    ([of, wanted]) =>
      document
        .querySelector(of)
        ?.parentElement.querySelector("output")
        .textContent.includes(wanted),
    [field(name), words],
  );
const has_focus = (page, selector) =>
  until(page, (of) => document.activeElement?.matches(of), selector);
const entered = (page) =>
  page.$$eval(".write-new li code", (all) => all.map(({ textContent }) => textContent));

async function enter_reference(page) {
  await tab_to(page, reference);
  await page.keyboard.press("Enter");
  await has_focus(page, field("type"));
  assert.equal(await value(page, "id"), "tried2026");
  await tab_to(page, "Add it");
  await page.keyboard.press("Enter");
  await is_told(page, "title", '"title" must not be empty');
  await is_told(page, "url", '"url" must be an https:// address');
  await is_told(page, "checked", '"tried2026" has not been checked');
  await has_focus(page, field("type"));
  await fill_in(page, "type", "report");
  await fill_in(page, "title", "What was “tried”");
  await fill_in(page, "url", "https://example.org/tried");
  await tab_to(page, "checked");
  await page.keyboard.press(" ");
  await fill_in(page, "authors", "A. Reader\nB. Writer");
  await fill_in(page, "year", "2026");
  await tab_to(page, "Add it");
  await page.keyboard.press("Enter");
  await says(page, "Errors: 1");
}

async function enter_fact(page) {
  await has_focus(page, ".write-editor");
  await tab_to(page, fact);
  await page.keyboard.press("Enter");
  await has_focus(page, field("value"));
  assert.equal(await value(page, "file"), "chips.json");
  await page.keyboard.type("447 GB/s");
  await fill_in(page, "sources", "tried2027");
  await fill_in(page, "note", "one direction");
  await tab_to(page, "Add it");
  await page.keyboard.press("Enter");
  await is_told(page, "sources", "Did you mean “tried2026”?");
  await has_focus(page, field("sources"));
  await fill_in(page, "sources", "tried2026");
  await tab_to(page, "Add it");
  await page.keyboard.press("Enter");
  await says(page, "Errors: 0");
  await has_focus(page, ".write-editor");
}

/** The lines that a patch adds to a file of facts. Fails if it removes any there. */
function added_to(patch, path) {
  const [part] = patch.split(`diff --git a/${path} `)[1].split("diff --git ");
  const changed = part.split("\n").filter((line) => /^[-+](?![-+] |--|\+\+)/.test(line));
  assert.ok(changed.every((line) => line.startsWith("+")));
  return changed.map((line) => line.slice(1));
}

for (const kind of any_browser)
  describe(`${kind}, a new entry`, { skip, timeout: 300_000 }, () => {
    const session = workshop_session(kind, () => make_site(mkdtempSync(join(place, "made-"))));
    const open = async (width = 1280) => (await session.open(`?file=${file}`, { width })).page;

    test("by keyboard: entered, sent, kept, taken back", async () => {
      const page = await open();
      await type_whole(page, `${published}\n${lacking}\n`);
      await says(page, "Errors: 2");
      await enter_reference(page);
      await enter_fact(page);
      const patch = await exported_patch(page, "A fact and where it is from");
      assert.deepEqual(added_to(patch, "chapters/facts/chips.json"), [fact_line]);
      assert.deepEqual(added_to(patch, "chapters/facts/references.json"), reference_lines);
      const { said } = checked_clone(place, patch);
      assert.match(said, /no errors/);
      await page.close();

      const again = await open(390);
      await says(again, "Errors: 0");
      assert.deepEqual(await entered(again), ["h100-sxm.tried", "tried2026"]);
      await again.$eval(".write-new:has(code)", (fold) => (fold.open = true));
      await again.focus(".write-new:has(code) summary");
      await tab_to(again, "Undo it: h100-sxm.tried");
      await again.keyboard.press("Enter");
      await until(again, () => document.activeElement?.textContent === "Leave it");
      await press(again, "Shift", "Tab");
      await again.keyboard.press("Enter");
      await says(again, "Errors: 1");
      assert.deepEqual(await entered(again), ["tried2026"]);
      await again.close();
    });

    test("from the search, on a narrow screen: an id that is there is refused, and Escape leads back", async () => {
      const page = await open(390);
      await page.$eval(".write-out:has([name=facts])", (fold) => (fold.open = true));
      await page.type("[name=facts]", "h100-sxm.bandwidth");
      await tab_to(page, "New fact …");
      await page.keyboard.press("Enter");
      await has_focus(page, field("value"));
      assert.equal(await value(page, "id"), "h100-sxm.bandwidth");
      await page.keyboard.type("1 TB/s");
      await tab_to(page, "Add it");
      await page.keyboard.press("Enter");
      await is_told(page, "id", "already exists in chapters/facts/chips.json");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${wide} px wide`);
      assert.deepEqual(await axe_violations(page), []);
      await page.keyboard.press("Escape");
      await has_focus(page, "[name=facts]");
      assert.equal(await page.$(field("value")), null);
      await page.close();
    });
  });
