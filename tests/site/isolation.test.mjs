// All cores: isolation at the reader's request through the service worker, in both browsers, and
// with headers from a server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { serve } from "../../scripts/lib/browsers.mjs";
import {
  complaints,
  in_each_browser,
  key_of,
  open_watched,
  origin_of,
  until,
} from "./support/browser_page.mjs";
import { hurried } from "./support/hurried.mjs";
import { site } from "./support/site.mjs";

const base = "/book/";
const profile_key = key_of("profile.v1", base);

in_each_browser((session) => {
  const { test_once } = session;
  const forget = (page) => page.evaluate((key) => localStorage.removeItem(key), profile_key);
  const stored = (page) =>
    page.evaluate((key) => JSON.parse(localStorage.getItem(key)), profile_key);
  const press = (page, words) =>
    page.evaluate((text) => {
      const buttons = [...document.querySelectorAll("main button")];
      buttons.find((button) => button.textContent === text).click();
    }, words);
  // When a reload starts, the document has one of them, but not yet the other.
  const is_isolated = (page) =>
    until(page, () => crossOriginIsolated === true && "caches" in globalThis);
  const has_button = (page) =>
    until(page, () => document.querySelector(".machine button") !== null);
  const status = (page) => page.evaluate(() => document.querySelector(".bench-status").textContent);
  async function says(page, words) {
    const has = (pattern) => new RegExp(pattern).test(document.querySelector("main").textContent);
    await until(page, has, words.source, 120_000).catch(async () => {
      const text = await page.$eval("main", ({ textContent }) => textContent);
      throw new Error(`the page does not say ${words}, but "${await status(page)}" in:\n${text}`);
    });
  }

  /** Registrations and caches of this origin, as the page sees them. */
  const traces = (page) =>
    page.evaluate(async () => ({
      registrations: (await navigator.serviceWorker.getRegistrations()).map((r) => r.scope),
      caches: await caches.keys(),
    }));

  /** A separate server, and therefore an origin without a service worker; `alter` as in serve(). */
  async function with_book({ alter, ...options }, use) {
    const server = await serve(site, { base, alter: hurried(alter), ...options });
    const documents = () => server.requests.filter((path) => path === `${base}machine/`).length;
    try {
      const watched = await open_watched(session.browser, `${server.url}machine/`);
      await has_button(watched.page);
      await use({ server, documents, ...watched });
      await watched.page.close();
    } finally {
      await server.close();
    }
  }

  /** Presses "All cores" and resolves to the final status of the measurement. */
  async function press_and_wait(page) {
    await page.bringToFront();
    await page.evaluate(() => document.querySelector(".bench-status").replaceChildren());
    await press(page, "All cores");
    const ended = () =>
      document.querySelector(".bench-status").textContent !== "" &&
      document.querySelector("#bench-machine").getAttribute("state") !== "running";
    await until(page, ended, null, 150_000);
    return status(page);
  }

  /** Several threads on one memory: verified results for two, and a count of usable cores. */
  async function measure_all(page) {
    assert.match(
      await press_and_wait(page),
      /^(Done|No number can be trusted|Your machine was busy|Your core.s clock moved)/,
    );
    const profile = await stored(page);
    assert.ok(profile.cores.usable >= 1, JSON.stringify(profile.cores));
    assert.equal(profile.isolated, true);
    const pair = profile.results.filter((r) => r.threads === 2);
    assert.ok(pair.length >= 2, JSON.stringify(profile.results));
    for (const result of pair) assert.ok(result.verified, JSON.stringify(result));
    return profile;
  }

  test("isolated after exactly one reload, without a loop, results kept; and back", async () => {
    const kept = { kernel: "matmul.packed", params: { n: 7 }, threads: 1, module: "relaxed" };
    await with_book({}, async ({ page, seen, server, documents }) => {
      await page.evaluate(
        (key, result) =>
          localStorage.setItem(key, JSON.stringify({ schema: 1, results: [result] })),
        profile_key,
        { ...kept, status: "measured", unit: "GFLOP/s", best: 9, median: 9, mad: 0 },
      );
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      assert.deepEqual(await traces(page), { registrations: [], caches: [] });
      await press(page, "All cores");
      await is_isolated(page);
      await has_button(page);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      assert.equal(documents(), 2, "one load and one reload");
      const { registrations } = await traces(page);
      assert.deepEqual(registrations, [server.url]);

      const profile = await measure_all(page);
      assert.ok(profile.results.some((r) => r.params.n === 7 && r.threads === 1));
      await page.goto(`${server.url}roofline/`);
      assert.equal(await page.evaluate(() => crossOriginIsolated), true);
      assert.deepEqual(await complaints({ page, seen }, origin_of(server)), []);

      await page.goto(`${server.url}machine/`);
      await says(page, /Back to one core/);
      await press(page, "Back to one core");
      await says(page, /one core again/);
      assert.deepEqual(await traces(page), { registrations: [], caches: [] });
      await page.goto(`${server.url}machine/`);
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      await forget(page);
    });
  });

  test_once("a browser that does not isolate is reloaded once, with a message", async () => {
    const alter = (path, body) =>
      path.endsWith("/sw.js") ? String(body).replace("if (!wished", "if (true || !wished") : body;
    await with_book({ alter }, async ({ page, documents }) => {
      await press(page, "All cores");
      // On a busy machine, a service worker may take too long to start. The page then reports that.
      await says(page, /did not isolate it|did not start/);
      if (documents() === 1) await press(page, "All cores");
      await says(page, /did not isolate it/);
      await press(page, "All cores");
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.equal(documents(), 2);
      await page.evaluate(() => sessionStorage.clear());
    });
  });

  test_once("the kill switch leaves no registration and no cache", async () => {
    let retired = false;
    const alter = (path, body) =>
      retired && path.endsWith("/sw.js")
        ? String(body).replace("const retired = false", "const retired = true")
        : body;
    await with_book({ alter }, async ({ page, server }) => {
      await press(page, "All cores");
      await is_isolated(page);
      const other = "somebody else's";
      await page.evaluate((name) => caches.open(name), other);
      retired = true;
      await page.evaluate(async () => {
        const [registration] = await navigator.serviceWorker.getRegistrations();
        // Without waiting, because the worker may be gone before it is updated. Firefox reports
        // that at once, Chromium after half a minute.
        registration.update().catch(() => {});
      });
      const gone = async () => (await navigator.serviceWorker.getRegistrations()).length === 0;
      await until(page, gone);
      assert.deepEqual(await traces(page), { registrations: [], caches: [other] });
      await page.goto(`${server.url}machine/`);
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      assert.deepEqual((await traces(page)).registrations, []);
    });
  });

  test_once("under real headers all cores are measured without a service worker", async () => {
    await with_book({ isolated: true }, async ({ page, documents }) => {
      await measure_all(page);
      assert.equal(documents(), 1);
      assert.deepEqual((await traces(page)).registrations, []);
      await forget(page);
    });
  });

  test_once("a further core's worker that fails is a reason in words, and soon", async () => {
    const broken = "control.take_part(member, kernels);";
    const alter = (path, body) => {
      if (!path.endsWith("thread_pool_member.js")) return body;
      assert.ok(String(body).includes(broken));
      return String(body).replace(broken, 'throw new Error("broken on purpose");');
    };
    await with_book({ isolated: true, alter }, async ({ page }) => {
      assert.match(
        await press_and_wait(page),
        /; \d+ unavailable|^(No number can be trusted|Your machine was busy|Your core.s clock moved)/,
      );
      const { results } = await stored(page);
      assert.match(results.at(-1).reason, /further core failed: broken on purpose/);
      await forget(page);
    });
  });

  test_once("a further core's worker that cannot be loaded is a reason in words", async () => {
    const alter = (path, body) => (path.endsWith("thread_pool_member.js") ? null : body);
    await with_book({ isolated: true, alter }, async ({ page }) => {
      assert.match(
        await press_and_wait(page),
        /; \d+ unavailable|^(No number can be trusted|Your machine was busy|Your core.s clock moved)/,
      );
      const { results } = await stored(page);
      assert.match(results.at(-1).reason, /further core/);
      await forget(page);
    });
  });

  test_once("without service workers the reason is shown, and nothing is reloaded", async () => {
    await with_book({}, async ({ page, documents }) => {
      await page.evaluate(() => {
        Object.defineProperty(navigator, "serviceWorker", { value: undefined });
      });
      await press(page, "All cores");
      await says(page, /no service workers/);
      assert.equal(documents(), 1);
    });
  });
});
