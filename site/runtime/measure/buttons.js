// The buttons that measure: one per <primer-bench> and one for a whole chapter. They import the
// measuring code when it is needed.
import { make, named_button } from "../base/element.js";
import { part_of_page, word } from "../base/first_words.js";
import { on_demand } from "../base/on_demand.js";

/**
 * Loads the measuring code and passes it to `use`. Shows in `owner` that loading has begun, or why
 * it failed.
 */
function measure_with(owner, load, use) {
  const status = owner.querySelector(".bench-status");
  if (owner.getAttribute("state") !== "running") status.textContent = word("Loading the kernels");
  return on_demand(load, use, (words) => {
    owner.setAttribute("state", "unavailable");
    owner.setAttribute("reason", words);
    status.textContent = words;
  });
}

export class PrimerBench extends HTMLElement {
  connectedCallback() {
    if (this.querySelector(".bench-button")) return;
    const words = this.dataset.press ?? word("Measure");
    const button = named_button(words, this, { className: "bench-button" });
    const load = () => part_of_page(() => import("./bench.js"));
    // On a slow connection the scripts take seconds, so loading starts when the pointer or the
    // focus reaches the button.
    for (const kind of ["pointerenter", "focus"])
      button.addEventListener(kind, () => load().catch(() => {}), { once: true });
    button.addEventListener("click", () => measure_with(this, load, ({ toggle }) => toggle(this)));
    this.querySelector(".bench-controls").append(button);
    if (this.querySelector("[data-after]")) this.offer_reference();
    // The button is above the text, so the focus must reach it first (home.css).
    if (this.matches(".hero")) this.append(this.querySelector(".bench-head"));
  }

  /**
   * Adds a button that reveals the reference results. They answer an open question, so they are
   * hidden until the reader guesses, measures or presses this button.
   */
  offer_reference() {
    const button = named_button(word("Show reference"), this, { className: "bench-show" });
    button.addEventListener("click", () => {
      for (const row of this.querySelectorAll("[data-after]")) row.removeAttribute("data-after");
      this.querySelector(".bench-table").focus();
    });
    this.querySelector(".bench-act").append(button);
  }
}

/** Adds a button that measures the whole chapter to each bar in `within`. */
export function add_measure_all(within) {
  for (const bar of within.querySelectorAll(".bench-all")) {
    const button = make("button", {
      type: "button",
      className: "bench-button",
      textContent: word("Measure all of this chapter"),
    });
    button.addEventListener("click", () =>
      measure_with(
        bar,
        () => part_of_page(() => import("./all.js")),
        ({ toggle_all }) => toggle_all(bar),
      ),
    );
    bar.querySelector(".bench-controls").append(button);
  }
}
