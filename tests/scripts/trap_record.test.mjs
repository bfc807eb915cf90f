// The record of /traps/: which runs it refuses, and that both pages say what it holds.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { group, with_traps } from "../../scripts/lib/trap_record.mjs";
import { sentence, traps } from "../../site/runtime/traps/sentences.js";

const about = { version: "Chrome/156.0.8", cpu: "AMD EPYC", day: "30 November 2026" };
const run = (more = {}) => ({
  lost_share: 0.02,
  results: traps.map(({ id, says }) => ({
    ...{ id, unit: "GB/s", is_checked: id !== "dead-code" },
    ...(says === "more" ? { wrong: 20, right: 10, ratio: 2 } : { wrong: 5, right: 10, ratio: 0.5 }),
    ...more[id],
  })),
});

test("both numbers of each trap from the run with the median ratio, and how far off one is", () => {
  const slow = run({ denormals: { wrong: 1, ratio: 0.1 } });
  const facts = with_traps({ other: { title: "Other" } }, [run(), slow, run()], about);
  const value = (name) => facts[`${group}.${name}`].value;
  assert.equal(Object.keys(facts).length, 2 + 3 * traps.length);
  assert.equal(facts[group].title, "Traps in Chromium 156, one core (AMD EPYC), 30 November 2026");
  assert.deepEqual(
    ["wrong", "right", "factor"].map((name) => value(`denormals.${name}`)),
    ["5.00 GB/s", "10.0 GB/s", "2.00"],
  );
  assert.equal(value("untouched-pages.factor"), "2.00");
  assert.match(
    facts[`${group}.denormals.wrong`].note,
    /^denormal numbers; median of 3 runs; other programs had 2\.00 %/,
  );
});

test("no record without all numbers, of a busy core, or of code that checks differently", () => {
  const refused = (found, why) => assert.throws(() => with_traps({}, [run(), found], about), why);
  refused({ ...run(), lost_share: 0.11 }, /other programs had 11\.0 % of the core/);
  refused({ ...run(), lost_share: null }, /too coarse/);
  refused({ ...run(), results: run().results.slice(1) }, /untouched-pages has no result: none/);
  refused(run({ denormals: { reason: "no memory" } }), /denormals has no result: no memory/);
  refused(run({ "dead-code": { wrong: Infinity } }), /dead-code is faster than the clock/);
  refused(run({ "dead-code": { is_checked: true } }), /dead-code: the check accepted/);
  refused(run({ denormals: { is_checked: false } }), /denormals: the check rejected/);
});

const facts = JSON.parse(readFileSync("chapters/facts/races.json", "utf8"));
const record = Object.fromEntries(Object.entries(facts).filter(([id]) => id.startsWith(group)));
const spanish = JSON.parse(readFileSync("site/locales/es.json", "utf8"));
const [, browser, cpu, date] = /^Traps in (.+), one core \((.+)\), (.+)$/.exec(record[group].title);

/** The results of the record, as the worker would send that of trap `id`. */
function result_of({ id, says }) {
  const of = (name) => record[`${group}.${id}.${name}`].value.split(" ");
  const [[wrong, unit], [right], [factor]] = ["wrong", "right", "factor"].map(of);
  const ratio = says === "more" ? Number(factor) : 1 / Number(factor);
  const is_checked = id !== "dead-code";
  return { id, unit, wrong: Number(wrong), right: Number(right), ratio, is_checked };
}

/** The recorded paragraph of each section, without its links. */
const recorded_in = (language, lead) =>
  readFileSync(`chapters/${language}/pages/traps.md`, "utf8")
    .split(/^## .*$/m)
    .slice(1)
    .map((text) => ({
      figures: [...text.matchAll(/^```figure$/gm)].length,
      facts: [...text.matchAll(/\(fact:([\w.-]+)\)/g)].map(([, id]) => id),
      words: text
        .split("\n")
        .find((line) => line.startsWith(lead))
        ?.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/(\d)[,\u202f](?=\d{3})/g, "$1"),
    }));

test("the record has the traps of the page and no others", () => {
  const names = ["factor", "right", "wrong"];
  const ids = traps.flatMap(({ id }) => names.map((name) => `${group}.${id}.${name}`));
  assert.deepEqual(Object.keys(record), [group, ...ids.toSorted()]);
});

test("the English page says what the page would say of the recorded numbers", () => {
  const lead = `**Recorded** on an ${cpu} in ${browser}, ${date}: `;
  const sections = recorded_in("en", lead);
  assert.equal(sections.length, traps.length);
  for (const [i, trap] of traps.entries()) {
    const [, expected] = sentence(result_of(trap));
    assert.equal(sections[i].words, expected.replace("Here: ", lead));
    assert.equal(sections[i].figures, 1, trap.id);
  }
});

test("the Spanish page says the same, with the words of the page", () => {
  const day = new Date(`${date} 12:00 UTC`).toLocaleDateString("es", { dateStyle: "long" });
  const sections = recorded_in("es", `**Medido** en un ${cpu} con ${browser}, el ${day}: `);
  assert.equal(sections.length, traps.length);
  const english = recorded_in("en", "**Recorded**");
  for (const [i, { id, wrong, right }] of traps.entries()) {
    const { words = "", facts, figures } = sections[i];
    assert.deepEqual(facts, english[i].facts, id);
    assert.equal(figures, 1, id);
    for (const name of [wrong, right]) assert.ok(words.includes(spanish[name]), `${id}: ${words}`);
    const verdict = english[i].words
      .replace(/^.*?(?=The wrong number|On this machine)/, "")
      .replace(/(\. The check.*)?$/, "");
    const key = verdict.replace(/is \S+ times/, "is {n} times").replace(/\.?$/, ".");
    const [start, end] = spanish[key].split("{n}");
    assert.ok(words.includes(start) && words.includes(end ?? ""), `${id}: ${words}`);
  }
});
