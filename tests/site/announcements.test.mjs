// /announcements/: each row has a source and the month in which the claim was made, the languages
// agree on what became of it, and the text counts the rows.
// Reads the book.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const claims = JSON.parse(readFileSync("chapters/facts/claims.json", "utf8"));
const months = { en: "en-US", es: "es" };
const states = {
  en: ["Kept", "Changed", "Withdrawn", "Open"],
  es: ["Cumplido", "Cambiado", "Retirado", "Pendiente"],
};
const ids_in = (cell) => [...cell.matchAll(/\((?:fact|claim):([\w.-]+)\)/g)].map(([, id]) => id);

function rows_in(language) {
  const text = readFileSync(`chapters/${language}/pages/announcements.md`, "utf8");
  const lines = text.split("\n").filter((line) => line.startsWith("| ") && /\w/.test(line));
  return lines.slice(1).map((line) => {
    const [month, who, promised, became] = line.slice(2, -2).split(" | ");
    return { month, sources: who.match(/@[\w-]+/g), promised: ids_in(promised), became };
  });
}
const rows = { en: rows_in("en"), es: rows_in("es") };

/** The index of a row's state in `states`. */
const state_of = (language, { became }) =>
  states[language].indexOf(/^\*\*(\w+)\*\*/.exec(became)?.[1]);

test("each row has a source, and the month of its claims", () => {
  for (const language of ["en", "es"]) {
    const named = new Intl.DateTimeFormat(months[language], { month: "long", timeZone: "UTC" });
    for (const { month, sources, promised } of rows[language]) {
      assert.ok(sources, month);
      for (const { said } of promised.map((id) => claims[id] ?? {}).filter((one) => one.said)) {
        const name = named.format(new Date(`${said}-15`));
        assert.ok(month.includes(name) && month.includes(said.slice(0, 4)), `${month}: ${said}`);
      }
    }
  }
});

test("the rows are in order of date, and the languages agree", () => {
  const years = rows.en.map(({ month }) => Number(month.slice(-4)));
  assert.deepEqual(years, years.toSorted());
  const facts = (language) =>
    rows[language].map((row) => [state_of(language, row), row.sources, row.promised]);
  assert.deepEqual(facts("es"), facts("en"));
});

test("the text counts the rows by what became of them", () => {
  const counts = [0, 1, 2, 3].map(
    (state) => rows.en.filter((row) => state_of("en", row) === state).length,
  );
  assert.equal(
    counts.reduce((a, b) => a + b),
    rows.en.length,
  );
  const words = ["none", "one", "two", "three", "four", "five", "six"];
  const [kept, changed, withdrawn, open] = counts.map((count) => words[count]);
  const text = readFileSync("chapters/en/pages/announcements.md", "utf8").toLowerCase();
  const said = `${kept} of the fourteen were kept, ${changed} were changed, ${withdrawn} were withdrawn, and ${open} are open`;
  assert.ok(text.includes(said), said);
  assert.equal(rows.en.length, 14);
});
