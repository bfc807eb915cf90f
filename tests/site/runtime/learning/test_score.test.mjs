// The items of the test on /test/: compares each answer, in each form, with arithmetic that is
// written here a second time. Tests the score with simulated readers who know, who guess, and who
// choose the tempting answers.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";

import { connect } from "../../../../site/runtime/page/page_module.js";
import {
  form_count,
  form_of,
  form_text,
  other_forms,
} from "../../../../site/runtime/learning/test_forms.js";
import {
  clusters,
  exact,
  gains,
  items,
  score_of,
} from "../../../../site/runtime/learning/test_score.js";
import { uniform } from "../../../machines/simulator/random.mjs";
import { read_page, site } from "../../support/site.mjs";

const html = read_page("test/");
const data_of = (page) => {
  const [, name] = read_page(page).match(/ data-page="([^"]+)"/);
  return JSON.parse(readFileSync(join(site, page, name), "utf8"));
};
const data = data_of("test/");
const worked = new Map(data.worked.map((item) => [item.id, item]));
/** The number of choices of a quiz, and the index of the right one. */
const quizzes = new Map(
  [...html.matchAll(/<section class="quiz" id="([\w-]+)"[\s\S]*?<\/section>/g)].map(
    ([section, id]) => {
      const choices = [...section.matchAll(/<details class="(choice[^"]*)"/g)];
      const right = choices.findIndex(([, name]) => name.includes("choice-right"));
      return [id, { count: choices.length, right }];
    },
  ),
);

let call;
/** Per form: {id: value in base units}. */
const forms = [];
before(async () => {
  const module = readFileSync(join(site, "_", readdirSync(join(site, "_"))[0], "page.wasm"));
  const raw = await connect(await WebAssembly.compile(module));
  call = (request) => raw({ registry: [], reference: null, reader: null, ...request });
  for (let i = 0; i < form_count; ++i)
    forms.push((await form_of(i, data.facts, async (request) => call(request))).facts);
});

const number_of = (form, id) => forms[form][id].value;
const grade = (form, id, input) => {
  const { answer, given, unit, tolerance } = worked.get(id);
  const request = { op: "grade", answer, given, unit, tolerance, facts: forms[form] };
  return [input, exact(input)].every((text) => call({ ...request, input: text }).correct);
};

/** The numbers of a form under short names, in SI units. */
function numbers(form) {
  const of = (id) => number_of(form, id);
  return {
    px: of("test-x.compute"),
    bx: of("test-x.bandwidth"),
    py: of("test-y.compute"),
    by: of("test-y.bandwidth"),
    intensity: of("test-kernel.intensity"),
    rate: of("test-kernel.rate"),
    reported: of("test-kernel.reported"),
    n: of("test-kernel.rows"),
    passes: of("test-model.passes"),
    users: of("test-model.users"),
    weights: of("test-model.weights"),
    cache: of("test-model.cache"),
  };
}

/** Per question: its answer in the unit of the question, and tempting wrong answers. */
const expected = {
  "t-ridge": ({ px, bx }) => [px / bx, (2 * px) / bx],
  "t-axpy": ({ px, bx }) => [(100 * (bx / 3)) / px, (100 * bx) / px, 100],
  "t-matmul": ({ px, bx, n }) => [
    1e3 * Math.max((2 * n ** 3) / px, (6 * n ** 2) / bx),
    (1e3 * 6 * n ** 2) / bx,
  ],
  "t-int8": ({ px, bx }) => [px / bx / 2, px / bx],
  "t-decode": ({ px, bx, weights }) => [bx / (2 * weights), px / (2 * weights)],
  "t-batch": ({ bx, weights, users, cache }) => [
    users / ((2 * weights + users * cache) / bx),
    (users * bx) / (2 * weights),
  ],
  "t-judge": ({ px, bx, intensity, rate }) => [
    (100 * rate) / Math.min(px, bx * intensity),
    (100 * rate) / px,
  ],
  "t-chips": ({ px, bx, py, by, intensity }) => [
    Math.min(px, bx * intensity) / Math.min(py, by * intensity),
    px / py,
    1,
  ],
};

test("the page has the twelve questions of the score, each with one right answer", () => {
  assert.equal(items.length, 12);
  assert.equal(new Set(items).size, 12);
  assert.deepEqual([...worked.keys(), ...quizzes.keys()].sort(), [...items].sort());
  assert.deepEqual(Object.keys(expected).sort(), [...worked.keys()].sort());
  for (const [id, { count, right }] of quizzes) assert.ok(count === 4 && right >= 0, id);
  for (const { id, chips } of worked.values()) assert.deepEqual(chips, [], id);
});

test("each form has every number of the page, and no answer of one form counts in another", () => {
  const ids = Object.keys(data.facts).sort();
  for (const form of other_forms) assert.deepEqual(Object.keys(form).sort(), ids);
  for (const [id, answers_of] of Object.entries(expected)) {
    const answers = forms.map((_, form) => answers_of(numbers(form))[0]);
    const sorted = [...answers].sort((a, b) => a - b);
    for (let i = 1; i < sorted.length; ++i)
      assert.ok(sorted[i] / sorted[i - 1] > 1.05, `${id}: ${answers.join()}`);
  }
});

test("each form's numbers have the units of the page, in Spanish, too", () => {
  for (const page of ["test/", "es/test/"])
    for (const one of data_of(page).live)
      for (const [i, form] of other_forms.entries()) {
        const { expression, unit } = one;
        if (!(expression in form)) continue;
        const request = { op: "evaluate", expression, unit, facts: forms[i + 1], digits: 3 };
        const text = form_text(form, one) ?? call(request).text;
        assert.ok(text.endsWith(unit), `${page}: ${text} instead of ${unit}`);
        if (unit === "millones")
          assert.equal(text.replace(",", ""), `${parseInt(form[expression])}000 millones`);
      }
});

test("in every form, the computed answer is right and no tempting one is", () => {
  for (let form = 0; form < form_count; ++form) {
    for (const [id, answers_of] of Object.entries(expected)) {
      const [right, ...tempting] = answers_of(numbers(form));
      const text = (value) => value.toPrecision(4);
      assert.ok(grade(form, id, text(right)), `form ${form}, ${id}: ${text(right)}`);
      for (const wrong of tempting)
        assert.ok(!grade(form, id, text(wrong)), `form ${form}, ${id}: ${text(wrong)} counts`);
    }
  }
});

test("a number counts by its distance, not because it may be rounded", () => {
  const texts = ["1", "1.", "0.5", "12,5", "0,515", "1,231", "1.2e3", " -3 ms", "5 TB/s", "x", ""];
  assert.deepEqual(texts.map(exact), [
    "1.000000",
    "1.000000",
    "0.5000000",
    "12,5000000",
    "0,515000000",
    "1,231.000000",
    "1.2000000e3",
    " -3.000000 ms",
    "5.000000 TB/s",
    "x",
    "",
  ]);
  for (const wrong of ["1", "1 ms", "0.6", "0"]) assert.ok(!grade(2, "t-matmul", wrong), wrong);
  for (const wrong of ["0", "0.2"]) assert.ok(!grade(0, "t-axpy", wrong), wrong);
  for (const right of ["0.515", "0.52", "515 µs", "5.15e-4 s"])
    assert.ok(grade(2, "t-matmul", right), right);
  assert.ok(grade(0, "t-batch", "1,231") && grade(0, "t-batch", "1231 tokens/s"));
});

test("in every form, the sides and the choices are what the explanations say", () => {
  for (let form = 0; form < form_count; ++form) {
    const { px, bx, py, by, intensity, rate, reported, n, passes } = numbers(form);
    assert.ok(bx * intensity < px && by * intensity > py, "memory-bound on X, compute-bound on Y");
    assert.equal(bx, by);
    assert.ok(rate < bx * intensity && rate > 0.6 * bx * intensity, "below its roof");
    assert.ok((2 * n ** 3) / px > (6 * n ** 2) / bx, "the matmul is compute-bound");
    assert.ok(reported > 1.2 * bx, "more than the memory delivers");
    assert.ok(passes > 1 - passes, "before fusing, bandwidth gains more");
    assert.ok(passes / 2 < 1 - passes, "after fusing, FLOP/s gain more");
  }
});

// How a reader answers a question about a number: [right, tempting…] -> number.
const readers = {
  // Rounds to two or three digits, and makes a mistake in one of ten questions.
  knows: (random, [right]) =>
    random() < 0.1 ? right * (0.2 + 3 * random()) : Number(right.toPrecision(2 + (random() < 0.5))),
  // Knows the size within a factor of ten either way.
  guesses: (random, [right]) => right * 10 ** (2 * random() - 1),
  // Compares peaks and ignores caches: the mistakes that the questions target.
  is_tempted: (random, [, ...tempting]) => tempting[Math.floor(random() * tempting.length)],
};

function sit(kind, form, random) {
  const answers = {};
  for (const id of items) {
    let right;
    if (worked.has(id)) {
      const value = readers[kind](random, expected[id](numbers(form)));
      right = grade(form, id, value.toPrecision(4));
    } else {
      const { count, right: best } = quizzes.get(id);
      const other = (best + 1 + Math.floor(random() * (count - 1))) % count;
      const guess = Math.floor(random() * count);
      const picks = { knows: random() < 0.9 ? best : other, guesses: guess, is_tempted: other };
      right = picks[kind] === best;
    }
    answers[id] = { right, sure: kind === "guesses" ? 0 : 2 };
  }
  return score_of(answers);
}

test("simulated readers: the score separates who knows from who guesses", (t) => {
  const random = uniform(20261130);
  const people = 100;
  const all = Object.fromEntries(
    Object.keys(readers).map((kind) => [
      kind,
      Array.from({ length: people }, (_, i) => sit(kind, i % form_count, random)),
    ]),
  );
  const sorted = (kind) => all[kind].map(({ right }) => right).sort((a, b) => a - b);
  const understood = (kind) => all[kind].filter((score) => score.understood).length;
  for (const kind of Object.keys(readers)) {
    const scores = sorted(kind);
    t.diagnostic(
      `${kind}: ${scores[0]} to ${scores.at(-1)} right, median ${scores[people / 2]}, ${understood(kind)} understood`,
    );
  }
  assert.ok(sorted("knows")[5] > sorted("guesses").at(-6), "the ranges overlap");
  assert.ok(understood("knows") >= 60);
  assert.equal(understood("guesses"), 0);
  assert.equal(understood("is_tempted"), 0);
  // The score identifies which of two readers knows and which one guesses.
  const pairs = all.knows.flatMap((a) => all.guesses.map((b) => a.right > b.right));
  assert.ok(pairs.filter(Boolean).length / pairs.length > 0.99);
  const sure = all.is_tempted.map(({ sure_but_wrong }) => sure_but_wrong.length);
  assert.ok(Math.min(...sure) >= 10, "being sure and wrong is reported");
});

test("understood needs nine right answers, and the batch, the chips and the purchase", () => {
  const with_wrong = (...wrong) =>
    score_of(Object.fromEntries(items.map((id) => [id, { right: !wrong.includes(id), sure: 2 }])));
  assert.ok(with_wrong("t-ridge", "t-axpy", "t-judge").understood);
  assert.ok(!with_wrong("t-ridge", "t-axpy", "t-judge", "t-int8").understood);
  for (const id of ["t-batch", "t-chips", "t-buy"]) {
    assert.ok(!with_wrong(id).understood, id);
    assert.deepEqual(with_wrong(id).sure_but_wrong, [id]);
  }
  assert.equal(score_of({}).right, 0);
  assert.deepEqual(score_of({}).sure_but_wrong, [], "an empty answer is not a sure one");
});

test("the gain is the share of what was missing, and none if nothing was", () => {
  const right = (...ids) => score_of(Object.fromEntries(ids.map((id) => [id, { right: true }])));
  const topics = gains(
    right("t-ridge", "t-axpy", "t-batch"),
    right("t-ridge", "t-axpy", "t-batch", "t-int8", "t-chips"),
  );
  assert.equal(topics.counting, null);
  assert.ok(Math.abs(topics.sharing - 1 / 2) < 1e-9);
  assert.ok(Math.abs(topics.sides - 1 / 3) < 1e-9);
  assert.equal(topics.buying, 0);
  assert.deepEqual(Object.keys(topics), Object.keys(clusters));
});
