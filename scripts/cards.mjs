#!/usr/bin/env node
// Makes the social cards SITE/[LANGUAGE/]cards/<slug>.png, 1200 × 630, from the cards of the home
// page: figure, title and takeaway of each chapter with a figure.
//   node scripts/cards.mjs SITE [LANGUAGE/]
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { open_browser, serve } from "./lib/browsers.mjs";

const style = `
  body { margin: 0; }
  .sheet {
    display: grid;
    grid-template: auto 1fr auto / 1fr 560px;
    gap: 0 48px;
    box-sizing: border-box;
    width: 1200px;
    height: 630px;
    padding-block: 56px 48px;
    padding-inline: 64px 48px;
    border-inline-start: 16px solid var(--compute);
    background: var(--paper);
  }
  .sheet > * { grid-column: 1; margin: 0; }
  .sheet .of { font: 600 26px/1.3 var(--sans); color: var(--ink-soft); }
  .sheet h3 { align-self: center; font: 600 54px/1.15 var(--serif); text-wrap: balance; }
  .sheet h3 a { text-decoration: none; }
  .sheet .takeaway { font: 29px/1.35 var(--serif); color: var(--ink-soft); text-wrap: pretty; }
  .sheet .card-figure { grid-area: 1 / 2 / 4 / 3; align-self: center; max-height: none; }
  .sheet .card-figure svg { width: 560px; height: 526px; }
`;

/**
 * Writes the cards of the built site and returns their slugs. `root` is the folder of a language,
 * "es/".
 */
export async function make_cards(site, root = "") {
  const server = await serve(site);
  const browser = await open_browser("chromium", { sandbox: true });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1200, height: 630 });
    await page.goto(server.url + root, { waitUntil: "load" });
    // A constructed style sheet, because the page's CSP, which applies here, too, blocks style
    // elements.
    await page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets.push(sheet);
    }, style);
    const slugs = await page.evaluate(async () => {
      document.documentElement.dataset.theme = "light";
      // Switches to the font of figures. At this address the site runs no script that would do it.
      document.documentElement.dataset.ready = "painted";
      const fonts = ["400 16px", "600 16px"].map((size) =>
        document.fonts.load(`${size} "Roofline Figure"`),
      );
      await Promise.all(fonts);
      window.cards = [...document.querySelectorAll(".card")].filter((card) =>
        card.querySelector(".card-figure"),
      );
      return window.cards.map((card) =>
        card.querySelector("a").getAttribute("href").split("/").at(-2),
      );
    });
    mkdirSync(join(site, root, "cards"), { recursive: true });
    for (const [i, slug] of slugs.entries()) {
      await page.evaluate((number) => {
        const [title, takeaway, figure] = ["h3", ".takeaway", ".card-figure"].map((part) =>
          window.cards[number].querySelector(part),
        );
        const of = Object.assign(document.createElement("p"), {
          className: "of",
          textContent: document.title,
        });
        const sheet = Object.assign(document.createElement("div"), { className: "sheet" });
        sheet.append(...[of, title, takeaway, figure].filter(Boolean));
        document.body.replaceChildren(sheet);
      }, i);
      await page.screenshot({ path: join(site, root, "cards", `${slug}.png`) });
    }
    return slugs;
  } finally {
    await browser.close();
    await server.close();
  }
}

if (process.argv[1]?.endsWith("/cards.mjs")) {
  const slugs = await make_cards(...process.argv.slice(2));
  console.log(`cards: ${slugs.join(", ")}`);
}
