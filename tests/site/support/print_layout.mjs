// Prints the numbers of pages of the built book (layout_judge.mjs), marks those beyond a limit, and
// prints the entry of each page for layout_undone.json:
//   node tests/site/support/print_layout.mjs gpu/ es/gpu/
import { open_browser, serve } from "../../../scripts/lib/browsers.mjs";
import { with_its_fonts } from "./browser_page.mjs";
import { beyond_limits, layout_numbers } from "./layout_judge.mjs";
import { site } from "./site.mjs";

const browser = await open_browser("chromium", { whole: true });
const server = await serve(site, { alter: with_its_fonts });
for (const path of process.argv.slice(2)) {
  const page = await browser.newPage();
  const entry = {};
  await page.goto(server.url + path, { waitUntil: "load" });
  await page.waitForSelector(':root[data-ready="painted"]');
  for (const width of [1280, 390]) {
    const beyond = await beyond_limits(page, width);
    const shown = Object.entries(await layout_numbers(page, width)).map(([name, number]) => {
      const rounded = Array.isArray(number) ? number.length : Math.round(number * 100) / 100;
      return `${name} ${rounded}${name in beyond ? " (!)" : ""}`;
    });
    for (const [name, number] of Object.entries(beyond))
      (entry[width] ??= {})[name] = Array.isArray(number) ? number : Math.round(number);
    console.log(`${path} at ${width} px: ${shown.join(", ")}`);
  }
  console.log(JSON.stringify({ [path]: entry }));
  await page.close();
}
await browser.close();
await server.close();
