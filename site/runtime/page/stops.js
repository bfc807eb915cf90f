// Roving tabindex: related elements are one stop of the Tab key, and the left and right arrows move
// between them (mirrored in right-to-left text). Related are the tooltips of a paragraph or a
// table, the choices of a question, the tools below a drawing, the buttons of a model, the strip of
// chapters, and the contents of a chapter. tools.js loads this at the first Tab. Groups are
// computed at each Tab, because drawings and answers add elements.

import { stored } from "../base/storage.js";

/** The elements inside the outermost match of `within` form a group; earlier entries win. */
const kinds = [
  { stops: ".tipped[tabindex]", within: [".table, .bench-table", "li, dd, p, .paragraph"] },
  { stops: ".pick, .choice > summary", within: [".choices"] },
  {
    stops: ".plot-tools > :is(a, button), .plot-tools > details > summary",
    within: [".plot-tools"],
  },
  { stops: ".model-transport button", within: [".model-transport"] },
  { stops: ".spine a", within: [".spine"] },
  { stops: ".rail a", within: [".rail"] },
];

const owner_of = (element, within) =>
  within.map((selector) => element.closest(selector)).find((owner) => owner !== null);

/** The groups of at least two reachable elements. */
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

/** The last focused element of a group stays its Tab stop. */
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
