// The badge at the top of a page that shows whose numbers the page uses, and lets the reader
// choose. The choice applies to all pages. If the reader has results, it shows their two
// numbers, stacked on a phone, and its panel links to the card.

import { keep_first, restore } from "./at_first.js";
import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { frame_word } from "../base/frame_language.js";
import { forget, set_stored } from "../base/storage.js";
import { style_sheet } from "../base/style_sheet.js";
import { choice, shows_reference, store } from "./page.js";
import { refresh } from "./refresh.js";
import { is_doubtful } from "../profile/result_text.js";
import { roof_words, standing_of } from "../profile/standing.js";

const chip = document.querySelector(".machine-chip");

/** Its rules apply only with results, so they are not in the style sheet of every page. */
const load_style = style_sheet(new URL("machine_chip.css", import.meta.url));

/** "yours: 56 GFLOP/s · 27 GB/s", with the measured roofs. On a phone only the numbers show. */
function words_of(profile) {
  const numbers = roof_words(profile).map((textContent) => make("b", { textContent }));
  const whose = frame_word(store.is_viewing ? "shown:" : "yours:");
  if (numbers.length === 0) return [whose.replace(/:$/, "")];
  const aside = (textContent) => make("span", { textContent });
  return [aside(`${whose} `), ...numbers.flatMap((one, i) => (i ? [aside(" · "), one] : [one]))];
}

/** A line with both roofs and the ridge. Empty unless the reader's machine has both roofs. */
function result_lines(profile) {
  const standing = standing_of(profile);
  if (standing.state !== "steady") return [];
  const ridge = frame_word("ridge {n} FLOP/B", { n: digits(standing.ridge, 2) });
  const textContent = [...roof_words(profile), ridge].join(" · ");
  return [make("p", { className: "chip-result", textContent })];
}

/** Shows the numbers of the "reader" or the "reference" machine, on all pages. */
export function choose(whose) {
  try {
    if (whose === "reference") set_stored(choice, whose);
    else forget(choice);
  } catch {
    return; // storage is denied, so nothing changes
  }
  refresh().catch(() => {});
}

function options() {
  const names = {
    reader: frame_word("my machine’s"),
    reference: frame_word("the reference machine’s"),
  };
  const chosen = shows_reference() ? "reference" : "reader";
  const radios = Object.entries(names).map(([value, textContent]) => {
    const radio = make("input", { type: "radio", name: "whose", value, checked: value === chosen });
    radio.addEventListener("change", () => choose(value));
    return make("label", {}, radio, textContent);
  });
  const legend = make("legend", { textContent: frame_word("Show numbers that are") });
  return make("fieldset", {}, legend, ...radios);
}

/**
 * Whether there are results of the reader to show. If not, the page shows the reference machine's,
 * and the badge keeps its original text.
 */
const has_own = ({ results = [], roofs = [] }) =>
  roofs.length > 0 ||
  results.some((result) => result.status === "measured" && !is_doubtful(result));

/** Updates the badge from the stored results; without any, restores its original text. */
export function show_chip() {
  if (!chip) return;
  const words = chip.querySelector("summary > span");
  const link = chip.querySelector(".chip-panel a");
  const { profile } = store.load();
  for (const one of chip.querySelectorAll("fieldset, .chip-result")) one.remove();
  restore(words);
  if (link) restore(link);
  delete chip.dataset.from;
  if (!profile || !(store.is_viewing || has_own(profile))) return;
  load_style().catch(() => {});
  if (!store.is_viewing) chip.querySelector(".chip-panel").prepend(options());
  if (shows_reference()) return;
  keep_first(words);
  words.replaceChildren(...words_of(profile));
  chip.querySelector(".chip-panel").prepend(...result_lines(profile));
  if (link && !store.is_viewing) {
    keep_first(link);
    link.textContent = frame_word("Share or save your result");
  }
  chip.dataset.from = "reader";
}
