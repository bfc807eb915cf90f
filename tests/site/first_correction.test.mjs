// Fixes a typo of the book on /write/ by keyboard, like a first-time contributor. The patch must
// apply to a clone, which then has no typo and no errors. The page must be accessible to readers
// who cannot see it, in both themes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, test } from "node:test";

import { axe_violations } from "./support/axe.mjs";
import { any_browser, open_watched, until } from "./support/browser_page.mjs";
import {
  catch_downloads,
  changed_book,
  exported_patch,
  is_made,
  primer,
  says,
  skip,
  workshop_session,
} from "./support/workshop_page.mjs";

const file = "chapters/en/pages/write.md";
const [word, typo] = ["underlines", "underlinse"];
const place = mkdtempSync(join(tmpdir(), "first-correction-"));
after(() => rmSync(place, { recursive: true, force: true }));
const {
  path: book,
  git,
  publish,
} = changed_book(place, (path) => {
  const text = readFileSync(join(path, file), "utf8");
  assert.equal(text.split(word).length, 2);
  writeFileSync(join(path, file), text.replace(word, typo));
});

for (const kind of any_browser)
  describe(`${kind}, a first correction`, { skip, timeout: 300_000 }, () => {
    const session = workshop_session(kind, publish);

    test("by keyboard, a typo is found and fixed, and after its patch the book has no errors", async () => {
      const from = new URL("write/", session.server.url).href;
      const { page } = await open_watched(session.browser, from, { before: catch_downloads });
      const edit = await page.$$eval("a", (all) =>
        all.find(({ textContent }) => textContent === "Edit this page").getAttribute("href"),
      );
      await page.goto(new URL(edit, from).href);
      await until(page, is_made);
      await says(page, "Errors: 0, warnings: 1"); // its translation is not current
      await page.keyboard.down("Control");
      await page.keyboard.press("f");
      await page.keyboard.up("Control");
      await page.keyboard.type(typo);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
      await page.keyboard.type(word);
      await until(page, () =>
        /Saved in this browser/.test(document.querySelector(".write-state").textContent),
      );
      await says(page, "No errors or warnings.");
      writeFileSync(join(place, "patch"), await exported_patch(page, "[write] A typo"));
      git("am", "-q", join(place, "patch"));
      assert.equal(git("log", "-1", "--format=%an: %s").trim(), "A. Reader: [write] A typo");
      assert.equal(git("diff", "HEAD~1", "--numstat").trim(), `1\t1\t${file}`);
      assert.ok(readFileSync(join(book, file), "utf8").includes(word));
      const checked = execFileSync(resolve(primer), ["check", "--book", book], {
        encoding: "utf8",
      });
      assert.match(checked, /no errors/);
      await page.close();
    });

    for (const theme of kind === "chromium" ? ["light", "dark"] : [])
      // no other browser has a setting for the theme
      test(`axe finds nothing, the editor's scrolling by keyboard included: ${theme}`, async () => {
        const url = new URL(`write/?file=${file}`, session.server.url).href;
        const { page } = await open_watched(session.browser, url);
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
        await until(page, is_made);
        await page.$$eval(".write details", (all) => all.forEach((fold) => (fold.open = true)));
        assert.deepEqual(await axe_violations(page), []);
        const more = ["scrollable-region-focusable", "color-contrast"];
        assert.deepEqual(await axe_violations(page, more), []);
        await page.close();
      });
  });
