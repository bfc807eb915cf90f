// Opens a measurement or a model of the previewed page in a dialog, where it runs.
//
//   frame.js --{pressed: id}--> open_block --> plan or model in the page's data (pressed_block.js)
//                                          --> copy of the block's HTML (block_copy.js)
//                                          --> dialog, with the scripts of a chapter page
//
// The frame runs nothing but frame.js, and it only says which block was pressed. A measurement
// starts with a second press, on the button in this dialog, so code in the frame cannot start one.
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { toggle } from "../measure/bench.js";
import { driver_of } from "../models/model.js";
import { load_style, make_dialog } from "../page/dialog.js";
import { lend_data, registry } from "../page/page.js";
import { refresh } from "../page/refresh.js";
import { copy_of_block, id_of_copy } from "./block_copy.js";
import { allowed_plan, not_here, pressed_block } from "./pressed_block.js";

const longest_ms = 5 * 60_000; // no measurement of the book takes this long
let dialog = null;

/** Cancels a running measurement and empties the dialog. */
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
  // The event is asynchronous: by now the dialog may be open again with another block.
  made.addEventListener("close", () => made.open || clear());
  return made;
}

/** Cancels a run that exceeds the limit, as a press on its button would. */
function limit(bench) {
  let timer = 0;
  const watch = () => {
    clearTimeout(timer);
    if (bench.getAttribute("state") === "running")
      timer = setTimeout(() => toggle(bench), longest_ms);
  };
  new MutationObserver(watch).observe(bench, { attributeFilter: ["state"] });
}

/**
 * Returns {copies, verdicts}: copies of the page's verdicts that depend on this plan's results, and
 * their data.
 */
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

/** Returns {parts, lent}: the elements to show, and the page data that the scripts need. */
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

/** The same for a model. Throws Error unless its module is one of the book's. */
function simulation({ id, model }, page) {
  const figure = copy_of_block(page.html, "figure", id);
  const { dataset } = figure;
  const is_good =
    dataset.model === model &&
    /^models-\w+\.wasm$/.test(dataset.module) &&
    /^[\w-]+$/.test(dataset.drag);
  if (!is_good) throw not_here();
  figure.querySelector(".model-link").hidden = true; // it would link to this page
  return { parts: [figure], lent: {} };
}

/**
 * Opens the block that `message`, sent by the frame of `page` ({html, data}), names. Ignores any
 * other message. Rejects with a message for the author.
 */
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
  const before = document.activeElement; // the preview; not every browser restores its focus
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
