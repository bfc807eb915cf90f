// Adds the form above the picture of the race (chapter 2) once the reader comes near. The sheet
// site/sheets/race.css reserves its space.

import { part_of_page } from "../base/first_words.js";

export function offer_race(figure) {
  const come_near = async (seen, watcher) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    watcher.disconnect();
    const { add_form } = await part_of_page(() => import("./stage.js"));
    await add_form(figure);
  };
  new IntersectionObserver(come_near, { rootMargin: "100% 0px" }).observe(figure);
}
