// /machines/ of a book with many machines: the position of the reader's own machine, and the
// search.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

import { plausible_profile, random_from } from "../../scripts/lib/plausible_profiles.mjs";
import { open_browser, serve } from "../../scripts/lib/browsers.mjs";
import { profile_key, until, until_ready } from "./support/browser_page.mjs";
import { write_small_book } from "./support/small_site.mjs";

const primer =
  process.env.PRIMER ?? resolve(import.meta.dirname, "../../build/release/generator/primer");

const profiles = (book) => join(book, "figures/profiles");
/** The number of a book's profiles that have the single-core bandwidth. */
const machines_of = (book) =>
  readdirSync(profiles(book))
    .map((name) => JSON.parse(readFileSync(join(profiles(book), name), "utf8")))
    .filter(({ roofs }) => roofs.some((r) => r.device === "cpu" && r.class.level === "out")).length;

test("many machines: the reader's own is placed among them, and one is found by its words", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gallery-"));
  const book = join(folder, "book");
  const random = random_from(7);
  write_small_book(book, { one: "Text.\n" });
  for (let i = 1; i <= 300; ++i) {
    const profile = plausible_profile(random);
    if (i === 30) profile.name = "A strange machine";
    writeFileSync(join(book, `figures/profiles/m${i}.json`), JSON.stringify(profile));
  }
  const many = machines_of(book);
  assert.ok(many > 300);
  const site = join(folder, "site");
  execFileSync(primer, ["build", "--book", book, "--out", site], { stdio: "pipe" });
  const server = await serve(site);
  const browser = await open_browser("chromium");
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}one/`, { waitUntil: "load" });
    const own = plausible_profile(random);
    for (const roof of own.roofs) if (roof.class.level === "out") roof.value = 500;
    await page.evaluate(
      (key, text) => localStorage.setItem(key, text),
      profile_key,
      JSON.stringify(own),
    );
    await page.goto(`${server.url}machines/`, { waitUntil: "load" });
    await until_ready(page);
    await until(page, () =>
      document.getElementById("gallery-yours")?.textContent.includes("100 %"),
    );
    const said = await page.$eval("#gallery-yours", (p) => p.textContent);
    assert.ok(
      said.startsWith(
        `Your core moves bytes faster than 100 % of ${many} machines. It computes faster`,
      ),
      said,
    );
    const rows = () =>
      page.$$eval(".machines tbody tr th", (all) => all.map((th) => th.textContent));
    const first = await rows();
    assert.equal(first.length, 50);
    await page.type('#gallery input[type="search"]', "strange");
    await until(page, () => document.querySelector("#gallery output").textContent === "1 found");
    assert.deepEqual(await rows(), ["A strange machine"]);
    await page.$eval('#gallery input[type="search"]', (input) => {
      input.value = "";
      input.dispatchEvent(new Event("input"));
    });
    await until(page, () => document.querySelector("#gallery output").textContent === "");
    assert.deepEqual(await rows(), first);
    if (process.env.SHOT) {
      await page.setViewport({ width: 1280, height: 1600 });
      await page.screenshot({ path: process.env.SHOT });
    }
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
