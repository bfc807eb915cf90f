// What belongs together is one stop of the Tab key, and the left and right arrows lead from one to the next (mirrored in text from right to left): what explains
// itself in a paragraph or a table, the choices of a question, the tools below a drawing, the buttons that run a model, the
// strip of chapters. main.js loads this at the first Tab. It looks anew at each, since drawings and answers add more.

import { stored } from "../base/storage.js";

/** What lies in one of `within`, the outermost that the list has first, is one composite. */
const kinds = [
  { stops: ".tipped[tabindex]", within: [".table, .bench-table", "li, dd, p, .paragraph"] },
  { stops: ".pick, .choice > summary", within: [".choices"] },
  {
    stops: ".plot-tools > :is(a, button), .plot-tools > details > summary",
    within: [".plot-tools"],
  },
  { stops: ".model-transport button", within: [".model-transport"] },
  { stops: ".spine a", within: [".spine"] },
];

const owner_of = (element, within) =>
  within.map((selector) => element.closest(selector)).find((owner) => owner !== null);

/** The stops that belong together, in lists of at least two that can be reached. */
function composites() {
  const are_tips_left_out = stored("tips") === "off";
  return kinds.flatMap(({ stops, within }, i) => {
    if (i === 0 && are_tips_left_out) return [];
    const lists = new Map();
    for (const element of document.querySelectorAll(stops)) {
      if (element.disabled || !element.checkVisibility()) continue;
      const owner = owner_of(element, within);
      if (owner) lists.set(owner, [...(lists.get(owner) ?? []), element]);
    }
    return [...lists.values()].filter(({ length }) => length > 1);
  });
}

/** The last that had the focus stays the one to come back to. */
export function arrange() {
  for (const stops of composites()) {
    const { activeElement } = document;
    const at = stops.includes(activeElement)
      ? activeElement
      : (stops.find(({ tabIndex }) => tabIndex === 0) ?? stops[0]);
    for (const stop of stops) stop.tabIndex = stop === at ? 0 : -1;
  }
}

function lead_on(event) {
  const to_the_right = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!to_the_right || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const stops = composites().find((list) => list.includes(event.target));
  if (!stops) return;
  event.preventDefault();
  const is_mirrored = getComputedStyle(event.target).direction === "rtl";
  const step = is_mirrored ? -to_the_right : to_the_right;
  stops[(stops.indexOf(event.target) + step + stops.length) % stops.length].focus();
  arrange();
}

addEventListener("keydown", (event) => {
  if (event.key === "Tab") arrange();
  else lead_on(event);
});
