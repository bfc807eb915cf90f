// Saves a figure as a file: by keyboard, without layout shifts, and complete without the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  until,
} from "../../support/browser_page.mjs";
import { pages, read_page } from "../../support/site.mjs";

// The first one with a figure at its full width, because the home page's figure leaves room for a
// guess.
const path = pages.find(
  (page) =>
    read_page(page).includes('<figure class="plot"') && !read_page(page).includes("guess-form"),
);

/** Captures the page's download instead of passing it to the browser. */
function keep_downloads() {
  window.kept = [];
  const blobs = new Map();
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const url = make(blob);
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = function () {
    const reader = new FileReader();
    reader.onload = () => window.kept.push({ name: this.download, data: reader.result });
    reader.readAsDataURL(blobs.get(this.href));
  };
}

const kept = async (page, count) => {
  await until(page, (wanted) => window.kept.length >= wanted, count);
  return page.evaluate(() => window.kept.at(-1));
};

/** The end of a gzip file has the same checksum as PNG chunks. */
const crc32 = (bytes) => gzipSync(bytes).readUInt32LE(gzipSync(bytes).length - 8);

/** The chunks of a PNG as "type", of a text as "iTXt: keyword text". Checks each checksum. */
function chunks_of(bytes) {
  const chunks = [];
  for (let at = 8; at < bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, end);
    assert.equal(bytes.readUInt32BE(end), crc32(body));
    const [type, words] = [body.toString("latin1", 0, 4), body.toString("utf8", 4).split("\0")];
    chunks.push(type === "iTXt" ? `iTXt: ${words.filter(Boolean).join(" ")}` : type);
    at = end + 4;
  }
  return chunks;
}

/** The top and the height of every figure and of the element after it. */
const places = (page) =>
  page.$$eval(".plot, .plot + *", (all) =>
    all.map((one) => {
      const { top, height } = one.getBoundingClientRect();
      return [Math.round(top + scrollY), Math.round(height)];
    }),
  );

in_each_browser(
  (session) => {
    for (const scheme of ["light", "dark"]) {
      test(`a figure is saved as the page shows it, ${scheme}`, async () => {
        const watched = await open_watched(session.browser, session.server.url + path, {
          width: 1280,
          before: keep_downloads,
        });
        const { page, seen } = watched;
        await page.evaluate((theme) => {
          document.documentElement.dataset.theme = theme;
        }, scheme);
        assert.ok(!seen.requests.some((url) => url.includes("figure_save")), "loaded too early");
        const before = await places(page);
        await page.focus(".plot .figure-save > summary");
        await page.keyboard.press("Enter");
        await until(page, () => document.querySelector(".figure-saves a") !== null);
        assert.deepEqual(await places(page), before);

        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        const svg = await kept(page, 1);
        const id = await page.$eval("figure.plot", (figure) => figure.id);
        assert.equal(svg.name, `${id}.svg`);
        assert.match(svg.data, /^data:image\/svg\+xml;base64,/);
        const text = Buffer.from(svg.data.split(",")[1], "base64").toString("utf8");
        assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
        assert.doesNotMatch(text, /var\(|url\((?!data:)/);
        const address = `${new URL(path, session.server.url).href}#${id}`;
        const [, rights] = /<dc:rights>(.*?)<\/dc:rights>/.exec(text);
        assert.match(rights, /^Under the Roofline.* CC BY 4\.0/);
        assert.ok(text.includes(`<dc:source>${address}</dc:source>`), text.slice(0, 600));
        const shown = [...text.matchAll(/<text[^>]*font-size="11"[^>]*>([^<]*)<\/text>/g)];
        assert.equal(shown.map(([, line]) => line).join(" "), `${rights} ${address}`);
        assert.equal(text.match(/src:url\(data:font\/woff2;base64,/g).length, 2);
        assert.ok(text.includes(scheme === "dark" ? 'fill="#17181b"' : 'fill="#fdfcf9"'));
        const blank = await session.browser.newPage(); // the book's own pages parse nothing
        const fault = await blank.evaluate(
          (xml) =>
            new DOMParser().parseFromString(xml, "image/svg+xml").querySelector("parsererror"),
          text,
        );
        assert.equal(fault, null);
        await blank.close();

        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        const png = await kept(page, 2);
        assert.equal(png.name, `${id}.png`);
        const bytes = Buffer.from(png.data.split(",")[1], "base64");
        assert.equal(bytes.toString("latin1", 1, 4), "PNG");
        assert.equal(bytes.readUInt32BE(16), 1840);
        const chunks = chunks_of(bytes);
        assert.deepEqual(chunks.slice(1, 3), [
          `iTXt: Copyright ${rights}`,
          `iTXt: Source ${address}`,
        ]);
        // The file is larger than a blank page, so it contains the drawing.
        assert.ok(bytes.length > 10_000, `${bytes.length} bytes`);

        assert.equal(
          await page.$eval(".figure-saves a", (link) => link.getAttribute("href")),
          `#${id}`,
        );
        await page.keyboard.press("Escape");
        assert.equal(await page.$eval(".figure-save", (menu) => menu.open), false);
        assert.deepEqual(await places(page), before);
        assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
        await page.close();
      });
    }

    test("nothing of it on paper or without scripts", async () => {
      const { page } = await open_watched(session.browser, session.server.url + path);
      assert.doesNotMatch(read_page(path), /figure-save/);
      assert.ok(await page.$(".figure-save"));
      const rules = await page.evaluate(() =>
        [...document.styleSheets]
          .flatMap((sheet) => [...sheet.cssRules])
          .filter((rule) => rule.media?.mediaText === "print")
          .flatMap((media) => [...media.cssRules])
          .filter((rule) => rule.style.display === "none")
          .map((rule) => rule.selectorText)
          .join(),
      );
      assert.match(rules, /\.figure-save/);
      await page.close();
    });
  },
  { kinds: any_browser },
);
