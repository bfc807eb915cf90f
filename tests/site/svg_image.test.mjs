// Hostile SVG files after the generator has cleaned them, opened as separate documents in Chromium
// and Firefox: nothing runs, nothing is loaded, everything parses and is drawn.
//
//   node tests/site/svg_image.test.mjs [SECONDS [SEED]]   tests other files for that long, starting
//   with that seed
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { browser_kinds, open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { attacks, hostile_pictures } from "./support/hostile_pictures.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const cleaner =
  process.env.CLEAN_IMAGES ?? join(root, "build/release/tests/generator/clean_images");
const fixtures = join(root, "tests/fixtures/images");
const samples = readdirSync(fixtures)
  .filter((name) => name.endsWith(".svg"))
  .map((name) => readFileSync(join(fixtures, name)));
const [seconds, first_seed = "1"] = process.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), "pictures-"));
const from = join(folder, "from");
const to = join(folder, "to");
let server;
let leak;
let browsers;
before(async () => {
  server = await serve(to);
  leak = `${server.url}leak`;
  browsers = await Promise.all(browser_kinds.map((kind) => open_browser(kind)));
});
after(async () => {
  await Promise.all((browsers ?? []).map((browser) => browser.close()));
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the files, cleans them, and returns the names of the accepted ones. */
function cleaned(files) {
  for (const path of [from, to]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  }
  let count = 0;
  for (const bytes of files) writeFileSync(join(from, `${count++}.svg`), bytes);
  execFileSync(cleaner, [from, to], { stdio: "pipe", timeout: 120_000, maxBuffer: 64 << 20 });
  return readdirSync(to).sort((a, b) => parseInt(a) - parseInt(b));
}

/** Runs in the page: the problems of the documents in its frames. */
function faults_of_frames() {
  return [...document.querySelectorAll("iframe")].flatMap((frame) => {
    const document_of = frame.contentDocument;
    const drawn = document_of?.documentElement;
    const name = frame.getAttribute("src");
    if (!drawn) return [`${name}: no document`];
    const faults = [];
    if (drawn.namespaceURI !== "http://www.w3.org/2000/svg" || drawn.localName !== "svg")
      faults.push(`${name}: the root is ${drawn.nodeName}`);
    if (document_of.querySelector("parsererror"))
      faults.push(`${name}: ${document_of.querySelector("parsererror").textContent.slice(0, 200)}`);
    const { width, height } = drawn.getBoundingClientRect();
    if (!(width > 0 && height > 0)) faults.push(`${name}: drawn as ${width} × ${height}`);
    if (frame.contentWindow.ran) faults.push(`${name}: ran`);
    return faults;
  });
}

/** Opens the files of `names` as documents, forty at a time. Returns the problems as words. */
async function faults_in(browser, frames, names) {
  const faults = [];
  const page = await browser.newPage();
  page.on("dialog", (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  for (let at = 0; at < names.length; at += 40) {
    const group = names.slice(at, at + 40);
    writeFileSync(
      join(to, frames),
      `<!DOCTYPE html>${group.map((name) => `<iframe src="${name}"></iframe>`).join("")}`,
    );
    await page.goto(server.url + frames, { waitUntil: "load", timeout: 120_000 });
    faults.push(...(await page.evaluate(faults_of_frames)));
    if (await page.evaluate("window.ran")) faults.push(`one of ${group}: ran`);
  }
  await page.close();
  return faults;
}

/** The same in all browsers at once, and the unexpected requests to the server. */
async function faults_in_all(names) {
  const asked = server.requests.length;
  const faults = await Promise.all(
    browsers.map(async (browser, i) => {
      const found = await faults_in(browser, `${browser_kinds[i]}.html`, names);
      return found.map((fault) => `${browser_kinds[i]}: ${fault}`);
    }),
  );
  const expected = new Set(
    ["favicon.ico", ...browser_kinds.map((kind) => `${kind}.html`), ...names].map(
      (name) => `/${name}`,
    ),
  );
  const others = server.requests.slice(asked).filter((path) => !expected.has(path));
  return [...faults.flat(), ...others.map((path) => `asked for ${path}`)];
}

/** Cleans the files and opens the accepted ones in every browser. Returns their number. */
async function hold(files) {
  const names = cleaned(files);
  assert.deepEqual(
    await faults_in_all(names),
    [],
    "the files are numbered as hostile_pictures() gives them",
  );
  return names.length;
}

test("the attacks work in browsers if they are not cleaned, so this test can fail", async () => {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  const all = attacks(leak);
  const bad = ["<script>", "@im<![CDATA[", "<image "].map((part) =>
    all.findIndex((text) => text.includes(part)),
  );
  for (const i of bad) writeFileSync(join(to, `${i}.svg`), all[i], "latin1");
  const faults = (await faults_in_all(bad.map((i) => `${i}.svg`))).join("\n");
  for (const kind of browser_kinds) assert.match(faults, new RegExp(`${kind}: .*: ran`));
  assert.match(faults, /asked for \/leak/);
});

test("hostile and changed SVG files", { timeout: 300_000 }, async (t) => {
  const passed = await hold(hostile_pictures({ seed: 1, count: 300, leak, samples }));
  t.diagnostic(`${passed} of 300 passed the cleaner and were opened`);
  assert.ok(passed >= 60, `only ${passed} files passed`);
});

test(
  "many more of them",
  { skip: seconds ? false : "SECONDS are not given", timeout: 7_200_000 },
  async (t) => {
    const end = Date.now() + 1000 * Number(seconds);
    let tried = 0;
    let passed = 0;
    for (let seed = Number(first_seed); Date.now() < end; ++seed) {
      passed += await hold(hostile_pictures({ seed, count: 1500, leak, samples })).catch(
        (error) => {
          throw new Error(`seed ${seed}: ${error.message}`);
        },
      );
      tried += 1500;
    }
    t.diagnostic(`${tried} files, of which ${passed} passed the cleaner and were opened`);
  },
);
