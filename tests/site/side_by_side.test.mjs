// A translation beside its original on /write/: a block that is stale is found, translated and stamped, and leaves as a patch after
// which the book's own checks find nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { any_browser, open_watched, until } from "./support/browser_page.mjs";

const modules = "build/workshop/write";
const skip = !existsSync(`${modules}/primer.wasm`) && "scripts/workshop was not run";
const primer = resolve("build/release/generator/primer");
const [original, file] = ["en", "es"].map((locale) => `chapters/${locale}/pages/why-slow.md`);
const place = mkdtempSync(join(tmpdir(), "side-by-side-"));
after(() => rmSync(place, { recursive: true, force: true }));
const book = join(place, "book");
const run = (...words) =>
  execFileSync(primer, [...words, "--book", book], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
const git = (...words) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
    cwd: book,
  });

/** A clone of the book whose original has changed since it was translated, published with its workshop. */
function publish_changed() {
  execFileSync("git", ["clone", "-q", ".", book]);
  cpSync("site", join(book, "site"), { recursive: true }); // as build/minified has it, committed or not
  const text = readFileSync(original, "utf8");
  assert.match(text, /\.\n+$/);
  writeFileSync(join(book, original), text.replace(/\.\n+$/, ". So it is.\n"));
  git("commit", "-qam", "A sentence more");
  git("tag", "published");
  const workshop = join(place, "workshop");
  mkdirSync(workshop);
  for (const name of readdirSync(modules))
    if (name.endsWith(".wasm")) copyFileSync(join(modules, name), join(workshop, name));
  const made = [
    "--trust",
    "--modules",
    "build/wasm",
    "--fonts",
    "build/fonts",
    "--minified",
    "build/minified",
  ];
  run("pack", join(workshop, "book.pack"), ...made);
  const site = join(place, "site");
  run("build", "--out", site, "--workshop", workshop, ...made);
  return site;
}
let site; // made once, for each browser

const catch_patch = () => {
  window.saved = [];
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    if (blob.type.includes("patch")) blob.text().then((text) => window.saved.push(text));
    return make.call(URL, blob);
  };
};
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
    const session = {};
    before(async () => {
      site ??= publish_changed();
      git("reset", "-q", "--hard", "published");
      session.browser = await open_browser(kind);
      session.server = await serve(site);
    });
    after(async () => {
      await session.browser?.close();
      await session.server?.close();
    });

    test("by keyboard, a stale block is found, translated and stamped, and its patch leaves nothing stale", async () => {
      assert.match(run("translate", "status"), /why-slow +\d+ +\d+ +1 +0\n/);
      const url = new URL(`write/?file=${file}`, session.server.url).href;
      const { page } = await open_watched(session.browser, url, { before: catch_patch });
      await until(page, () => Boolean(document.querySelector(".write-count")?.textContent));
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
        /Kept/.test(document.querySelector(".write-says:not(:first-child)").textContent),
      );
      await press(page, "Stamp this block");
      await says(page, "Not current: 0");
      await press(page, "Stamp this block");
      await says(page, "nothing has changed since the last stamp");
      await until(page, () =>
        /Nothing is wrong/.test(document.querySelector(".write-count").textContent),
      );
      await page.$eval(".write-out:has(form)", (fold) => (fold.open = true));
      for (const [name, value] of [
        ["name", "A. Reader"],
        ["address", "reader@example.org"],
        ["subject", "A sentence in Spanish"],
      ])
        await page.$eval(
          `.write-out [name=${name}]`,
          (input, given) => (input.value = given),
          value,
        );
      await page.$eval(".write-out form", (form) => form.requestSubmit());
      await until(page, () => window.saved.length === 1);
      const [patch] = await page.evaluate(() => window.saved);
      writeFileSync(join(place, "patch"), patch);
      git("am", "-q", join(place, "patch"));
      assert.match(readFileSync(join(book, file), "utf8"), /Así es\.\s*$/);
      assert.match(run("translate", "status"), /why-slow +(\d+) +\1 +0 +0\n/);
      assert.match(run("check"), /no errors/);
      await page.close();
    });
  });
