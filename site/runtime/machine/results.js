// Sentences and tables for the results on /machine/.

import { plain } from "../profile/machine_name.js";
import { machine_summary } from "../profile/machine_summary.js";
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { digits } from "../base/digits.js";
import { badge_of, machine_words, result_words } from "../profile/result_text.js";

/** Returns sentences on what was measured and what limits this machine. */
export function sentences_of(profile) {
  return machine_summary(profile).map((textContent) => make("p", { textContent }));
}

/**
 * Returns a table with the single-core roofs of this machine and the recorded ones, or an empty
 * list if a roof of this machine is missing.
 */
export function comparison(profile, recorded) {
  const yours = roofs_of(profile);
  if (!yours) return [];
  const rows = recorded.flatMap((machine) => {
    const theirs = roofs_of(machine);
    return theirs ? [row(machine.name, theirs, yours)] : [];
  });
  const heads = [word("One core of"), word("arithmetic"), word("memory"), word("ridge")];
  const named = heads.map((textContent) => make("th", { scope: "col", textContent }));
  const body = make("tbody", {}, row(machine_words(profile), yours, yours), ...rows);
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...named)), body);
  const frame = {
    className: "table",
    tabIndex: 0,
    role: "group",
    ariaLabel: word("Recorded machines"),
  };
  return [make("div", frame, table)];
}

/** Returns {arithmetic, memory} of one core in GFLOP/s and GB/s, or null if one is missing. */
function roofs_of({ roofs = [] }) {
  const single = roofs.filter((roof) => roof.device !== "gpu" && (roof.class.threads ?? 1) === 1);
  const of = (name) =>
    single.find(({ class: c }) => c.isa === name || c.level === name)?.value ?? 0;
  const arithmetic = Math.max(of("fma"), of("simd"));
  const memory = of("out");
  return arithmetic > 0 && memory > 0 ? { arithmetic, memory } : null;
}

function row(name, its, yours) {
  const beside = (value, own) =>
    its === yours ? "" : ` (${word("{times} × yours", { times: digits(value / own, 2) })})`;
  const cells = [
    `${digits(its.arithmetic)} GFLOP/s${beside(its.arithmetic, yours.arithmetic)}`,
    `${digits(its.memory)} GB/s${beside(its.memory, yours.memory)}`,
    `${digits(its.arithmetic / its.memory, 2)} FLOP/B`,
  ];
  const head = make("th", { scope: "row", textContent: plain(name, 200) });
  return make("tr", {}, head, ...cells.map((textContent) => make("td", { textContent })));
}

/** Returns a closed disclosure element with a table of all results. */
export function table_of(results) {
  const settings = [word("Kernel"), word("Parameters"), word("Threads")];
  const heads = [...settings, word("Result"), word("Per cycle"), word("Trust")];
  const named = heads.map((textContent) => make("th", { scope: "col", textContent }));
  const sorted = [...results].sort((a, b) => a.kernel.localeCompare(b.kernel));
  const body = make("tbody", {}, ...sorted.map(row_of));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...named)), body);
  const frame = { className: "table", tabIndex: 0, role: "group", ariaLabel: word("Your results") };
  const textContent = word("All {n} measurements", { n: results.length });
  return make("details", {}, make("summary", { textContent }), make("div", frame, table));
}

function row_of(result) {
  const { params: asked, choice } = result;
  const params = Object.entries(asked).map(([name, value]) => `${name} = ${value}`);
  if (choice) params.push(word("fastest tile: {tile}", { tile: choice.tile }));
  const { text, why } = badge_of(result);
  const trust = why && result.status === "measured" ? `${text}: ${why}` : text;
  const cells = [
    plain(params.join(", "), 200),
    String(result.threads ?? 1),
    result_words(result),
    result.per_cycle > 0 ? digits(result.per_cycle) : "–",
    trust,
  ];
  const name = make("th", { scope: "row", textContent: plain(result.kernel) });
  return make("tr", {}, name, ...cells.map((textContent) => make("td", { textContent })));
}
