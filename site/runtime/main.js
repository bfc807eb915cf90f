// What every page loads: small, with what it imports, and nothing else before the reader asks for it. Measuring, grading,
// drawing and the reader's results are imported on the first click, or when results are stored from
// an earlier visit.

import { make } from "./base/element.js";
import { heard, language, word } from "./base/language.js";
import { set_stored, stored } from "./base/storage.js";

const root = document.documentElement;

const once_loaded = (action) =>
  document.readyState === "complete" ? action() : addEventListener("load", action);

// The text is laid out and drawn first: what is added to it below has its room there (style.css), and can
// wait for a frame. A page in the background draws none.
await new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  once_loaded(() => setTimeout(resolve, 200));
});

const search = document.querySelector(".search-open"); // where the site has an index

/** Light, dark, or the system's; theme.js applies the choice before the next page's first paint. */
function add_theme_switch() {
  const button = document.querySelector(".theme-switch");
  if (!button) return;
  const themes = ["system", "light", "dark"];
  const say = () => {
    const words = button.dataset[root.dataset.theme ?? "system"];
    button.title = words;
    button.querySelector("span").textContent = words;
  };
  say();
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % themes.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    say();
    try {
      set_stored("theme", next);
    } catch {
      /* storage refused: this page only */
    }
  });
}

const apologise = (words) => {
  const sorry = make("p", {
    className: "visit",
    role: "alert",
    lang: language,
    textContent: words,
  });
  document.body.append(sorry);
  setTimeout(() => sorry.remove(), 8000);
};
const open_search = () =>
  on_demand(
    () => import("./reading/search.js"),
    ({ open_search }) => open_search(),
    apologise,
  );
const open_options = () =>
  on_demand(
    () => import("./reading/options.js"),
    ({ open_options }) => open_options(),
    apologise,
  );

/** Escape, a click outside and a focus that goes on close what opens over the page. */
function close_outside(details) {
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    details.querySelector("summary").focus();
  });
  addEventListener("click", (event) => {
    if (details.open && !details.contains(event.target)) details.open = false;
  });
  // It lies over the text, so it is put away when the focus goes on into that.
  details.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !details.contains(relatedTarget)) details.open = false;
  });
}

function tame_contents() {
  const contents = document.querySelector("details.contents");
  if (!contents) return;
  const tools = { ...(search && { Search: open_search }), "Reading options": open_options };
  contents.addEventListener("toggle", () => {
    if (!contents.open) return;
    import("./reading/contents.js")
      .then(({ fill_contents }) => fill_contents(contents, tools))
      .catch(() => {});
  });
}

/** Single keys, unless the reader types or has switched them off in the reading options. */
function watch_keys() {
  const press = (selector) => document.querySelector(selector)?.click();
  const does = {
    "?": open_options,
    c: () => {
      document.querySelector(".contents > summary")?.focus();
      press(".contents > summary");
    },
    n: () => press('.turn [rel="next"]'),
    p: () => press('.turn [rel="prev"]'),
    ...(search && { "/": open_search }),
  };
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const is_taken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
    if (is_taken || !Object.hasOwn(does, key) || stored("keys") === "off") return;
    if (target.closest?.("input, select, textarea, dialog, [contenteditable]")) return;
    event.preventDefault();
    does[key]();
  });
}

/** The place in a chapter is noted from the first scroll on; what is noted is used at once. */
function keep_place() {
  const follow = () =>
    import("./reading/reading.js").then(({ follow }) => follow()).catch(() => {});
  const begun = stored("reading.v1") !== null;
  const list = document.querySelector("main > :is(.contents-list, .cards)");
  const spine = document.querySelector(".spine");
  if (begun && (list || spine))
    import("./reading/contents.js")
      .then(({ mark_read, mark_spine, offer_to_continue }) => {
        const start = document.querySelector(".hero .bench-try a");
        if (list) mark_read(list);
        if (list && start) offer_to_continue(list, start);
        if (spine) mark_spine(spine);
      })
      .catch(() => {});
  if (!document.querySelector("main.chapter")) return;
  if (begun) follow();
  else addEventListener("scroll", follow, { once: true, passive: true });
}

/**
 * A published book keeps its text for reading without a network: from the second page of a visit on, or after half a
 * minute on one, and once the page is quiet. Who looks in and leaves pays for one page.
 */
function keep_text() {
  if (!document.querySelector('link[rel="canonical"]') || !navigator.serviceWorker) return;
  const stays_ms = 30_000;
  const quiet_ms = 2000;
  const is_first = !document.referrer.startsWith(
    new URL(root.dataset.root ?? "./", document.baseURI).href,
  );
  const keep = () =>
    import("./reading/offline.js").then(({ keep_text }) => keep_text()).catch(() => {});
  once_loaded(() => setTimeout(keep, is_first ? stays_ms : quiet_ms));
}

function add_copy_buttons(within) {
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

/** Why a part is not there: in its own words, or, where the browser loaded nothing, by asking for this page again. */
async function reason_of(error) {
  if (error?.constructor === Error) return error.message;
  const is_there = navigator.onLine && fetch(location.href, { method: "HEAD", cache: "no-store" });
  return (await Promise.resolve(is_there).catch(() => false))
    ? "the book was updated: reload the page"
    : "the network is not there";
}

/** Loads a part on demand and says why when it does not come. */
async function on_demand(load, use, complain) {
  try {
    await use(await load());
  } catch (error) {
    complain(word("Unavailable, because {why}.", { why: heard(await reason_of(error)) }));
  }
}

class PrimerBench extends HTMLElement {
  connectedCallback() {
    if (this.querySelector(".bench-button")) return;
    const button = make("button", {
      type: "button",
      className: "bench-button",
      textContent: this.dataset.press ?? word("Measure"),
    });
    const load = () => import("./measure/bench.js");
    // On a slow line its scripts take seconds: they begin when the button is about to be pressed, and a press is answered at once.
    for (const kind of ["pointerenter", "focus"])
      button.addEventListener(kind, () => load().catch(() => {}), { once: true });
    button.addEventListener("click", () => {
      if (!this.hasAttribute("state"))
        this.querySelector(".bench-status").textContent = word("Loading the kernels");
      on_demand(
        load,
        ({ toggle }) => toggle(this),
        (words) => this.refuse(words),
      );
    });
    this.querySelector(".bench-head").append(make("div", { className: "bench-controls" }, button));
  }

  refuse(words) {
    this.setAttribute("state", "unavailable");
    this.setAttribute("reason", words);
    this.querySelector(".bench-status").textContent = words;
  }
}

const complain_in = (output) => (words) => {
  output.textContent = words;
};

/** A form whose sending loads `module` and calls `use(its exports)`. */
function form(className, output, load, use, ...children) {
  const element = make("form", { className, noValidate: true }, ...children, output);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    on_demand(load, use, complain_in(output));
  });
  return element;
}

function text_input(id, label, className, ...beside) {
  return [
    make("label", { htmlFor: id, textContent: label }),
    ...beside.filter(Boolean),
    make("input", { id, name: "guess", className, autocomplete: "off", spellcheck: false }),
  ];
}

function add_answer_inputs(within) {
  for (const section of within.querySelectorAll("section.worked")) {
    const id = `${section.id}-input`;
    const output = make("output", { className: "worked-result" });
    output.setAttribute("for", id);
    const machines = section.querySelector(".worked-machine");
    if (machines) {
      machines.hidden = false;
      machines.addEventListener("change", () =>
        on_demand(
          () => import("./questions/worked.js"),
          ({ choose_machine }) => choose_machine(section),
          complain_in(output),
        ),
      );
    }
    section.querySelector("details.answer")?.before(
      form(
        "worked-form",
        output,
        () => import("./questions/worked.js"),
        ({ grade }) => grade(section),
        ...text_input(id, word("Your answer"), "worked-input", machines),
        make("button", { type: "submit", textContent: word("Check") }),
      ),
    );
  }
}

/** Choices get a radio button each, in the place that CSS keeps free; numbers get an input. */
function add_guess_inputs(within) {
  for (const section of within.querySelectorAll("section.predict")) {
    const output = make("output", { className: "predict-result" });
    const list = section.querySelector(".choices");
    const parts = list
      ? [list]
      : text_input(`${section.id}-input`, word("Your guess"), "predict-input");
    const guess = form(
      "predict-form",
      output,
      () => import("./questions/predict.js"),
      ({ lock_in }) => lock_in(section),
    );
    section.querySelector("details.answer").before(guess);
    guess.prepend(...parts, make("button", { type: "submit", textContent: word("Lock in") }));
    list?.querySelectorAll("li").forEach((item, i) => {
      const radio = make("input", { type: "radio", name: "guess", value: String(i) });
      const label = make("label", {}, ...item.childNodes);
      label.prepend(radio);
      item.append(label);
    });
    if (has_answers) import("./questions/predict.js").then(({ show_guess }) => show_guess(section));
  }
}

/** The first choice that the reader unfolds is their attempt. */
function watch_quizzes(within) {
  for (const section of within.querySelectorAll("section.quiz")) {
    section.addEventListener(
      "toggle",
      ({ target }) => {
        if (!target.open || "asked" in section.dataset) return;
        // At once, before anything is loaded: what moves later would surprise the reader.
        section.dataset.asked = "";
        for (const choice of section.querySelectorAll("details.choice")) choice.open = true;
        on_demand(
          () => import("./questions/quiz.js"),
          ({ attempt }) => attempt(section, target),
          complain_in(section.querySelector(".quiz-result")),
        );
      },
      true,
    );
    if (has_answers) import("./questions/quiz.js").then(({ restore }) => restore(section));
  }
}

function watch_tips() {
  for (const kind of ["pointerover", "focusin"]) {
    addEventListener(kind, ({ target }) => {
      const tipped = target.closest?.(".tipped");
      if (tipped) import("./page/tooltips.js").then(({ show }) => show(tipped)).catch(() => {});
    });
  }
}

/** A claim is news for a year. */
function grey_old_claims(within) {
  const year = 365.25 * 24 * 3600 * 1000;
  for (const badge of within.querySelectorAll("[data-as-of]"))
    if (Date.now() - Date.parse(badge.dataset.asOf) > year) badge.dataset.old = "";
}

const has_answers = stored("answers.v1") !== null;

/** A model's controls are in the page; the first touch, or a permalink, brings them alive. */
function wake_models() {
  const wanted = new URLSearchParams(location.search);
  for (const figure of document.querySelectorAll("figure.model")) {
    const controls = figure.querySelector(".model-controls");
    const wake = (use) =>
      on_demand(
        async () => (await import("./models/model.js")).driver_of(figure),
        use,
        complain_in(figure.querySelector(".model-notices")),
      );
    const touched = (event) => {
      if (event.type === "click" && !event.target.closest("button")) return;
      for (const kind of ["input", "click"]) controls.removeEventListener(kind, touched);
      figure.ariaBusy = "true";
      wake((driver) => driver.catch_up(event)).then(() => figure.removeAttribute("aria-busy"));
    };
    for (const kind of ["input", "click"]) controls.addEventListener(kind, touched);
    if (wanted.has(figure.id)) wake((driver) => driver.apply(wanted.get(figure.id)));
  }
}

/** Each figure as a file or a link; the menu stands beside "Data", without a height of its own. */
function add_save_menus(within) {
  for (const data of within.querySelectorAll(".plot .plot-data")) {
    const name = data.closest("figure").querySelector(".label")?.textContent ?? word("this figure");
    const summary = make("summary", {
      textContent: word("Save"),
      ariaLabel: word("Save {name}", { name }),
    });
    const menu = make("details", { className: "figure-save" }, summary);
    menu.addEventListener("toggle", () =>
      on_demand(
        () => import("./page/figure_save.js"),
        ({ fill }) => fill(menu),
        complain_in(summary),
      ),
    );
    data.before(menu);
  }
}

/** The report of a mistake says which part of the page the address names. */
function place_report() {
  const link = document.getElementById("report");
  link?.addEventListener("click", () => {
    const url = new URL(link.href);
    const page = url.searchParams.get("page").split("#")[0];
    if (location.hash) url.searchParams.set("page", page + location.hash);
    link.href = url.href;
  });
}

/** Drawings get their font after the first frame, in which the text's own is needed (style.css). */
function letter_figures() {
  const letter = () => {
    root.dataset.ready = "painted";
  };
  once_loaded(() => requestAnimationFrame(() => setTimeout(letter)));
}

add_theme_switch();
place_report();
wake_models();
if (search) {
  search.hidden = false;
  search.addEventListener("click", open_search);
}
tame_contents();
for (const details of document.querySelectorAll(".contents, .machine-chip")) close_outside(details);
watch_keys();
keep_place();
keep_text();
function bring_alive(within) {
  add_copy_buttons(within);
  add_answer_inputs(within);
  add_guess_inputs(within);
  watch_quizzes(within);
  grey_old_claims(within);
  add_save_menus(within);
}
bring_alive(document);
watch_tips();
// A preview that took a block over (its wrapper, so that the block itself is within).
addEventListener("primer-block", ({ target }) =>
  bring_alive({
    querySelectorAll: (selector) =>
      [target, ...target.querySelectorAll("*")].filter((element) => element.matches(selector)),
  }),
);
customElements.define("primer-bench", PrimerBench);
root.dataset.ready = "";
letter_figures();
addEventListener("primer-results", () =>
  import("./page/machine_chip.js").then(({ show_chip }) => show_chip()).catch(() => {}),
);
const is_visit = /^#(m|with)=/.test(location.hash); // somebody's machine (machine/visit.js)
if (stored("profile.v1") !== null && !is_visit)
  import("./page/refresh.js").then(({ refresh }) => refresh()).catch(() => {});
const machine = document.getElementById("bench-machine");
if (machine) {
  window.primer = {
    measure: async (options) => (await import("./measure/console.js")).measure_here(options),
  };
  import("./machine/machine.js").then(({ show }) => show(machine)).catch(() => {});
}
const traps = document.getElementById("untouched-pages")?.closest("main");
if (traps) import("./traps/traps.js").then(({ show }) => show(traps)).catch(() => {});
