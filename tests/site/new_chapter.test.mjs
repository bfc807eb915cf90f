// A new chapter on /write/: its page appears at once, its three files survive closing the tab, a
// patch of it passes the book's own checks, and nothing of it remains after it is removed.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { slug_of } from "../../site/runtime/base/slug.js";
import { any_browser, until } from "./support/browser_page.mjs";
import {
  checked_clone,
  exported_patch,
  make_site,
  press,
  skip,
  tab_to,
  workshop_session,
} from "./support/workshop_page.mjs";

const place = mkdtempSync(join(tmpdir(), "new-chapter-"));
after(() => rmSync(place, { recursive: true, force: true }));

const [file, spec] = ["chapters/en/09-cafe-memory.md", "figures/specs/cafe-memory.json"];
const title = "Café: “memory” & more";

test("a title gives a name for addresses", () => {
  for (const [given, slug] of [
    [title, "cafe-memory-more"],
    ["  3 ways to Ålesund!", "ways-to-alesund"],
    ["Işık hızı", "isik-hizi"],
    ["Łącze ﬁber", "lacze-fiber"],
    ["漢字", ""],
  ])
    assert.equal(slug_of(given), slug);
});

const says = (page, selector, words) =>
  until(page, ([where, wanted]) => document.querySelector(where)?.textContent.includes(wanted), [
    selector,
    words,
  ]);
/** Only a warning per placeholder of the template. */
const is_begun = (page) => says(page, ".write-count", "Errors: 0, warnings: 7");
const is_clean = (page) => says(page, ".write-count", "No errors or warnings.");
const chosen = (page) => page.$eval(".write-bar select", ({ value }) => value);
/** The titles that can be chosen, one list per language. */
const offered = (page) =>
  page.$$eval(".write-bar optgroup", (all) =>
    all.map(({ children }) => [...children].map(({ textContent }) => textContent)),
  );

const focus_is_in_text = (page) =>
  until(page, () => document.activeElement?.classList.contains("write-editor"));

for (const kind of any_browser)
  describe(`${kind}, a new chapter`, { skip, timeout: 300_000 }, () => {
    const session = workshop_session(kind, () => make_site(mkdtempSync(join(place, "made-"))));
    const open = async (query = "?file=chapters/en/pages/why-slow.md") =>
      (await session.open(query)).page;

    test("by keyboard: begun, sent, kept, taken back", async () => {
      const page = await open();
      const pages = await offered(page);
      await page.focus(".write-bar select");
      await tab_to(page, "A new chapter");
      await page.keyboard.press("Enter");
      await tab_to(page, "Its title");
      await page.keyboard.type("Roofline");
      await page.keyboard.press("Enter");
      await says(page, ".write-new", "there is a chapter roofline");
      await press(page, "Shift", "Tab");
      await press(page, "Control", "a");
      await page.keyboard.type(title);
      assert.equal(await page.$eval("[name=slug]", ({ value }) => value), "cafe-memory-more");
      await page.keyboard.press("Tab");
      await page.keyboard.type("cafe-memory");
      await page.keyboard.press("Enter");
      await focus_is_in_text(page);
      await is_begun(page);
      assert.equal(await chosen(page), file);
      await page.keyboard.type("Memory first. ");
      await says(page, ".write-both + .write-says", "Saved in this browser.");
      await is_begun(page);

      const patch = await exported_patch(page, "A new chapter");
      assert.equal(patch.match(/^new file mode 100644$/gm).length, 2);
      const { clone, said } = checked_clone(place, patch);
      assert.match(said, /no errors/);
      const text = readFileSync(join(clone, file), "utf8");
      assert.match(text, /^---\ntitle: "Café: “memory” & more"\n/);
      assert.match(text, /^Memory first\. TODO: answer/m);
      assert.equal(JSON.parse(readFileSync(join(clone, spec), "utf8")).title, title);
      assert.match(
        readFileSync(join(clone, "chapters/book.yaml"), "utf8"),
        /- slug: cafe-memory\n/,
      );
      await page.close();

      const again = await open(`?file=${file}`);
      await is_begun(again);
      assert.equal(await chosen(again), file);
      assert.deepEqual(await offered(again), [[...pages[0], title], ...pages.slice(1)]);
      await again.$$eval(".write-bar button", (all) =>
        all.find(({ textContent }) => /Undo/.test(textContent)).focus(),
      );
      await again.keyboard.press("Enter");
      await says(again, ".write > [role=status]", "Nothing would be left of it.");
      await press(again, "Shift", "Tab");
      await again.keyboard.press("Enter");
      await until(
        again,
        (gone) => document.querySelector(".write-bar select").value !== gone,
        file,
      );
      await is_clean(again);
      assert.deepEqual(await offered(again), pages);
      await again.close();

      const last = await open();
      assert.deepEqual(await offered(last), pages);
      await is_clean(last);
      await last.close();
    });
  });
