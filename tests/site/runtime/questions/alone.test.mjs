// Questions, each module alone, with answers from the test: what is stored, what is displayed, and
// what is restored.
import assert from "node:assert/strict";
import { test } from "node:test";

import { bare_pages } from "../../support/bare_pages.mjs";

const { open } = bare_pages();
const answers_key = "primer / answers.v1";
const guesses_key = "primer / guesses.v1";

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
<details class="choice choice-right"><summary>Two</summary>why</details><p class="quiz-result">Your first choice counts.</p></section>`;

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
    words: "Your first choice counts.",
    kept: null,
  };
  assert.deepEqual(seen.none, blank);
  assert.deepEqual(seen.wrong, {
    graded: "wrong",
    asked: true,
    chosen: ["your choice", ""],
    open: [true, true],
    words: "Not this one. Each choice explains why. Ask me again",
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
const predict = (...all) =>
  `<fieldset class="guesses">${all
    .map(
      (
        inside,
        i,
      ) => `<section class="predict" id="p${i || ""}"><div class="ask"><p>How <span class="tip">(not said)</span>
long?</p></div>${inside}<div class="answer-row"><output class="predict-result"></output></div>
<details class="answer" open><summary>Answer</summary></details></section>`,
    )
    .join("")}<form><button class="lock">Lock in</button></form></fieldset>
<table><tr data-after="p p1"></tr><tr data-after="p"></tr></table>`;
const field = '<input class="predict-input">';
const predictions = played(`export const page_data = async () => ({ predictions: [
  { id: "p", measured: globalThis.unmeasured ? undefined : "x", unit: "s" }, { id: "p1", measured: "x", unit: "s" }, { id: "other", measured: "y", unit: "s" }] });
export async function ask({ op, input, measured }) {
  (globalThis.asked ??= []).push(op + " " + measured);
  if (op === "evaluate") return { from: "reference", text: "4 s", value: 4 };
  if (input === "?") throw new Error("that is no number");
  const ratio = Number(input);
  return { ratio, guess: input + " s", factor: "2 times", measured: "1 s", from: globalThis.profile ? "reader" : "reference" };
}`);
/** Submits the values of the fields, then notifies the whole group. */
const locked = (page, ...values) =>
  page.evaluate(async (guesses) => {
    const { lock_in } = await import("/runtime/questions/predict.js");
    const group = document.querySelector(".guesses");
    const fields = [...group.querySelectorAll("input")];
    guesses.forEach((guess, i) => (fields[i].value = guess));
    fields[0].focus();
    await lock_in(group);
    const lock = group.querySelector(".lock");
    return {
      said: [...group.querySelectorAll(".predict-result")].map((one) => one.textContent),
      invalid: fields.map((one) => one.getAttribute("aria-invalid")),
      lock: lock.textContent,
      focus: document.activeElement === lock ? "lock" : fields.indexOf(document.activeElement),
      veiled: [...document.querySelectorAll("tr")].map((one) => one.dataset.after ?? ""),
    };
  }, values);

test("predict: a guess is stored with the measured value and its error", async () => {
  for (const [guess, far] of [
    ["1", "You were right within 10 %."],
    ["1.09", "You were right within 10 %."],
    ["0.92", "You were right within 10 %."],
    ["1.1", "You guessed 2 times too high."],
    ["3", "You guessed 2 times too high."],
    ["0.9", "You guessed 2 times too low."],
  ]) {
    const page = await open({ html: predict(field), files: predictions });
    assert.deepEqual(await locked(page, guess), {
      said: [`Your guess: ${guess} s. Reference machine: 1 s. ${far}`],
      invalid: [null],
      lock: "Guess again",
      focus: "lock",
      veiled: ["p1", ""],
    });
    if (guess !== "3") continue;
    const seen = await page.evaluate(async (key) => {
      const section = document.querySelector("section");
      const input = section.querySelector("input");
      const fixed = [input.disabled, "guessed" in section.dataset, localStorage.getItem(key)];
      globalThis.profile = {};
      document.dispatchEvent(new Event("primer-results"));
      await globalThis.settled();
      const mine = section.querySelector(".predict-result").textContent;
      const { lock_in } = await import("/runtime/questions/predict.js");
      await lock_in(section.parentElement);
      const details = section.querySelector("details").open;
      const free = [input.disabled, "guessed" in section.dataset, localStorage.getItem(key)];
      return { fixed, mine, free, details, focus: document.activeElement === input };
    }, answers_key);
    assert.equal(seen.mine, "Your guess: 3 s. Your machine: 1 s. You guessed 2 times too high.");
    assert.deepEqual(seen.fixed, [true, true, '{"page.html#p":"3"}']);
    assert.deepEqual([seen.free, seen.details, seen.focus], [[false, false, "{}"], false, true]);
  }
});

test("predict: the record has the guess, the newest truth, the date and the text of the question", async () => {
  const page = await open({ html: predict(field), files: predictions });
  await locked(page, "3");
  const seen = await page.evaluate(async (key) => {
    const read = () => JSON.parse(localStorage.getItem(key));
    const first = read();
    globalThis.profile = {};
    document.dispatchEvent(new Event("primer-results"));
    await globalThis.settled();
    return [first, read()];
  }, guesses_key);
  const day = new Date().toISOString().slice(0, 10);
  for (const [i, from] of ["reference", "reader"].entries()) {
    const [[name, [{ when, ...attempt }, ...more]]] = Object.entries(seen[i]);
    assert.equal(name, "page.html#p");
    // 4 s by "evaluate", also in its own unit of 4 s by "evaluate"
    const numbers = { unit: "s", measured: "x", guess: 3, truth: 1, from };
    assert.deepEqual(attempt, { ask: "How long?", said: "3", ...numbers });
    assert.ok(when.startsWith(day), when);
    assert.deepEqual(more, []);
  }
});

test("guesses: the first counts, another is a try after a week, and stored ones are checked", async () => {
  const page = await open();
  const seen = await page.evaluate(async (key) => {
    const { all_guesses, clear_guesses, put_back, record_guess } =
      await import("/runtime/questions/guesses.js");
    const day = 24 * 3600 * 1000;
    const attempt = (said, from = "reference") => {
      const numbers = { guess: Number(said), truth: 2, from };
      return { ask: "How long?", said, unit: "s", measured: "x", ...numbers };
    };
    const tries = (name) => (all_guesses().get(name) ?? []).map((one) => [one.said, one.from]);
    const start = Date.UTC(2026, 10, 1);
    const at = (days) => ({ is_new: true, now: start + days * day });
    record_guess("a", attempt("3"), at(0));
    record_guess("a", attempt("2"), at(6.9)); // too early
    for (const from of ["reader", "reference"])
      record_guess("a", attempt("3", from), { is_new: false }); // keeps the reader's
    const first = tries("a");
    record_guess("a", attempt("2"), at(7));
    record_guess("a", attempt("2"), at(8));
    record_guess("old", attempt("5"), { is_new: false }); // from before the record existed
    record_guess("old", attempt("4"), at(0));
    const both = [tries("a"), tries("old"), "when" in all_guesses().get("old")[0]];
    for (let i = 0; i < 12; ++i) record_guess("b", attempt("1"), at(7 * i));
    const most = tries("b").length;

    const cleared = clear_guesses();
    const none = all_guesses().size;
    record_guess("a", attempt("9"), at(9)); // meanwhile
    put_back(cleared);
    const back = [tries("a"), all_guesses().size];
    const put = (value) => {
      localStorage.setItem(key, JSON.stringify(value));
      return [...all_guesses().keys()].join();
    };
    const good = attempt("3");
    const wrong = [
      [null, "text", 5, []],
      [{ q: {} }, { q: [null] }, { q: ["3"] }, { q: [{ ...good, said: 3 }] }],
      [{ q: [{ ...good, truth: -1 }] }, { q: [{ ...good, guess: "3" }] }],
      [{ q: [{ ...good, measured: "x".repeat(1001) }] }, { q: [{ said: "1" }] }],
    ].flat();
    const refused = wrong.map(put).filter(Boolean);
    const taken = put({
      q: [{ ...good, when: "never", more: 1 }],
      r: [{ said: "0", choice: "A" }],
    });
    const kept = Object.keys(all_guesses().get("q")[0]).sort().join();
    localStorage.setItem(key, "{");
    return { first, both, most, none, back, refused, taken, kept, damaged: all_guesses().size };
  }, guesses_key);
  assert.deepEqual(seen, {
    first: [["3", "reader"]],
    both: [
      [
        ["3", "reader"],
        ["2", "reference"],
      ],
      [
        ["5", "reference"],
        ["4", "reference"],
      ],
      false,
    ],
    most: 8,
    none: 0,
    back: [
      [
        ["3", "reader"],
        ["2", "reference"],
        ["9", "reference"],
      ],
      3,
    ],
    refused: [],
    taken: "q,r",
    kept: "ask,from,guess,measured,said,truth,unit",
    damaged: 0,
  });
});

test("guesses: where storage is refused they last as long as the page", async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    Storage.prototype.setItem = () => {
      throw new Error("refused");
    };
    const { all_guesses, record_guess } = await import("/runtime/questions/guesses.js");
    record_guess("a", { said: "0", choice: "A" }, { is_new: true });
    record_guess("b", { said: "1", choice: "B" }, { is_new: true });
    return [...all_guesses().keys()];
  });
  assert.deepEqual(seen, ["a", "b"]);
});

test("answers: those that are taken out come back, and newer ones stay", async () => {
  const page = await open();
  const seen = await page.evaluate(async (key) => {
    const { put_back, take_out } = await import("/runtime/questions/answers.js");
    localStorage.setItem(key, '{"p#a":"1","p#b":"2","p#c":"3"}');
    const taken = take_out(["p#a", "p#c", "p#none"]);
    const left = localStorage.getItem(key);
    localStorage.setItem(key, '{"p#b":"2","p#c":"9"}');
    put_back(taken);
    for (const wrong of [null, undefined, "text"]) put_back(wrong);
    return { taken, left, back: JSON.parse(localStorage.getItem(key)) };
  }, answers_key);
  assert.deepEqual(seen, {
    taken: { "p#a": "1", "p#c": "3" },
    left: '{"p#b":"2"}',
    back: { "p#a": "1", "p#b": "2", "p#c": "9" },
  });
});

test("predict: a locked guess is drawn next to the measured value, in proportion", async () => {
  const strip_after = async (...guesses) => {
    const page = await open({ html: predict(field), files: predictions });
    for (const guess of guesses) await locked(page, guess);
    return page.evaluate(async () => {
      const { show_guess } = await import("/runtime/questions/predict.js");
      await show_guess(document.querySelector("section"));
      return [...document.querySelectorAll(".answer-row > .guess-strip")].map((strip) => ({
        guess: Number.parseFloat(strip.querySelector("circle").getAttribute("cx")),
        words: [...strip.querySelectorAll("text")].map((one) => one.textContent),
        hidden: strip.getAttribute("aria-hidden"),
      }));
    });
  };
  const words = ["Your guess", "Reference machine", "÷10", "×10"];
  // 1.15 decades on either side: log10(3) is 20.7 % of the width right of the middle
  assert.deepEqual(await strip_after("3"), [{ guess: 70.7, words, hidden: "true" }]);
  assert.deepEqual(await strip_after("1"), [{ guess: 50, words, hidden: "true" }]);
  // Far off: the guess is near the end, and the labels ÷10 and ×10 are left out.
  const far = { guess: 4.5, words: words.slice(0, 2), hidden: "true" };
  assert.deepEqual(await strip_after("0.001"), [far]);
  assert.deepEqual(await strip_after("3", "again"), [], "withdrawn");
  assert.deepEqual(await strip_after("0"), [], "no ratio, no strip");
  assert.deepEqual(await strip_after("?"), [], "no number, no strip");
  // A guess from an earlier visit must not move the text while the page loads.
  const page = await open({ html: predict(field), files: predictions });
  await locked(page, "3");
  const later = await page.evaluate(async () => {
    document.querySelector(".guess-strip").remove();
    const { show_guess } = await import("/runtime/questions/predict.js");
    await show_guess(document.querySelector("section"));
    return document.querySelector(".guess-strip");
  });
  assert.equal(later, null);
});

test("predict: neighbours are locked in together, those that can be read first", async () => {
  const page = await open({ html: predict(field, field), files: predictions });
  const half = await locked(page, "1", "?");
  assert.deepEqual(half, {
    said: [
      "Your guess: 1 s. Reference machine: 1 s. You were right within 10 %.",
      "That is no number.",
    ],
    invalid: [null, "true"],
    lock: "Lock in",
    focus: 1,
    veiled: ["p1", ""],
  });
  const all = await page.evaluate(async () => {
    const { lock_in } = await import("/runtime/questions/predict.js");
    const group = document.querySelector(".guesses");
    const second = group.querySelectorAll("input")[1];
    second.value = "2";
    await lock_in(group);
    const guessed = group.querySelectorAll("[data-guessed]").length;
    return [
      guessed,
      second.ariaInvalid,
      group.querySelector(".lock").textContent,
      document.querySelectorAll("[data-after]").length,
    ];
  });
  assert.deepEqual(all, [2, null, "Guess again", 0]);
});

test("predict: an unreadable guess is reported and not stored; nothing stored shows nothing", async () => {
  const page = await open({ html: predict(field), files: predictions });
  const refused = { invalid: ["true"], lock: "Lock in", focus: 0, veiled: ["p p1", "p"] };
  assert.deepEqual(await locked(page, "  "), { said: ["Type a guess first."], ...refused });
  assert.deepEqual(await locked(page, "?"), { said: ["That is no number."], ...refused });
  const seen = await page.evaluate(async (key) => {
    const { show_guess } = await import("/runtime/questions/predict.js");
    const section = document.querySelector("section");
    const kept = localStorage.getItem(key);
    const said = () => section.querySelector(".predict-result").textContent;
    section.querySelector(".predict-result").textContent = "";
    await show_guess(section);
    const nothing = said();
    localStorage.setItem(key, '{"page.html#p":"?","page.html#q":"1"}');
    await show_guess(section);
    const damaged = said();
    section.id = "q";
    await show_guess(section);
    return { kept, nothing, damaged, unknown: said() };
  }, answers_key);
  assert.deepEqual(seen, {
    kept: null,
    nothing: "",
    damaged: "That is no number.",
    unknown: "This page has no data for this question: reload the page.",
  });
});

test("predict: a choice locks itself in, and is said with a measurement where there is one", async () => {
  const choices = `<ol class="choices"><li><button class="pick" aria-pressed="false">Low</button></li>
<li><button class="pick" aria-pressed="false"> High </button></li></ol>`;
  const page = await open({ html: predict(choices), files: predictions });
  const seen = await page.evaluate(async (key) => {
    const { choose, show_guess } = await import("/runtime/questions/predict.js");
    const section = document.querySelector("section");
    const state = () => [
      section.querySelector(".predict-result").textContent,
      [...section.querySelectorAll(".pick")].map((one) => one.ariaPressed).join(),
      localStorage.getItem(key),
    ];
    const states = [];
    await choose(section, 1);
    states.push(state());
    await choose(section, 0);
    states.push(state());
    section.querySelector(".again").click();
    states.push([...state(), document.activeElement.textContent]);
    await choose(section, 1);
    globalThis.unmeasured = true;
    await show_guess(section);
    states.push(state()[0]);
    localStorage.setItem(key, '{"page.html#p":"7"}');
    await show_guess(section);
    return [...states, state()[0]];
  }, answers_key);
  const high = [
    "Your guess: High. Reference machine: 4 s. Guess again",
    "false,true",
    '{"page.html#p":"1"}',
  ];
  assert.deepEqual(seen, [
    high,
    high,
    ["Choosing an answer locks it in.", "false,false", "{}", "Low"],
    "Your guess: High. Guess again",
    "The saved guess is not one of the choices. Guess again",
  ]);
});

test("score: right answers below it count, up to the next section", async () => {
  const html = `<p class="score"></p><section class="worked" id="a"></section>${quiz}<section class="predict" id="g"></section>
<section class="worked" id="b"></section><h2>Next</h2><section class="worked" id="c"></section>`;
  const page = await open({ html });
  const said = await page.evaluate(async (key) => {
    const { show_score } = await import("/runtime/questions/score.js");
    const score = document.querySelector(".score");
    const with_answers = (answers) => {
      const named = Object.entries(answers).map(([id, value]) => [`page.html#${id}`, value]);
      localStorage.setItem(key, JSON.stringify(Object.fromEntries(named)));
      show_score(score);
      return score.textContent;
    };
    return [
      with_answers({}),
      with_answers({ a: "1", z: "0", g: "5", c: "1" }),
      with_answers({ a: "1", b: "1", z: "1" }),
    ];
  }, answers_key);
  assert.deepEqual(said, [
    "Problems solved: 0 of 3.",
    "Problems solved: 1 of 3.",
    "Problems solved: 3 of 3.",
  ]);
});

test("a problem page: its score counts all questions, its answers are the chapter's", async () => {
  const html = `<div class="problem-tools"><p class="score"></p></div><div class="problems"><div><h2>One</h2>
<section class="worked" id="a"></section></div><div><h2>Two</h2><section class="predict" id="g"></section></div></div>`;
  const page = await open({ html });
  const seen = await page.evaluate(async (key) => {
    history.replaceState(null, "", "/chapter/problems/");
    document.documentElement.dataset.root = "../../";
    const { remember } = await import("/runtime/questions/answers.js");
    const { show_score } = await import("/runtime/questions/score.js");
    const score = document.querySelector(".score");
    document.addEventListener("primer-answers", () => show_score(score));
    remember("g", "5");
    return [score.textContent, localStorage.getItem(key)];
  }, answers_key);
  assert.deepEqual(seen, ["Problems solved: 1 of 2.", '{"chapter/#g":"5"}']);
});

const worked = `<section class="worked" id="w" data-worked="w" data-unit="GB/s"><select class="worked-machine"><option value="">Book</option>
<option value="reader">Mine</option><option value="chip">Chip</option></select><input class="worked-input">
<output class="worked-result"></output><details class="answer"><summary>Answer</summary><p>2 s</p></details></section>`;
const questions =
  played(`export const page_data = async () => ({ facts: { f: { unit: "TB/s" }, g: { unit: "s" } }, worked: [
  { id: "v", answer: "no" }, { id: "w", answer: "2 s", yours: "mine()", given: { B: "f", N: "3" }, machine: "reference",
    chips: [{ id: "none", given: {}, answer: "0" }, { id: "chip", given: { B: "g", P: "other" }, answer: "9 s" }] }] });
export async function ask(request) {
  (globalThis.asked ??= []).push(request);
  if (request.op === "evaluate") return { text: request.expression + " " + request.unit };
  if (["?", "1e400"].includes(request.input)) throw new Error("that is no number");
  return { correct: request.input === request.answer, expected: request.answer };
}`);

test("worked: graded with the book's numbers, a chip's, or the reader's", async () => {
  const page = await open({ html: worked, files: questions });
  const seen = await page.evaluate(async (key) => {
    const { grade, choose_machine } = await import("/runtime/questions/worked.js");
    const section = document.querySelector("section");
    const [select, input] = ["select", "input"].map((name) => section.querySelector(name));
    const said = () => [section.querySelector("output").textContent, section.dataset.graded ?? ""];
    const answers = [];
    const graded = async (words) => {
      input.value = words;
      await grade(section);
      return said();
    };
    const chosen = async (machine) => {
      select.value = machine;
      await choose_machine(section);
      answers.push(section.querySelector("details").textContent);
      return said();
    };
    const book = [];
    for (const words of [" ", "?", "1e400", "1 s", " 2 s "]) book.push(await graded(words));
    const chip = [await chosen("chip"), await graded("9 s")];
    const unmeasured = [await chosen("reader"), await graded("9 s")];
    globalThis.profile = {};
    const reader = [await chosen("reader"), await graded("mine()")];
    const asked = globalThis.asked.at(-1);
    const back = await chosen("");
    section.id = "gone";
    const kept = localStorage.getItem(key);
    return { kept, book, chip, unmeasured, reader, asked, back, answers, gone: await graded("1") };
  }, answers_key);
  const wrong = "Not yet: try again, or open the answer.";
  assert.deepEqual(seen.book, [
    ["Type a number with its unit first.", ""],
    ["That is no number. An answer looks like this: 12.5 GB/s.", ""],
    ["That number is too large. An answer looks like this: 12.5 GB/s.", ""],
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
    [`${unmeasured}.`, `${unmeasured}.`],
  );
  assert.deepEqual(seen.reader, [
    ["Computed with your machine's results.", ""],
    ["Right: mine().", "right"],
  ]);
  assert.deepEqual([seen.asked.given, seen.asked.machine], [{}, "reader"]);
  const other = (answer) =>
    `AnswerWith these numbers the answer is ${answer}. The explanation below uses the question’s numbers.2 s`;
  assert.deepEqual(seen.answers, [other("9 s"), "Answer2 s", other("mine()"), "Answer2 s"]);
  assert.deepEqual(seen.back, ["With B = f TB/s.", ""]);
  assert.equal(seen.gone[0], "This page has no data for this question: reload the page.");
  assert.equal(seen.kept, '{"page.html#w":"2 s"}', "a right answer with the book's numbers");
  const restored = await page.evaluate(async () => {
    const { restore } = await import("/runtime/questions/worked.js");
    const section = document.querySelector("section");
    section.id = "w";
    delete section.dataset.graded;
    restore(section);
    return [
      section.querySelector("input").value,
      section.dataset.graded,
      section.querySelector("output").textContent,
    ];
  });
  assert.deepEqual(restored, ["2 s", "right", "Right, on an earlier visit."]);
});

const guess_group = `<g class="guess" data-x="0.25 2048 0 130" data-y="1e9 1e15 600 0">
  <path class="guess-roof"/><circle cx="1" cy="1" r="9"/><text y="0">your guess</text></g>`;

test("samples: dots along the roof, the slope first, and only from the largest set", async () => {
  const page = await open({ html: `<figure><svg>${guess_group}</svg></figure>` });
  const seen = await page.evaluate(async () => {
    const { Cloud } = await import("/runtime/questions/samples.js");
    const figure = document.querySelector("figure");
    const cloud = new Cloud(figure);
    const drawn = () => ({
      dots: [...figure.querySelectorAll(".samples circle")].map((dot) => dot.getAttribute("fill")),
      points: (figure.querySelector(".samples path")?.getAttribute("d") ?? "").split("L").length,
    });
    const steps = [];
    cloud.add([{ of: "memory", rate: 9e10, set: 8192 }]);
    steps.push(drawn());
    cloud.add([{ of: "memory", rate: 2e10, set: 2 ** 28 }]);
    steps.push(drawn());
    cloud.add([
      { of: "arithmetic", rate: 5e10 },
      { of: "memory", rate: 8e10, set: 8192 },
      { of: "arithmetic", rate: NaN },
    ]);
    steps.push(drawn(), cloud.best);
    cloud.add(Array.from({ length: 500 }, () => ({ of: "arithmetic", rate: 4e10 })));
    const many = drawn().dots.length;
    cloud.end();
    const ended = [drawn().dots.length, figure.querySelector(".samples path")];
    cloud.clear();
    return { steps, many, ended, left: figure.querySelectorAll(".samples").length };
  });
  const [blue, rust] = ["var(--bandwidth)", "var(--compute)"];
  assert.deepEqual(seen.steps, [
    { dots: [blue], points: 2 },
    { dots: [blue], points: 2 },
    { dots: [blue, rust], points: 3 },
    { rate: 5e10, bandwidth: 2e10 },
  ]);
  assert.equal(seen.many, 400 - 2, "without the reads from a cache");
  assert.deepEqual(seen.ended, [seen.many, null]);
  assert.equal(seen.left, 0);
});

test("guess: it ends with the answer, and only a guess that was made is judged", async () => {
  const html = `<primer-bench class="hero"></primer-bench><figure><svg>${guess_group}</svg>
    <div class="guess-form"><p>Drag it.</p>${["rate", "bandwidth"]
      .map(
        (name) =>
          `<label><input name="${name}" type="range" min="8" max="15" step="0.02" value="11"><b></b></label>`,
      )
      .join("")}</div></figure><data id="l1" class="live">2.4 FLOP/B</data>`;
  const files = played(
    "export const page_data = async () => ({ live: [{ id: 'l1', expression: 'ridge.fma.out' }] });",
  );
  const state_after = async (guess, from) => {
    const page = await open({ html, files });
    return page.evaluate(
      async (stored, whose) => {
        if (stored) localStorage.setItem("primer / guess.v1", stored);
        const { follow, stored_guess } = await import("/runtime/questions/guess.js");
        const form = document.querySelector(".guess-form");
        follow(form);
        if (whose) document.getElementById("l1").dataset.from = whose;
        document.dispatchEvent(new Event("primer-results"));
        await globalThis.settled();
        const [input] = form.querySelectorAll("input");
        input.value = 9;
        form.dispatchEvent(new Event("input"));
        return {
          words: form.querySelector("p").textContent,
          hidden: form.hidden,
          disabled: input.disabled,
          display: document.querySelector(".guess").style.display,
          guess: stored_guess()?.rate ?? null,
        };
      },
      guess,
      from,
    );
  };
  const made = JSON.stringify({ rate: 1e11, bandwidth: 2e10 });
  assert.deepEqual(await state_after(made, "reader"), {
    words: "You guessed a ridge of 5.0 FLOP/B. It is 2.4 FLOP/B.",
    ...{ hidden: false, disabled: true, display: "", guess: 1e11 },
  });
  assert.deepEqual(await state_after(null, "reader"), {
    words: "Drag it.",
    ...{ hidden: true, disabled: true, display: "none", guess: null },
  });
  assert.deepEqual(await state_after(null, null), {
    words: "Drag it.",
    ...{ hidden: false, disabled: false, display: "", guess: 1e9 },
  });
});
