// Additions to a page's text: copy and save buttons, accessible names, and lazily loaded tooltips.
import { make, tell_apart } from "../base/element.js";
import { part_of_page, word } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";
import { stored } from "../base/storage.js";

export function add_copy_buttons(within) {
  if (!navigator.clipboard) return;
  for (const pre of within.querySelectorAll("pre")) {
    const button = make("button", { type: "button", className: "copy", textContent: word("Copy") });
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(
          pre.querySelector("code")?.textContent ?? pre.textContent,
        );
        button.textContent = word("Copied");
      } catch {
        button.textContent = word("Not copied");
      }
      setTimeout(() => {
        button.textContent = word("Copy");
      }, 1500);
    });
    const frame = pre.closest(".code") ?? pre.parentElement;
    frame.append(button);
  }
}

/**
 * Names the tools of drawings and models after their figure, so that a screen reader does not list
 * fifteen buttons named "Data".
 */
export function tell_tools_apart(within) {
  const tools = ".plot-data > summary, .plot-link, .model-link, .model-controls button";
  for (const figure of within.querySelectorAll("figure"))
    for (const tool of figure.querySelectorAll(tools)) tell_apart(tool, figure);
}

/**
 * Makes tooltips buttons for screen readers. They are no Tab stops if the reader has said so
 * (reading/options.js), or in headings, whose links are in the contents, too.
 */
export function name_stops(within) {
  const is_left_out = stored("tips") === "off";
  for (const tipped of within.querySelectorAll(".tipped[tabindex]")) {
    if (!tipped.closest("a, button, summary, label")) tipped.setAttribute("role", "button");
    if (is_left_out) tipped.tabIndex = -1;
  }
  for (const link of within.querySelectorAll(":is(h2, h3) > a[href^='#']")) link.tabIndex = -1;
}

/** Loads tooltips, and previews of what links lead to, when the pointer or the focus is there. */
export function watch_tips() {
  for (const kind of ["pointerover", "focusin"]) {
    addEventListener(kind, ({ target, pointerType }) => {
      const at = target.closest?.(".tipped, main a");
      if (at) import("./tooltips.js").then(({ show }) => show(at, pointerType)).catch(() => {});
    });
  }
}

/** One Tab stop per group of related elements. */
export function watch_stops() {
  const load = (event) => {
    if (event.key !== "Tab") return;
    removeEventListener("keydown", load);
    import("./stops.js").then(({ arrange }) => arrange()).catch(() => {});
  };
  addEventListener("keydown", load);
}

/** Grays claims that are older than a year. */
export function grey_old_claims(within) {
  const year = 365.25 * 24 * 3600 * 1000;
  for (const badge of within.querySelectorAll("[data-as-of]"))
    if (Date.now() - Date.parse(badge.dataset.asOf) > year) badge.dataset.old = "";
}

/** Adds a menu next to "Data" that saves the figure as a file or a link. */
export function add_save_menus(within) {
  for (const data of within.querySelectorAll(".plot .plot-data")) {
    const name = data.closest("figure").querySelector(".label")?.textContent ?? word("this figure");
    const summary = make("summary", {
      textContent: word("Save"),
      ariaLabel: word("Save {name}", { name }),
    });
    const menu = make("details", { className: "figure-save" }, summary);
    menu.addEventListener("toggle", () =>
      on_demand(
        () => part_of_page(() => import("./figure_save.js")),
        ({ fill }) => fill(menu),
        complain_in(summary),
      ),
    );
    data.after(menu);
  }
}
