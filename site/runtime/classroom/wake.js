// /class/: loads the rest at the reader's first key, press or scroll, or at once if the address has
// a link or this browser stores a class.

import { make } from "../base/element.js";
import { part_of_page } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";
import { stored } from "../base/storage.js";

/** The storage entry of a class's machines. */
export const stored_name = "class.v1";

const kinds = ["keydown", "pointerdown", "scroll"];

export function wake(main) {
  const start = () => {
    for (const kind of kinds) removeEventListener(kind, start);
    const problem = make("p");
    problem.setAttribute("role", "status");
    main.append(problem);
    return on_demand(
      () => part_of_page(() => import("./classroom.js")),
      ({ show }) => show(main),
      complain_in(problem),
    );
  };
  if (location.hash || stored(stored_name) !== null) return start();
  for (const kind of kinds) addEventListener(kind, start, { passive: true });
}
