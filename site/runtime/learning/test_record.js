// What a reader has answered in the test, in this browser only:
//
//   {first, open: {occasion, form, answers}, results: {occasion: {form, at, answers}}}
//
// `first` is the form of the first test, drawn at random; the next tests use the forms after it. An
// answer is {said, sure} while the test is open and also {right} in a result. Every change reads
// the stored record first, so that two tabs keep each other's answers. Stored data is untrusted.

import { own } from "../base/own.js";
import { stored_json } from "../base/stored_json.js";
import { form_count } from "./test_forms.js";
import { items } from "./test_score.js";

export const occasions = ["before", "after-1", "after-5", "after-7"];

const entry = stored_json("test.v1", 64 * 1024);
const is_form = (form) => Number.isInteger(form) && form >= 0 && form < form_count;
const is_object = (value) => typeof value === "object" && value !== null;

function checked_answers(value) {
  const answers = {};
  for (const id of items) {
    const answer = is_object(value) ? own(value, id) : null;
    if (!is_object(answer)) continue;
    const { said, sure, right } = answer;
    if (said !== undefined && (typeof said !== "string" || said.length > 200)) continue;
    answers[id] = {
      ...(said !== undefined && { said }),
      ...([0, 1, 2].includes(sure) && { sure }),
      ...(typeof right === "boolean" && { right }),
    };
  }
  return answers;
}

/** The stored record; an empty one if there is none. */
export function test_record() {
  const value = entry.read();
  const record = { first: null, open: null, results: {} };
  if (!is_object(value)) return record;
  if (is_form(value.first)) record.first = value.first;
  const { open, results } = value;
  if (is_object(open) && occasions.includes(open.occasion) && is_form(open.form))
    record.open = {
      occasion: open.occasion,
      form: open.form,
      answers: checked_answers(open.answers),
    };
  for (const occasion of occasions) {
    const result = is_object(results) ? own(results, occasion) : null;
    if (!is_object(result) || !is_form(result.form)) continue;
    record.results[occasion] = {
      form: result.form,
      at: typeof result.at === "string" ? result.at.slice(0, 30) : "",
      answers: checked_answers(result.answers),
      ...(result.is_shown === true && { is_shown: true }),
    };
  }
  return record;
}

/** Returns false if the record lasts only as long as the page. */
const store = (record) => entry.write(record);

/** Opens the test of an occasion with the form of its turn, unless a test is open. */
export function begin(occasion, random = Math.random) {
  const record = test_record();
  if (record.open) return true;
  record.first ??= Math.floor(random() * form_count);
  const form = (record.first + occasions.indexOf(occasion)) % form_count;
  record.open = { occasion, form, answers: {} };
  return store(record);
}

/** Stores a part of an answer: `said` or `sure`. */
export function answer(id, part) {
  const record = test_record();
  if (!record.open) return false;
  record.open.answers[id] = { ...record.open.answers[id], ...part };
  return store(record);
}

/** Closes the open test with its judged answers. */
export function finish(answers, now = new Date()) {
  const record = test_record();
  if (!record.open) return false;
  const { occasion, form } = record.open;
  record.results[occasion] = { form, at: now.toISOString(), answers };
  record.open = null;
  return store(record);
}

/** Closes the open test without a result. */
export function abandon() {
  return store({ ...test_record(), open: null });
}

/** Notes that the reader has seen the explanations of this result. */
export function note_shown(occasion) {
  const record = test_record();
  if (record.results[occasion]) record.results[occasion].is_shown = true;
  return store(record);
}

/** Removes the record and returns it, for put_back(). */
export function clear_test() {
  const record = test_record();
  entry.clear();
  return record;
}

/** Restores what clear_test() returned. Results and answers given since then stay. */
export function put_back(cleared) {
  if (!is_object(cleared)) return;
  const now = test_record();
  store({
    first: now.first ?? cleared.first,
    open: now.open ?? cleared.open,
    results: { ...cleared.results, ...now.results },
  });
}
