// Formulas in a browser: words in the letters of every language, and the complete maths font where
// a formula needs it, on that page alone.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { serve } from "../../scripts/lib/browsers.mjs";
import { complaints, in_each_browser, open_watched, origin_of } from "./support/browser_page.mjs";
import { build_small_site } from "./support/small_site.mjs";

const block = (tex) => `\`\`\`math\n${tex}\n\`\`\`\n\n`;
const words = [
  String.raw`\text{débit} = \frac{\text{tamaño}}{\text{größe}}`,
  String.raw`\textbf{débit} + \textit{été} + \texttt{año} + \textsc{Año}`,
  String.raw`\operatorname*{größe}_x + \mathrm{débit}`,
  String.raw`a \not\in B, \cancel{x} + \sout{y} + \fbox{z}`,
];
const signs = [
  String.raw`\boldsymbol{\theta} \leftarrow \boldsymbol{\theta} - \eta \nabla \mathcal{L}(\boldsymbol{\theta})`,
  String.raw`\mathsf{T}, \mathfrak{g}, \mathscr{F}, \mathtt{abc}, \mathbb{1}`,
  String.raw`\left\llbracket \frac{\frac{a}{b}}{c} \right\rrbracket, \mathring{A}, \checkmark, \therefore`,
];

let small;
let server;
before(async () => {
  small = build_small_site(
    { words: words.map(block).join(""), signs: [...words, ...signs].map(block).join("") },
    ["--modules", "none"],
  );
  server = await serve(small.site);
});
after(async () => {
  await server?.close();
  small?.remove();
});

const complete = "stix-two-math-complete.woff2";

in_each_browser((session) => {
  const open = (path) => open_watched(session.browser, server.url + path);

  test("words and lines need no other font than this book's formulas", async () => {
    server.requests.length = 0;
    const watched = await open("words/");
    await watched.page.evaluate(() => document.fonts.ready);
    assert.deepEqual(
      server.requests.filter((path) => path.endsWith(complete)),
      [],
    );
    const shown = await watched.page.$$eval(".m-t", (all) =>
      all.map((one) => {
        const style = getComputedStyle(one);
        return [one.textContent, style.fontWeight, style.fontStyle, style.fontFamily.split(",")[0]];
      }),
    );
    const serif = '"STIX Two Text"';
    assert.deepEqual(shown, [
      ["débit", "400", "normal", serif],
      ["tamaño", "400", "normal", serif],
      ["größe", "400", "normal", serif],
      ["débit", "700", "normal", serif],
      ["été", "400", "italic", serif],
      ["año", "400", "normal", "ui-monospace"],
      ["Año", "400", "normal", serif],
      ["größe", "400", "normal", serif],
      ["débit", "400", "normal", serif],
    ]);
    assert.deepEqual(await complaints(watched, origin_of(server)), []);
    await watched.page.close();
  });

  test("a formula with other signs has the complete font, and its brackets grow in it", async () => {
    const watched = await open("signs/");
    const { page } = watched;
    await page.waitForFunction(() =>
      [...document.fonts].some(
        ({ family, status }) => family.includes("STIX Two Math Complete") && status === "loaded",
      ),
    );
    const of_page = await page.$$eval("math", (all) =>
      all.map((one) => getComputedStyle(one).fontFamily.includes("Complete")),
    );
    assert.deepEqual(of_page, [...words.map(() => false), ...signs.map(() => true)]);
    const [bracket, fraction] = await page.evaluate(() => {
      const height = (one) => one.getBoundingClientRect().height;
      const { parentElement: row } = [...document.querySelectorAll("mo")].find(
        (one) => one.textContent === "⟦",
      );
      return [height(row.querySelector("mo")), height(row.querySelector("mfrac"))];
    });
    assert.ok(bracket > 0.9 * fraction, `a bracket of ${bracket} px around ${fraction} px`);
    // Letters that no other font has are worth a pixel: the page is shown before the font is there.
    const all = await complaints(watched, origin_of(server));
    assert.deepEqual(
      all.filter((one) => !/^layout shift 0\.00/.test(one)),
      [],
    );
    await page.close();
  });
});

test("the maths fonts are as large as docs/reference/text.md says", () => {
  const said = readFileSync("docs/reference/text.md", "utf8");
  for (const [file, pattern] of [
    ["stix-two-math.woff2", /The\s+small\s+file\s+\((\d+) KB\)/],
    [complete, /The\s+complete\s+file\s+\((\d+) KB\)/],
  ]) {
    const bytes = readFileSync(join("build/fonts", file)).length;
    const [, kb] = pattern.exec(said);
    assert.ok(Math.abs(bytes / 1000 - kb) < 1, `${file}: ${bytes} bytes, ${kb} KB said`);
  }
});
