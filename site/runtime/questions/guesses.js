// The record of the reader's guesses, in this browser only: "guesses.v1" maps a question to the
// reader's tries, oldest first.
//
//   {"roofline/#p-int4": [{said, ask, when, unit, measured, guess, truth, from}, …]}
//
// `said` is what the reader typed, or the number of the choice. `guess` and `truth` are numbers in
// `unit`, and `from` is "reader" or "reference". A choice has the text `choice` instead of these
// and, if its question has a right answer, `is_right` and the `kind` of the question.
// The first guess counts: another one is a new try only after a week. A guess from before this
// record has no `when`. Stored data is untrusted.

import { stored_json } from "../base/stored_json.js";

const entry = stored_json("guesses.v1", 512 * 1024);
const most_questions = 300;
const most_tries = 8;
const longest = {
  said: 200,
  ask: 400,
  when: 30,
  unit: 40,
  measured: 1000,
  from: 10,
  choice: 300,
  kind: 10,
};
export const week_ms = 7 * 24 * 60 * 60 * 1000;

const is_positive = (value) => Number.isFinite(value) && value > 0;

/** A stored try with the members that it may have, or null. */
function checked(attempt) {
  if (typeof attempt?.said !== "string") return null;
  const texts = Object.entries(longest).filter(
    ([name, most]) => typeof attempt[name] === "string" && attempt[name].length <= most,
  );
  const result = Object.fromEntries(texts.map(([name]) => [name, attempt[name]]));
  if (Number.isNaN(Date.parse(result.when))) delete result.when;
  const { guess, truth, is_right } = attempt;
  if (typeof is_right === "boolean") result.is_right = is_right;
  if (is_positive(guess) && is_positive(truth) && result.measured !== undefined)
    return { ...result, guess, truth };
  return result.choice === undefined ? null : result;
}

/** Maps the names of questions to their tries. */
export function all_guesses() {
  const all = new Map();
  const value = entry.read();
  if (typeof value !== "object" || value === null) return all;
  for (const [key, tries] of Object.entries(value).slice(-most_questions)) {
    const good = Array.isArray(tries) ? tries.map(checked).filter(Boolean) : [];
    if (good.length > 0) all.set(key, good.slice(-most_tries));
  }
  return all;
}

/** Returns false if the record lasts only as long as the page. */
const write_all = (all) => entry.write(Object.fromEntries([...all].slice(-most_questions)));

/** Whether the reader may try a question again whose last try this is. */
export const is_old = ({ when }, now) => when === undefined || now - Date.parse(when) >= week_ms;

/**
 * Records a guess, or the newest truth about one that is recorded. `is_new`: the reader has just
 * made it.
 */
export function record_guess(key, attempt, { is_new, now = Date.now() }) {
  const all = all_guesses();
  const tries = all.get(key) ?? [];
  const last = tries.at(-1);
  const is_again = is_new && last !== undefined && is_old(last, now);
  if (!last || is_again) tries.push({ ...attempt, ...(is_new && { when: iso(now) }) });
  else if (last.said === attempt.said && !is_worse(attempt, last)) Object.assign(last, attempt);
  else return;
  all.set(key, tries.slice(-most_tries));
  write_all(all);
}

/** The reader may look at the reference machine's numbers after measuring their own. */
const is_worse = (attempt, last) => attempt.from === "reference" && last.from === "reader";

const iso = (now) => new Date(now).toISOString();

/** Removes all guesses and returns them, for put_back(). */
export function clear_guesses() {
  const all = all_guesses();
  entry.clear();
  return Object.fromEntries(all);
}

/** Restores what clear_guesses() returned. Guesses made since then follow as later tries. */
export function put_back(guesses) {
  if (typeof guesses !== "object" || guesses === null) return;
  const all = new Map(Object.entries(guesses));
  for (const [key, tries] of all_guesses()) all.set(key, [...(all.get(key) ?? []), ...tries]);
  write_all(all);
}
