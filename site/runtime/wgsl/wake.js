// /wgsl/: a button that opens the editor, which is loaded at once for a link with a program and on
// a later visit.

import { button, make } from "../base/element.js";
import { part_of_page, word } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";
import { stored } from "../base/storage.js";

export const mark = "#program=";
export const program_key = "wgsl.program";

/** The style reserves the room of the button in the paragraph below the heading. */
export function wake(heading) {
  const place = make("span", { className: "wgsl-open" });
  const start = () => {
    place.replaceChildren(); // a second press while it loads would open a second editor
    return on_demand(
      () => part_of_page(() => import("./wgsl.js")),
      ({ show }) => show(heading),
      complain_in(place),
    );
  };
  place.append(button(word("Open the editor"), start));
  heading.nextElementSibling.append(place);
  if (location.hash.startsWith(mark) || stored(program_key) !== null) start();
}
