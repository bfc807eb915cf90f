// A translation next to its original on /write/: a stale block is found, translated and stamped,
// and a patch of it passes the book's own checks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, test } from "node:test";

import { any_browser, until } from "./support/browser_page.mjs";
import {
  changed_book,
  exported_patch,
  primer,
  skip,
  workshop_session,
} from "./support/workshop_page.mjs";

const [original, file] = ["en", "es"].map((locale) => `chapters/${locale}/pages/why-slow.md`);
const place = mkdtempSync(join(tmpdir(), "side-by-side-"));
after(() => rmSync(place, { recursive: true, force: true }));
/** Its original has changed since it was translated. */
const {
  path: book,
  git,
  publish,
} = changed_book(place, (path) => {
  const text = readFileSync(join(path, original), "utf8");
  assert.match(text, /\.\n+$/);
  writeFileSync(join(path, original), text.replace(/\.\n+$/, ". So it is.\n"));
});
const run = (...words) =>
  execFileSync(resolve(primer), [...words, "--book", book], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

const focus_on = (page, words) =>
  page.$$eval(
    ".write button",
    (all, text) => all.find(({ textContent }) => textContent === text).focus(),
    words,
  );
const press = async (page, words) => {
  await focus_on(page, words);
  await page.keyboard.press("Enter");
};
const says = (page, text) =>
  until(
    page,
    (wanted) => document.querySelector(".write-original").textContent.includes(wanted),
    text,
  );

for (const kind of any_browser)
  describe(`${kind}, side by side`, { skip, timeout: 300_000 }, () => {
    const session = workshop_session(kind, publish);

    test("by keyboard, a stale block is found, translated and stamped, and its patch leaves nothing stale", async () => {
      assert.match(run("translate", "status"), /why-slow +\d+ +\d+ +1 +0\n/);
      const { page } = await session.open(`?file=${file}`);
      await press(page, "Side by side");
      await says(page, "Not current: 1");
      await press(page, "Next stale block");
      await says(page, "stale: the original has changed");
      await says(page, "So it is.");
      await page.keyboard.down("Control");
      await page.keyboard.press("End");
      await page.keyboard.up("Control");
      await page.keyboard.press("Backspace");
      await page.keyboard.type(" Así es.");
      await until(page, () =>
        /Saved in this browser/.test(
          document.querySelector(".write-says:not(:first-child)").textContent,
        ),
      );
      await press(page, "Stamp this block");
      await says(page, "Not current: 0");
      await press(page, "Stamp this block");
      await says(page, "nothing has changed since the last stamp");
      await until(page, () =>
        /No errors or warnings/.test(document.querySelector(".write-count").textContent),
      );
      writeFileSync(join(place, "patch"), await exported_patch(page, "A sentence in Spanish"));
      git("am", "-q", join(place, "patch"));
      assert.match(readFileSync(join(book, file), "utf8"), /Así es\.\s*$/);
      assert.match(run("translate", "status"), /why-slow +(\d+) +\1 +0 +0\n/);
      assert.match(run("check"), /no errors/);
      await page.close();
    });
  });
