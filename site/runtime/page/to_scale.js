// /to-scale/: adds a button above the figure that switches between linear and logarithmic axes, and
// redraws the figure for the reader's core once it has been measured. Both load walls.js, which
// redraws the walls.

import { button, make } from "../base/element.js";
import { part_of_page, word } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";

const load = () => part_of_page(() => import("./walls.js"));

/** Adds the button before the figure. */
export function offer_scale(figure) {
  let linear = 1;
  const problem = make("output");
  const turn = button(word("Show logarithmic axes"), () =>
    on_demand(
      load,
      ({ turn_axes }) => {
        linear = 1 - linear;
        turn_axes(figure, linear);
        turn.textContent = word(linear === 1 ? "Show logarithmic axes" : "Show it to scale");
      },
      complain_in(problem),
    ),
  );
  figure.before(make("p", { className: "scale-bar" }, turn, " ", problem));
  addEventListener("primer-results", () =>
    load().then(
      ({ scale_walls }) => scale_walls(figure),
      () => {},
    ),
  );
}
