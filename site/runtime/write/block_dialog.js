// A measurement or a model of the page that is written, alive, in a dialog over its preview. There nothing runs but frame.js; here the block is
// a copy without anything that could run (block_copy.js), the scripts are those of a chapter's page, and what they run is
// in the page's data and in the registry (pressed_block.js). The press that measures is one in this page, which a frame cannot forge.
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { toggle } from "../measure/bench.js";
import { driver_of } from "../models/model.js";
import { load_style, make_dialog } from "../page/dialog.js";
import { lend_data, registry } from "../page/page.js";
import { refresh } from "../page/refresh.js";
import { copy_of_block, id_of_copy } from "./block_copy.js";
import { allowed_plan, not_here, pressed_block } from "./pressed_block.js";

const longest_ms = 5 * 60_000; // longer than any measurement of the book takes
let dialog = null;

/** Ends what runs in the dialog, and takes it out. */
function clear() {
  const place = dialog.firstElementChild;
  const running = place.querySelector('primer-bench[state="running"]');
  if (running) toggle(running);
  place.replaceChildren();
  lend_data(null);
}

function make_block_dialog() {
  const made = make_dialog("", make("div"));
  made.classList.add("with-block");
  // The event comes later than the dialog closes: it may be open with another block by then.
  made.addEventListener("close", () => made.open || clear());
  return made;
}

/** A run that takes too long is cancelled as by its button. */
function limit(bench) {
  let timer = 0;
  const watch = () => {
    clearTimeout(timer);
    if (bench.getAttribute("state") === "running")
      timer = setTimeout(() => toggle(bench), longest_ms);
  };
  new MutationObserver(watch).observe(bench, { attributeFilter: ["state"] });
}

/** What the page says of what a plan measures: the copies of its verdicts, and their data. */
function verdicts_on({ runs, roofs }, { html }, { verdicts = [] }) {
  const concerned = verdicts.filter(
    ({ on }) =>
      runs.some(({ kernel }) => on.includes(kernel)) || (roofs && /\b[PB]\.|\bridge\b/.test(on)),
  );
  return {
    copies: concerned.map(({ id }) => copy_of_block(html, "p", id)),
    verdicts: concerned.map((one) => ({ ...one, id: id_of_copy(one.id) })),
  };
}

/** {parts, lent}: the elements of a measurement, and the data for its scripts. */
async function measurement({ id, plan }, page, data) {
  const allowed = allowed_plan(plan, await registry());
  const { copies, verdicts } = verdicts_on(allowed, page, data);
  const bench = copy_of_block(page.html, "primer-bench", id);
  limit(bench);
  return {
    parts: [bench, ...copies],
    lent: { verdicts, benches: [{ ...allowed, id: id_of_copy(id) }] },
  };
}

/** The same of a model. Its module is one of the book's. */
function simulation({ id, model }, page) {
  const figure = copy_of_block(page.html, "figure", id);
  const { dataset } = figure;
  const is_good =
    dataset.model === model &&
    /^models-\w+\.wasm$/.test(dataset.module) &&
    /^[\w-]+$/.test(dataset.drag);
  if (!is_good) throw not_here();
  figure.querySelector(".model-link").hidden = true; // it would be one to this page
  return { parts: [figure], lent: {} };
}

/** Opens the block that a message from the frame of `page`, {html, data}, names; for any other message nothing happens. Rejects in words. */
export async function open_block(message, page) {
  const data = JSON.parse(page.data || "{}");
  const block = pressed_block(message, data);
  if (!block) return;
  await load_style();
  const { parts, lent } = await (block.plan ? measurement : simulation)(block, page, data);
  dialog ??= make_block_dialog();
  if (dialog.open) return;
  clear();
  const [element] = parts;
  lend_data({ ...lent, facts: data.facts ?? {} });
  dialog.firstElementChild.replaceChildren(...parts);
  dialog.ariaLabel = element.querySelector(".label")?.textContent ?? word("Measure");
  const before = document.activeElement; // the preview, to which not every browser gives the focus back
  dialog.addEventListener("close", () => before?.focus(), { once: true });
  dialog.showModal();
  try {
    await (block.plan ? refresh() : driver_of(element));
  } catch (error) {
    dialog.close();
    throw error;
  }
  element.querySelector(".bench-button, .model-controls :is(button, input, select)")?.focus();
}
