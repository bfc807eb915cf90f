// /machine-gallery/: a drawing and two tables without scripts, whose measured numbers are those of
// the recorded profiles, and the reader's machine in both once it is measured.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  profile_key,
  until,
} from "./support/browser_page.mjs";
import { axe_violations } from "./support/axe.mjs";
import { read_page } from "./support/site.mjs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const profile_of = (name) => JSON.parse(read(`figures/profiles/${name}.json`));
const spec = JSON.parse(read("figures/specs/machine-gallery.json"));
const source = read("chapters/en/pages/machine-gallery.md");
const [measured, published] = source.split("## Published by others");
const rows_of = (text) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| machine"))
    .map((line) => line.slice(2).split(" | "));

/** The roof of a profile: GFLOP/s of `isa` or `type`, GB/s of `level`. */
const roof_of = ({ roofs }, name) =>
  roofs.find(
    ({ class: its }) => [its.isa, its.type, its.level].includes(name) && (its.threads ?? 1) === 1,
  ).value;

test("at least twenty machines, each measured or published, and none both", () => {
  const first = rows_of(measured);
  const second = rows_of(published);
  assert.ok(first.length + second.length >= 20, `${first.length} and ${second.length}`);
  for (const cells of first) assert.doesNotMatch(cells.join(), /\(fact:|\[@/, cells[0]);
  for (const cells of second) {
    assert.doesNotMatch(cells.join(), /live:/, cells[0]);
    assert.match(cells[2], /\(fact:[\w-]+\.peak\.fp32\)/, cells[0]);
    assert.match(cells.at(-1), /^(\[@[\w-]+\] ?)+\|?/, `${cells[0]} has no source`);
  }
  const kinds = new Set(second.map(([, kind]) => kind.split(",")[0]));
  for (const kind of ["phone", "console", "server"]) assert.ok(kinds.has(kind), kind);
});

test("the measured numbers are those of the recorded profiles", () => {
  const of_page = [...measured.matchAll(/calc: ([\d.]+) (GFLOP|GB)\/s>/g)].map(([, n]) =>
    Number(n),
  );
  const expected = [
    ...["zen5-chromium", "zen5-firefox"].flatMap((name) =>
      ["fma", "out"].map((roof) => roof_of(profile_of(name), roof)),
    ),
    ...["f32", "out"].map((name) => {
      const { roofs } = profile_of("h100-webgpu");
      return roof_of({ roofs: roofs.filter(({ device }) => device === "gpu") }, name);
    }),
  ];
  assert.equal(of_page.length, expected.length);
  for (const [i, value] of expected.entries())
    assert.ok(Math.abs(of_page[i] / value - 1) < 5e-5, `${of_page[i]}, recorded ${value}`);
  const drawn = spec.points.flatMap(({ x, y }) => [x, y]).filter((text) => /^[\d.]+ G/.test(text));
  const numbers = drawn.map((text) => Number(text.split(" ")[0]));
  for (const number of numbers) assert.ok(of_page.includes(number), `${number} is only drawn`);
  for (const { badge, x } of spec.points)
    assert.equal(badge === "measured", !/^[\w-]+\.bandwidth$/.test(x), x);
});

test("the drawing is in the page, with a name", () => {
  const html = read_page("machine-gallery/");
  assert.match(html, /<title[^>]*>Bandwidth and compute in fp32, measured and published<\/title>/);
  for (const name of ["PS5", "A16", "MI300X"]) assert.ok(html.includes(`>${name}<`), name);
});

in_each_browser(
  (session) => {
    test("the reader's machine is in the figure and in the table", async () => {
      const watched = await open_watched(session.browser, `${session.server.url}machine-gallery/`);
      const { page } = watched;
      assert.deepEqual(await axe_violations(page), []);
      await page.evaluate(
        ([key, text]) => localStorage.setItem(key, text),
        [profile_key, read("tests/fixtures/profiles/phone.json")],
      );
      await page.reload();
      // The phone's dot is added, and the reference machine's stays as a ring.
      await until(page, () => document.querySelectorAll(".plot-wide circle").length === 4);
      const dot = await page.$eval(
        ".plot-wide circle[fill='var(--reader)']",
        ({ tagName }) => tagName,
      );
      assert.equal(dot, "circle");
      const row = await page.$eval(
        "#tbl-gallery-measured + .table tbody tr",
        (one) => one.innerText,
      );
      assert.match(row, /14\sGFLOP\/s\s+9\.0\sGB\/s/);
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      await page.close();
    });
  },
  { kinds: any_browser },
);
