// Applies the reader's profile to the page: live values, verdicts, figures, tables. Every element
// keeps its place and size. Values that the reader has not measured stay the reference machine's.

import { keep_first, restore } from "./at_first.js";
import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { drawing_words, said } from "./drawing_words.js";
import { between_thousands, with_narrow_spaces } from "../base/spaces.js";
import { place_strips } from "./strip.js";
import { ask, page_data, registry, shown_profile, store } from "./page.js";
import { is_supported } from "./supported.js";
import { stored } from "../base/storage.js";
import { drawing } from "../base/trusted.js";
import { badge_of, machine_words, result_parts, result_words } from "../profile/result_text.js";
import { same_run } from "../profile/runs.js";

/**
 * Applies the stored profile, each element in a separate task, so that the page stays responsive.
 * Resolves to the list of problems; no problem stops the others.
 */
export async function refresh() {
  const { profile, problem } = store.load();
  const problems = problem ? [problem] : [];
  if (!profile) return problems;
  const data = await page_data();
  const parts = [
    ...data.live.map((live) => () => update_live(live)),
    ...data.verdicts.map((verdict) => () => update_verdict(verdict)),
    ...Object.entries(data.figures).map(
      ([id, figure]) =>
        () =>
          update_figure(id, figure, profile),
    ),
    ...data.benches.map((bench) => () => update_bench(bench, profile)),
  ];
  for (const part of parts) {
    await new Promise((resolve) => setTimeout(resolve));
    try {
      await part();
    } catch (error) {
      problems.push(word("Unavailable, because {why}.", { why: heard(error.message) }));
    }
  }
  unmix_rows(data.live);
  document.dispatchEvent(new Event("primer-results", { bubbles: true }));
  return problems;
}

const is_ridge = ({ expression = "" }) => expression.startsWith("ridge.");

/**
 * Resets a row with a ridge to the reference machine unless all its numbers are the reader's. A run
 * on a busy machine may give only one of two roofs, and the reader's arithmetic next to the
 * reference machine's memory and ridge would look like one machine.
 */
function unmix_rows(live) {
  for (const { id } of live.filter(is_ridge)) {
    const row = document.getElementById(id)?.closest("tr, ul");
    const all = [...(row?.querySelectorAll(".live") ?? [])];
    if (all.every(({ dataset }) => dataset.from === "reader")) continue;
    for (const element of all) take_back(element);
  }
}

/** Shows the text that the build wrote, without the reader's value and its tooltip. */
function take_back(element) {
  if (tip_of(element)) element.parentElement.replaceWith(element);
  restore(element);
}

async function update_live({ id, expression, unit, digits }) {
  const element = document.getElementById(id);
  if (!element) return;
  const answer = await ask({ op: "evaluate", expression, unit, digits }).catch((error) => {
    if (element.dataset.from !== "none") throw error;
    // A GPU value has no reference.
    element.title = word("Unavailable, because {why}.", { why: heard(error.message) });
    return {};
  });
  if (answer.from !== "reader") return take_back(element);
  keep_first(element);
  element.dataset.reference ??= element.textContent;
  element.dataset.from = "reader";
  element.value = answer.value;
  element.textContent = with_narrow_spaces(answer.text);
  explain(
    element,
    word("Measured on your machine; the reference machine: {value}", {
      value: element.dataset.reference,
    }),
  );
}

const tip_of = ({ id, nextElementSibling: tip }) => (tip?.id === `${id}.tip` ? tip : null);

/**
 * Explains an element in a tooltip that works with keyboard and touch, too; the element moves into
 * it.
 */
function explain(element, words) {
  const tip = tip_of(element);
  if (tip) {
    tip.textContent = words;
    return;
  }
  const place = document.createTextNode("");
  element.replaceWith(place);
  place.replaceWith(tipped_with(`${element.id}.tip`, element, words));
}

const undecided =
  "Undecided: anywhere within their intervals, your numbers allow more than one answer here. Close other programs and measure again.";

async function update_verdict(verdict) {
  const { id, on, cases } = verdict;
  const element = document.getElementById(id);
  if (!element) return;
  const answer = await ask({ op: "verdict", on, cases });
  if (answer.from === "reference") {
    restore(element);
    return;
  }
  const is_whole = await is_supported(verdict, answer.case, {
    profile: shown_profile(),
    registry: await registry(),
    case_for: async (profile) => (await ask({ op: "verdict", on, cases }, profile)).case,
  });
  keep_first(element);
  element.dataset.from = "reader";
  element.textContent = is_whole ? with_narrow_spaces(answer.say) : word(undecided);
}

async function update_figure(id, { spec }, profile) {
  const figure = document.getElementById(id);
  if (!figure) return;
  let is_theirs = false;
  for (const width of ["wide", "narrow"]) {
    const frame = figure.querySelector(`.plot-${width}`);
    if (!frame) continue;
    const lang = frame.querySelector("svg").getAttribute("lang");
    // See generator/core/render/blocks/figure_block.cpp.
    const is_half = width === "wide" && figure.querySelector(".guess-form");
    const options = {
      width: is_half ? "column" : width,
      theme: "css",
      lang,
    };
    const drawing = await ask({ op: "render", spec, options });
    show_svg(frame, drawing.svg);
    if (width === "narrow") continue;
    fill_table(figure.querySelector(".plot-data table"), drawing.table, await drawing_words());
    is_theirs = drawing.from === "reader";
  }
  const source = figure.querySelector(".plot-source");
  if (!is_theirs) {
    // The figure uses none of the reader's results.
    delete figure.dataset.from;
    if (source) restore(source);
    return;
  }
  figure.dataset.from = "reader";
  if (!source) return;
  keep_first(source);
  const published = spec.profile?.gpu && has_gpu(profile) && word("what others published");
  const behind = published || (source.dataset.reference ?? word("the reference machine"));
  source.textContent = word("{machine}, over {behind}", {
    machine: machine_words(profile),
    behind,
  });
}

/** Whether the figure can show the reader's GPU (figures/kinds/roofline_data.cpp). */
const has_gpu = ({ roofs = [] }) =>
  ["f32", "out"].every((name) =>
    roofs.some(({ device, class: c }) => device === "gpu" && (c.type ?? c.level) === name),
  );

/** Parses the SVG with the HTML parser, which is three times faster than the XML parser. */
export function parse_svg(text) {
  const picture = make("template", { innerHTML: drawing(text) }).content.firstElementChild;
  if (picture?.localName !== "svg") throw new Error("a figure could not be redrawn");
  return picture;
}

/**
 * Replaces the drawing in its frame. Changes only nodes that differ, because most text stays the
 * same and laying out text is most of the cost.
 */
export function show_svg(frame, text) {
  become(frame.querySelector("svg"), parse_svg(text));
}

// An element's name and the names of its attributes in order; a text node's data.
const shape_of = (node) => [node.nodeName, ...(node.getAttributeNames?.() ?? [node.data])].join();

function become(node, next) {
  if (node.isEqualNode(next)) return;
  if (shape_of(node) !== shape_of(next)) return node.replaceWith(next);
  for (const { name, value } of next.attributes)
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  const [before, after] = [[...node.childNodes], [...next.childNodes]];
  for (const child of before.slice(after.length)) child.remove();
  node.append(...after.slice(before.length));
  before.slice(0, after.length).forEach((child, i) => become(child, after[i]));
}

export function fill_table(table, data, words) {
  const body = table?.tBodies[0];
  if (!body || !data?.rows) return;
  body.replaceChildren(
    ...data.rows.map((cells) => {
      const row = make("tr");
      const [name, ...values] = cells;
      row.append(make("th", { scope: "row", textContent: between_thousands(said(words, name)) }));
      row.append(
        ...values.map((text) => make("td", { textContent: with_narrow_spaces(said(words, text)) })),
      );
      return row;
    }),
  );
}

async function update_bench({ id, runs, roofs }, profile) {
  const element = document.getElementById(id);
  if (!element) return;
  const kernels = await registry();
  const results = runs.map((run) =>
    profile.results.findLast((result) => same_run(result, run, kernels)),
  );
  results.forEach((result, i) => {
    const row = element.querySelector(`tr[data-run="${i}"]`);
    const cell = row?.querySelector(".yours");
    if (!cell) return;
    if (result) {
      row.removeAttribute("data-after"); // measured, so there is nothing to hide
      keep_first(cell);
      show_result(cell, result);
    } else {
      restore(cell);
      delete cell.dataset.state;
    }
  });
  const value_of = (result) => (result?.status === "measured" ? result.median : undefined);
  place_strips(element, results.map(value_of));
  say_when(element, runs.length || !roofs ? results : profile.roofs);
}

/** Shows the date of results of an earlier visit, in place of the cost of measuring. */
function say_when(element, results) {
  const state = element.getAttribute("state");
  const cost = element.querySelector(".bench-cost");
  const run = results
    .map((result) => result?.run ?? "")
    .sort()
    .at(-1);
  if (!cost || !/^\d{4}-\d\d-\d\d/.test(run ?? "") || store.is_viewing) {
    if (state === "old") element.setAttribute("state", "idle");
    if (cost) restore(cost);
    return;
  }
  keep_first(cost);
  cost.textContent = word("Measured on {date}.", { date: run.slice(0, 10) });
  if (state !== "idle") return;
  element.setAttribute("state", "old");
  const button = element.querySelector(".bench-button");
  if (button) button.textContent = word("Measure again");
}

/**
 * Shows value, ratio and badge. The reason of a flag or a missing value is a tooltip on hover,
 * focus or tap, and takes no room.
 */
function show_result(cell, result) {
  cell.dataset.state = result.status;
  if (result.status !== "measured") {
    cell.replaceChildren(
      with_why(cell, make("span", { textContent: word("unavailable") }), result_words(result)),
    );
    return;
  }
  const { value, spread, rest } = result_parts(result);
  cell.replaceChildren(
    make("b", { textContent: with_narrow_spaces(value) }),
    make("small", { textContent: spread }),
    rest,
    " ",
  );
  const { text, kind, why } = badge_of(result);
  const said = make("span", { textContent: text });
  const badge = make("span", { className: `badge badge-${kind}` }, said);
  if (kind !== "bad") said.className = "visually-hidden";
  const judged = make("span", { className: "judged" });
  const reference = Number(cell.parentElement.dataset.reference ?? NaN);
  if (kind !== "bad" && reference > 0) judged.append(`${digits(result.median / reference)}× `);
  judged.append(why ? with_why(cell, badge, why) : badge);
  cell.append(judged);
}

const with_why = (cell, shown, why) =>
  tipped_with(
    `${cell.closest("primer-bench").id}-why-${cell.parentElement.dataset.run}`,
    shown,
    why,
  );

function tipped_with(id, shown, textContent) {
  const tip = make("span", { className: "tip", id, role: "tooltip", textContent });
  const tabIndex = stored("tips") === "off" ? -1 : 0; // see page/tools.js
  const tipped = make("span", { className: "tipped", role: "button", tabIndex }, shown, tip);
  tipped.setAttribute("aria-describedby", id);
  return tipped;
}
