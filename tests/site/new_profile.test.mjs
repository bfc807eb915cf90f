// The reader's machine, from /machine/ to a new file on /write/: checked like the book's own
// checks, saved when the tab is closed, sent as a patch that adds it to the gallery, and removed
// again.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { axe_violations } from "./support/axe.mjs";
import { any_browser, profile_key, until } from "./support/browser_page.mjs";
import {
  checked_clone,
  exported_patch,
  is_made,
  make_site,
  says,
  skip,
  type_whole,
  workshop_session,
} from "./support/workshop_page.mjs";

const place = mkdtempSync(join(tmpdir(), "new-profile-"));
after(() => rmSync(place, { recursive: true, force: true }));

const recorded = JSON.parse(readFileSync("figures/profiles/reference-firefox.json", "utf8"));
// Another machine's.
const roofs = recorded.roofs.map((roof) => ({ ...roof, value: roof.value * 1.01 }));
const results = recorded.results.slice(0, 20);
const profile = { ...recorded, roofs, results, browser: "Firefox 153", loaded: true };
const file = "figures/profiles/firefox-153-linux-2026-11-21.json";

const chosen = (page) => page.$eval(".write-bar select", ({ value }) => value);

for (const kind of any_browser)
  describe(`${kind}, the reader's machine as a file`, { skip, timeout: 300_000 }, () => {
    const session = workshop_session(kind, () => make_site(mkdtempSync(join(place, "made-"))));

    /** /machine/ of a reader who has measured, after a press on its link. */
    async function from_machine() {
      const { page } = await session.open("?file=chapters/en/pages/why-slow.md");
      const stored = JSON.stringify(profile);
      await page.evaluate((key, text) => localStorage.setItem(key, text), profile_key, stored);
      await page.goto(new URL("machine/", session.server.url).href, { waitUntil: "load" });
      const press = (words) =>
        until(
          page,
          (wanted) => {
            const all = [...document.querySelectorAll("main button, main a")];
            const found = all.find(({ textContent }) => textContent === wanted);
            found?.click();
            return Boolean(found);
          },
          words,
        );
      await press("Send to the gallery");
      await press("Open it as a file of the book");
      await until(page, () => document.querySelector(".write-editor") !== null);
      await until(page, is_made);
      return page;
    }

    test("is checked, kept, sent and taken back", async () => {
      const page = await from_machine();
      assert.equal(await chosen(page), file);
      await says(page, "No errors or warnings.");
      assert.deepEqual(await axe_violations(page), []);
      const patch = await exported_patch(page, "A machine for the gallery");
      assert.match(
        patch,
        new RegExp(`^diff --git a/${file} b/${file}\nnew file mode 100644$`, "m"),
      );
      const { clone, said } = checked_clone(place, patch);
      assert.match(said, /no errors/);
      const text = readFileSync(join(clone, file), "utf8");
      const sent = JSON.parse(text);
      assert.deepEqual([sent.browser, sent.loaded], [profile.browser, undefined]);

      await type_whole(page, text.replace('"unit": "GFLOP/s"', '"unit": "FLOP/h"'));
      await says(page, "Errors: 1");
      await page.close();

      const again = (await session.open(`?file=${file}`, { width: 390 })).page;
      assert.equal(await chosen(again), file);
      await says(again, "Errors: 1");
      const wide = await again.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${wide} px wide`);
      await again.$$eval(".write-bar button", (all) =>
        all.find(({ textContent }) => textContent === "Undo all changes").click(),
      );
      await until(again, () => document.querySelector(".write > [role=status] button") !== null);
      await again.$eval(".write > [role=status] button", (button) => button.click());
      await says(again, "No errors or warnings.");
      assert.notEqual(await chosen(again), file);
      assert.equal(await again.$("optgroup[label=Machines]"), null);
      await again.close();
    });
  });
