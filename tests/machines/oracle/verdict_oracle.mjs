// Decides whether the verdicts and live numbers of a page are true of a machine. Each row is {id,
// say, is, why}: `is` is "true", "undecided" (the truth is within the margin of a threshold), "not
// judged" (no predicate covers the sentence) or "false".

import { claims } from "./verdict_claims.mjs";
import { asker } from "./site_pages.mjs";

const margin = 0.08; // of the truth, around a threshold
const tolerance = 0.12; // of a number in a sentence
const kib_of_a_mib = 1024;

const states = ["empty", "untrusted", "unavailable"];
const of_gpus = /^gpu\b|\bgpu\./;

/** The requests of a page about one profile, each made once. */
class Answers {
  #ask;
  #known = new Map();

  constructor(page, profile) {
    this.#ask = asker(page, profile);
  }
  /** {value, from} of an expression; value is NaN if the profile has no number. */
  of(expression, unit = "") {
    const key = `${expression} | ${unit}`;
    if (!this.#known.has(key)) {
      let answer = { value: NaN, from: "none" };
      try {
        answer = this.#ask({ op: "evaluate", expression, unit, digits: 3 });
      } catch {
        // This profile lacks it.
      }
      this.#known.set(key, answer);
    }
    return this.#known.get(key);
  }
  verdict(on, cases) {
    return this.#ask({ op: "verdict", on, cases });
  }
}

/**
 * Does the page use little memory here, because nothing reports that there is more?
 * notes/2026-11-measuring.md, "Memory".
 */
const is_silent = ({ isa, os, cores, default_mode }) =>
  !default_mode.startsWith("chrome") &&
  isa === "arm64" &&
  os !== "macOS" &&
  cores.logical_reported <= 8;

/** One kind of core that results may come from: the truth at its slowest and fastest clock. */
export class Candidate {
  constructor({ machine, truth, name, profiles, has_relaxed }) {
    Object.assign(this, { machine, name, has_relaxed, profiles });
    this.kind = machine.kinds[name];
    this.chains_needed = truth.chains_needed(name);
  }
  /** The largest set, in MiB, that the page tries if no limit applies. */
  get largest_set() {
    return is_silent(this.machine) ? 128 : 1024;
  }
  /** [lowest, highest] of the operations that the best arithmetic does per cycle. */
  get roofs_per_cycle() {
    const of = ({ roofs, clock_ghz }) =>
      Math.max(...roofs.filter((r) => /^(fma|simd)$/.test(r.class.isa)).map((r) => r.value)) /
      clock_ghz;
    const all = this.profiles.map(of);
    return [Math.min(...all), Math.max(...all)];
  }
  /** Does one core read a set of this many MiB from a cache? */
  holds(mib) {
    return this.kind.levels.some(({ kib }) => 0.95 * kib >= mib * kib_of_a_mib);
  }
  on(page) {
    this.answers = this.profiles.map((profile) => new Answers(page, profile));
    return this;
  }
  /** [lowest, highest] true value of an expression. */
  range(expression, unit = "") {
    const values = this.answers.map((answers) => answers.of(expression, unit).value);
    return [Math.min(...values), Math.max(...values)];
  }
  value(expression) {
    return this.range(expression)[1];
  }
}

/**
 * -1: the condition is false, 1: true, 0: too close to tell. The reader's profile decides whether
 * something was measured.
 */
function decided(condition, on, { candidate, reader }) {
  const [, left, right] = /^(.+?) < (.+)$/.exec(condition) ?? [];
  if (!left || condition.includes(" and "))
    throw new Error(`the oracle does not know conditions like ${condition}`);
  const asked = left === "value" ? on : left;
  if (asked.startsWith("measured(")) return reader.of(asked).value < Number(right) ? 1 : -1;
  const [low, high] = candidate.range(`(${asked}) / (${right})`);
  if (high * (1 + margin) < 1) return 1;
  return low * (1 - margin) >= 1 ? -1 : 0;
}

/** The cases that may be shown for a machine: one, or those around a threshold. */
function allowed_cases({ on, cases }, known) {
  const allowed = [];
  for (const { when } of cases.filter((c) => !states.includes(c.when))) {
    const is = when === "otherwise" ? 1 : decided(when, on, known);
    if (is >= 0) allowed.push(when);
    if (is > 0) break;
  }
  return allowed;
}

const range_words = (range) => range.map((x) => x.toPrecision(3)).join(" to ");
const near = (said, [low, high], share) => said >= low * (1 - share) && said <= high * (1 + share);

/**
 * The text in the outer braces of a sentence. Parameters of measurements have inner braces.
 */
function placeholders(sentence) {
  const found = [];
  let depth = 0;
  let from = 0;
  [...sentence].forEach((character, i) => {
    if (character === "{" && depth++ === 0) from = i + 1;
    if (character === "}" && --depth === 0) found.push([...sentence].slice(from, i).join(""));
  });
  return found;
}

/** The first number of a sentence that is not true, in words; an empty string if all are true. */
function wrong_number(sentence, on, reader, candidate) {
  for (const inside of placeholders(sentence)) {
    const [expression, unit = ""] = inside.split("|").map((part) => part.trim());
    if (expression === "reason") continue;
    const asked = expression === "value" ? on : expression;
    const said = reader.of(asked, unit).value;
    const truth = candidate.range(asked, unit);
    if (!near(said, truth, tolerance))
      return `${expression} is ${said.toPrecision(3)}, and ${range_words(truth)} is true`;
  }
  return "";
}

/** The most favorable judgement over the kinds of core that the thread may have run on. */
function best_of(judgements) {
  const rank = { true: 0, undecided: 1, "not judged": 2, false: 3 };
  return judgements.sort((a, b) => rank[a.is] - rank[b.is])[0];
}

function judged_case(verdict, { when, say }, page, { reader, candidate }) {
  const holds = claims[page]?.[verdict.id]?.[when];
  if (!holds) return { is: "not judged", why: "no predicate in oracle/verdict_claims.mjs" };
  const allowed = allowed_cases(verdict, { candidate, reader });
  if (!allowed.includes(when)) return { is: "false", why: `true is: ${allowed.join(" or ")}` };
  if (allowed.length > 1) return { is: "undecided", why: "near a threshold" };
  if (!holds(candidate)) return { is: "false", why: "the machine is not so" };
  const why = wrong_number(say, verdict.on, reader, candidate);
  return why ? { is: "false", why } : { is: "true", why: "" };
}

/**
 * A result is unavailable only if it needs more memory than the page may have, or instructions that
 * the engine lacks.
 */
function judged_absence(say, { machine, has_relaxed }) {
  const { tab_killed_above_mib: killed, wasm_memory_max_mib: most } = machine.page_limits;
  const is_memory = /memory/.test(say) && (killed || most < 4096 || is_silent(machine));
  return is_memory || (!has_relaxed && /missing from the module|relaxed/.test(say))
    ? { is: "true", why: "" }
    : { is: "false", why: "this machine can measure it" };
}

const much_stolen = 0.1; // share of the core; see site/runtime/kernels/lost_time.js
const lowest_ghz = 0.5; // site/runtime/kernels/tier_check.js

/**
 * Must the page discard this machine's results, because other programs used its core or the engine
 * interprets?
 */
function withholds({ stolen_slices: slices, measuring_thread: { kind }, kinds }) {
  const is_busy = slices && !slices.turns_s && slices.share_of_time > much_stolen;
  return is_busy || kinds[kind].clock.turbo_ghz < lowest_ghz;
}

/** Rows for every verdict of a page about the reader's machine. */
function verdict_rows(page, profile, candidates) {
  const reader = new Answers(page, profile);
  return page.verdicts
    .filter(({ on }) => !of_gpus.test(on))
    .flatMap((verdict) => {
      const { from, say } = reader.verdict(verdict.on, verdict.cases);
      if (from === "reference") return [];
      const numbered = verdict.cases.map(({ when }, i) => ({ when, say: String(i) }));
      const { when, say: pattern } =
        verdict.cases[Number(reader.verdict(verdict.on, numbered).say)];
      const id = `${page.page} ${verdict.id}`;
      if (when === "untrusted")
        return withholds(candidates[0].machine)
          ? [{ id, say, is: "true", why: "" }]
          : [{ id, say, is: "false", why: "nothing of this machine keeps its results out" }];
      if (when === "unavailable") return [{ id, say, ...judged_absence(say, candidates[0]) }];
      const judgements = candidates.map((candidate) =>
        judged_case(verdict, { when, say: pattern }, page.page, { reader, candidate }),
      );
      return [{ id, say, ...best_of(judgements) }];
    });
}

/** Rows for every live number of the reader. */
function live_rows(page, profile, candidates) {
  const reader = new Answers(page, profile);
  return page.live
    .filter(({ expression }) => !of_gpus.test(expression))
    .flatMap(({ expression, unit }) => {
      const answer = reader.of(expression, unit);
      if (answer.from !== "reader") return [];
      const id = `${page.page} ${expression}`;
      const ranges = candidates.map((candidate) => candidate.range(expression, unit));
      const is = ranges.some((range) => near(answer.value, range, tolerance));
      const truth = ranges.map((range) => range_words(range)).join(", ");
      return [
        {
          id,
          say: answer.text,
          is: String(is),
          why: is ? "" : `${answer.value.toPrecision(3)}, and ${truth} is true`,
        },
      ];
    });
}

/** Rows for everything that the pages show for `profile`. */
export function page_rows(pages, profile, candidates) {
  return pages.flatMap((page) => {
    for (const candidate of candidates) candidate.on(page);
    return [...verdict_rows(page, profile, candidates), ...live_rows(page, profile, candidates)];
  });
}

/**
 * How the possible verdicts about a processor differ from their predicates: {unclaimed, gone}, the
 * cases without a predicate and the predicates without a case.
 */
export function unmatched_claims(pages) {
  const pages_gone = pages.flatMap(({ page, verdicts }) =>
    Object.keys(claims[page] ?? {})
      .filter((id) => !verdicts.some((verdict) => verdict.id === id))
      .map((id) => `${page} ${id} is gone`),
  );
  const cases = pages.flatMap(({ page, verdicts }) =>
    verdicts
      .filter(({ on }) => !of_gpus.test(on))
      .map(({ id, cases }) => ({
        id: `${page} ${id}`,
        said: cases.map(({ when }) => when).filter((when) => !states.includes(when)),
        known: Object.keys(claims[page]?.[id] ?? {}),
      })),
  );
  const only_in = (one, other) =>
    cases.flatMap((verdict) =>
      verdict[one]
        .filter((when) => !verdict[other].includes(when))
        .map((when) => `${verdict.id}: ${when}`),
    );
  return {
    unclaimed: only_in("said", "known"),
    gone: [...pages_gone, ...only_in("known", "said").map((name) => `${name} is gone`)],
  };
}
