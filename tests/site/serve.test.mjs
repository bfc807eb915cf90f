// `primer serve` from a user's point of view: pages show what is saved, errors appear on the page,
// and the server answers only this machine, only with the site's files, and stores nothing that a
// client sends.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { browser_kinds, open_browser } from "../../scripts/lib/browsers.mjs";
import { sampled } from "../rounds.mjs";
import { until } from "./support/browser_page.mjs";
import { get, head, raw } from "./support/raw_request.mjs";
import { ServedBook } from "./support/served_book.mjs";

/** Whether any of its threads is running or runnable; false if the system does not report it. */
const is_busy = (pid) =>
  existsSync(`/proc/${pid}/task`) &&
  readdirSync(`/proc/${pid}/task`).some((task) =>
    / R /.test(readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8").split(")")[1]),
  );

/** How often its threads have gone to sleep. */
const rests = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .map((task) => readFileSync(`/proc/${pid}/task/${task}/status`, "utf8"))
    .map((status) => Number(/\nvoluntary_ctxt_switches:\s+(\d+)/.exec(status)[1]))
    .reduce((sum, count) => sum + count, 0);

/**
 * Waits until a second passes in which it wakes at most five times. Never ends if the server stays
 * busy.
 */
async function until_at_rest(pid) {
  for (let before = -Infinity; rests(pid) - before > 5; await pause(1000)) before = rests(pid);
}

/** Connections that have sent `begin`. Each stores what it received. */
function connections(port, count, begin = "") {
  return Promise.all(
    Array.from({ length: count }, () => {
      return new Promise((done, failed) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write(begin);
          done(socket);
        });
        socket.heard = "";
        socket.on("data", (bytes) => (socket.heard += bytes));
        socket.on("error", failed);
      });
    }),
  );
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
async function until_so(condition) {
  while (!condition()) await pause(10);
}

async function until_answer(ask, pattern) {
  while (!pattern.test(await ask())) await pause(20);
}

describe("primer serve", { timeout: 600_000 }, () => {
  const book = new ServedBook();
  before(() => book.start());
  after(() => book.stop());

  test("nothing outside the site is read, however it is written", async () => {
    writeFileSync(join(book.root, "out/secret.txt"), "secret");
    for (const path of [
      "/../secret.txt",
      "/%2e%2e/secret.txt",
      "/%2e%2e%2fsecret.txt",
      "/%252e%252e%252fsecret.txt",
      "/..%5csecret.txt",
      "/first/../../secret.txt",
      "/first/%2e%2e/%2e%2e/secret.txt",
      "//secret.txt",
      `/${book.root}/out/secret.txt`,
      "/index.html%00.txt",
      "/_primer/../../secret.txt",
      "/_primer/live.js/../../../secret.txt",
      "/_/x/../../../secret.txt",
      "/%c0%ae%c0%ae/secret.txt",
    ]) {
      const answer = await get(book.port, path);
      assert.match(answer, /^HTTP\/1.1 (404|400)/, path);
      assert.doesNotMatch(answer, /^secret/m, path);
    }
    assert.match(await get(book.port, "/first/"), /^HTTP\/1.1 200/);
  });

  test("only this machine is answered, and only under its name", async () => {
    assert.match(await get(book.port, "/", `localhost:${book.port}`), /^HTTP\/1.1 200/);
    for (const host of ["example.org", `example.org:${book.port}`, "127.0.0.1", ""]) {
      assert.match(await get(book.port, "/", host), /^HTTP\/1.1 40[03]/, host);
    }
    // 127.0.0.2 is this machine too, but nobody listens there.
    await assert.rejects(raw(book.port, "GET / HTTP/1.1\r\n\r\n", "127.0.0.2"));
  });

  test("only GET and HEAD are answered, and no body is read", async () => {
    const { port } = book;
    for (const [status, request] of [
      [405, head(port, "/", { "Content-Length": 2 }, "POST")],
      [405, head(port, "/", {}, "DELETE")],
      [404, head(port, "/\x01")],
      [
        403,
        head(port, "/")
          .replace(/Host:.*\r\n/, "")
          .replace("HTTP/1.1", "HTTP/1.0"),
      ],
    ]) {
      assert.match(await raw(port, request), new RegExp(`^HTTP/1.1 ${status} `), request);
    }
    assert.match(
      await raw(port, head(port, "/first/", {}, "HEAD")),
      /^HTTP\/1.1 200 [^]*\r\n\r\n$/,
    );
  });

  test("a request that is written otherwise gets no more than one that is written well", async () => {
    const { port } = book;
    const whole = head(port, "/%66irst/", { Origin: `http://127.0.0.1:${port}` });
    const secret = await raw(port, whole);
    assert.match(secret, /^HTTP\/1.1 200/);
    // Cut short or with another byte: the response may be missing, but must not have a header that
    // the server did not write.
    const names = (answer) => new Set(answer.split("\r\n\r\n")[0].match(/^[\w-]+(?=:)/gm));
    const expected = new Set([...names(secret), "Location", "Allow"]);
    const variants = [];
    const vary = (request) =>
      variants.push(raw(port, `${request}\r\n\r\n`, "127.0.0.1", { ends: true }));
    for (let i = 0; i < whole.length; ++i) {
      vary(whole.slice(0, i));
      for (const byte of ["\0", "\n", "\r", " ", ":", "%", "\x7f", "\xff"]) {
        vary(whole.slice(0, i) + byte + whole.slice(i + 1));
      }
      if (i % 20 === 0) await Promise.all(variants); // fewer at once than the server accepts
    }
    for (const answer of await Promise.all(variants)) {
      if (answer) assert.match(answer, /^HTTP\/1.1 (200|301|40[03459]|505) /);
      for (const name of names(answer)) assert.ok(expected.has(name), answer);
    }
    // Lines that end or continue like earlier attacks: none of them lets another site in.
    const evil = "Origin: http://evil.example";
    for (const lines of [
      `Host: 127.0.0.1:${port}\n${evil}\n`,
      `Host: 127.0.0.1:${port}\r\nX: y\n${evil}\r\n`,
    ]) {
      assert.match(await raw(port, `GET / HTTP/1.1\r\n${lines}\r\n`), /^HTTP\/1.1 40[03] /, lines);
    }
    // Two of the same kind count as both.
    const twice = `Host: 127.0.0.1:${port}\r\n`.repeat(2);
    assert.match(await raw(port, `GET / HTTP/1.1\r\n${twice}\r\n`), /^HTTP\/1.1 40[03] /);
    // A path that would add a line to the response headers.
    for (const path of ["/first%0d%0aX-Mine:%20y", "/first\rX-Mine: y", "/%0aX-Mine:/../first"]) {
      assert.doesNotMatch(await get(port, path), /^X-Mine/m, path);
    }
    assert.match(await get(port, "/first/"), /^HTTP\/1.1 200/);
  });

  test("200 open pages receive an edit, take no time at rest, and delay no page", async () => {
    const streams = await connections(book.port, 200, head(book.port, "/_primer/events"));
    await until_so(() => streams.every((one) => one.heard.includes("data: ")));
    const errors = (one) => one.heard.split("data: ").at(-1);
    assert.match(await get(book.port, "/first/"), /^HTTP\/1.1 200/);
    book.save(book.text.replace("The sentence", "See [it](nowhere.md). The sentence"));
    await until_so(() => streams.every((one) => errors(one).includes("nowhere.md")));
    writeFileSync(`${book.chapter}~`, book.text);
    renameSync(`${book.chapter}~`, book.chapter); // like other editors
    await until_so(() => streams.every((one) => !errors(one).includes("nowhere.md")));
    // Pages without news take no CPU time: a server that polled them constantly would never be
    // idle.
    for (let calm = 0; calm < 20; await pause(20))
      calm = is_busy(book.server.process.pid) ? 0 : calm + 1;
    assert.match(
      await get(book.port, "/_primer/state"),
      /\r\n\r\n\{"build":\d+,"errors":"","scripts":"\w+"\}$/,
    );
    for (const one of streams) one.destroy();
    const [again] = await connections(book.port, 1, head(book.port, "/_primer/events"));
    await until_so(() => again.heard);
    assert.match(again.heard, /^HTTP\/1.1 200/);
    again.destroy();
  });

  test("at rest it sleeps, with a page open too, until something is saved", async (t) => {
    const { pid } = book.server.process;
    if (!existsSync(`/proc/${pid}/task`))
      return t.skip("the system does not count how often a process rests");
    if (book.server.output().includes("looking for changes every half second"))
      return t.skip("the system gives no notices of saves");
    const [stream] = await connections(book.port, 1, head(book.port, "/_primer/events"));
    await until_so(() => stream.heard.includes("data: "));
    await until_at_rest(pid);
    // A change that it has not read is no news.
    const heard = stream.heard.length;
    writeFileSync(join(book.root, "notes.txt"), "mine");
    await until_at_rest(pid);
    assert.equal(stream.heard.length, heard);
    book.save(`${book.text}\n\nOne more.\n`);
    await until_so(() => stream.heard.length > heard);
    book.save(book.text);
    stream.destroy();
  });

  test("of a storm of saves the last one is shown", async () => {
    const page = () => get(book.port, "/first/");
    const other = join(book.root, "chapters/en/02-second.md");
    const text = readFileSync(other, "utf8");
    for (let i = 0; i < 200; ++i) {
      book.save(book.text.replace("The sentence", `Save ${i}.`)); // in place
      writeFileSync(`${other}~`, `${text}\n\nOther ${i}.\n`);
      renameSync(`${other}~`, other);
      if (i % 20 === 0) await pause(i); // so that some fall into a build
    }
    await until_answer(page, /Save 199\./);
    await until_answer(() => get(book.port, "/second/"), /Other 199\./);
    writeFileSync(other, text);
    book.save(book.text);
    await until_answer(page, /The sentence/);
  });

  test("what another site asks for is refused, and no other site can read or frame a page", async () => {
    const asked = (headers) => raw(book.port, head(book.port, "/first/", headers));
    for (const from of ["same-origin", "none"]) {
      assert.match(await asked({ "Sec-Fetch-Site": from }), /^HTTP\/1.1 200/, from);
    }
    for (const from of ["cross-site", "same-site", "same-origin, cross-site", "x"]) {
      const answer = await asked({ "Sec-Fetch-Site": from, "Sec-Fetch-Mode": "navigate" });
      assert.match(answer, /^HTTP\/1.1 403 [^]*type its address/, from);
    }
    for (const origin of [
      "null",
      "https://evil.example",
      "http://localhost:1",
      "http://127.0.0.1:80800",
    ]) {
      assert.match(await asked({ Origin: origin }), /^HTTP\/1.1 403/, origin);
    }
    assert.match(await asked({ Origin: `http://localhost:${book.port}` }), /^HTTP\/1.1 200/);
    const { port } = book;
    for (const request of [
      head(port, "/first/"),
      head(port, "/none"),
      head(port, "/_primer/state"),
      head(port, "/_primer/live.js"),
      head(port, "/", { Host: "evil.example" }),
      head(port, "/", {}, "POST"),
    ]) {
      const answer = await raw(port, request);
      for (const header of [
        "Cross-Origin-Resource-Policy: same-origin",
        "X-Frame-Options: SAMEORIGIN",
        "Content-Security-Policy: frame-ancestors 'self'",
        "X-Content-Type-Options: nosniff",
        "X-DNS-Prefetch-Control: off",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
      ]) {
        assert.ok(answer.includes(`\r\n${header}\r\n`), `${header} for ${request}`);
      }
    }
  });

  test("two servers never share a port", async () => {
    const second = new ServedBook();
    try {
      await second.start(book.port);
      assert.notEqual(second.port, book.port);
    } finally {
      second.stop();
    }
  });

  test("a page that is served is none of a published site, whatever address the book names", async () => {
    const published = new ServedBook();
    try {
      const settings = join(published.root, "chapters/book.yaml");
      writeFileSync(
        settings,
        `${readFileSync(settings, "utf8")}base_url: https://example.org/book/\n`,
      );
      await published.start();
      const page = await get(published.port, "/first/");
      assert.match(page, /^HTTP\/1.1 200/);
      assert.doesNotMatch(page, /example\.org|rel="canonical"/);
    } finally {
      published.stop();
    }
  });

  test("the script of the preview is in no published page", () => {
    const page = readFileSync(join(book.root, "out/site/first/index.html"), "utf8");
    assert.doesNotMatch(page, /_primer/);
  });

  for (const kind of browser_kinds) {
    describe(kind, () => {
      // The second browser runs half of these per commit.
      const test_here = kind === browser_kinds[0] ? test : sampled(test, 2);
      let browser;
      let page;
      before(async () => {
        browser = await open_browser(kind);
        book.save(book.text);
      });
      after(() => browser?.close());

      const text_of_main = () => document.querySelector("main").textContent;
      const open = async () => {
        page = await browser.newPage();
        await page.setViewport({ width: 1280, height: 900 });
        await page.goto(`${book.url}first/`, { waitUntil: "load" });
        await until(page, () => "preview" in document.documentElement.dataset);
      };

      test_here(
        "a save changes the page in place: scroll, a running measurement, a result stay",
        async () => {
          await open();
          await page.evaluate(() => {
            const bench = document.getElementById("bench-served");
            bench.setAttribute("state", "running");
            bench.querySelector(".yours").textContent = "12 GB/s";
            window.kept = { bench, loaded: performance.timeOrigin };
            document.getElementById("here").scrollIntoView({ behavior: "instant" });
          });
          const top = () => document.getElementById("bench-served").getBoundingClientRect().top;
          const before_save = await page.evaluate(top);
          // Above the visible place, one line is removed and another is added. At that place, the
          // sentence changes.
          book.save(
            book.text
              .replace("A line above.\n\n", "One more line above.\n\nAnd another, above.\n\n")
              .replace("The sentence to change.", "The sentence has changed.")
              .replace("int code = 1;", "int code = 2;"),
          );
          await until(page, () =>
            document.querySelector("main").textContent.includes("The sentence has changed."),
          );
          const now = await page.evaluate(() => ({
            same: window.kept.bench === document.getElementById("bench-served"),
            connected: window.kept.bench.isConnected,
            result: document.querySelector("#bench-served .yours").textContent,
            state: window.kept.bench.getAttribute("state"),
            buttons: document.querySelectorAll("#bench-served .bench-button").length,
            code: document.querySelector("main pre").textContent,
          }));
          assert.deepEqual(now, {
            same: true,
            connected: true,
            result: "12 GB/s",
            state: "running",
            buttons: 1,
            code: "int code = 2;\n",
          });
          assert.ok(Math.abs((await page.evaluate(top)) - before_save) < 2, "the place moved");
          assert.match(await page.evaluate(text_of_main), /And another, above/);
          // A block that is measuring is replaced when it has finished, not before.
          book.save(book.text.replace("try: Measure.", "try: Measure this."));
          await new Promise((done) => setTimeout(done, 1500));
          assert.equal(await page.evaluate(() => window.kept.bench.isConnected), true);
          await page.evaluate(() => window.kept.bench.setAttribute("state", "done"));
          await until(page, () =>
            document.getElementById("bench-served").textContent.includes("Measure this."),
          );
          assert.equal(
            await page.evaluate(() => performance.timeOrigin === window.kept.loaded),
            true,
          );
          await page.close();
        },
      );

      test_here(
        "errors are shown over the page with their caret, and disappear when fixed",
        async () => {
          book.save(book.text);
          await open();
          const broken = book.text.replace("The sentence", "See [it](nowhere.md). The sentence");
          book.save(broken);
          await until(page, () => document.getElementById("primer-errors") !== null);
          const shown = await page.evaluate(
            () => document.querySelector("#primer-errors pre").textContent,
          );
          assert.match(
            shown,
            /01-first\.md:\d+:\d+: error: there is no "chapters\/en\/nowhere\.md"/,
          );
          assert.match(shown, /\n +\^{10}\n/);
          assert.match(await page.evaluate(text_of_main), /The sentence to change\./);
          // A save that stops half-way, and a file that is missing for a moment, are only errors.
          book.save(broken.slice(0, 10));
          await until(page, () =>
            document.querySelector("#primer-errors pre").textContent.includes("01-first.md:1:1"),
          );
          renameSync(book.chapter, `${book.chapter}~`);
          await until(page, () =>
            document.querySelector("#primer-errors pre").textContent.includes("has no file"),
          );
          renameSync(`${book.chapter}~`, book.chapter);
          book.save(book.text.replace("The sentence to change.", "The sentence is fixed."));
          await until(page, () => document.getElementById("primer-errors") === null);
          await until(page, () =>
            document.querySelector("main").textContent.includes("The sentence is fixed."),
          );
          await page.close();
        },
      );

      test_here(
        "more pages than a browser has connections receive an edit, and another one loads",
        async () => {
          book.save(book.text);
          const pages = [];
          for (let i = 0; i < 8; ++i) {
            await open();
            pages.push(page);
          }
          book.save(book.text.replace("The sentence to change.", "All have heard."));
          for (const one of pages) {
            // A page behind another window may count as hidden. It receives the message when it
            // becomes visible.
            await one.bringToFront();
            await until(one, () =>
              document.querySelector("main").textContent.includes("All have heard."),
            );
          }
          await open();
          pages.push(page);
          for (const one of pages) await one.close();
        },
      );

      test_here("another site can neither frame a page nor load from it", async () => {
        const stranger = createServer((request, response) => {
          response.setHeader("Content-Type", "text/html");
          response.end(`<!doctype html><iframe src="${book.url}first/"></iframe>
<script src="${book.url}_primer/live.js" onload="window.loaded = true" onerror="window.loaded = false"></script>`);
        });
        await new Promise((done) => stranger.listen(0, "127.0.0.1", done));
        const visit = await browser.newPage();
        try {
          await visit.goto(`http://localhost:${stranger.address().port}/`, { waitUntil: "load" });
          assert.equal(await visit.evaluate(() => window.loaded), false);
          const frame = visit.frames().find((one) => one !== visit.mainFrame());
          const text = await frame.evaluate(() => document.body?.textContent ?? "").catch(() => "");
          assert.doesNotMatch(text, /The sentence/);
          // A link from one to the other is rejected with a message.
          await visit.goto(`http://localhost:${stranger.address().port}/`);
          await Promise.all([
            visit.waitForNavigation(),
            visit.evaluate((url) => void location.assign(url), `${book.url}first/`),
          ]);
          assert.match(await visit.evaluate(() => document.body.textContent), /type its address/);
        } finally {
          await visit.close();
          await new Promise((done) => stranger.close(done).closeAllConnections());
        }
      });
    });
  }
});
