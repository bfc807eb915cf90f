// Models: active on the first touch and not before, usable by keyboard, without layout shifts. A
// link restores the same drawing. Nothing is animated for readers who asked for less motion.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  any_browser,
  complaints,
  in_each_browser,
  open_watched,
  origin_of,
  press,
  until,
} from "../../support/browser_page.mjs";
import { is_full, sample } from "../../../rounds.mjs";
import { english_pages, pages, read_page } from "../../support/site.mjs";

const showing = (is_full ? pages : english_pages).filter((page) =>
  read_page(page).includes('class="plot model"'),
);

/** The visible parts of a model: its drawing, its sentence, its position. */
const state_of = (page, id) =>
  page.evaluate((name) => {
    const figure = document.getElementById(name);
    const frame = [...figure.querySelectorAll(".plot-wide, .plot-narrow")].find(
      (one) => one.offsetParent !== null,
    );
    return {
      svg: frame.innerHTML,
      words: figure.querySelector(".model-summary").textContent,
      notices: figure.querySelector(".model-notices").textContent,
      where: figure.querySelector("output[name=where]").textContent,
    };
  }, id);

const changed = (page, id, words) =>
  until(
    page,
    ([name, before]) =>
      document.getElementById(name).querySelector(".model-link").search !== "" &&
      document.getElementById(name).querySelector("output[name=where]").textContent !== before,
    [id, words],
  );

/**
 * Moves the first slider by keyboard, or selects another choice of the first list. The link has the
 * value.
 */
const answers = async (page, id) => {
  const link = () => page.$eval(`#${id} .model-link`, ({ search }) => search);
  const before = await link();
  const slider = `#${id} .model-control > input`;
  if (await page.$(slider)) {
    const last = await page.$eval(slider, ({ value, max }) => value === max);
    await press(page, slider, last ? "ArrowLeft" : "ArrowRight");
  } else {
    const list = `#${id} .model-control select`;
    await page.select(
      list,
      await page.$eval(
        list,
        ({ options, value }) => [...options].find((one) => one.value !== value).value,
      ),
    );
  }
  await until(
    page,
    ([name, was]) => document.querySelector(`#${name} .model-link`).search !== was,
    [id, before],
  );
};

/** Every control has a name and announces its value with its unit. */
const are_named = async (page) => {
  const found = await page.$$eval("figure.model :is(input, select, button)", (controls) =>
    controls.map((control) => ({
      name: control.ariaLabel ?? control.labels[0]?.textContent ?? control.textContent,
      value: control.getAttribute("aria-valuetext")?.replaceAll("\u202f", " "),
      beside: control
        .closest(".model-control, .model-transport")
        ?.querySelector("output")
        ?.textContent.replaceAll("\u202f", " "), // before a unit, where the page was set
      slider: control.type === "range",
    })),
  );
  assert.ok(found.length > 4);
  for (const { name, value, beside, slider } of found) {
    assert.match(name, /\S/);
    if (slider) assert.equal(value, beside, name);
  }
};

/**
 * The link of one model, or of several in one, so that one page load is enough for all.
 */
const comes_back = async (browser, moved, width) => {
  if (moved.length === 0) return;
  const url = new URL(moved[0].link);
  for (const { link } of moved.slice(1))
    for (const [name, value] of new URL(link).searchParams) url.searchParams.set(name, value);
  const { page } = await open_watched(browser, url.href, { width });
  for (const { id, before, state } of moved) {
    await changed(page, id, before);
    assert.deepEqual(await state_of(page, id), state, `${id}: ${url}`);
  }
  await page.close();
};

/**
 * The height of the model with each control at each end, [[words, px], …]. Set in the page, because
 * other tests cover the keyboard, and a hundred keys take a second.
 */
const at_ends = (page, id) =>
  page.evaluate(async (name) => {
    const figure = document.getElementById(name);
    const link = figure.querySelector(".model-link");
    const heights = [];
    for (const control of figure.querySelectorAll(".model-control :is(input, select)")) {
      if (control.disabled) continue;
      const { min, max, options } = control;
      for (const value of options ? [options[0].value, [...options].at(-1).value] : [min, max]) {
        if (control.value === value) continue;
        control.value = value;
        control.dispatchEvent(new Event("input", { bubbles: true }));
        const said = `${control.name}:${"doubling" in control.dataset ? 2 ** value : value}`;
        for (const end = Date.now() + 60_000; !decodeURIComponent(link.search).includes(said);) {
          if (Date.now() > end) throw new Error(`the link does not say ${said}: ${link.search}`);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        heights.push([said, figure.getBoundingClientRect().height]);
      }
    }
    return heights;
  }, id);

in_each_browser(
  (session) => {
    // All models of every other page on a desktop, and in a full run of each page on a phone too.
    // Otherwise, only the first model of every fourth page on a phone. A test below tries the
    // controls of the first model of a third of the pages on a phone.
    for (const [i, path] of sample(showing, 2).entries()) {
      for (const width of [1280, 390]) {
        if (!is_full && width === 390 && i % 4 !== 0) continue;
        const is_whole = width === 1280 || is_full;
        test(`${path} at ${width} px: models run, their controls are named, their links bring them back`, async () => {
          const watched = await open_watched(session.browser, session.server.url + path, { width });
          const { page, seen } = watched;
          const ids = await page.$$eval("figure.model", (figures) => figures.map(({ id }) => id));
          assert.ok(!seen.requests.some((url) => /models-\w+\.wasm/.test(url)), "loaded too early");
          if (width === 1280) await are_named(page);
          const moved = [];
          for (const id of is_whole ? ids : ids.slice(0, 1)) {
            if (!(await page.$(`#${id} button[name=step]`))) {
              await answers(page, id);
              continue;
            }
            const start = await state_of(page, id);
            await press(page, `#${id} button[name=again]`, "Enter");
            await changed(page, id, start.where);
            const zero = await state_of(page, id);
            assert.match(zero.where, /^0 (of|de) \d/, id);
            await press(page, `#${id} button[name=step]`, "Enter");
            await changed(page, id, zero.where);
            const one = await state_of(page, id);
            assert.match(one.where, /^1 (of|de) \d/, id);
            assert.notEqual(one.svg, zero.svg, id);
            await answers(page, id);
            assert.equal((await state_of(page, id)).notices, "", id);
            await press(page, `#${id} input[name=at]`, "Home");
            await until(
              page,
              (name) =>
                document.querySelector(`#${name} output[name=where]`).textContent.startsWith("0 "),
              id,
            );
            await press(page, `#${id} input[name=at]`, "ArrowRight");
            await until(
              page,
              (name) =>
                document.querySelector(`#${name} output[name=where]`).textContent.startsWith("1 "),
              id,
            );
            const link = await page.$eval(`#${id} .model-link`, ({ href }) => href);
            moved.push({ id, link, before: start.where, state: await state_of(page, id) });
          }
          await comes_back(session.browser, moved, width);
          assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
          await page.close();
        });
      }
    }

    test("a broken link is answered in words", async () => {
      const block = /class="plot model" id="([^"]+)" data-model="layer-counter"/;
      const path = showing.find((page) => block.test(read_page(page)));
      const id = block.exec(read_page(path))[1];
      const pairs = [
        "batch:99999",
        "nonsense:1",
        "at:-5",
        "net:<b>x</b>",
        "context:1e400",
        "phase",
        ",,",
      ];
      const url = `${session.server.url}${path}?${id}=${encodeURIComponent(pairs.join(","))}`;
      const watched = await open_watched(session.browser, url);
      await until(
        watched.page,
        (name) => document.querySelector(`#${name} .model-notices`).textContent !== "",
        id,
      );
      const { notices, where } = await state_of(watched.page, id);
      assert.match(notices, /unknown setting: “nonsense:1”/);
      assert.match(notices, /unknown setting: “net:<b>x<\/b>”/);
      assert.match(notices, /batch is at most 1024, not 99,999: 1024 is used/);
      assert.match(where, /^0 of /);
      // The controls are where the model is.
      assert.equal(await watched.page.$eval(`#${id} [name=batch]`, ({ value }) => value), "10");
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      await watched.page.close();
    });

    test("nothing below a model moves, and text is announced once the model stops", async () => {
      for (const path of sample(showing, 3)) {
        for (const width of is_full ? [1280, 390] : [390]) {
          // because the words wrap, which would move the content below
          const watched = await open_watched(session.browser, session.server.url + path, { width });
          const { page } = watched;
          const id = await page.$eval("figure.model", (figure) => figure.id);
          const height = () =>
            page.$eval(`#${id}`, (figure) => figure.getBoundingClientRect().height);
          await page.$$eval(`#${id} .model-more`, (all) => {
            for (const more of all) more.open = true;
          });
          const before = await height();
          const heights = await at_ends(page, id);
          for (const [control, height] of heights) assert.equal(height, before, control);
          const words = await page.$eval(`#${id} .model-summary`, ({ textContent }) => textContent);
          await until(
            page,
            ([name, said]) => document.querySelector(`#${name} .model-told`).textContent === said,
            [id, words],
          );
          await page.close();
        }
      }
    });

    test("play ends at the last step; with reduced motion, immediately", async () => {
      const path = showing.at(-1);
      const watched = await open_watched(session.browser, session.server.url + path);
      const { page } = watched;
      const id = await page.$eval("figure.model", (figure) => figure.id);
      if (session.kind === "chromium")
        await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
      await press(page, `#${id} button[name=again]`, "Enter");
      await until(
        page,
        (name) =>
          document.querySelector(`#${name} output[name=where]`).textContent.startsWith("0 "),
        id,
      );
      await press(page, `#${id} button[name=play]`, "Enter");
      await until(
        page,
        (name) => {
          const where = document.querySelector(`#${name} output[name=where]`).textContent;
          const [, at, length] = /^(\S+) of (\S+)/.exec(where);
          return at === length;
        },
        id,
      );
      assert.equal(
        await page.$eval(`#${id} button[name=play]`, (button) => button.textContent),
        "Replay",
      );
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      await page.close();
    });
  },
  { kinds: any_browser },
);
