// A book on a shared origin, in both browsers: two books on one origin, profiles that break the
// code that shows them, scripts of a neighbor, text that looks like markup, a page in a frame.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as create_listener } from "node:net";
import { after, before, test } from "node:test";

import { serve } from "../../scripts/lib/browsers.mjs";
import {
  any_browser,
  in_each_browser,
  key_of,
  open_watched,
  profile_key,
  until,
} from "./support/browser_page.mjs";
import { site } from "./support/site.mjs";
import { build_small_site } from "./support/small_site.mjs";

const recorded = JSON.parse(
  readFileSync(new URL("../../figures/profiles/reference-firefox.json", import.meta.url), "utf8"),
);

/**
 * A server on a separate address. `answer(path)` is {type, body} or null, or {forward}, a server
 * for this path.
 */
async function serve_own(answer) {
  const server = createServer(async (request, response) => {
    const found = answer(request.url);
    if (found?.forward) {
      const given = await fetch(found.forward, { headers: { "Accept-Encoding": "identity" } });
      response.writeHead(given.status, { "Content-Type": given.headers.get("Content-Type") });
      response.end(Buffer.from(await given.arrayBuffer()));
      return;
    }
    response.writeHead(found ? 200 : 404, { "Content-Type": found?.type ?? "text/plain" });
    response.end(found?.body ?? "not found");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

const free_port = () =>
  new Promise((resolve) => {
    const listener = create_listener().listen(0, "127.0.0.1", () => {
      const { port } = listener.address();
      listener.close(() => resolve(port));
    });
  });

let published = null; // a small book with a public address: {site, remove, port}
before(async () => {
  const port = await free_port();
  const options = ["--base-url", `http://127.0.0.1:${port}/repo/`];
  const chapters = { one: "Text that is read without scripts." };
  published = { ...build_small_site(chapters, options), port };
});
after(() => published?.remove());

in_each_browser(
  (session) => {
    const store = (page, key, value) =>
      page.evaluate((name, text) => localStorage.setItem(name, text), key, value);
    const has_clear = (page) =>
      until(page, () =>
        [...document.querySelectorAll(".machine button")].some((b) => b.textContent === "Clear"),
      );
    const press_clear = (page) =>
      page.evaluate(() => {
        [...document.querySelectorAll(".machine button")]
          .find((b) => b.textContent === "Clear")
          .click();
      });

    /** A text stored on /machine/ can be deleted, and is then gone. */
    async function can_be_cleared(text, key = profile_key) {
      const url = `${session.server.url}machine/`;
      const { page } = await open_watched(session.browser, `${session.server.url}sw.js`);
      await store(page, key, text);
      await page.goto(url, { waitUntil: "load" });
      await has_clear(page);
      const loaded = page.waitForNavigation({ waitUntil: "load" });
      await press_clear(page).catch(() => {});
      await loaded;
      assert.equal(await page.evaluate((name) => localStorage.getItem(name), key), null);
      await page.close();
    }

    const odd_profiles = {
      "a flag called constructor": {
        ...recorded,
        results: recorded.results.map((r) => ({ ...r, flags: ["constructor"] })),
      },
      "a name that is an object": { ...recorded, name: {} },
      "roofs without a device and levels of nothing": {
        ...recorded,
        roofs: recorded.roofs.slice(0, 1),
        levels: [{}, {}],
      },
      "results of parameters that nothing has": {
        ...recorded,
        results: [{ ...recorded.results[0], params: { toString: 1 } }],
      },
      "no profile at all": [],
    };
    for (const [what, profile] of Object.entries(odd_profiles))
      test(`stored: ${what}; it can be cleared`, () => can_be_cleared(JSON.stringify(profile)));
    test("stored: no JSON, and under the name that all books shared; it can be cleared", async () => {
      await can_be_cleared("{");
      await can_be_cleared("{", "primer.profile.v1");
    });

    test("Clear is there when the scripts that show results are not", async () => {
      const server = await serve(site, {
        alter: (path, body) => (/machine_(results|keep)\.js$/.test(path) ? null : body),
      });
      const { page } = await open_watched(session.browser, `${server.url}machine/`);
      await store(page, profile_key, JSON.stringify(recorded));
      await page.goto(`${server.url}machine/`, { waitUntil: "load" });
      await has_clear(page);
      await page.close();
      await server.close();
    });

    test("two books on one origin: neither knows what the other keeps", async () => {
      const books = await Promise.all(["/one/", "/two/"].map((base) => serve(site, { base })));
      const server = await serve_own((path) => ({
        forward:
          (path.startsWith("/one/") ? books[0] : books[1]).url.replace(/\/\w+\/$/, "") + path,
      }));
      const { page } = await open_watched(session.browser, `${server.url}one/machine/`);
      await store(page, key_of("profile.v1", "/one/"), JSON.stringify(recorded));
      await store(page, key_of("theme", "/one/"), "dark");
      await page.goto(`${server.url}two/machine/`, { waitUntil: "load" });
      await until(page, () =>
        document
          .querySelector(".machine-results")
          ?.textContent.includes("Nothing has been measured"),
      );
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
      await page.goto(`${server.url}one/machine/`, { waitUntil: "load" });
      await until(page, () => document.querySelector(".machine-results table") !== null);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
      await page.evaluate(() => localStorage.clear());
      await page.close();
      for (const one of [server, ...books]) await one.close();
    });

    test("at its public address a page takes no script of its neighbours; at another it is read without any", async () => {
      const { port } = published;
      const added =
        '<script src="/other/x.js"></script><script src="/repo/_/../../other/x.js"></script>';
      const alter = (path, body) =>
        path.endsWith("/one/") ? String(body).replace("</head>", `${added}</head>`) : body;
      const server = await serve(published.site, { base: "/repo/", port, alter });
      const watched = await open_watched(session.browser, `${server.url}one/`);
      await until(watched.page, () => window.watched.violations.length >= 2);
      const violations = await watched.page.evaluate(() => window.watched.violations);
      assert.ok(
        violations.every((words) => /^script-src/.test(words) && /x\.js/.test(words)),
        violations.join("\n"),
      );
      assert.equal(
        await watched.page.evaluate(() => "ready" in document.documentElement.dataset),
        true,
      );
      await watched.page.close();
      await server.close();
      const copy = await serve(published.site, { base: "/repo/" });
      const page = await session.browser.newPage();
      await page.goto(`${copy.url}one/`, { waitUntil: "load" });
      assert.match(
        await page.evaluate(() => document.querySelector("main").textContent),
        /Text that is read/,
      );
      assert.equal(await page.evaluate(() => "ready" in document.documentElement.dataset), false);
      await page.close();
      await copy.close();
    });

    test("text is not markup and no script's address, outside of the one policy", async () => {
      const { page } = await open_watched(session.browser, session.server.url);
      const thrown = await page.evaluate(() => {
        const name_of = (act) => {
          try {
            act();
            return "";
          } catch (error) {
            return error.name;
          }
        };
        return [
          () => (document.createElement("p").innerHTML = "<b>x</b>"),
          () => new DOMParser().parseFromString("<p>", "text/html"),
          () => new Worker(`${document.documentElement.dataset.assets}runtime/measure/worker.js`),
          () => globalThis.trustedTypes.createPolicy("another", {}),
        ].map(name_of);
      });
      assert.deepEqual(thrown, ["TypeError", "TypeError", "TypeError", "TypeError"]);
      const refused = await page.evaluate(async () => {
        const assets = new URL(document.documentElement.dataset.assets, document.baseURI);
        const { drawing, script } = await import(new URL("runtime/base/trusted.js", assets).href);
        const words_of = (act) => {
          try {
            return String(act());
          } catch (error) {
            return error.name;
          }
        };
        return [
          "<svg><script>1</script></svg>",
          '<svg><image href="x"/></svg>',
          "<img>",
          "text",
          "<svg><path/><!--x--></svg>",
        ]
          .map((text) => words_of(() => drawing(text)))
          .concat(
            ["https://evil.example/x.js", "/other/sw.js", "data:text/javascript,1", "blob:x"].map(
              (url) => words_of(() => script(new URL(url, document.baseURI))),
            ),
            words_of(() => drawing('<svg width="1"><path d="M0 0"/></svg>')),
          );
      });
      assert.deepEqual(refused, [
        ...Array(9).fill("TypeError"),
        '<svg width="1"><path d="M0 0"/></svg>',
      ]);
      await page.close();
    });

    test("in a frame nothing of the reader's is cleared", async () => {
      const url = `${session.server.url}machine/`;
      const { page } = await open_watched(session.browser, url);
      await store(page, profile_key, JSON.stringify(recorded));
      const framing = await serve_own(() => ({
        type: "text/html",
        body: `<!DOCTYPE html><iframe src="${url}" width="900" height="900"></iframe>`,
      }));
      await page.goto(framing.url, { waitUntil: "load" });
      const frame = page.frames().find((one) => one.url() === url);
      await until(frame, () => [...document.querySelectorAll(".machine button")].length > 0);
      const has_profile = await frame.evaluate(
        (key) => localStorage.getItem(key) !== null,
        profile_key,
      );
      // Browsers give a frame on another site separate storage, which has a profile here, too.
      if (!has_profile) {
        await frame.evaluate(
          (key, text) => localStorage.setItem(key, text),
          profile_key,
          JSON.stringify(recorded),
        );
        await frame.evaluate(() =>
          document.querySelector("#bench-machine").setAttribute("state", "idle"),
        );
      }
      await has_clear(frame);
      await press_clear(frame);
      await until(frame, () =>
        /Not cleared, because this page is in a frame/.test(
          document.querySelector("main").textContent,
        ),
      );
      assert.ok(await frame.evaluate((key) => localStorage.getItem(key) !== null, profile_key));
      await page.goto(url);
      await page.evaluate((key) => localStorage.removeItem(key), profile_key);
      await page.close();
      await framing.close();
    });
  },
  { kinds: any_browser },
);
