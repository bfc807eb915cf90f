// The form fields of a block on /write/, filled in by keyboard: only the lines of a field change,
// errors are next to their field, and a field with nested parts leads to its line.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { any_browser, until } from "./support/browser_page.mjs";
import {
  exported_patch,
  fill_in,
  make_site,
  press,
  says,
  skip,
  workshop_session,
  type_whole,
} from "./support/workshop_page.mjs";

const file = "chapters/en/pages/why-slow.md";
const published = readFileSync(file, "utf8");
const place = mkdtempSync(join(tmpdir(), "block-form-"));
after(() => rmSync(place, { recursive: true, force: true }));

const figure = (fields) => `\n\`\`\`figure\nid: fig-tried\nspec: energy-scale\n${fields}\`\`\`\n`;
const quiz = `
\`\`\`quiz
id: q-tried
ask: Which?
choices:
  - say: One
    why: It is.
    right: true
  - say: Two
    why: It is not.
\`\`\`
`;

/** The lines that a patch adds. Fails if it removes any. */
function added(patch) {
  assert.doesNotMatch(patch, /^-(?!-)/m);
  const lines = patch.match(/^\+(?!\+).*$/gm).map((line) => line.slice(1));
  return lines.map((line) => `${line}\n`).join("");
}

const field = (name) => `.write-form [name=${name}]`;
const words_beside = (page, name) =>
  page.$eval(field(name), (input) => input.parentElement.querySelector("output").textContent);
const in_text = (page) =>
  until(page, () => document.activeElement?.classList.contains("write-editor"));

for (const kind of any_browser)
  describe(`${kind}, a block's fields`, { skip, timeout: 300_000 }, () => {
    const session = workshop_session(kind, () => make_site(mkdtempSync(join(place, "made-"))));
    const open = async (width = 1280) => (await session.open(`?file=${file}`, { width })).page;

    test("by keyboard: missing fields are filled in, errors are shown, and no other line changes", async () => {
      const page = await open();
      const begun = published + figure("# kept\ncaption: One.\n");
      await type_whole(page, begun);
      await says(page, "Errors: 1");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await press(page, "Alt", "Enter");
      await until(page, (of) => document.activeElement?.matches(of), field("id"));
      const names = await page.$$eval(".write-form [name]", (all) => all.map(({ name }) => name));
      assert.deepEqual(names, ["id", "spec", "caption", "alt"]);
      await until(page, () =>
        document.querySelector(".write-form > output").textContent.includes('needs the key "alt"'),
      );
      const help = await page.$eval(
        field("alt"),
        (input) =>
          document.getElementById(input.getAttribute("aria-describedby").split(" ")[0]).textContent,
      );
      assert.equal(help, "the finding, for readers who cannot see the figure");

      await fill_in(page, "alt", 'It says: "one", and no more.');
      await says(page, "Errors: 0");
      const alt = 'alt: "It says: \\"one\\", and no more."\n';
      await until(page, (of) => document.activeElement?.matches(of), field("alt"));
      await page.focus(field("spec"));
      await fill_in(page, "spec", "energy-scal");
      await says(page, "Errors: 1");
      await until(
        page,
        (of) =>
          /Did you mean “energy-scale”\?/.test(
            document.querySelector(of).parentElement.querySelector("output").textContent,
          ),
        field("spec"),
      );
      assert.equal(await words_beside(page, "alt"), "");
      await page.keyboard.type("e");
      await says(page, "Errors: 0");
      await page.keyboard.press("Escape");
      await in_text(page);
      assert.equal(await page.$eval(".write-form", ({ hidden }) => hidden), true);
      const patch = await exported_patch(page, "A figure");
      assert.equal(added(patch), figure(`# kept\ncaption: One.\n${alt}`));
      await page.close();
    });

    test("the form follows the cursor; a nested field leads to its line; a press next to a block opens it, also on a narrow screen", async () => {
      const page = await open(390);
      await type_whole(page, published + figure("caption: One.\nalt: Two.\n") + quiz);
      await says(page, "Errors: 0");
      await page.click(".write-editor >>> .cm-blocks .cm-gutterElement:not([style*=hidden]) span");
      await until(page, (of) => document.activeElement?.matches(of), field("id"));
      assert.equal(await page.$eval(field("id"), ({ value }) => value), "fig-tried");
      assert.ok(
        (await page.evaluate(() => document.documentElement.scrollWidth)) <= 390,
        "the page is wider than the screen",
      );
      await page.focus(".write-editor >>> .cm-content");
      await press(page, "Control", "End");
      await page.keyboard.press("ArrowUp");
      await until(
        page,
        () => document.querySelector(".write-form-head code")?.textContent === "quiz",
      );
      await page.$$eval(".write-form p button", (all) => all[0].click());
      await in_text(page);
      await press(page, "Control", "Home");
      await until(page, () =>
        /not in a block/.test(document.querySelector(".write-form-head").textContent),
      );
      await page.close();
    });
  });
