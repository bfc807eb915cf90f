// "Report a mistake" at the bottom of a page: the parameters of the address fill the form.
import assert from "node:assert/strict";
import { test } from "node:test";

import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { until_ready } from "./support/browser_page.mjs";
import { site } from "./support/site.mjs";

const form =
  "https://example.org/a/b/issues/new?template=mistake.yml&page=https%3A%2F%2Fh.io%2Froofline%2F&build=1";
// A book with a known repository.
const alter = (path, body) =>
  path.endsWith("/roofline/")
    ? String(body).replace(
        "</footer>",
        `<a id="report" href="${form.replaceAll("&", "&amp;")}">report</a></footer>`,
      )
    : body;

test("the report names the section that the reader's address names", async () => {
  const server = await serve(site, { alter });
  const browser = await open_browser("chromium");
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}roofline/`, { waitUntil: "load" });
    await until_ready(page);
    const told = () =>
      page.evaluate(() => {
        const link = document.getElementById("report");
        link.addEventListener("click", (event) => event.preventDefault(), { once: true });
        link.click();
        return link.href;
      });
    assert.equal(await told(), form);
    for (const section of ["your-slopes", "fig-two-bounds"]) {
      await page.evaluate((id) => {
        location.hash = id;
      }, section);
      const { searchParams } = new URL(await told());
      assert.equal(searchParams.get("page"), `https://h.io/roofline/#${section}`);
      assert.equal(searchParams.get("build"), "1");
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
