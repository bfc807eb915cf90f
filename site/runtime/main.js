// What every page loads: small, with what it imports, and nothing else before the reader asks for it. Measuring, grading,
// drawing and the reader's results are imported on the first click, or when results are stored from
// an earlier visit.

import { make } from "./base/element.js";
import { heard, language, word } from "./base/first_words.js";
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

/** This page's sections in the contents: before they are opened, or what stands below would move. */
function add_sections(nav) {
  const here = nav.querySelector("[aria-current]");
  const headings = [...document.querySelectorAll("main h2[id]")];
  if (!here || headings.length === 0) return;
  const items = headings.map(({ id, textContent }) =>
    make(
      "li",
      {},
      make("a", { href: `#${id}`, textContent: textContent.replace(/\s+/g, " ").trim() }),
    ),
  );
  here.parentElement.append(
    make("ol", { className: "contents-sections", lang: language }, ...items),
  );
}

function tame_contents() {
  const contents = document.querySelector("details.contents");
  if (!contents) return;
  const tools = { ...(search && { Search: open_search }), "Reading options": open_options };
  const add = () => add_sections(contents.querySelector("nav"));
  contents.querySelector("summary").addEventListener("click", add, { once: true });
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
    const { key } = event;
    const [target] = event.composedPath(); // inside an editor, too
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
    complain(word("Unavailable, because {why}.", { why: await heard(await reason_of(error)) }));
  }
}

/** What of this page is asked for, in the words above it: "Question 1.4". */
const label_of = (element) => element.querySelector(".label")?.textContent;

/** Is told from others with the same word: "Check, Question 1.4". */
function tell_apart(element, owner) {
  const label = label_of(owner);
  if (!label) return element;
  const name = () => (element.ariaLabel = `${element.textContent}, ${label}`);
  new MutationObserver(name).observe(element, { childList: true });
  name();
  return element;
}

const named_button = (textContent, owner, members = {}) =>
  tell_apart(make("button", { type: "button", textContent, ...members }), owner);

/** What each drawing has below it, and what drives a model: nobody wants a list of fifteen that are called "Data". */
function tell_tools_apart(within) {
  const tools = ".plot-data > summary, .plot-link, .model-link, .model-controls button";
  for (const figure of within.querySelectorAll("figure"))
    for (const tool of figure.querySelectorAll(tools)) tell_apart(tool, figure);
}

/** Says in `owner` that its work has begun, before anything is loaded, or that it is gone. */
function measure_with(owner, load, use) {
  const status = owner.querySelector(".bench-status");
  if (owner.getAttribute("state") !== "running") status.textContent = word("Loading the kernels");
  return on_demand(load, use, (words) => {
    owner.setAttribute("state", "unavailable");
    owner.setAttribute("reason", words);
    status.textContent = words;
  });
}

class PrimerBench extends HTMLElement {
  connectedCallback() {
    if (this.querySelector(".bench-button")) return;
    const words = this.dataset.press ?? word("Measure");
    const button = named_button(words, this, { className: "bench-button" });
    const load = () => import("./measure/bench.js");
    // On a slow line its scripts take seconds: they begin when the button is about to be pressed, and a press is answered at once.
    for (const kind of ["pointerenter", "focus"])
      button.addEventListener(kind, () => load().catch(() => {}), { once: true });
    button.addEventListener("click", () => measure_with(this, load, ({ toggle }) => toggle(this)));
    this.querySelector(".bench-controls").append(button);
    if (this.querySelector("[data-after]")) this.offer_reference();
  }

  /** What an open question asks for stays veiled until the reader has guessed, measured, or asks for it. */
  offer_reference() {
    const button = named_button(word("Show reference"), this, { className: "bench-show" });
    button.addEventListener("click", () => {
      for (const row of this.querySelectorAll("[data-after]")) row.removeAttribute("data-after");
      this.querySelector(".bench-table").focus();
    });
    this.querySelector(".bench-act").append(button);
  }
}

/** One button measures all of a chapter. */
function add_measure_all(within) {
  for (const bar of within.querySelectorAll(".bench-all")) {
    const button = make("button", {
      type: "button",
      className: "bench-button",
      textContent: word("Measure all of this chapter"),
    });
    button.addEventListener("click", () =>
      measure_with(
        bar,
        () => import("./measure/all.js"),
        ({ toggle_all }) => toggle_all(bar),
      ),
    );
    bar.querySelector(".bench-controls").append(button);
  }
}

const complain_in = (output) => (words) => {
  output.textContent = words;
};

/** A form whose sending loads `module` and calls `use(its exports)`; at once it says that it is at work. */
function form(className, output, load, use, ...children) {
  const element = make("form", { className, noValidate: true }, ...children);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    if (output.textContent === "") output.textContent = "…";
    on_demand(load, use, complain_in(output));
  });
  return element;
}

/** The field for a question's answer, the unit that a bare number has there, and what is said of it. */
function answer_field(section, words, kind) {
  const id = `${section.id}-input`;
  const output = make("output", { className: `${kind}-result`, id: `${section.id}.result` });
  output.setAttribute("for", id);
  const input = make("input", {
    id,
    name: "guess",
    className: `${kind}-input`,
    autocomplete: "off",
    spellcheck: false,
    ariaLabel: `${words}, ${label_of(section)}`,
  });
  input.setAttribute("aria-describedby", `${section.id}.ask ${output.id}`);
  const { unit } = section.dataset;
  return {
    input,
    output,
    unit: unit ? [make("span", { className: "unit", textContent: unit })] : [],
  };
}

function add_answer_inputs(within) {
  for (const section of within.querySelectorAll("section.worked")) {
    const { input, output, unit } = answer_field(section, word("Your answer"), "worked");
    const load = () => import("./questions/worked.js");
    const machines = section.querySelector(".worked-machine");
    if (machines) {
      machines.hidden = false;
      machines.addEventListener("change", () =>
        on_demand(load, ({ choose_machine }) => choose_machine(section), complain_in(output)),
      );
    }
    const check = named_button(word("Check"), section, { type: "submit" });
    const parts = [input, ...unit, check, ...(machines ? [machines] : []), output];
    section
      .querySelector(".answer-row")
      ?.append(form("worked-form", output, load, ({ grade }) => grade(section), ...parts));
    if (has_answers) load().then(({ restore }) => restore(section));
  }
}

const predicting = () => import("./questions/predict.js");

/** Neighbouring guesses are locked in together by one button; a choice locks itself in. */
function add_guess_inputs(within) {
  for (const group of within.querySelectorAll(".guesses")) {
    const sections = [...group.querySelectorAll("section.predict")];
    const typed = sections.filter((section) => !section.querySelector(".choices"));
    for (const section of sections) if (!typed.includes(section)) add_choices(section);
    if (typed.length > 0) add_guess_form(group, typed);
    if (!has_answers) continue;
    predicting().then(({ show_guess }) => {
      for (const section of sections) show_guess(section);
    });
  }
}

function add_guess_form(group, sections) {
  const fields = sections.map((section) => answer_field(section, word("Your guess"), "predict"));
  const lock = named_button(word("Lock in"), sections[0], { type: "submit", className: "lock" });
  const guess = form(
    "predict-form",
    fields[0].output,
    predicting,
    ({ lock_in }) => lock_in(group),
    lock,
  );
  guess.id = `${sections[0].id}.form`;
  sections.forEach((section, i) => {
    const { input, output, unit } = fields[i];
    input.setAttribute("form", guess.id);
    const row = section.querySelector(".answer-row");
    row.append(input, ...unit, output, ...(sections.length === 1 ? [guess] : []));
  });
  if (sections.length > 1) group.querySelector(".lock-row").append(guess);
}

function add_choices(section) {
  const output = make("output", {
    className: "predict-result",
    textContent: word("A choice is locked in at once."),
  });
  section.querySelector(".answer-row").append(output);
  section.querySelectorAll(".choices > li").forEach((item, i) => {
    const button = make("button", { type: "button", className: "pick" }, ...item.childNodes);
    button.setAttribute("aria-pressed", "false");
    for (const inner of button.querySelectorAll("[tabindex]"))
      for (const name of ["tabindex", "role"]) inner.removeAttribute(name);
    button.addEventListener("click", () =>
      on_demand(predicting, ({ choose }) => choose(section, i), complain_in(output)),
    );
    item.append(button);
  });
}

/** The score of a chapter's problems follows each answer. */
function keep_score() {
  const score = document.querySelector(".score");
  if (!score) return;
  const show = () =>
    import("./questions/score.js").then(({ show_score }) => show_score(score)).catch(() => {});
  document.addEventListener("primer-graded", show);
  if (has_answers) show();
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

/** The roof that a reader drags as a guess: alive at the first touch, or where there is one from an earlier visit. */
function wake_guess() {
  const form = document.querySelector(".guess-form");
  if (!form) return;
  form.hidden = false;
  const wake = (event) =>
    import("./questions/guess.js").then(({ follow }) => follow(form, event)).catch(() => {});
  const kinds = ["pointerdown", "focusin"];
  const touched = (event) => {
    const { target } = event;
    if (!target.closest?.(".guess, .guess-form, primer-bench.hero")) return;
    for (const kind of kinds) removeEventListener(kind, touched);
    wake(event);
  };
  for (const kind of kinds) addEventListener(kind, touched);
  if (stored("guess.v1") !== null) wake();
}

/**
 * What explains itself is a button for those who do not see it. It is no stop of the Tab key where the reader said so
 * (reading/options.js), and headings, whose links the contents have too, are none at all.
 */
function name_stops(within) {
  const is_left_out = stored("tips") === "off";
  for (const tipped of within.querySelectorAll(".tipped[tabindex]")) {
    if (!tipped.closest("a, button, summary, label")) tipped.setAttribute("role", "button");
    if (is_left_out) tipped.tabIndex = -1;
  }
  for (const link of within.querySelectorAll(":is(h2, h3) > a[href^='#']")) link.tabIndex = -1;
}

function watch_tips() {
  for (const kind of ["pointerover", "focusin"]) {
    addEventListener(kind, ({ target }) => {
      const tipped = target.closest?.(".tipped");
      if (tipped) import("./page/tooltips.js").then(({ show }) => show(tipped)).catch(() => {});
    });
  }
}

/** The Tab key stops once at what belongs together. */
function watch_stops() {
  const load = (event) => {
    if (event.key !== "Tab") return;
    removeEventListener("keydown", load);
    import("./page/stops.js").then(({ arrange }) => arrange()).catch(() => {});
  };
  addEventListener("keydown", load);
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
  const kinds = ["input", "click", "pointermove"];
  for (const figure of document.querySelectorAll("figure.model")) {
    const wake = (use) =>
      on_demand(
        async () => (await import("./models/model.js")).driver_of(figure),
        use,
        complain_in(figure.querySelector(".model-notices")),
      );
    const touched = (event) => {
      const { type, target, buttons, movementX, movementY } = event;
      if (type === "click" && !target.closest(".model-controls button, .model-link")) return;
      // Dragged on the drawing, across: what goes up and down scrolls the page.
      if (type === "pointermove" && !(buttons && Math.abs(movementX) > Math.abs(movementY))) return;
      if (target.closest(".model-link")) event.preventDefault();
      for (const kind of kinds) figure.removeEventListener(kind, touched);
      figure.ariaBusy = "true";
      wake((driver) => driver.catch_up(event)).then(() => figure.removeAttribute("aria-busy"));
    };
    for (const kind of kinds) figure.addEventListener(kind, touched);
    if (wanted.has(figure.id)) wake((driver) => driver.apply(wanted.get(figure.id)));
  }
}

/** Each figure as a file or a link; the menu stands beside "Data". */
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
    data.after(menu);
  }
}

/** The report of a mistake says which part of the page the address names. */
function place_report() {
  const link = document.getElementById("report");
  link?.addEventListener("click", () => {
    const url = new URL(link.href);
    const page = url.searchParams.get("page")?.split("#")[0];
    if (page && location.hash) url.searchParams.set("page", page + location.hash);
    link.href = url.href;
  });
}

add_theme_switch();
place_report();
wake_models();
wake_guess();
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
// A preview that took a block over (its wrapper, so that the block itself is within).
addEventListener("primer-block", ({ target }) =>
  bring_alive({
    querySelectorAll: (selector) =>
      [target, ...target.querySelectorAll("*")].filter((element) => element.matches(selector)),
  }),
);
customElements.define("primer-bench", PrimerBench);
root.dataset.ready = "";
once_loaded(() =>
  import("./page/letters.js").then(({ letter_figures }) => letter_figures()).catch(() => {}),
);
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
const gallery = document.getElementById("gallery");
if (gallery) import("./gallery/gallery.js").then(({ show }) => show(gallery)).catch(() => {});
const traps = document.getElementById("untouched-pages")?.closest("main");
if (traps) import("./traps/traps.js").then(({ show }) => show(traps)).catch(() => {});
const text = document.getElementById("your-text")?.closest("main");
if (text) import("./write/write.js").then(({ show }) => show(text)).catch(() => {});
