// Results of /traps/ as facts (in chapters/facts/races.json), which the page shows next to the
// reader's own.
import { plain_name } from "./bench_record.mjs";
import { digits } from "../../site/runtime/base/digits.js";
import { busy_share } from "../../site/runtime/kernels/lost_time.js";
import { traps } from "../../site/runtime/traps/sentences.js";

export const group = "traps-chromium";

/** Throws if what the worker sent cannot become the record. */
function check({ results, lost_share }) {
  if (lost_share === null) throw new Error("the clock is too coarse to see other programs");
  if (lost_share > busy_share)
    throw new Error(`other programs had ${digits(100 * lost_share)} % of the core: close them`);
  for (const { id } of traps) {
    const found = results.find((one) => one.id === id);
    if (!found || found.reason) throw new Error(`${id} has no result: ${found?.reason ?? "none"}`);
    if (![found.wrong, found.right, found.ratio].every(Number.isFinite))
      throw new Error(`${id} is faster than the clock can resolve`);
    if (found.is_checked !== (id !== "dead-code"))
      throw new Error(`${id}: the check ${found.is_checked ? "accepted" : "rejected"} its result`);
  }
}

/** Of each trap the result with the median ratio. */
function middle_of(runs) {
  const middle = ({ id }) => {
    const found = runs.map(({ results }) => results.find((one) => one.id === id));
    return found.sort((a, b) => a.ratio - b.ratio)[Math.floor(found.length / 2)];
  };
  return traps.map((trap) => ({ ...trap, found: middle(trap) }));
}

/**
 * `earlier` (the facts of a file) with the facts of some runs. `about` = {version:
 * "Chrome/156.0.1", cpu, day: "23 November 2026"}. Of each trap: both rates, and how many times too
 * high, low or long the wrong one is. Throws if another program had the core, or if a trap has no
 * number.
 */
export function with_traps(earlier, runs, { version, cpu, day }) {
  runs.forEach(check);
  const [major] = /\d+/.exec(version) ?? [""];
  const lost = Math.max(...runs.map(({ lost_share }) => lost_share));
  const busy = `other programs had ${digits(100 * lost)} % of the core`;
  const how = `median of ${runs.length} runs; ${busy}`;
  const title = `Traps in Chromium ${major}, one core (${plain_name(cpu)}), ${day}`;
  const facts = { ...earlier, [group]: { title } };
  for (const { id, says, wrong, right, found } of middle_of(runs)) {
    const add = (name, value, note) => {
      const fact = { value, sources: ["chromium"], read: "device", note: `${note}; ${how}` };
      facts[`${group}.${id}.${name}`] = fact;
    };
    const far = says === "more" ? found.ratio : 1 / found.ratio;
    add("factor", digits(far), `${wrong} against ${right}`);
    add("right", `${digits(found.right)} ${found.unit}`, right);
    add("wrong", `${digits(found.wrong)} ${found.unit}`, wrong);
  }
  return Object.fromEntries(Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)));
}
