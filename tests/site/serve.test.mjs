// `primer serve` as its user has it: pages that take over what is saved, errors over the page, and a
// server that answers this machine alone and nothing outside the site.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { browser_kinds, open_browser } from "../../scripts/browsers.mjs";
import { until } from "./support/browser_page.mjs";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = join(repository, "build/release/generator/primer");

/** A copy of the small book with a chapter to scroll and to measure in, and a server on it. */
class ServedBook {
  constructor() {
    this.root = mkdtempSync(join(tmpdir(), "primer-serve-"));
    cpSync(join(repository, "tests/fixtures/book"), this.root, { recursive: true });
    this.chapter = join(this.root, "chapters/en/01-first.md");
    this.text = `---\ntitle: First\n---\n\n## Above\n\n${"A line above.\n\n".repeat(60)}## Here

The sentence to change.

\`\`\`bench
id: bench-served
kernels: [stream.add]
try: Measure.
\`\`\`

\`\`\`cpp
int code = 1;
\`\`\`

${"A line below.\n\n".repeat(40)}`;
    this.save(this.text);
  }

  save(text) {
    writeFileSync(this.chapter, text);
  }

  async start() {
    const options = ["serve", "--book", this.root, "--assets", join(repository, "site")];
    this.process = spawn(primer, [...options, "--out", join(this.root, "out/site"), "--port", "8470"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.output = "";
    this.process.stderr.on("data", (bytes) => (this.output += bytes));
    this.url = await new Promise((found, lost) => {
      this.process.stdout.on("data", (bytes) => {
        const address = String(bytes).match(/http:\S+/);
        if (address) found(address[0]);
      });
      this.process.on("exit", () => lost(new Error(this.output)));
    });
    this.port = Number(new URL(this.url).port);
  }

  stop() {
    this.process?.kill("SIGKILL");
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The bytes that come back for a request written by hand. */
function raw(port, request, host = "127.0.0.1") {
  return new Promise((done, failed) => {
    const socket = connect(port, host, () => socket.write(request));
    let answer = "";
    socket.on("data", (bytes) => (answer += bytes));
    socket.on("close", () => done(answer));
    socket.on("error", failed);
  });
}

const get = (port, path, host = `127.0.0.1:${port}`) =>
  raw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

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

  test("the script of the preview is in no published page", () => {
    const page = readFileSync(join(book.root, "out/site/first/index.html"), "utf8");
    assert.doesNotMatch(page, /_primer/);
  });

  for (const kind of browser_kinds) {
    describe(kind, () => {
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

      test("a save changes the page in place: scroll, a running measurement, a result stay", async () => {
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
        // Above the place in view a line goes and another comes; at it the sentence changes.
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
        // A block that is measuring is exchanged when it has finished, not before.
        book.save(book.text.replace("try: Measure.", "try: Measure this."));
        await new Promise((done) => setTimeout(done, 1500));
        assert.equal(await page.evaluate(() => window.kept.bench.isConnected), true);
        await page.evaluate(() => window.kept.bench.setAttribute("state", "done"));
        await until(page, () =>
          document.getElementById("bench-served").textContent.includes("Measure this."),
        );
        assert.equal(await page.evaluate(() => performance.timeOrigin === window.kept.loaded), true);
        await page.close();
      });

      test("errors are shown over the page with their caret, and go when mended", async () => {
        book.save(book.text);
        await open();
        const broken = book.text.replace("The sentence", "See [it](nowhere.md). The sentence");
        book.save(broken);
        await until(page, () => document.getElementById("primer-errors") !== null);
        const shown = await page.evaluate(() => document.querySelector("#primer-errors pre").textContent);
        assert.match(shown, /01-first\.md:\d+:\d+: error: there is no "chapters\/en\/nowhere\.md"/);
        assert.match(shown, /\n +\^{10}\n/);
        assert.match(await page.evaluate(text_of_main), /The sentence to change\./);
        // A save that stops half-way, and a file that goes for a moment, are errors and no more.
        book.save(broken.slice(0, 10));
        await until(page, () =>
          document.querySelector("#primer-errors pre").textContent.includes("01-first.md:1:1"),
        );
        renameSync(book.chapter, `${book.chapter}~`);
        await until(page, () =>
          document.querySelector("#primer-errors pre").textContent.includes("has no file"),
        );
        renameSync(`${book.chapter}~`, book.chapter);
        book.save(book.text.replace("The sentence to change.", "The sentence is mended."));
        await until(page, () => document.getElementById("primer-errors") === null);
        await until(page, () =>
          document.querySelector("main").textContent.includes("The sentence is mended."),
        );
        await page.close();
      });
    });
  }
});
