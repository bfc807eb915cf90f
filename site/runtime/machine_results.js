// What /machine/ shows of the results: sentences, a table, a file.

import { portrait } from "./portrait.js";
import { digits, badge_of, result_words } from "./words.js";

const make = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...children);
  return element;
};

/** What the measurements say about this machine. */
export function sentences_of(profile) {
  return portrait(profile).map((textContent) => make("p", { textContent }));
}

export function table_of(results) {
  const heads = ["Kernel", "Parameters", "Threads", "Result", "Per cycle", "Trust"];
  const named = heads.map((textContent) => make("th", { scope: "col", textContent }));
  const sorted = [...results].sort((a, b) => a.kernel.localeCompare(b.kernel));
  const body = make("tbody", {}, ...sorted.map(row_of));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...named)), body);
  const frame = { className: "table", tabIndex: 0, role: "group", ariaLabel: "Your results" };
  return make("div", frame, table);
}

function row_of(result) {
  const { params: asked, choice } = result;
  const params = Object.entries(asked).map(([name, value]) => `${name} = ${value}`);
  if (choice) params.push(`raced to ${choice.tile}`);
  const { text, why } = badge_of(result);
  const trust = why && result.status === "measured" ? `${text}: ${why}` : text;
  const cells = [
    params.join(", "),
    String(result.threads ?? 1),
    result_words(result),
    result.per_cycle > 0 ? digits(result.per_cycle) : "–",
    trust,
  ];
  const name = make("th", { scope: "row", textContent: result.kernel });
  return make("tr", {}, name, ...cells.map((textContent) => make("td", { textContent })));
}

/** The profile as a file, as scripts/measure writes one and the gallery takes it. */
export function save(profile) {
  const text = `${JSON.stringify(profile, null, 1)}\n`;
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  make("a", { href, download: "my-machine.json" }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
