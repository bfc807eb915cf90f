// The menu "More" of /machine/, for actions that most readers do not need.

import { make } from "../base/element.js";
import { word } from "../base/first_words.js";

/** A menu of buttons. It closes after a choice, and with Escape. */
export function more_menu(...buttons) {
  const summary = make("summary", { textContent: word("More") });
  const panel = make("div", { className: "more-panel" }, ...buttons);
  const menu = make("details", { className: "more" }, summary, panel);
  panel.addEventListener("click", () => (menu.open = false));
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.open) return;
    menu.open = false;
    summary.focus();
  });
  return menu;
}
