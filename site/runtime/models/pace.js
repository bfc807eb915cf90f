// Adds the button above the table of decode speeds (chapter 5). A press loads pace_stage.js, which
// writes the chapter's first paragraph at these speeds. site/sheets/pace.css reserves the space.

import { button, make } from "../base/element.js";
import { part_of_page, word } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Adds the button between the table's caption and the table. */
export function offer_pace(caption) {
  const problem = make("output");
  const offer = still.matches ? "Try other settings" : "Write the first paragraph at these speeds";
  const start = button(word(offer), () =>
    on_demand(
      () => part_of_page(() => import("./pace_stage.js")),
      ({ stage_at }) => stage_at(bar, start),
      complain_in(problem),
    ),
  );
  const bar = make("p", { className: "pace-bar" }, start, " ", problem);
  caption.after(bar);
}
