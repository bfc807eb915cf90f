// Reading without a network, in both browsers, with two publications of the book: what a visit
// caches, what the reader requests, an update while a page is open, all cores at the same time, and
// how it ends. Uses a small book, because workers need no particular page and each visit fetches
// all of it; a full run uses this book. Each commit runs a third of what is tried in one browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { serve } from "../../../../scripts/lib/browsers.mjs";
import {
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  until,
} from "../../support/browser_page.mjs";
import { is_full, sampled } from "../../../rounds.mjs";
import { write_small_book } from "../../support/small_site.mjs";
import {
  catch_downloads,
  exported_patch,
  is_made,
  says,
  skip,
  type_whole,
} from "../../support/workshop_page.mjs";

const base = "/book/";
/** On the second page of a visit the text is cached at once, on the first after half a minute. */
const comes_from_the_book = () =>
  Object.defineProperty(document, "referrer", { get: () => location.href });
const folder = mkdtempSync(join(tmpdir(), "offline-"));
const publications = [join(folder, "first"), join(folder, "second")];
const list_of = (publication) =>
  JSON.parse(readFileSync(join(publication, "offline.json"), "utf8"));
const assets_of = (publication) =>
  /data-assets="\.\/([^"]+)"/.exec(readFileSync(join(publication, "index.html"), "utf8"))[1];

// Pages load scripts only from their public address, so it must be known before they are built.
let port = 0;
const free_port = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address();
      server.close(() => resolve(free));
    });
  });

const figure = (id) =>
  `\`\`\`figure\nid: ${id}\nspec: roofline-reference\ncaption: A roofline.\nalt: Slopes and a ceiling.\n\`\`\`\n`;
const small_chapters = {
  roofline: `${figure("fig-one")}\n## Your slopes\n\nThe ridge is where slope and ceiling meet.\n`,
  matmul: `Text, and one more figure.\n\n${figure("fig-two")}`,
  last: "Text.\n",
};

before(async () => {
  port = await free_port();
  const assets = join(folder, "assets");
  const book = join(folder, "small");
  write_small_book(book, small_chapters, { languages: ["en", "es"], pages: ["machine", "write"] });
  cpSync("site", assets, { recursive: true });
  for (const out of publications) {
    const publish = [
      `http://127.0.0.1:${port}/book/`,
      join(folder, "kept"),
      out,
      "--assets",
      assets,
      ...(is_full ? [] : ["--book", book]),
    ];
    execFileSync("scripts/publish", publish, { stdio: "pipe" });
    writeFileSync(join(assets, "runtime/theme.js"), "// the second publication\n", { flag: "a" });
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("the list names every page and its assets, and none of an earlier publication", () => {
  const [first, second] = publications.map(list_of);
  assert.notEqual(first.version, second.version);
  for (const path of ["", "roofline/", "machine/"]) assert.ok(path in first.text, path);
  const own = assets_of(publications[1]);
  const listed = Object.keys({ ...second.text, ...second.rest });
  assert.ok(listed.includes(`${own}style.css`) && listed.includes(`${own}page.wasm`));
  assert.deepEqual(
    listed.filter((path) => path.startsWith("_/") && !path.startsWith(own)),
    [],
  );
});

test("the files that the browser editor's button loads are a separate part", { skip }, () => {
  const { text, rest, workshop } = list_of(publications[0]);
  const own = `${assets_of(publications[0])}runtime/write/`;
  const styles = `${assets_of(publications[0])}write.css`;
  for (const path of [
    "write/primer.wasm",
    "write/book.pack",
    `${own}editor.js`,
    `${own}tool.js`,
    styles,
  ])
    assert.ok(path in workshop, path);
  assert.ok("write/" in text && `${own}write.js` in text);
  assert.deepEqual(
    Object.keys(text).filter((path) => path in workshop),
    [],
  );
  // Scripts of a page on /write/ come from the book, too.
  const shared = Object.keys(rest).filter((path) => path in workshop);
  const assets = assets_of(publications[0]);
  for (const name of [
    "kernels/kernels-simd128.wasm",
    "models-chips.wasm",
    "page.wasm",
    "registry.json",
  ])
    assert.ok(shared.includes(assets + name), name);
  assert.ok(!shared.some((path) => /\.html$|page-plots|fonts|search/.test(path)), shared.join());
});

test("the worker names the list of its publication by its digest, and those before", () => {
  const digests = publications.map((publication) =>
    createHash("sha256")
      .update(readFileSync(join(publication, "offline.json")))
      .digest("base64url"),
  );
  const [first, second] = publications.map((publication) =>
    JSON.parse(
      /^const lists = (\[.*\]);/m.exec(readFileSync(join(publication, "sw.js"), "utf8"))[1],
    ),
  );
  assert.deepEqual(first, [digests[0]]);
  assert.deepEqual(second, [digests[1], digests[0]]);
});

test("on a published page scripts come from the book's own directories", () => {
  const policy = (name) =>
    /Content-Security-Policy" content="([^"]+)"/.exec(readFileSync(join(publications[0], name)))[1];
  for (const name of ["index.html", "roofline/index.html", "es/roofline/index.html", "404.html"]) {
    const at = `http://127.0.0.1:${port}/book/`;
    assert.ok(
      policy(name).includes(`script-src ${at}_/ ${at}search/ ${at}sw.js 'wasm-unsafe-eval'`),
      name,
    );
  }
});

function asked_of(session) {
  const test_some = sampled(session.test_once, 3);
  /**
   * A server and separate browser storage; `deploy(i)` publishes another version there, `cut()`
   * stops it.
   */
  async function with_book(use, alter = (path, body) => body) {
    const link = join(folder, `current-${session.kind}-${process.hrtime.bigint()}`);
    const deploy = (i) => {
      symlinkSync(publications[i], `${link}.new`);
      renameSync(`${link}.new`, link);
    };
    deploy(0);
    const server = await serve(link, { base, alter, port });
    const context = await session.browser.createBrowserContext();
    let is_cut = false;
    const cut = async () => {
      is_cut = true;
      await server.close();
    };
    try {
      const watched = await open_watched(context, server.url, { before: comes_from_the_book });
      await use({ server, context, deploy, cut, ...watched });
    } finally {
      await context.close();
      if (!is_cut) await server.close();
    }
  }

  /** Versions of the complete caches. A cache stores its list last. */
  const kept_versions = (page) =>
    page.evaluate(async () => {
      const versions = [];
      for (const name of await caches.keys()) {
        if (!name.includes(" shelf ")) continue;
        const list = await (
          await caches.open(name)
        ).match(new URL("offline.json", document.baseURI));
        if (list) versions.push((await list.json()).version);
      }
      return versions;
    });
  /** From the home page: waits until this publication and no other is cached. */
  async function until_kept(page, version) {
    const is_kept = ([one, ...others]) => one === version && others.length === 0;
    while (!is_kept(await kept_versions(page)))
      await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const assets_in = (page) =>
    page.evaluate(() => document.documentElement.dataset.assets.replace(/^[./]+/, ""));
  const is_ready = (page) => until(page, () => document.documentElement.hasAttribute("data-ready"));
  const traces = (page) =>
    page.evaluate(async () => ({
      registrations: (await navigator.serviceWorker.getRegistrations()).length,
      caches: await caches.keys(),
    }));
  const press = (page, words) =>
    page.evaluate((text) => {
      const buttons = [...document.querySelectorAll("button")];
      buttons.find((button) => button.textContent.startsWith(text)).click();
    }, words);
  const shows_button = (page, words) =>
    until(
      page,
      (text) =>
        [...document.querySelectorAll("button")].some((b) => b.textContent.startsWith(text)),
      words,
    );

  test("after one visit every page opens without a network, drawn and in its fonts", async () => {
    const list = list_of(publications[0]);
    await with_book(async ({ page, seen, server, cut }) => {
      await until_kept(page, list.version);
      assert.deepEqual(await complaints({ page, seen }, origin_of(server)), []);
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      await cut();
      const pages_of_all = Object.keys(list.text).filter(
        (path) => path === "" || path.endsWith("/"),
      );
      const all = pages_of_all.filter((path) => !path.startsWith("es/"));
      assert.ok(all.length < pages_of_all.length);
      await page.goto(`${server.url}es/roofline/`, { waitUntil: "load" });
      assert.match(await page.evaluate(() => document.body.textContent), /no está guardada/);
      // The worker does not depend on the page, so some pages are enough in the second browser.
      const pages = all.filter((_, i) => session.asks_all || i % 4 === 0);
      for (const path of pages) {
        await page.goto(server.url + path, { waitUntil: "load" });
        await is_ready(page);
        const { fonts, undrawn } = await page.evaluate(async () => ({
          fonts: (await document.fonts.load('400 10px "Roofline Figure"')).length,
          undrawn: [...document.querySelectorAll(".plot")].filter(
            (plot) => !plot.querySelector("svg"),
          ).length,
        }));
        assert.deepEqual({ path, fonts, undrawn }, { path, fonts: 1, undrawn: 0 });
      }
      await page.goto(`${server.url}roofline/index.html?fig-x=1#your-slopes`);
      await is_ready(page);
    });
  });

  test_some(
    "an update under an open page: both work, nothing is mixed, only the new one stays",
    async () => {
      const [first, second] = publications.map(list_of);
      await with_book(async ({ page: old, server, context, deploy, cut }) => {
        await until_kept(old, first.version);
        deploy(1);
        const { page } = await open_watched(context, server.url, { before: comes_from_the_book });
        assert.equal(await assets_in(page), assets_of(publications[1]));
        await until_kept(page, second.version);
        await old.bringToFront();
        await old.keyboard.press("?");
        await until(old, () => document.querySelector("dialog.panel")?.open === true);
        const scripts = (tab) =>
          tab.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
        assert.ok((await scripts(old)).every((url) => !url.includes(assets_of(publications[1]))));
        await cut();
        for (const path of ["roofline/", "", "machine/"]) {
          await page.goto(server.url + path, { waitUntil: "load" });
          await is_ready(page);
          assert.equal(await assets_in(page), assets_of(publications[1]));
          assert.ok(
            (await scripts(page)).every((url) => !url.includes(assets_of(publications[0]))),
          );
        }
        await page.close();
      });
    },
  );

  test_some(
    "the whole book: its size first, then search and modules without a network; and nothing again",
    async () => {
      const list = list_of(publications[0]);
      await with_book(async ({ page, server, cut }) => {
        await until_kept(page, list.version);
        await page.keyboard.press("?");
        await shows_button(page, "Save the whole book (");
        await press(page, "Save the whole book");
        await until(page, () => {
          const lines = [...document.querySelectorAll("dialog .panel-status")];
          return lines.some((line) => line.textContent.startsWith("The whole book is saved"));
        });
        await cut();
        await page.goto(`${server.url}roofline/`, { waitUntil: "load" });
        await is_ready(page);
        await page.keyboard.press("/");
        await until(page, () => document.querySelector("dialog.panel input")?.type === "search");
        await page.keyboard.type("ridge");
        await until(page, () => document.querySelector(".found a") !== null);
        const modules = Object.keys(list.rest).filter((path) => path.endsWith(".wasm"));
        const fetched = await page.evaluate(async (paths) => {
          const answers = await Promise.all(
            paths.map((path) => fetch(new URL(`../${path}`, document.baseURI))),
          );
          return answers.map((answer) => answer.ok);
        }, modules);
        assert.ok(fetched.length >= 5 && fetched.every(Boolean));
        await page.keyboard.press("Escape");
        await until(page, () => document.activeElement === document.body);
        await page.keyboard.press("?");
        await shows_button(page, "Delete the saved book");
        await press(page, "Delete the saved book");
        await until(page, async () => {
          const registrations = await navigator.serviceWorker.getRegistrations();
          return registrations.length === 0 && (await caches.keys()).length === 0;
        });
      });
    },
  );

  /** Waits until a publication and its browser editor are cached, and no other. */
  async function until_workshop_kept(page, { version, workshop }) {
    const is_kept = async ([paths, wanted, book]) => {
      const [name, ...others] = (await caches.keys()).filter((one) => one.includes(" shelf "));
      if (!name || others.length > 0) return false;
      const cache = await caches.open(name);
      const found = (path) => cache.match(new URL(book + path, location));
      const list = await (await found("offline.json"))?.json();
      return list?.version === wanted && (await Promise.all(paths.map(found))).every(Boolean);
    };
    await until(page, is_kept, [Object.keys(workshop), version, base]);
  }
  /**
   * Opens the browser editor on a chapter, makes an error in it, waits for its message, and saves
   * it as a patch.
   */
  async function try_workshop(page, server) {
    const chapter = is_full ? "chapters/en/pages/why-slow.md" : "chapters/en/last.md";
    await page.goto(`${server.url}write/?file=${chapter}`, { waitUntil: "load" });
    await until(page, is_made);
    await says(page, "No errors or warnings.");
    const preview = await (await page.$(".write-preview")).contentFrame();
    await until(
      preview,
      () => document.querySelector("main")?.innerText && document.adoptedStyleSheets.length > 0,
    );
    await type_whole(page, "---\ntitle: Last\nsummary: It.\n---\n\n[Away](../nowhere.md)\n");
    await says(page, "Errors: 1");
    await page.evaluate(catch_downloads);
    const patch = await exported_patch(page, "A link that leads away");
    assert.match(patch, /^Subject: .*A link that leads away$/m);
    assert.ok(
      patch.includes(`+++ b/${chapter}`) && patch.includes("+[Away](../nowhere.md)"),
      patch,
    );
    await page.click(".write-bar > button:last-child"); // discards it
    await says(page, "No errors or warnings.");
  }

  if (!skip)
    test_some(
      "the workshop, opened once, works without a network, and the next publication's does too",
      async () => {
        const [first, second] = publications.map(list_of);
        await with_book(async ({ page, server, deploy, cut }) => {
          await until_kept(page, first.version);
          const is_kept = async () => Boolean(await caches.match("write/book.pack"));
          assert.equal(await page.evaluate(is_kept), false, "kept for nobody who did not ask");
          await try_workshop(page, server);
          await until_workshop_kept(page, first);
          deploy(1);
          await page.goto(server.url, { waitUntil: "load" });
          await until_workshop_kept(page, second);
          await cut();
          await page.reload({ waitUntil: "load" });
          await try_workshop(page, server);
        });
      },
    );

  test_some("all cores and the kept book live together, with a network and without", async () => {
    const list = list_of(publications[0]);
    await with_book(async ({ page, server, cut }) => {
      await until_kept(page, list.version);
      await page.goto(`${server.url}machine/`);
      await shows_button(page, "All cores");
      await press(page, "All cores");
      await until(page, () => crossOriginIsolated === true);
      await shows_button(page, "Back to one core");
      await press(page, "Back to one core");
      await until(page, () =>
        document.querySelector("main").textContent.includes("one core again"),
      );
      await page.goto(server.url);
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      assert.deepEqual(await kept_versions(page), [list.version]);
      await page.goto(`${server.url}machine/`);
      await shows_button(page, "All cores");
      await press(page, "All cores");
      await until(page, () => crossOriginIsolated === true);
      await cut();
      await page.goto(`${server.url}roofline/`);
      await is_ready(page);
      assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    });
  });

  /**
   * A page of the origin that does not belong to the book. It can do what a neighbor's page can.
   */
  const as_neighbour = async (page, server, act, argument) => {
    await page.goto(`${server.url}sw.js`);
    return page.evaluate(act, argument);
  };
  const is_planted = (page) => page.evaluate(() => "planted" in document.documentElement.dataset);
  /**
   * Puts a stranger's script and page where the worker looks first, into all caches and one more.
   */
  const plant = async ({ assets, book }) => {
    const script = "document.documentElement.dataset.planted = 1;";
    const html = '<!DOCTYPE html><html data-planted="1"><body>Planted</body></html>';
    const forged = `primer ${new URL(book).pathname} shelf forged`;
    const files = { [`${assets}runtime/main.js`]: [1, "x"], "roofline/": [1, "x"] };
    for (const name of [forged, ...(await caches.keys())]) {
      if (!name.includes(" shelf ")) continue;
      const cache = await caches.open(name);
      const put = (path, body, type) =>
        cache.put(
          book + path,
          new Response(body, { headers: { "Content-Type": type, Refresh: "0; url=/other/" } }),
        );
      await put(`${assets}runtime/main.js`, script, "text/javascript");
      await put("roofline/", html, "text/html");
      if (name === forged)
        await put("offline.json", JSON.stringify({ text: files, rest: {} }), "application/json");
    }
  };

  test_some(
    "files that a neighbor puts into the cache do not run, with or without a network, and are removed",
    async () => {
      await with_book(async ({ page, server, cut }) => {
        await until_kept(page, list_of(publications[0]).version);
        await as_neighbour(page, server, plant, {
          assets: assets_of(publications[0]),
          book: server.url,
        });
        await page.goto(`${server.url}matmul/`, { waitUntil: "load" });
        await is_ready(page); // by the book's own main.js, fetched again
        assert.equal(await is_planted(page), false);
        await cut();
        await page.goto(`${server.url}roofline/`, { waitUntil: "load" }).catch(() => {}); // dropped, and no network
        // The browser's own error page.
        await until(
          page,
          () => document.body !== null && !("planted" in document.documentElement.dataset),
        );
        await page.goto(`${server.url}matmul/`, { waitUntil: "load" });
        await is_ready(page);
        assert.equal(await is_planted(page), false);
      });
    },
  );

  test_some(
    "a shelf that a neighbour began is filled with the publication's bytes and nothing else",
    async () => {
      const list = list_of(publications[1]);
      await with_book(async ({ page, server, deploy, cut }) => {
        await until_kept(page, list_of(publications[0]).version);
        deploy(1);
        const text = readFileSync(join(publications[1], "offline.json"));
        const name = `primer ${base} shelf ${createHash("sha256").update(text).digest("base64url")}`;
        await as_neighbour(page, server, (shelf) => caches.open(shelf), name);
        await page.evaluate(plant, { assets: assets_of(publications[1]), book: server.url });
        await page.goto(server.url);
        await until_kept(page, list.version);
        const digests = await page.evaluate(async (shelf) => {
          const cache = await caches.open(shelf);
          const found = {};
          for (const { url } of await cache.keys()) {
            const bytes = await (await cache.match(url)).arrayBuffer();
            const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
            found[url] = btoa(String.fromCharCode(...hash))
              .replaceAll("+", "-")
              .replaceAll("/", "_")
              .replaceAll("=", "");
          }
          return found;
        }, name);
        const own = Object.entries(list.text).filter(([path]) => !path.startsWith("es/"));
        for (const [path, [, digest]] of own)
          assert.equal(digests[server.url + path], digest, path);
        await cut();
        await page.goto(`${server.url}roofline/`, { waitUntil: "load" });
        await is_ready(page);
        assert.equal(await is_planted(page), false);
      });
    },
  );

  test_some(
    "a new worker still takes the shelf of the publication before, until its own is full",
    async () => {
      await with_book(async ({ page, server, deploy, cut }) => {
        await until_kept(page, list_of(publications[0]).version);
        deploy(1);
        await page.evaluate(async () => {
          const [registration] = await navigator.serviceWorker.getRegistrations();
          await registration.update();
          const next = registration.installing ?? registration.waiting ?? registration.active;
          while (next.state !== "activated")
            await new Promise((resolve) => setTimeout(resolve, 50));
        });
        await cut();
        await page.goto(`${server.url}roofline/`, { waitUntil: "load" });
        await is_ready(page);
        assert.equal(await assets_in(page), assets_of(publications[0]));
      });
    },
  );

  test_some("the worker leaves when a neighbour registers it for a part of the book", async () => {
    await with_book(async ({ page, server }) => {
      await until_kept(page, list_of(publications[0]).version);
      await as_neighbour(
        page,
        server,
        async (scope) => {
          await navigator.serviceWorker.register("sw.js", { scope });
        },
        `${base}roofline/`,
      );
      await until(
        page,
        async () => (await navigator.serviceWorker.getRegistrations()).length === 1,
      );
      const [scope] = await page.evaluate(async () =>
        (await navigator.serviceWorker.getRegistrations()).map((one) => one.scope),
      );
      assert.equal(scope, server.url);
    });
  });

  test_some("addresses that every object answers to are plain addresses", async () => {
    await with_book(async ({ page, server }) => {
      await until_kept(page, list_of(publications[0]).version);
      const statuses = await page.evaluate(async (book) => {
        const names = ["constructor", "toString", "__proto__"];
        return Promise.all(names.map(async (name) => (await fetch(book + name)).status));
      }, server.url);
      assert.deepEqual(statuses, [404, 404, 404]);
    });
  });

  test_some("a retired worker takes everything with it, and no page brings it back", async () => {
    let retired = false;
    const alter = (path, body) => {
      if (!retired) return body;
      if (path.endsWith("/offline.json")) return null;
      return path.endsWith("/sw.js")
        ? String(body).replace("const retired = false", "const retired = true")
        : body;
    };
    await with_book(async ({ page, server }) => {
      await until_kept(page, list_of(publications[0]).version);
      await page.evaluate(() => caches.open("somebody else's"));
      retired = true;
      await page.evaluate(async () => {
        const [registration] = await navigator.serviceWorker.getRegistrations();
        await registration.update().catch(() => {});
      });
      await until(
        page,
        async () => (await navigator.serviceWorker.getRegistrations()).length === 0,
      );
      assert.deepEqual(await traces(page), { registrations: 0, caches: ["somebody else's"] });
      const asked = server.requests.length;
      await page.goto(server.url);
      await until(
        page,
        async () => (await navigator.serviceWorker.getRegistrations()).length === 0,
      );
      const asks_again = () => server.requests.slice(asked).includes(`${base}offline.json`);
      while (!asks_again()) await new Promise((resolve) => setTimeout(resolve, 100));
      assert.deepEqual(await traces(page), { registrations: 0, caches: ["somebody else's"] });
    }, alter);
  });
}

in_each_browser(asked_of, { whole: true });
