// The Spanish edition in a browser: its layout and its scripts are in Spanish, and untranslated
// text is marked.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { serve } from "../../../../scripts/lib/browsers.mjs";

import {
  complaints,
  in_each_browser,
  key_of,
  open_watched,
  origin_of,
  press,
  profile_key,
  run_bench,
  until,
  until_ready,
} from "../../support/browser_page.mjs";
import { hurried } from "../../support/hurried.mjs";
import { build_small_site } from "../../support/small_site.mjs";

const {
  "said by pages alone": of_pages,
  "said at first": at_first,
  "said by drawings": labels,
  "said beside drawings": beside,
  ",": between_thousands,
  ...of_all
} = JSON.parse(readFileSync("site/locales/es.json", "utf8"));
const words = { ...of_all, ...at_first, ...of_pages };
/** English words that differ in Spanish. */
const english = Object.keys(words).filter((word) => words[word] !== word);
// Many texts have the form "{done} of {of}".
const tells = (word) => !word.includes("{") || word.replace(/\{\w+\}/g, "").length > 8;
const forms = english
  .filter(tells)
  .map((word) => word.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, ".+"));
const english_form = `^(${forms.join("|")})$`;

/** One '#' per number, as in the generator and the modules. */
const drawn = { ...labels, ...beside };
const form_of = (label) => label.replace(/\d+(?:[.,\u202F]\d+)*/g, "#");

/** The texts of figures and models on the page, and where they are still in English. */
async function said_by_drawings(page) {
  const texts = await page.$$eval(
    ".plot svg text, .plot svg title, .plot th, .plot td, .model label, .model option, .model output",
    (all) => all.map(({ textContent }) => textContent),
  );
  const english = (text) =>
    (drawn[form_of(text)] ?? text) !== text && form_of(drawn[form_of(text)]) !== form_of(text);
  return { texts, english: [...new Set(texts.filter(english))] };
}

/**
 * Texts of the page that are words of the English layout, outside of elements marked as another
 * language.
 */
const left_in_english = (page) =>
  page.evaluate((form) => {
    const is_known = new RegExp(form);
    const is_foreign = (element) =>
      element.closest("[lang]").lang !== "es" || element.closest("pre, code");
    const said = [...document.querySelectorAll("body *")]
      .filter((element) => !is_foreign(element))
      .flatMap((element) => [
        ...["aria-label", "title", "placeholder"].map((name) => element.getAttribute(name)),
        ...[...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent),
      ])
      .map((text) => text?.trim());
    return [...new Set(said.filter((text) => is_known.test(text ?? "")))];
  }, english_form);

/** A separate book for a case that this one no longer has: a chapter without a translation. */
const bench = "```bench\nid: bench-only\nkernels:\n  - stream.read{w=64MiB}\ntry: Read.\n```\n";
const sections = ["One", "Two", "Three", "Four"].map(
  (title) => `## ${title}\n\n${"Some text.\n\n".repeat(40)}`,
);
let small, small_server; // in Spanish
let bare, bare_server; // in French, which has no strings
before(async () => {
  const only = `${bench}\n${sections.join("")}`;
  const partly = `A paragraph.\n\n${bench}\nAnother, with $x^2$.\n`;
  const in_spanish = { partly: "Un párrafo.\n" };
  small = build_small_site({ only, partly }, [], {
    languages: ["en", "es"],
    translations: { es: in_spanish },
  });
  small_server = await serve(small.site);
  bare = build_small_site({ only: bench }, [], {
    languages: ["en", "fr"],
    translations: { fr: { only: bench.replace("try: Read.", "try: Lire.") } },
  });
  bare_server = await serve(bare.site);
});
after(async () => {
  await small_server?.close();
  await bare_server?.close();
  small?.remove();
  bare?.remove();
});

in_each_browser(
  (session) => {
    const open = (path) => open_watched(session.browser, session.server.url + path);

    test("a translated chapter measures, with messages in Spanish", async () => {
      const watched = await open("es/interlude/");
      const { page } = watched;
      await page.evaluate((key) => localStorage.removeItem(key), profile_key);
      await page.reload({ waitUntil: "load" });
      await until_ready(page);
      assert.equal(
        await page.$eval("#bench-interlude .bench-button", (b) => b.textContent),
        "Medir",
      );
      assert.deepEqual(await left_in_english(page), []);
      const { state, status, rows } = await run_bench(page, "bench-interlude");
      assert.equal(state, "done", status);
      assert.match(
        status,
        /^(Listo\. Mediciones: \d+, cada una comparada|Ningún número es fiable|Tu máquina estaba ocupada|La frecuencia del núcleo cambió)/,
      );
      for (const { text } of rows)
        assert.match(text, /^[\d.]+ [±a] [\d.]+ \S+ .*(comprobado|dudoso)/);
      const answer = () =>
        page.$eval("#q-vector-add .worked-result", (output) => output.textContent);
      await page.type("#q-vector-add .worked-input", "1 GB");
      await press(page, "#q-vector-add .worked-form button");
      await until(
        page,
        () => document.querySelector("#q-vector-add .worked-result").textContent.length > 1, // "…" at first
      );
      assert.equal(
        await answer(),
        "La respuesta va en %; la tuya, en GB. Una respuesta se escribe así: 12.5 %.",
      );
      await page.$eval("#q-vector-add .worked-input", (input) => input.select());
      await page.type("#q-vector-add .worked-input", "1 %");
      await press(page, "#q-vector-add .worked-form button");
      await until(page, () =>
        document.querySelector("#q-vector-add [data-graded], #q-vector-add[data-graded]"),
      );
      assert.match(await answer(), /^Todavía no/);
      assert.match(
        await page.$eval("#verdict-vector-add", (v) => v.textContent),
        /suma de vectores/,
      );
      assert.deepEqual(await left_in_english(page), []);
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      await page.close();
    });

    test("figures and models are Spanish, when they are drawn again too", async () => {
      const watched = await open("es/one-chip/");
      const { page } = watched;
      await until_ready(page);
      const before = await said_by_drawings(page);
      assert.ok(before.texts.length > 500);
      assert.deepEqual(before.english, []);
      const model = '[data-model="decode-floor"]';
      const sentences = () =>
        page.$eval(`${model} .model-words`, ({ lang, textContent }) => [lang, textContent]);
      assert.match((await sentences()).join(), /^,Tras 2048 tokens la caché ocupa/);
      await page.$eval(`${model} [name="prompt"]`, (slider) => {
        slider.value = slider.max;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await until(
        page,
        () => document.querySelector('[data-model="decode-floor"] .model-words').lang === "es",
      );
      const [, told] = await sentences();
      assert.match(told, /^Tras 2048 tokens la caché ocupa/);
      const after = await said_by_drawings(page);
      assert.deepEqual(after.english, []);
      assert.ok(after.texts.includes(`131${between_thousands}072 tokens`));
      assert.deepEqual(
        after.texts.filter((text) => /\d,\d{3}/.test(text)),
        [],
      );
      assert.match(
        await page.$eval(`${model} svg desc`, ({ textContent }) => textContent),
        /^Tras 2048 tokens la caché ocupa/,
      );
      assert.deepEqual(await complaints(watched, origin_of(session.server)), []);
      await page.close();
    });

    test("a figure with the reader's machine is Spanish", async () => {
      const { page } = await open("es/roofline/");
      const profile = readFileSync("tests/fixtures/profiles/phone.json", "utf8");
      await page.evaluate((key, text) => localStorage.setItem(key, text), profile_key, profile);
      await page.reload({ waitUntil: "load" });
      await until(page, () => document.querySelector('.plot[data-from="reader"]'));
      const { texts, english } = await said_by_drawings(page);
      assert.ok(texts.some((text) => text.startsWith("tu máquina")));
      assert.deepEqual(english, []);
      await page.evaluate((key) => localStorage.removeItem(key), profile_key);
      await page.close();
    });

    test("the switch leads to the same page in the other language, and back", async () => {
      const { page } = await open("interlude/");
      const follow = async (language) => {
        await page.click(".contents > summary");
        await Promise.all([
          page.waitForNavigation(),
          page.click(`.page-head a[hreflang="${language}"]`),
        ]);
        return page.evaluate(() => [
          document.documentElement.lang,
          document.querySelector("h1").textContent,
        ]);
      };
      assert.deepEqual(await follow("es"), ["es", "Interludio: un roofline con números"]);
      assert.deepEqual(await follow("en"), ["en", "Interlude: the roofline with numbers"]);
      await page.close();
    });

    test("dialogs and notices speak the page's language, around a text of any", async () => {
      for (const path of [`${session.server.url}es/interlude/`, `${small_server.url}es/only/`]) {
        const { page } = await open_watched(session.browser, path);
        await page.click(".contents > summary");
        await until(
          page,
          () =>
            document.querySelector(".contents-tools button")?.textContent === "Opciones de lectura",
        );
        await page.click(".contents-tools button");
        await until(page, () => document.querySelector("dialog.panel")?.open);
        assert.equal(
          await page.$eval("dialog.panel", ({ ariaLabel }) => ariaLabel),
          "Opciones de lectura",
        );
        assert.deepEqual(await left_in_english(page), [], path);
        await page.keyboard.press("Escape");
        const id = await page.evaluate(() => {
          const heading = document.querySelectorAll("main h2[id]")[2];
          heading.scrollIntoView();
          return heading.id;
        });
        // Another test may also have stored a place.
        const kept = [key_of("reading.v1"), `"at":"${id}"`];
        await until(page, ([key, at]) => localStorage.getItem(key)?.includes(at), kept);
        await page.goto("about:blank"); // a new visit starts at the top
        await page.goto(path, { waitUntil: "load" });
        await until(page, () =>
          /lo dejaste en/.test(document.querySelector(".reading-notice")?.textContent),
        );
        assert.deepEqual(await left_in_english(page), [], path);
        await page.evaluate((key) => localStorage.removeItem(key), key_of("reading.v1"));
        await page.close();
      }
    });

    test("a chapter that is not translated is English in a Spanish frame", async () => {
      const { page } = await open_watched(session.browser, `${small_server.url}es/only/`);
      const seen = await page.evaluate(() => ({
        frame: document.documentElement.lang,
        text: document.querySelector("main").lang,
        notice: document.querySelector("main > [lang]").textContent,
        skip: document.querySelector(".skip").textContent,
        measure: document.querySelector("primer-bench .bench-button").textContent,
      }));
      const notice = words["Not translated yet: this is the original."];
      const skip = words["Skip to content"];
      assert.deepEqual(seen, { frame: "es", text: "en", notice, skip, measure: "Measure" });
      assert.deepEqual(await left_in_english(page), []);
      await page.close();
    });

    test("what a translation lacks is shown in English, and measures", async () => {
      const watched = await open_watched(session.browser, `${small_server.url}es/partly/`);
      const { page } = watched;
      const seen = await page.evaluate(() => ({
        own: document.querySelector("main > p:not([class])").textContent,
        notices: document.querySelectorAll("main .stale").length,
        text: document.querySelector(".untranslated[lang=en]").textContent.includes("Another"),
        formulas: document.querySelectorAll(".untranslated math").length,
        measure: document.querySelector(".untranslated .bench-button").textContent,
      }));
      const measure = words.Measure;
      assert.deepEqual(seen, { own: "Un párrafo.", notices: 1, text: true, formulas: 1, measure });
      assert.deepEqual(await left_in_english(page), []);
      assert.deepEqual(await complaints(watched, origin_of(small_server)), []);
      const { state, status } = await run_bench(page, "bench-only");
      assert.equal(state, "done", status);
      await page.close();
    });

    test("a language without words asks for none, and measures in English", async () => {
      bare_server.requests.length = 0;
      const watched = await open_watched(session.browser, `${bare_server.url}fr/only/`);
      assert.deepEqual(await complaints(watched, origin_of(bare_server)), []);
      const { state, status } = await run_bench(watched.page, "bench-only");
      assert.equal(state, "done", status);
      assert.match(status, /^(Done: 1 measurement|Your machine was busy)/);
      const asked = bare_server.requests.filter((path) => /\.fr\.js$/.test(path));
      assert.deepEqual(asked, []);
      await watched.page.close();
    });
  },
  { kinds: ["chromium"], alter: hurried() },
);

test("the text of a page that is not translated is that of the original", () => {
  const text = (page) => {
    const html = readFileSync(join(small.site, page, "index.html"), "utf8");
    return /<h1>[\s\S]*?(?=<nav class="turn"|<\/main>)/.exec(html)[0];
  };
  assert.match(text("only"), /bench-only/);
  assert.equal(text("es/only"), text("only"));
});
