// The lab of /machine/: loads an experiment when its section is opened or an address links to it.

import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { own } from "../base/own.js";

const parts = {
  "own-kernel": async () => {
    const { kernel_form } = await import("./kernel_form.js");
    return kernel_form(location.hash);
  },
  repeat: async () => {
    const { repeat_form } = await import("./repeat_form.js");
    return repeat_form();
  },
  trials: async () => {
    const { trials_part } = await import("./trials.js");
    return trials_part();
  },
};

/**
 * Fills an opened <details> of the lab once. If loading fails, reports it and tries again on the
 * next opening.
 */
export async function fill(details) {
  if (details.dataset.filled !== undefined) return;
  details.dataset.filled = "";
  const place = details.querySelector(".lab-part");
  try {
    const part_of = own(parts, details.id);
    place.replaceChildren(await part_of());
  } catch {
    delete details.dataset.filled;
    const textContent = word("Unavailable, because the book was updated: reload the page.");
    place.replaceChildren(make("p", { textContent }));
  }
}
