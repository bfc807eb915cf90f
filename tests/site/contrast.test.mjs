// Readers with system colors, with their own fonts, and keyboard users with bars at the bottom of
// the page.
import assert from "node:assert/strict";
import { test } from "node:test";

import { in_each_browser, open_watched } from "./support/browser_page.mjs";

/** In the page: the WCAG contrast of two colors "rgb(1, 2, 3)". */
const contrast_of = (ink, paper) => {
  const light = (colour) => {
    const [r, g, b] = colour
      .match(/[\d.]+/g)
      .slice(0, 3)
      .map((part) => part / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
};

in_each_browser(
  (session) => {
    test("under forced colours drawings are legible, also with the book's theme opposite to the system's", async () => {
      const { page } = await open_watched(session.browser, `${session.server.url}roofline/`);
      const client = await page.createCDPSession();
      for (const [scheme, theme] of [
        ["light", "dark"],
        ["dark", "light"],
      ]) {
        await client.send("Emulation.setEmulatedMedia", {
          features: [
            { name: "forced-colors", value: "active" },
            { name: "prefers-color-scheme", value: scheme },
          ],
        });
        const seen = await page.evaluate((chosen) => {
          document.documentElement.dataset.theme = chosen;
          const colour = (value) => {
            const probe = document.createElement("span");
            probe.style.forcedColorAdjust = "none";
            probe.style.color = value;
            document.body.append(probe);
            const { color } = getComputedStyle(probe);
            probe.remove();
            return color;
          };
          const names = ["ink", "ink-soft", "bandwidth", "compute", "reader", "reference"];
          return {
            paper: colour("Canvas"),
            inks: names.map((name) => [name, colour(`var(--${name})`)]),
          };
        }, theme);
        for (const [name, ink] of seen.inks) {
          const contrast = contrast_of(ink, seen.paper);
          assert.ok(contrast >= 4.5, `${scheme}, theme ${theme}, ${name}: ${contrast}`);
        }
      }
      await page.close();
    });

    test("the font in place of the text's has its widths within 1 % and its heights", async (t) => {
      const { page } = await open_watched(session.browser, `${session.server.url}roofline/`);
      const seen = await page.evaluate(async () => {
        const text = document.querySelector("main").innerText.replace(/\s+/g, " ").slice(0, 6000);
        const canvas = document.createElement("canvas").getContext("2d");
        const of = (font) => {
          canvas.font = font;
          const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = canvas.measureText(text);
          return [width, fontBoundingBoxAscent, fontBoundingBoxDescent];
        };
        const loading = ['100px "Text Fallback"', 'italic 100px "Text Fallback"'];
        const [there] = await Promise.all(
          loading.map((font) => document.fonts.load(font).catch(() => [])),
        );
        // The page's own font is optional, and may have arrived too late for this page.
        const assets = document.documentElement.dataset.assets;
        const pairs = [];
        for (const [style, file] of [
          ["", "upright"],
          ["italic ", "italic"],
        ]) {
          const own = new FontFace(`Own ${file}`, `url(${assets}fonts/text-${file}.woff2)`);
          document.fonts.add(await own.load());
          pairs.push([of(`100px "Own ${file}"`), of(`${style}100px "Text Fallback"`)]);
        }
        return { is_there: there.length > 0, pairs };
      });
      await page.close();
      if (!seen.is_there) return t.skip("no font like Times here");
      for (const [own, instead] of seen.pairs) {
        assert.ok(Math.abs(instead[0] / own[0] - 1) < 0.01, `${instead[0]} for ${own[0]} px`);
        assert.ok(
          Math.abs(instead[1] - own[1]) <= 1 && Math.abs(instead[2] - own[2]) <= 1,
          `${instead} for ${own}`,
        );
      }
    });

    test("what gets the focus does not lie under a bar at the window's foot", async () => {
      const { page } = await open_watched(session.browser, `${session.server.url}gpu/`, {
        height: 800,
      });
      const covered = await page.evaluate(() => {
        const bar = document.createElement("p");
        bar.className = "visit";
        bar.textContent = "Somebody's machine.";
        document.body.append(bar);
        const { top } = bar.getBoundingClientRect();
        const stops = [...document.querySelectorAll("main a[href], main summary, main button")];
        return stops.slice(0, 120).filter((stop) => {
          stop.focus();
          const box = stop.getBoundingClientRect();
          return box.height > 0 && box.top >= top && box.top < innerHeight;
        }).length;
      });
      assert.equal(covered, 0);
      await page.close();
    });
  },
  { kinds: ["chromium"] },
);
