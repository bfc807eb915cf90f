#!/usr/bin/env node
// Makes a PDF of the book from the print page of a site that was built with an address.
//   node scripts/pdf.mjs SITE OUT.pdf [LANGUAGE/]
// Chromium writes the outline from the headings, working links, and figures as vectors. The file
// contains its creation time, so no two are equal.
import { existsSync } from "node:fs";
import { join } from "node:path";

import { open_browser, serve } from "./lib/browsers.mjs";

const page_number =
  '<p style="width: 100%; font: 8px sans-serif; text-align: center"><span class="pageNumber"></span></p>';

/** Writes the PDF of the built site to `path`. `root` is the folder of a language, "es/". */
export async function make_pdf(site, path, root = "") {
  if (!existsSync(join(site, root, "print/index.html"))) {
    throw new Error(`pdf: ${site} has no print page: build it with --base-url`);
  }
  const server = await serve(site);
  const browser = await open_browser("chromium", { sandbox: true });
  try {
    const page = await browser.newPage();
    await page.emulateMediaType("print"); // on a screen, the font of figures is applied late
    await page.goto(`${server.url}${root}print/`, { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    await page.pdf({
      path,
      preferCSSPageSize: true,
      printBackground: true,
      outline: true,
      tagged: true,
      displayHeaderFooter: true,
      headerTemplate: "<span></span>",
      footerTemplate: page_number,
      timeout: 170_000,
    });
  } finally {
    await browser.close();
    await server.close();
  }
}

if (process.argv[1]?.endsWith("/pdf.mjs")) await make_pdf(...process.argv.slice(2));
