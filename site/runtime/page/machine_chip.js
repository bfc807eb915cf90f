// The chip in a page's head: whose numbers the page shows. The choice is made there once for all pages.

import { keep_first, restore } from "./at_first.js";
import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { frame_word } from "../base/frame_language.js";
import { forget, set_stored } from "../base/storage.js";
import { choice, shows_reference, store } from "./page.js";
import { refresh } from "./refresh.js";
import { corner_of } from "../profile/machine_summary.js";

const chip = document.querySelector(".machine-chip");

/** "yours: 56 GFLOP/s · 27 GB/s", as far as it was measured. */
function words_of(profile) {
  const { ceiling, slope } = corner_of(profile);
  const numbers = [
    ceiling > 0 ? `${digits(ceiling, 2)} GFLOP/s` : "",
    slope > 0 ? `${digits(slope, 2)} GB/s` : "",
  ].filter(Boolean);
  const whose = frame_word(store.is_viewing ? "shown:" : "yours:");
  return numbers.length > 0 ? `${whose} ${numbers.join(" · ")}` : whose.replace(/:$/, "");
}

function choose(whose) {
  try {
    if (whose === "reference") set_stored(choice, whose);
    else forget(choice);
  } catch {
    return; // storage is refused: everything stays
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

/** The chip as the stored results have it; as it was where there are none. */
export function show_chip() {
  if (!chip) return;
  const words = chip.querySelector("summary > span");
  const { profile } = store.load();
  chip.querySelector("fieldset")?.remove();
  restore(words);
  delete chip.dataset.from;
  if (!profile) return;
  if (!store.is_viewing) chip.querySelector(".chip-panel").prepend(options());
  if (shows_reference()) return;
  keep_first(words);
  words.textContent = words_of(profile);
  chip.dataset.from = "reader";
}
