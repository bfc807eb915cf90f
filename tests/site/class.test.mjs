// /class/: complete as a text without scripts; a student makes a link, a teacher pastes many, and
// an exercise leads back to the book. Keyboard, print, storage and hostile input.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { class_link, longest_link } from "../../site/runtime/classroom/class_link.js";
import { axe_violations } from "./support/axe.mjs";
import {
  any_browser,
  complaints,
  in_each_browser,
  key_of,
  open_watched,
  origin_of,
  press,
  profile_key,
  until,
} from "./support/browser_page.mjs";
import { pages, read_page } from "./support/site.mjs";

const recorded = readFileSync(
  new URL("../../figures/profiles/zen5-chromium.json", import.meta.url),
  "utf8",
);
const devices = ["phone", "laptop", "desktop", "server"];
const machines = Array.from({ length: 200 }, (_, i) => ({
  ...{ name: `Student ${i}`, device: devices[i % 4], browser: "Chromium 156", system: "Linux" },
  ...{ date: "2026-11-30", compute: 20 + i, memory: 10 + (i % 30) },
}));

test("only this page loads its style", () => {
  const loading = pages.filter((page) => read_page(page).includes("/class.css"));
  assert.ok(loading.includes("class/"));
  for (const page of loading) assert.match(page, /^(es\/)?class\/$/);
});

const is_sideways = () =>
  document.documentElement.scrollWidth > document.documentElement.clientWidth;
/** Presses a key until the parts of the page are there. */
const touch = (page) =>
  until(page, () => {
    dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
    return document.getElementById("set-an-exercise") !== null;
  });
const row_count = (page) => page.$$eval(".class-shown-machines tbody tr", (rows) => rows.length);
const status_of = (page) =>
  page.$eval("#class-machines ~ .class-status", (place) => place.textContent);

async function paste(page, text) {
  await page.$eval(
    ".class-part textarea",
    (area, value) => {
      area.value = value;
      area.form.requestSubmit();
    },
    text,
  );
}

in_each_browser(
  (session) => {
    const open = async (path = "class/", options) => {
      const watched = await open_watched(session.browser, session.server.url + path, options);
      await touch(watched.page);
      return watched;
    };
    const links_of = (list) =>
      Promise.all(list.map((one) => class_link(one, `${session.server.url}class/`)));
    const wrong = async (watched) =>
      (await complaints(watched, origin_of(session.server))).filter(
        (text) => !text.startsWith("layout shift"), // the figure and the table push the rest down
      );
    // Firefox can neither switch scripts off nor play another medium for a test.
    const emulated = session.kind === "chromium" ? test : () => {};
    const empty = (page) =>
      page.evaluate((key) => localStorage.removeItem(key), key_of("class.v1"));

    emulated("without scripts, the page says what it is for, and holds no dead form", async () => {
      const page = await session.browser.newPage();
      await page.setJavaScriptEnabled(false);
      await page.goto(`${session.server.url}class/`);
      assert.match(await page.$eval("main", (main) => main.textContent), /For teachers/);
      assert.equal(await page.$("main form"), null);
      await page.close();
    });

    test("before the first touch, the page loads no part", async () => {
      const { page, seen } = await open_watched(session.browser, `${session.server.url}class/`);
      await page.waitForNetworkIdle({ idleTime: 200 });
      assert.ok(!seen.requests.some((url) => url.endsWith("classroom.js")));
      await page.keyboard.press("Tab");
      await page.waitForSelector("#set-an-exercise");
      await page.close();
    });

    test("a student measures, makes a link, and opens it", async () => {
      const watched = await open();
      const { page } = watched;
      await press(page, ".class-part form button");
      await until(page, () => /Measure/.test(document.querySelector(".class-status").textContent));
      await page.evaluate(
        ([key, text]) => localStorage.setItem(key, text),
        [profile_key, recorded],
      );
      await page.reload();
      await touch(page);
      await page.type(".class-part input", "=Ada <b>");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".class-link");
      const link = await page.$eval(".class-link", ({ value }) => value);
      assert.ok(link.length <= longest_link, `${link.length} characters`);
      const visit = await open(`class/${new URL(link).hash}`);
      const offered = await visit.page.$eval(".class-part textarea", ({ value }) => value);
      assert.equal(offered, link, "the link waits in the field");
      assert.equal(await row_count(visit.page), 0, "nothing is added unasked");
      await press(visit.page, ".class-part:has(textarea) form button");
      await visit.page.waitForSelector(".class-plot");
      const row = await visit.page.$eval(".class-shown-machines tbody tr", (one) => one.innerText);
      assert.match(row, /^=Ada <b>\s+laptop\s+Chromium 156, Linux\s+2026-11-27\s+70\.0 GFLOP\/s/);
      for (const one of [watched, visit]) assert.deepEqual(await wrong(one), []);
      await empty(visit.page);
      await visit.page.close();
      await page.close();
    });

    test("200 links and hostile ones: drawn, refused with reasons, stored, removed", async () => {
      const watched = await open();
      const { page } = watched;
      const hostile = ["https://evil.example/#c=zAAAA", '"><img/src=x/onerror=alert(1)>#c=zz'];
      await paste(page, [...(await links_of(machines)), ...hostile].join(" said\n"));
      await until(page, () => document.querySelectorAll(".class-roof").length === 200);
      assert.equal(await status_of(page), "200 added, 2 refused. ");
      const reasons = await page.$$eval(".class-refused li", (all) =>
        all.map((one) => one.textContent.split(": ").at(-1)),
      );
      assert.deepEqual(reasons, ["the link is damaged", "the link is damaged"]);
      assert.equal(await page.$(".class-part img"), null);
      assert.equal(await page.$eval(".class-part textarea", ({ value }) => value), "");
      const spread = await page.$eval(".class-spread", (one) => one.textContent);
      assert.match(spread, /^200 machines: the ridges range from 1\.3 to 20 FLOP\/B/);
      assert.equal(
        await page.$eval(".class-plot", (svg) => svg.getAttribute("aria-label")),
        spread,
      );
      assert.ok((await page.$$(".class-questions li")).length >= 4);

      // A row that has the focus names its roof in the figure.
      await page.focus(".class-shown-machines tbody tr:nth-child(3) button");
      const [name, said, shown] = await page.evaluate(() => [
        document.querySelector(".class-shown-machines tbody tr:nth-child(3) th").textContent,
        document.querySelector(".class-said").textContent,
        document.querySelectorAll(".class-shown").length,
      ]);
      assert.equal(said, name);
      assert.equal(shown, 1);
      await page.keyboard.press("Enter");
      await until(page, () => document.querySelectorAll(".class-roof").length === 199);
      assert.equal(await page.evaluate(() => document.activeElement.tagName), "TEXTAREA");

      await page.reload();
      await until(page, () => document.querySelectorAll(".class-roof").length === 199);
      const other = await open();
      await paste(other.page, (await links_of([{ ...machines[0], name: "Late" }]))[0]);
      await until(other.page, () => document.querySelectorAll(".class-roof").length === 200);
      await other.page.close();
      await paste(page, (await links_of([{ ...machines[0], name: "Later" }]))[0]);
      await until(page, () => document.querySelectorAll(".class-roof").length === 201);
      assert.deepEqual(await wrong(watched), []);
      await press(page, ".class-tools button:last-child");
      await until(page, () => document.querySelectorAll(".class-roof").length === 0);
      await page.close();
    });

    test("without storage, the class lasts as long as the page, and the page reports that", async () => {
      const watched = await open("class/", {
        before: () => {
          Storage.prototype.setItem = () => {
            throw new Error("denied");
          };
          Storage.prototype.getItem = () => {
            throw new Error("denied");
          };
        },
      });
      await paste(watched.page, (await links_of(machines.slice(0, 2))).join(" "));
      await until(watched.page, () => document.querySelectorAll(".class-roof").length === 2);
      assert.match(await status_of(watched.page), /This browser stores nothing/);
      await paste(watched.page, (await links_of(machines.slice(2, 4))).join(" "));
      await until(watched.page, () => document.querySelectorAll(".class-roof").length === 4);
      await watched.page.close();
    });

    test("files are added together, and the bad one is named", async () => {
      const { page } = await open();
      await page.evaluate((text) => {
        const files = [new File([text], "ada.json"), new File(["{"], "broken.json")];
        const transfer = new DataTransfer();
        for (const file of files) transfer.items.add(file);
        const form = document.querySelector(".class-part textarea").form;
        form.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
      }, recorded);
      await until(page, () => document.querySelectorAll(".class-roof").length === 1);
      const refused = await page.$eval(".class-refused", (list) => list.textContent);
      assert.equal(refused, "broken.json: it is not JSON");
      await empty(page);
      await page.close();
    });

    test("an exercise shows its title and leads to its page; others are refused", async () => {
      const watched = await open();
      const { page } = watched;
      await page.type(".class-part:last-child input", "Week 3");
      const place = ".class-part:last-child label:nth-of-type(2) input";
      await page.$eval(place, (input) => (input.value = "https://evil.example/"));
      await press(page, ".class-part:last-child button[type=submit]");
      await until(page, () => document.querySelector("[aria-invalid=true]") !== null);
      assert.equal(await page.$(".class-link"), null);
      const target = `${session.server.url}matmul/#bench-ladder`;
      await page.$eval(place, (input, value) => (input.value = value), target);
      await press(page, ".class-part:last-child button[type=submit]");
      await page.waitForSelector(".class-link");
      const link = await page.$eval(".class-link", ({ value }) => value);
      const student = await open(`class/${new URL(link).hash}`);
      await student.page.waitForSelector(".visit");
      const [words, href] = await student.page.$eval(".visit", (notice) => [
        notice.textContent,
        notice.querySelector("a").href,
      ]);
      assert.match(words, /^Your exercise: Week 3/);
      assert.equal(href, target);
      assert.deepEqual(await wrong(student), []);
      await student.page.goto(`${session.server.url}class/#e=zzz`);
      await student.page.reload();
      await student.page.waitForSelector(".visit");
      assert.match(
        await student.page.$eval(".visit", (notice) => notice.textContent),
        /cannot be shown, because the link is damaged/,
      );
      await student.page.close();
      await page.close();
    });

    emulated("both widths and themes: no sideways scrolling, names for all fields", async () => {
      for (const [width, scheme] of [
        [390, "dark"],
        [1280, "light"],
      ]) {
        const { page } = await open("class/", { width });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await paste(page, (await links_of(machines.slice(0, 30))).join(" "));
        await until(page, () => document.querySelectorAll(".class-roof").length === 30);
        assert.equal(await page.evaluate(is_sideways), false, `${width} px`);
        assert.deepEqual(await axe_violations(page), []);
        await empty(page);
        await page.close();
      }
    });

    emulated("in print, the figure and the table stay, and the forms go", async () => {
      const { page } = await open();
      await paste(page, (await links_of(machines.slice(0, 5))).join(" "));
      await until(page, () => document.querySelectorAll(".class-roof").length === 5);
      await page.emulateMediaType("print");
      await until(page, () =>
        [".class-form", ".class-tools", ".class-plot", "tbody tr"].every(
          (name, i) =>
            (getComputedStyle(document.querySelector(name)).display === "none") === i < 2,
        ),
      );
      await empty(page);
      await page.close();
    });
  },
  { kinds: any_browser },
);
