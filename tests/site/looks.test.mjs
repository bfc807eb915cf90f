// Screenshots of a page with every block, in both themes, at desktop and phone width: images a
// quarter as large in tests/fixtures/looks/, compared perceptually (support/picture_judge.mjs).
// UPDATE_GOLDENS=1 takes new ones: look at them.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { with_its_fonts } from "./support/browser_page.mjs";
import { difference, shrunk } from "./support/picture_judge.mjs";
import { build_small_site } from "./support/small_site.mjs";

const folder = new URL("../fixtures/looks/", import.meta.url);
const is_update = process.env.UPDATE_GOLDENS === "1";
const most = 0.001; // of a page's squares
const by = 4; // px of the page per px of an image
const text = readFileSync(new URL("../fixtures/layout/everything.md", import.meta.url), "utf8");

let browser, server, small;
before(async () => {
  browser = await open_browser("chromium", { whole: true });
  small = build_small_site({ everything: text });
  server = await serve(small.site, { alter: with_its_fonts });
});
after(async () => {
  await browser?.close();
  await server?.close();
  small?.remove();
});

async function opened(width, theme) {
  const page = await browser.newPage();
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await page.goto(`${server.url}everything/`, { waitUntil: "load" });
  await page.waitForSelector(':root[data-ready="painted"]');
  await page.evaluate(() => document.fonts.ready);
  return page;
}

const whole = (page) => page.screenshot({ fullPage: true, encoding: "base64" });
const taken = async (page) => shrunk(page, await whole(page), by);

/**
 * An image (PNG in base64) with different text rendering: moved by fractions of a pixel, so that
 * each pixel is the mean of four.
 */
const with_other_letters = (page, picture) =>
  page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    context.drawImage(image, 0.3, 0.2);
    return canvas.toDataURL("image/png").split(",")[1];
  }, picture);

/** The width of some words in each font of the page, in px: other fonts wrap lines differently. */
const widths_of = (page) =>
  page.evaluate(() => {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    return ["--serif", "--sans", "--mono"].map((name) => {
      const family = getComputedStyle(document.documentElement).getPropertyValue(name);
      context.font = `100px ${family}`;
      return Math.round(context.measureText("The slower meter is the time: 3.35 TB/s.").width);
    });
  });

for (const width of [1280, 390]) {
  for (const theme of ["light", "dark"]) {
    test(`${width} px, ${theme}: as it was looked at`, async (t) => {
      const page = await opened(width, theme);
      const fonts = await widths_of(page);
      const file = new URL(`${width}-${theme}.png`, folder);
      const known = new URL("fonts.json", folder);
      const fresh = await taken(page);
      if (is_update) {
        writeFileSync(file, Buffer.from(fresh, "base64"));
        writeFileSync(known, `${JSON.stringify(fonts)}\n`);
      } else if (readFileSync(known, "utf8").trim() !== JSON.stringify(fonts)) {
        t.skip(`the fonts here are others: their words are ${fonts} px wide`);
      } else {
        const found = await difference(page, readFileSync(file, "base64"), fresh);
        assert.ok(
          found.share <= most,
          `${file.pathname} looks otherwise: ${JSON.stringify(found)}, worst in px of the picture; look, then UPDATE_GOLDENS=1`,
        );
      }
      await page.close();
    });
  }
}

test("the judge: a colour, a line of words that is gone and a moved block are seen, other letters are not", async () => {
  const page = await opened(1280, "light");
  const picture = await whole(page);
  const before = await shrunk(page, picture, by);
  const other = await shrunk(page, await with_other_letters(page, picture), by);
  const letters = await difference(page, before, other);
  assert.ok(letters.step > 0 && letters.share <= most, `other letters: ${JSON.stringify(letters)}`);
  const changed = async (css) => {
    await page.evaluate((rules) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      document.adoptedStyleSheets = [sheet];
    }, css);
    return difference(page, before, await taken(page));
  };
  const recoloured = (rules) => changed(`html:root:root:root { ${rules} }`);
  assert.equal((await changed("")).share, 0);
  assert.ok((await recoloured("--bandwidth: #9a7a00")).share > most, "lines of bytes");
  assert.ok((await recoloured("--panel: #eee4f4")).share > most, "measurements' panel");
  assert.ok((await recoloured("--compute: #1a8f1a")).share > most, "lines of arithmetic");
  assert.ok((await changed("h1 { visibility: hidden }")).share > most, "a title");
  assert.ok((await changed("h1 { padding-top: 8px }")).size, "a taller page");
  await page.close();
});
