import { part_of_page } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";

/** A model's controls are in the page; the first touch or a permalink activates them. */
export function wake_models() {
  const wanted = new URLSearchParams(location.search);
  const kinds = ["input", "click", "pointermove"];
  for (const figure of document.querySelectorAll("figure.model")) {
    const wake = (use) =>
      on_demand(
        async () => (await part_of_page(() => import("./model.js"))).driver_of(figure),
        use,
        complain_in(figure.querySelector(".model-notices")),
      );
    const touched = (event) => {
      const { type, target, buttons, movementX, movementY } = event;
      if (type === "click" && !target.closest(".model-controls button, .model-link")) return;
      // A horizontal drag on the drawing. A vertical one scrolls the page.
      if (type === "pointermove" && !(buttons && Math.abs(movementX) > Math.abs(movementY))) return;
      if (target.closest(".model-link")) event.preventDefault();
      for (const kind of kinds) figure.removeEventListener(kind, touched);
      figure.ariaBusy = "true";
      wake((driver) => driver.catch_up(event)).then(() => figure.removeAttribute("aria-busy"));
    };
    for (const kind of kinds) figure.addEventListener(kind, touched);
    if (wanted.has(figure.id)) wake((driver) => driver.apply(wanted.get(figure.id)));
  }
}
