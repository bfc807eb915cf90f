// Tabs: of panels that the page lists below each other, shows one at a time. Groups with the same
// label switch together, and later pages remember it. Keyboard as in the WAI-ARIA tabs pattern.
// Hidden panels are found by the browser's search and by links into them.

import { make } from "../base/element.js";
import { set_stored, stored } from "../base/storage.js";

const key = "tabs";
const most_labels = 20;
const labels_chosen = () => stored(key)?.split("\n") ?? [];

/** The panel of a group that the reader has chosen last, or the first. */
function chosen_in(panels) {
  for (const label of labels_chosen()) {
    const panel = panels.find((one) => one.label === label);
    if (panel) return panel;
  }
  return panels[0];
}

function choose_in(group, chosen) {
  for (const one of group) {
    const is_chosen = one === chosen;
    one.button.ariaSelected = String(is_chosen);
    one.button.tabIndex = is_chosen ? 0 : -1;
    // Browsers that do not know "until-found" hide the panel all the same.
    if (is_chosen) one.panel.removeAttribute("hidden");
    else one.panel.setAttribute("hidden", "until-found");
  }
}

function remember(label) {
  const labels = [label, ...labels_chosen().filter((one) => one !== label)];
  try {
    set_stored(key, labels.slice(0, most_labels).join("\n"));
  } catch {
    /* storage refused: this page only */
  }
}

/** Chooses a label in all groups. What the reader looks at stays where it is. */
function choose(groups, chosen) {
  const { top } = chosen.button.getBoundingClientRect();
  remember(chosen.label);
  for (const group of groups) {
    const same = group.find(({ label }) => label === chosen.label);
    if (same) choose_in(group, group.includes(chosen) ? chosen : same);
  }
  scrollBy({ top: chosen.button.getBoundingClientRect().top - top, behavior: "instant" });
}

function pressed(event, groups, group, one) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const ends = { Home: 0, End: group.length - 1 }[event.key];
  if ((step === undefined && ends === undefined) || event.ctrlKey || event.metaKey || event.altKey)
    return;
  event.preventDefault();
  const turned = getComputedStyle(one.button).direction === "rtl" ? -1 : 1;
  const next = group.at(ends ?? (group.indexOf(one) + step * turned) % group.length);
  choose(groups, next);
  next.button.focus();
}

function add_list(container, number) {
  const panels = container.querySelectorAll(":scope > .tab");
  const group = [...panels].map((panel, i) => {
    const name = panel.querySelector(":scope > .tab-label");
    const id = `tab-${number}-${i}`;
    panel.id ||= `${id}-panel`;
    const button = make(
      "button",
      { type: "button", role: "tab", id },
      ...name.cloneNode(true).childNodes,
    );
    button.setAttribute("aria-controls", panel.id);
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", id);
    return { panel, button, label: name.textContent.trim() };
  });
  const list = make(
    "div",
    { className: "tab-list", role: "tablist" },
    ...group.map(({ button }) => button),
  );
  list.ariaLabel = container.ariaLabel;
  container.prepend(list);
  container.dataset.ready = "";
  return group;
}

function show_target(groups) {
  const target =
    location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (const group of groups) {
    const one = group.find(({ panel }) => panel.contains(target));
    if (!one?.panel.hidden) continue;
    choose_in(group, one);
    target.scrollIntoView();
  }
}

export function show_tabs() {
  const groups = [...document.querySelectorAll(".tabs")].map(add_list);
  for (const group of groups) {
    choose_in(group, chosen_in(group));
    for (const one of group) {
      one.button.addEventListener("click", () => choose(groups, one));
      one.button.addEventListener("keydown", (event) => pressed(event, groups, group, one));
      one.panel.addEventListener("beforematch", () => choose_in(group, one));
    }
  }
  addEventListener("hashchange", () => show_target(groups));
  show_target(groups);
}
