// A table of this machine's runs over time: the roofs and clock of each run, and the change from
// the run before.

import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { language, word } from "../base/language.js";
import { history, with_changes } from "../profile/history.js";
import { browser_of } from "../profile/machine_name.js";

const shown = 12; // runs, newest first

/** Returns the heading, a note and the table, or an empty list if no runs are stored. */
export function history_table() {
  const lines = with_changes(history()).slice(-shown).reverse();
  if (lines.length === 0) return [];
  const heads = [word("Run"), word("Browser"), word("Arithmetic"), word("Memory"), word("Clock")];
  const named = heads.map((textContent) => make("th", { scope: "col", textContent }));
  const body = make("tbody", {}, ...lines.map(row_of));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...named)), body);
  const ariaLabel = word("This machine's runs over time");
  const heading = make("h3", { id: "your-runs", textContent: ariaLabel });
  const note = word("In brackets: the change from the previous run, if it is above 3 %.");
  const frame = { className: "table", tabIndex: 0, role: "group", ariaLabel, lang: language };
  return [heading, make("p", { textContent: note }), make("div", frame, table)];
}

/** "2026-11-23 04:28", in the reader's time zone. */
function local_minute(date) {
  const here = new Date(date - date.getTimezoneOffset() * 60_000);
  return here.toISOString().slice(0, 16).replace("T", " ");
}

function row_of({ at, browser, arithmetic, memory, clock, change, moved }) {
  const date = new Date(at);
  const when = make("time", {
    dateTime: date.toISOString(),
    textContent: local_minute(date),
  });
  const cells = [
    browser_of(browser) + (moved ? ` (${word("different from before")})` : ""),
    `${digits(arithmetic)} GFLOP/s${changed(change.arithmetic)}`,
    `${digits(memory)} GB/s${changed(change.memory)}`,
    clock > 0 ? `${digits(clock)} GHz${changed(change.clock)}` : "–",
  ];
  const head = make("th", { scope: "row" }, when);
  return make("tr", {}, head, ...cells.map((textContent) => make("td", { textContent })));
}

/** " (+12 %)", or "" for no change and for the first run. */
function changed(share) {
  if (!share) return "";
  return ` (${share > 0 ? "+" : "−"}${digits(100 * Math.abs(share), 2)} %)`;
}
