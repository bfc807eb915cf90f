// The entry point of every page: the list of features to start, each in a module of its folder.
// Nothing else is loaded before the reader needs it: measuring, grading, drawing and the reader's
// results are imported on the first click, or when an earlier visit has stored results.

import { load_first_strings, part_of_page } from "./base/first_words.js";
import { once_loaded } from "./base/on_demand.js";
import { stored } from "./base/storage.js";
import { PrimerBench, add_measure_all } from "./measure/buttons.js";
import { wake_models } from "./models/wake.js";
import {
  add_copy_buttons,
  add_save_menus,
  grey_old_claims,
  name_stops,
  tell_tools_apart,
  watch_stops,
  watch_tips,
} from "./page/tools.js";
import {
  add_answer_inputs,
  add_guess_inputs,
  keep_score,
  wake_guess,
  watch_quizzes,
} from "./questions/inputs.js";
import {
  add_search,
  add_theme_switch,
  close_outside,
  place_report,
  tame_contents,
  watch_keys,
} from "./reading/head.js";
import { keep_place, keep_text } from "./reading/place.js";

// Lay out and draw the text first. Elements added below have reserved space (style.css), so they
// can wait for a frame. A page in the background draws no frames.
await load_first_strings().catch(() => {});
await new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  once_loaded(() => setTimeout(resolve, 200));
});

add_theme_switch();
place_report();
wake_models();
wake_guess();
add_search();
tame_contents();
for (const details of document.querySelectorAll(".contents, .machine-chip")) close_outside(details);
watch_keys();
keep_place();
keep_text();

function bring_alive(within) {
  name_stops(within);
  add_copy_buttons(within);
  tell_tools_apart(within);
  add_answer_inputs(within);
  add_guess_inputs(within);
  watch_quizzes(within);
  grey_old_claims(within);
  add_save_menus(within);
  add_measure_all(within);
}
bring_alive(document);
keep_score();
watch_tips();
watch_stops();
// A preview took over a block. The event's target is a wrapper around the block.
addEventListener("primer-block", ({ target }) =>
  bring_alive({
    querySelectorAll: (selector) =>
      [target, ...target.querySelectorAll("*")].filter((element) => element.matches(selector)),
  }),
);
customElements.define("primer-bench", PrimerBench);
// Until then, the page has the room of one panel (tabs.css).
if (document.querySelector(".tabs"))
  await import("./reading/tabs.js").then((part) => part.show_tabs()).catch(() => {});
document.documentElement.dataset.ready = "";
once_loaded(() =>
  import("./page/letters.js").then(({ letter_figures }) => letter_figures()).catch(() => {}),
);
addEventListener("primer-results", () => {
  part_of_page(() => import("./page/machine_chip.js"))
    .then(({ show_chip }) => show_chip())
    .catch(() => {});
  if (document.querySelector(".hero, #bench-machine"))
    part_of_page(() => import("./machine/reveal.js"))
      .then(({ show_result }) => show_result())
      .catch(() => {});
});
const is_visit = /^#(m|with)=/.test(location.hash); // another machine's profile (machine/visit.js)
if (stored("profile.v1") !== null && !is_visit)
  part_of_page(() => import("./page/refresh.js"))
    .then(({ refresh }) => refresh())
    .catch(() => {});
if (document.getElementById("bench-machine"))
  window.primer = {
    measure: async (options) =>
      (await part_of_page(() => import("./measure/console.js"))).measure_here(options),
  };
// Parts of some pages, each by an element of its text.
const parts = {
  "details.fold": () => import("./reading/folds.js").then((part) => part.keep_folds()),
  "#bench-machine": (at) => import("./machine/machine.js").then((part) => part.show(at)),
  "#tbl-pace": (at) => import("./models/pace.js").then((part) => part.offer_pace(at)),
  "#fig-zoom": (at) => import("./models/trip.js").then((part) => part.offer_trip(at)),
  "#fig-ladder-race": (at) => import("./ladder/wake.js").then((part) => part.offer_race(at)),
  "#fig-to-scale": (at) => import("./page/to_scale.js").then((part) => part.offer_scale(at)),
  ".costs": (at) => import("./costs/wake.js").then((part) => part.wake(at)),
  "#gallery": (at) => import("./gallery/gallery.js").then((part) => part.show(at)),
  "#bench-class": (at) =>
    import("./classroom/wake.js").then((part) => part.wake(at.closest("main"))),
  ".problems": (at) => import("./questions/problems.js").then((part) => part.show(at)),
  "#untouched-pages": (at) =>
    import("./traps/traps.js").then((part) => part.show(at.closest("main"))),
  "#your-text": (at) => import("./write/write.js").then((part) => part.show(at.closest("main"))),
  "#how-guesses-are-counted": (at) =>
    import("./learning/wake.js").then((part) => part.wake_guesses(at)),
  "#the-questions": (at) => import("./learning/wake.js").then((part) => part.wake_test(at)),
  "#your-program": (at) => import("./wgsl/wake.js").then((part) => part.wake(at)),
};
for (const [selector, start] of Object.entries(parts)) {
  const at = document.querySelector(selector);
  if (at) start(at).catch(() => {});
}
