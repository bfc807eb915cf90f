// /guesses/ and /test/: what a reader has learned. Everything is stored in the browser. A page in
// two tabs, or one that may not store anything, loses no answer.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

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
import { axe_violations } from "./support/axe.mjs";
import { pages, read_page } from "./support/site.mjs";

const phone = readFileSync(new URL("../fixtures/profiles/phone.json", import.meta.url), "utf8");
const guesses_key = key_of("guesses.v1");
const test_key = key_of("test.v1");

test("no chapter lists these pages, and the page about the book and the machine's page link to them", () => {
  for (const page of pages) {
    const [contents] = read_page(page).match(/<ol class="contents-list">[\s\S]*?<\/ol>/) ?? [""];
    assert.doesNotMatch(contents, /href="[^"]*(guesses|test)\/"/, page);
  }
  for (const page of ["about/", "es/about/", "machine/", "es/machine/"])
    for (const slug of ["guesses", "test"])
      assert.ok(read_page(page).includes(`href="../${slug}/"`), `${page}: ${slug}`);
});

const attempt = (guess, truth, members) => ({
  ...{ said: String(guess), ask: "How long?", when: "2026-11-01T10:00:00.000Z", from: "reference" },
  ...{ guess, truth, ...members },
});
/** Guesses from a month ago: within a factor of two about compute, too high about memory. */
const old_guesses = {
  "roofline/#p-chains": [attempt(30, 37, { unit: "%", measured: "peak.fma{chains=3} / P.fma" })],
  "matmul/#p-ladder": [
    attempt(20, 30, {
      unit: "×",
      measured: "matmul.packed{n=1000} / matmul.naive{n=1000}",
    }),
  ],
  "roofline/#p-int4": [
    attempt(9, 1.5, {
      unit: "×",
      measured: "matvec.i4{rows=8192,cols=8192} / matvec.i8{rows=8192,cols=8192}",
    }),
  ],
  "roofline/#p-chase": [
    attempt(10, 0.3, {
      unit: "GB/s",
      measured: "64 B / latency.chase{w=64MiB,order=1}",
      ask: "<b>How fast?</b>",
    }),
  ],
  "roofline/#p-walk": [{ said: "1", ask: "At how many?", choice: "at the second one" }],
};

/** Presses Enter on the button with this text. */
async function press_named(page, name) {
  await page.evaluate((text) => {
    const buttons = [...document.querySelectorAll("main button")];
    const found = buttons.find((one) => one.textContent === text);
    if (!found) throw new Error(`there is no button ${text}`);
    found.focus();
  }, name);
  await page.keyboard.press("Enter");
}

const store = (page, entries) =>
  page.evaluate((all) => {
    localStorage.clear();
    sessionStorage.clear();
    for (const [key, text] of Object.entries(all)) localStorage.setItem(key, text);
  }, entries);

const items_left = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".guesses-page tbody a")].length);

in_each_browser(
  (session) => {
    const url = (path) => session.server.url + path;
    const open = async (path, entries = {}) => {
      const watched = await open_watched(session.browser, url("404.html"));
      await store(watched.page, entries);
      await watched.page.goto(url(path), { waitUntil: "load" });
      return watched;
    };
    /**
     * `moves`: the page may become shorter half a second after a press, or because of another tab.
     */
    const clean = async (watched, { moves = false } = {}) => {
      const all = await complaints(watched, origin_of(session.server));
      const wrong = all.filter((text) => !moves || !text.startsWith("layout shift"));
      assert.deepEqual(wrong, []);
      await watched.page.close();
    };
    const shown = (page) =>
      until(page, () => document.querySelector(".guesses-page .guess-plot svg") !== null);

    test("guesses: an empty page says where the first guess is, and a chapter's guess arrives", async () => {
      const watched = await open("guesses/");
      const { page } = watched;
      await until(page, () => document.querySelector(".guesses-none") !== null);
      const text = await page.$eval("main", (one) => one.textContent);
      assert.match(
        text,
        /If you have not locked in a guess yet, chapter 0 has the first questions\./,
      );
      await page.goto(url("roofline/"), { waitUntil: "load" });
      await until(page, () => document.querySelector("#p-chains input") !== null);
      await page.type("#p-chains input", "90");
      await page.keyboard.press("Enter");
      await until(page, () => "guessed" in document.querySelector("#p-chains").dataset);
      await page.goto(url("guesses/"), { waitUntil: "load" });
      await shown(page);
      const summary = await page.$eval(".guess-summary", (one) => one.textContent);
      assert.match(summary, /^In one guess you were 2\.\d× too high for compute\.$/);
      const [link] = await page.$$eval(".guesses-page tbody a", (all) =>
        all.map(({ href }) => href),
      );
      assert.equal(link, url("roofline/#p-chains"));
      await clean(watched);
    });

    test("guesses: the sentence, the drawing and the table say the same, at every width and theme", async () => {
      const watched = await open("guesses/", { [guesses_key]: JSON.stringify(old_guesses) });
      const { page } = watched;
      for (const [width, theme] of [
        [1280, "light"],
        [390, "dark"],
      ]) {
        await page.setViewport({ width, height: 844 });
        await page.reload({ waitUntil: "load" });
        await page.evaluate((name) => (document.documentElement.dataset.theme = name), theme);
        await shown(page);
        const seen = await page.evaluate(() => ({
          summary: document.querySelector(".guess-summary").textContent,
          marks: document.querySelectorAll(".guess-plot svg > path > title").length,
          rows: [...document.querySelectorAll(".guesses-page tbody tr")].map((row) =>
            [...row.cells].map((cell) => cell.textContent),
          ),
          strips: [...document.querySelectorAll(".guess-groups p")].map((one) => one.textContent),
          bold: document.querySelector(".guesses-page tbody b"),
          again: [...document.querySelectorAll(".guess-again")].map((one) => one.textContent),
          is_sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        }));
        assert.equal(
          seen.summary,
          "In 4 guesses you were 6.0× too high for memory, within 1.4× for compute, and 33× too high for latency.",
        );
        assert.equal(seen.marks, 4);
        assert.deepEqual(
          seen.rows.map(([, guess, truth, off]) => [guess, truth, off]),
          [
            ["30.0 %", "37.0 % (Reference machine)", "1.2× too low"],
            ["20.0 ×", "30.0 × (Reference machine)", "1.5× too low"],
            ["9.00 ×", "1.50 × (Reference machine)", "6.0× too high"],
            ["10.0 GB/s", "0.300 GB/s (Reference machine)", "33× too high"],
          ],
        );
        assert.deepEqual(seen.strips, [
          "memory: 6.0× too high (1)",
          "compute: within 1.4× (2)",
          "latency: 33× too high (1)",
          "1 The roofline: 6.0× too high (3)",
          "2 Everything is matrix multiplication: 1.5× too low (1)",
        ]);
        assert.equal(seen.bold, null, "a stored text is not markup");
        assert.equal(seen.again.length, 3, "three old questions, the farthest off");
        assert.match(seen.again[0], /^<b>How fast\?<\/b>/);
        assert.ok(!seen.is_sideways, `${width} px`);
        assert.deepEqual(await axe_violations(page), []);
      }
      await clean(watched);
    });

    test("guesses: an old question is asked again, and both errors are shown", async () => {
      const watched = await open("guesses/", { [guesses_key]: JSON.stringify(old_guesses) });
      const { page } = watched;
      await shown(page);
      await page.type(".guess-again input", "0.6");
      await page.keyboard.press("Enter");
      await until(page, () =>
        document.querySelector(".guess-again output").textContent.includes(":"),
      );
      const said = await page.$eval(".guess-again output", (one) => one.textContent);
      assert.match(said, /^Reference machine: .* GB\/s\. .* Last time: 33× too high\.$/);
      const rows = await page.$$eval(".guesses-page tbody tr", (all) =>
        all.map((row) => row.cells[3].textContent),
      );
      assert.match(rows[3], /^33× too high → \d(\.\d)?× too high$/);
      const tries = await page.evaluate(
        (key) => JSON.parse(localStorage.getItem(key))["roofline/#p-chase"].length,
        guesses_key,
      );
      assert.equal(tries, 2);
      await clean(watched);
    });

    test("guesses: the reader's machine replaces the reference, and the roof of the home page counts", async () => {
      const roof = JSON.stringify({ rate: 200e9, bandwidth: 5e9 });
      const watched = await open("guesses/", {
        [guesses_key]: JSON.stringify(old_guesses),
        [key_of("guess.v1")]: roof,
        [profile_key]: phone,
      });
      const { page } = watched;
      await shown(page);
      const rows = await page.$$eval(".guesses-page tbody tr", (all) =>
        all.map((row) => [...row.cells].map((cell) => cell.textContent)),
      );
      assert.equal(rows.length, 6);
      assert.deepEqual(
        rows.slice(0, 2).map(([ask, guess]) => [ask, guess]),
        [
          ["Your core's bandwidth", "5.00 GB/s"],
          ["Your core's FLOP/s", "200 GFLOP/s"],
        ],
      );
      const ladder = rows.find(([, guess]) => guess === "20.0 ×");
      assert.match(ladder[2], /Your machine/); // the phone's profile has both of its kernels
      await clean(watched);
    });

    test("guesses: cleared, undone, cleared in another tab, and saved as a file", async () => {
      const answers = { "roofline/#p-chains": "30", "roofline/#q-own": "5" };
      const watched = await open("guesses/", {
        [guesses_key]: JSON.stringify(old_guesses),
        [key_of("answers.v1")]: JSON.stringify(answers),
      });
      const { page } = watched;
      await shown(page);
      const file = await page.evaluate(async () => {
        const made = new Promise((resolve) => {
          const create = URL.createObjectURL;
          URL.createObjectURL = (blob) => {
            resolve(blob.text());
            return create.call(URL, blob);
          };
        });
        [...document.querySelectorAll("main button")]
          .find(({ textContent }) => textContent === "Save as JSON")
          .click();
        return JSON.parse(await made);
      });
      assert.equal(file.guesses.length, 4);
      assert.ok(Math.abs(file.guesses[2].log10_error - Math.log10(6)) < 1e-9);
      assert.deepEqual(
        [file.guesses[2].chapter, file.guesses[2].kind, file.choices.length],
        ["1 The roofline", "memory", 1],
      );
      await press_named(page, "Clear");
      await until(page, () => !document.querySelector(".guess-plot"));
      const kept = await page.evaluate(
        (keys) => keys.map((key) => localStorage.getItem(key)),
        [guesses_key, key_of("answers.v1")],
      );
      assert.deepEqual(kept, [null, '{"roofline/#q-own":"5"}'], "other answers stay");
      await page.reload({ waitUntil: "load" });
      await until(page, () => document.querySelector(".own-data button") !== null);
      await press_named(page, "Undo");
      await shown(page);
      assert.equal(await items_left(page), 4);
      assert.deepEqual(
        await page.evaluate((key) => JSON.parse(localStorage.getItem(key)), key_of("answers.v1")),
        { "roofline/#q-own": "5", "roofline/#p-chains": "30" },
      );
      const other = await session.browser.newPage();
      await other.goto(url("404.html"));
      await other.evaluate((key) => localStorage.removeItem(key), guesses_key);
      await other.close();
      await until(page, () => !document.querySelector(".guess-plot"));
      await clean(watched, { moves: true });
    });

    test("guesses: the card is a picture with the guesses", async () => {
      const watched = await open("guesses/", { [guesses_key]: JSON.stringify(old_guesses) });
      const { page } = watched;
      await shown(page);
      await press_named(page, "A card to share");
      await until(page, () => document.querySelector("dialog img")?.naturalWidth === 1200);
      const alt = await page.$eval("dialog img", (image) => image.alt);
      assert.match(alt, /6\.0× too high for memory/);
      assert.equal(await page.$$eval("dialog button", (all) => all.length), 1, "no link to copy");
      await clean(watched);
    });

    const start = async (page, occasion) => {
      await until(page, () => document.querySelector(".test-panel button") !== null);
      if ((await page.$(".test-panel form")) === null) await press(page, ".test-panel button");
      await until(page, () => document.querySelector(".test-panel form") !== null);
      await press(page, `.test-panel input[value="${occasion}"]`, " ");
      await press(page, '.test-panel button[type="submit"]');
      await until(page, () => document.querySelector("#t-impossible .test-sure") !== null);
    };
    const finish = async (page) => {
      await press_named(page, "Finish");
      await until(page, () => document.querySelector(".test-results") !== null);
    };
    /** Answers every question of the open form correctly, except those in `wrong`. */
    const answer_all = async (page, wrong = []) => {
      const form = await page.evaluate(
        (key) => JSON.parse(localStorage.getItem(key)).open.form,
        test_key,
      );
      const inputs = right_answers[form];
      for (const [id, text] of Object.entries(inputs)) {
        const said = wrong.includes(id) ? "1" : text;
        if (/^\d$/.test(text) && id in choices)
          await press(page, `#${id} .test-choices [value="${text}"]`, " ");
        else await page.type(`#${id} .worked-input`, said);
        await press(page, `#${id} .test-sure [value="2"]`, " ");
      }
    };
    const choices = { "t-upgrade": "1", "t-launch": "3", "t-buy": "2", "t-impossible": "2" };
    const right_answers = [
      ["200", "0.167", "0.344 ms", "100", "100", "1231", "95", "2"],
      ["160", "0.208", "4.58 ms", "80", "50", "600", "85", "1.5"],
      ["300", "0.111", "515 µs", "150", "75", "1000", "76", "2.5"],
      ["240", "0.139", "0.0966 ms", "120", "250", "3750", "68", "2.14"],
    ].map((texts) => {
      const ids = ["ridge", "axpy", "matmul", "int8", "decode", "batch", "judge", "chips"];
      return { ...Object.fromEntries(ids.map((id, i) => [`t-${id}`, texts[i]])), ...choices };
    });

    test("test: before chapter 0 without feedback, after chapter 1 with a score and a gain", async () => {
      const watched = await open("test/");
      const { page } = watched;
      await start(page, "before");
      const hidden = await page.evaluate(() =>
        [...document.querySelectorAll(".answer, .quiz .choices, .worked-form")].filter(
          (one) => one.getClientRects().length > 0,
        ),
      );
      assert.equal(hidden.length, 0, "no answer is in sight");
      await page.type("#t-ridge .worked-input", "17");
      await press(page, '#t-ridge .test-sure [value="2"]', " ");
      await finish(page);
      const panel = () => page.$eval(".test-panel", (one) => one.textContent);
      assert.match(await panel(), /before chapter 0 \(\d{4}-\d\d-\d\d\): taken/);
      assert.doesNotMatch(await panel(), /of 12 right|Show the answers/);

      await start(page, "after-1");
      await answer_all(page, ["t-matmul"]);
      await finish(page);
      const text = await panel();
      assert.match(text, /before chapter 0 .*: 0 of 12 right/);
      assert.match(text, /after chapter 1 .*: 11 of 12 right, understood/);
      assert.match(text, /You were sure, but wrong: Question \S+4\./);
      const rows = await page.$$eval(".test-panel tbody tr", (all) =>
        all.map((row) => [...row.cells].map((cell) => cell.textContent)),
      );
      assert.deepEqual(rows[1], ["memory-bound or compute-bound", "67 %", "67 %"]);
      assert.deepEqual(rows[0], ["counting FLOPs and bytes", "100 %", "100 %"]);

      await press_named(page, "Show the answers");
      await until(page, () => document.querySelector("#t-impossible[data-graded]") !== null);
      const graded = await page.$$eval("[data-graded]", (all) =>
        all.map(({ dataset }) => dataset.graded),
      );
      assert.equal(graded.filter((one) => one === "right").length, 11);
      const form = await page.evaluate(
        (key) => JSON.parse(localStorage.getItem(key)).results["after-1"].form,
        test_key,
      );
      const strong = await page.$eval("#t-batch .answer strong", (one) => one.textContent);
      assert.equal(
        strong.replace(/[^\d]/g, "").slice(0, 2),
        right_answers[form]["t-batch"].slice(0, 2),
      );
      assert.equal(
        await page.evaluate((key) => localStorage.getItem(key), key_of("answers.v1")),
        null,
      );
      assert.deepEqual(await axe_violations(page), []);
      await clean(watched, { moves: true });
    });

    test("test: an input that cannot be read is named, and stopping leaves no result", async () => {
      const watched = await open("test/");
      const { page } = watched;
      await start(page, "after-5");
      await page.type("#t-ridge .worked-input", "5 GB");
      await press_named(page, "Finish");
      await until(page, () => document.querySelector('#t-ridge [aria-invalid="true"]') !== null);
      const said = await page.$eval(".test-status", (one) => one.textContent);
      assert.match(said, /^Question \S+1: the answer is in FLOP\/B, yours is in GB\.$/);
      await press_named(page, "Stop without a result");
      await until(page, () => document.querySelector(".test-panel form") !== null);
      const record = await page.evaluate((key) => JSON.parse(localStorage.getItem(key)), test_key);
      assert.deepEqual([record.open, record.results], [null, {}]);
      await clean(watched);
    });

    test("test: two tabs keep each other's answers, and a reload keeps them", async () => {
      const watched = await open("test/");
      const { page } = watched;
      await start(page, "before");
      const other = await session.browser.newPage();
      await other.goto(url("test/"), { waitUntil: "load" });
      await until(other, () => document.querySelector("#t-impossible .test-sure") !== null);
      await page.bringToFront();
      await page.type("#t-ridge .worked-input", "200");
      await other.bringToFront();
      await other.type("#t-decode .worked-input", "100");
      await press(other, '#t-buy .test-choices [value="2"]', " ");
      await page.bringToFront();
      await press(page, '#t-ridge .test-sure [value="1"]', " ");
      await page.reload({ waitUntil: "load" });
      await until(page, () => document.querySelector("#t-impossible .test-sure") !== null);
      const said = await page.evaluate(() => [
        document.querySelector("#t-ridge .worked-input").value,
        document.querySelector("#t-decode .worked-input").value,
        document.querySelector("#t-buy .test-choices :checked").value,
        document.querySelector("#t-ridge .test-sure :checked").value,
      ]);
      assert.deepEqual(said, ["200", "100", "2", "1"]);
      await finish(page);
      await until(other, () => document.querySelector(".test-results") !== null);
      await other.close();
      await clean(watched, { moves: true });
    });

    test("test: if storage is denied, the answers last until the page is closed, with a notice", async () => {
      const watched = await open("404.html");
      const { page } = watched;
      await page.evaluateOnNewDocument(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException("refused", "QuotaExceededError");
        };
      });
      await page.goto(url("test/"), { waitUntil: "load" });
      await start(page, "after-7");
      await page.type("#t-ridge .worked-input", "1");
      const said = await page.$eval(".test-status", (one) => one.textContent);
      assert.match(said, /^Answered: 1 of 12\..* This browser stores nothing/);
      await finish(page);
      assert.match(await page.$eval(".test-results", (one) => one.textContent), /0 of 12 right/);
      await clean(watched, { moves: true });
    });

    test("without scripts, both pages say what they need, and the test is a list of questions", async () => {
      const page = await session.browser.newPage();
      await page.setJavaScriptEnabled(false);
      for (const path of ["guesses/", "test/", "es/guesses/", "es/test/"]) {
        await page.goto(url(path), { waitUntil: "load" });
        assert.match(
          await page.$eval("main", (one) => one.innerText),
          /(needs?|necesita) scripts/,
          path,
        );
      }
      const asked = await page.$$eval(".worked, .quiz", (all) =>
        all.map((one) => one.getClientRects().length > 0),
      );
      assert.deepEqual(asked, Array(12).fill(true));
      await page.close();
    });
  },
  { kinds: any_browser },
);
