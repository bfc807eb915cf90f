// /class/: loads the rest at the reader's first key, press or scroll, or at once if the address has
// a link or this browser stores a class.

import { part_of_page } from "../base/first_words.js";
import { stored } from "../base/storage.js";

/** The storage entry of a class's machines. */
export const stored_name = "class.v1";

const kinds = ["keydown", "pointerdown", "scroll"];

export function wake(main) {
  const start = () => {
    for (const kind of kinds) removeEventListener(kind, start);
    part_of_page(() => import("./classroom.js")).then(
      ({ show }) => show(main),
      () => {},
    );
  };
  if (location.hash || stored(stored_name) !== null) return start();
  for (const kind of kinds) addEventListener(kind, start, { passive: true });
}
