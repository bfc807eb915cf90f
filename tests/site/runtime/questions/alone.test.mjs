// Questions, each module by itself, with answers that the test plays: what is kept, what is said, what comes back.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();
const answers_key = "primer / answers.v1";

test("answers: kept under the page's own name in every language, and never trusted", async () => {
  const page = await open();
  const seen = await page.evaluate(async (key) => {
    const { recall, remember, forget } = await import("/runtime/questions/answers.js");
    const first = recall("q");
    remember("q", "a");
    remember("r", "b");
    const stored = JSON.parse(localStorage.getItem(key));
    const known = [recall("q"), recall("r"), recall("other")];
    forget("q");
    const left = [recall("q"), recall("r")];
    const put = (value) => localStorage.setItem(key, value);
    put(
      JSON.stringify({
        "page.html#q": "x".repeat(199),
        "page.html#r": "x".repeat(200),
        "page.html#s": 5,
      }),
    );
    const lengths = ["q", "r", "s"].map((id) => recall(id)?.length ?? null);
    const padded = (size) => {
      const text = JSON.stringify({ "page.html#q": "a", more: "" });
      put(text.replace('"more":""', `"more":"${"x".repeat(size - text.length)}"`));
      return recall("q");
    };
    const sizes = [padded(64 * 1024), padded(64 * 1024 + 1)];
    put("{");
    const damaged = recall("q");
    put(JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p#${i}`, "1"]))));
    remember("new", "z");
    const kept = Object.keys(JSON.parse(localStorage.getItem(key)));
    return {
      first,
      stored,
      known,
      left,
      lengths,
      sizes,
      damaged,
      kept: [kept.length, kept[0], kept.at(-1)],
    };
  }, answers_key);
  assert.deepEqual(seen, {
    first: null,
    stored: { "page.html#q": "a", "page.html#r": "b" },
    known: ["a", "b", null],
    left: [null, "b"],
    lengths: [199, null, null],
    sizes: ["a", null],
    damaged: null,
    kept: [500, "p#1", "page.html#new"],
  });
});

test("answers: where storage is refused they last as long as the page", async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    Storage.prototype.setItem = () => {
      throw new Error("refused");
    };
    const { recall, remember, forget } = await import("/runtime/questions/answers.js");
    remember("q", "a");
    const kept = recall("q");
    forget("q");
    return [kept, recall("q")];
  });
  assert.deepEqual(seen, ["a", null]);
});

const quiz = `<section class="quiz" id="z"><details class="choice"><summary>One</summary>why</details>
<details class="choice choice-right"><summary>Two</summary>why</details><p class="quiz-result"></p></section>`;

test("quiz: the first choice is the attempt, an earlier one comes back folded, and one may try again", async () => {
  const page = await open({ html: quiz });
  const seen = await page.evaluate(async (key) => {
    const { attempt, restore } = await import("/runtime/questions/quiz.js");
    const section = document.querySelector("section");
    const [one, two] = section.querySelectorAll("details");
    const state = () => ({
      graded: section.dataset.graded ?? "",
      asked: "asked" in section.dataset,
      chosen: [one, two].map((d) => d.querySelector("summary").dataset.chosen ?? ""),
      open: [one.open, two.open],
      words: section.querySelector(".quiz-result").textContent,
      kept: JSON.parse(localStorage.getItem(key) ?? "{}")["page.html#z"] ?? null,
    });
    restore(section);
    const none = state();
    one.open = two.open = true;
    attempt(section, one);
    attempt(section, two);
    const wrong = state();
    section.querySelector(".again").click();
    const again = { ...state(), focus: document.activeElement.textContent };
    attempt(section, two);
    const right = state();
    for (const name of ["graded", "asked"]) delete section.dataset[name];
    section.querySelector(".quiz-result").textContent = "";
    one.open = two.open = false;
    restore(section);
    return { none, wrong, again, right, back: state() };
  }, answers_key);
  const blank = {
    graded: "",
    asked: false,
    chosen: ["", ""],
    open: [false, false],
    words: "",
    kept: null,
  };
  assert.deepEqual(seen.none, blank);
  assert.deepEqual(seen.wrong, {
    graded: "wrong",
    asked: true,
    chosen: ["your choice", ""],
    open: [true, true],
    words: "Not this one: each choice says why. Ask me again",
    kept: "0",
  });
  assert.deepEqual(seen.again, { ...blank, focus: "One" });
  assert.deepEqual(
    [seen.right.graded, seen.right.kept, seen.right.words],
    ["right", "1", "Right. Ask me again"],
  );
  assert.deepEqual(
    [seen.back.graded, seen.back.chosen, seen.back.open],
    ["right", ["", "your choice"], [false, false]],
  );
});

const played = (body) => ({
  "runtime/page/page.js": `export const once = (f) => f; export const store = { load: () => ({ profile: globalThis.profile ?? null }) };
${body}`,
});
const predict = (inside) =>
  `<section class="predict" id="p"><form class="predict-form">${inside}<button>Lock in</button><output class="predict-result"></output></form>
<details class="answer" open><summary>Answer</summary></details></section>`;
const predictions = played(`export const page_data = async () => ({ predictions: [
  { id: "p", measured: globalThis.unmeasured ? undefined : "x", unit: "s" }, { id: "other", measured: "y", unit: "s" }] });
export async function ask({ op, input, measured }) {
  (globalThis.asked ??= []).push(op + " " + measured);
  if (op === "evaluate") return { from: "reference", text: "4 s" };
  if (input === "?") throw new Error("that is no number");
  const ratio = Number(input);
  return { ratio, guess: input + " s", factor: "2 times", measured: "1 s", from: globalThis.profile ? "reader" : "reference" };
}`);
const locked = async (page, value) =>
  page.evaluate(async (guess) => {
    const { lock_in } = await import("/runtime/questions/predict.js");
    const section = document.querySelector("section");
    const field = section.querySelector("[name=guess]");
    if (field.type === "text") field.value = guess;
    await lock_in(section);
    return section.querySelector(".predict-result").textContent;
  }, value);

test("predict: a guess is kept beside what was measured, with how far it was off", async () => {
  for (const [guess, far] of [
    ["1", "You were right within 10 %."],
    ["1.09", "You were right within 10 %."],
    ["0.92", "You were right within 10 %."],
    ["1.1", "You guessed 2 times too high."],
    ["3", "You guessed 2 times too high."],
    ["0.9", "You guessed 2 times too low."],
  ]) {
    const page = await open({ html: predict('<input name="guess">'), files: predictions });
    assert.equal(
      await locked(page, guess),
      `Your guess: ${guess} s. Reference machine: 1 s. ${far} Guess again`,
    );
    if (guess !== "3") continue;
    const seen = await page.evaluate(async (key) => {
      const section = document.querySelector("section");
      const controls = () => [...section.querySelector("form").elements].map((one) => one.disabled);
      const fixed = [controls(), "guessed" in section.dataset, localStorage.getItem(key)];
      globalThis.profile = {};
      document.dispatchEvent(new Event("primer-results"));
      await globalThis.settled();
      const mine = section.querySelector(".predict-result").textContent;
      section.querySelector(".again").click();
      const details = section.querySelector("details").open;
      const focus = document.activeElement.name;
      return {
        fixed,
        mine,
        free: controls(),
        guessed: "guessed" in section.dataset,
        details,
        focus,
      };
    }, answers_key);
    assert.equal(
      seen.mine,
      "Your guess: 3 s. Your machine: 1 s. You guessed 2 times too high. Guess again",
    );
    const fixed = [true, true, true, false]; // field, button, output, and "Guess again"
    assert.deepEqual(seen.fixed, [fixed, true, '{"page.html#p":"3"}']);
    assert.deepEqual(
      [seen.free.includes(true), seen.guessed, seen.details, seen.focus],
      [false, false, false, "guess"],
    );
  }
});

test("predict: what cannot be read is said and not kept; nothing stored shows nothing", async () => {
  const page = await open({ html: predict('<input name="guess">'), files: predictions });
  assert.equal(await locked(page, "  "), "Choose or type a guess first.");
  assert.equal(await locked(page, "?"), "That is no number.");
  const seen = await page.evaluate(async (key) => {
    const { show_guess } = await import("/runtime/questions/predict.js");
    const section = document.querySelector("section");
    const kept = localStorage.getItem(key);
    section.querySelector(".predict-result").textContent = "";
    await show_guess(section);
    const nothing = section.querySelector(".predict-result").textContent;
    localStorage.setItem(key, '{"page.html#p":"?","page.html#q":"1"}');
    await show_guess(section);
    const damaged = section.querySelector(".predict-result").textContent;
    section.id = "q";
    await show_guess(section);
    return {
      kept,
      nothing,
      damaged,
      unknown: section.querySelector(".predict-result").textContent,
    };
  }, answers_key);
  assert.deepEqual(seen, {
    kept: null,
    nothing: "",
    damaged: "That is no number. Guess again",
    unknown: "The page's data does not list this question: reload the page. Guess again",
  });
});

test("predict: a choice is said with its words, and with a measurement where there is one", async () => {
  const choices = `<ol class="choices"><li><label><input type="radio" name="guess" value="0">Low</label></li>
<li><label><input type="radio" name="guess" value="1" checked> High </label></li></ol>`;
  const page = await open({ html: predict(choices), files: predictions });
  assert.equal(await locked(page, ""), "Your guess: High. Reference machine: 4 s. Guess again");
  const seen = await page.evaluate(async (key) => {
    const { show_guess } = await import("/runtime/questions/predict.js");
    const section = document.querySelector("section");
    globalThis.unmeasured = true;
    await show_guess(section);
    const alone = section.querySelector(".predict-result").textContent;
    localStorage.setItem(key, '{"page.html#p":"7"}');
    await show_guess(section);
    return [alone, section.querySelector(".predict-result").textContent];
  }, answers_key);
  assert.deepEqual(seen, [
    "Your guess: High. Guess again",
    "The stored guess is none of the choices. Guess again",
  ]);
});

const worked = `<section class="worked" data-worked="w"><select class="worked-machine"><option value="">Book</option>
<option value="reader">Mine</option><option value="chip">Chip</option></select><input class="worked-input">
<output class="worked-result"></output></section>`;
const questions =
  played(`export const page_data = async () => ({ facts: { f: { unit: "TB/s" }, g: { unit: "s" } }, worked: [
  { id: "v", answer: "no" }, { id: "w", answer: "2 s", yours: "mine()", given: { B: "f", N: "3" }, machine: "reference",
    chips: [{ id: "none", given: {}, answer: "0" }, { id: "chip", given: { B: "g", P: "other" }, answer: "9 s" }] }] });
export async function ask(request) {
  (globalThis.asked ??= []).push(request);
  if (request.op === "evaluate") return { text: request.expression + " " + request.unit };
  if (request.input === "?") throw new Error("that is no number");
  return { correct: request.input === request.answer, expected: request.answer };
}`);

test("worked: graded with the book's numbers, a chip's, or the reader's", async () => {
  const page = await open({ html: worked, files: questions });
  const seen = await page.evaluate(async () => {
    const { grade, choose_machine } = await import("/runtime/questions/worked.js");
    const section = document.querySelector("section");
    const [select, input] = ["select", "input"].map((name) => section.querySelector(name));
    const said = () => [section.querySelector("output").textContent, section.dataset.graded ?? ""];
    const graded = async (words) => {
      input.value = words;
      await grade(section);
      return said();
    };
    const chosen = async (machine) => {
      select.value = machine;
      await choose_machine(section);
      return said();
    };
    const book = [await graded(" "), await graded("?"), await graded("1 s"), await graded(" 2 s ")];
    const chip = [await chosen("chip"), await graded("9 s")];
    const unmeasured = [await chosen("reader"), await graded("9 s")];
    globalThis.profile = {};
    const reader = [await chosen("reader"), await graded("mine()")];
    const asked = globalThis.asked.at(-1);
    const back = await chosen("");
    section.dataset.worked = "gone";
    return { book, chip, unmeasured, reader, asked, back, gone: await graded("1") };
  });
  const wrong = "Not yet. Try again, or open the answer: it also names the tempting mistake.";
  assert.deepEqual(seen.book, [
    ["Type a number with its unit first.", ""],
    ["That is no number", ""],
    [wrong, "wrong"],
    ["Right: 2 s.", "right"],
  ]);
  assert.deepEqual(seen.chip, [
    ["With B = g s.", ""],
    ["Right: 9 s.", "right"],
  ]);
  const unmeasured = "Your machine has not been measured yet: run a measurement first";
  assert.deepEqual(
    seen.unmeasured.map(([words]) => words),
    [`${unmeasured}.`, unmeasured],
  );
  assert.deepEqual(seen.reader, [
    ["With what your machine measured.", ""],
    ["Right: mine().", "right"],
  ]);
  assert.deepEqual([seen.asked.given, seen.asked.machine], [{}, "reader"]);
  assert.deepEqual(seen.back, ["With B = f TB/s.", ""]);
  assert.equal(seen.gone[0], "The page's data does not list this question: reload the page");
});
