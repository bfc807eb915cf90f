// Starts /guesses/ and /test/. Their scripts are loaded at once only if something is stored, and
// otherwise when the reader starts the test or guesses in another tab.

import { button, make } from "../base/element.js";
import { part_of_page } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";
import { stored } from "../base/storage.js";

/** Whether there is one of these entries, or what the reader cleared in this tab. */
const has_any = (cleared, ...names) =>
  stored(cleared, () => sessionStorage) !== null || names.some((name) => stored(name) !== null);

/** `heading` is one of the page's text. */
export function wake_guesses(heading) {
  const place = make("p", { className: "guesses-none" });
  heading.closest("main").append(place);
  const wake = () => {
    if (!has_any("guesses.cleared", "guesses.v1", "guess.v1")) return;
    removeEventListener("storage", wake);
    on_demand(
      () => part_of_page(() => import("./guesses.js")),
      ({ show }) => show(place),
      complain_in(place),
    );
  };
  addEventListener("storage", wake);
  wake();
}

/** `heading` is the one above the questions, which the style sheet hides until a test begins. */
export async function wake_test(heading) {
  const status = make("p");
  status.setAttribute("role", "status");
  const panel = make("section", { className: "test-panel" }, status);
  const wake = () => {
    panel.replaceChildren(status); // a second press while it loads would start a second test
    return on_demand(
      () => part_of_page(() => import("./test.js")),
      ({ show }) => show(heading, panel),
      complain_in(status),
    );
  };
  if (!has_any("test.cleared", "test.v1"))
    panel.append(button(document.querySelector("h1").textContent.trim(), wake));
  heading.before(panel);
  if (panel.childElementCount === 1) await wake();
}
