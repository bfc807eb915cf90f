// `primer preview`: a stranger's site leaves nothing behind.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { browser_kinds, open_browser } from "../../scripts/lib/browsers.mjs";
import { until } from "./support/browser_page.mjs";
import { get, head, raw } from "./support/raw_request.mjs";
import { started } from "./support/served_book.mjs";

describe("primer preview", { timeout: 300_000 }, () => {
  const site = mkdtempSync(join(tmpdir(), "primer-preview-"));
  let server;
  before(async () => {
    mkdirSync(join(site, "a"));
    writeFileSync(
      join(site, "index.html"),
      `<!doctype html><head></head><script>
const tries = [
  navigator.serviceWorker?.register("sw.js"),
  navigator.serviceWorker?.register("a/other.js"),
  fetch("http://localhost:1/"),
];
Promise.allSettled(tries).then((all) => (window.tried = all.map(({ status }) => status).join(" ")));
</script>`,
    );
    for (const name of ["sw.js", "a/other.js", "offline.json"])
      writeFileSync(join(site, name), "// a worker");
    server = await started(["preview", site]);
  });
  after(() => {
    server?.process.kill("SIGKILL");
    rmSync(site, { recursive: true, force: true });
  });

  test("it uses a random free port and prints how to open it", async () => {
    const other = await started(["preview", site]);
    // The first page deletes what an earlier site on its port has stored, and preserves what this
    // one stores.
    const page = head(other.port, "/", { "Sec-Fetch-Dest": "document" });
    assert.match(await raw(other.port, page), /\r\nClear-Site-Data: "cache", "storage"\r\n/);
    assert.doesNotMatch(await raw(other.port, page), /Clear-Site-Data/);
    other.process.kill("SIGKILL");
    assert.notEqual(other.port, server.port);
    assert.ok(server.port >= 1024 && server.port !== 8000);
    assert.match(server.output(), /private window/);
  });

  test("nothing of the site becomes a worker, and its pages are as they were built", async () => {
    const { port } = server;
    for (const path of ["/sw.js", "/offline.json"]) {
      assert.match(await get(port, path), /^HTTP\/1.1 404/, path);
    }
    const worker = head(port, "/a/other.js", { "Service-Worker": "script" });
    assert.match(await raw(port, worker), /^HTTP\/1.1 404/);
    const page = await get(port, "/");
    assert.doesNotMatch(page, /_primer/);
    assert.match(page, /Content-Security-Policy: default-src 'self'[^\r]*frame-ancestors 'self'/);
    assert.match(await get(port, "/_primer/events"), /^HTTP\/1.1 404/);
    assert.match(
      await raw(port, head(port, "/", { "Sec-Fetch-Site": "cross-site" })),
      /^HTTP\/1.1 403/,
    );
  });

  for (const kind of browser_kinds) {
    test(`${kind}: its scripts reach no other address and leave no worker`, async () => {
      const browser = await open_browser(kind);
      try {
        const page = await browser.newPage();
        await page.goto(server.url, { waitUntil: "load" });
        await until(page, () => window.tried !== undefined);
        assert.equal(await page.evaluate(() => window.tried), "rejected rejected rejected");
        assert.equal(
          await page.evaluate(
            async () => (await navigator.serviceWorker.getRegistrations()).length,
          ),
          0,
        );
      } finally {
        await browser.close();
      }
    });
  }

  test("a directory without a site is refused in words", async () => {
    await assert.rejects(
      started(["preview", join(site, "a")]),
      /there is no index\.html in .*expected/,
    );
  });
});
