// Adds a button to the tools below the first figure of chapter 3, once it is on the screen. A
// press loads trip_stage.js, which sends bytes from the memory to a tensor core.

import { button } from "../base/element.js";
import { later_word, part_of_page } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";

export function offer_trip(figure) {
  const tools = figure.querySelector(".plot-tools");
  const come_near = async (seen, watcher) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    watcher.disconnect();
    const start = button(await later_word("Send a byte"), () =>
      on_demand(
        () => part_of_page(() => import("./trip_stage.js")),
        ({ stage_in }) => stage_in(figure, start),
        complain_in(start),
      ),
    );
    tools.prepend(start);
  };
  new IntersectionObserver(come_near).observe(figure);
}
