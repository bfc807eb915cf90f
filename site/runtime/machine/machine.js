// The page /machine/: a full run, all cores, the GPU, the results and what to do with them, and the
// lab. The page's Markdown has the measurement "bench-machine", figures and sentences. This script
// adds the rest at the end, or where the style sheet reserves room. Code that works on results is
// loaded only if there are results.

import { button, make } from "../base/element.js";
import { more_menu } from "./more_menu.js";
import { isolation, use_all_cores, use_one_core, wants_all_cores } from "../measure/isolation.js";
import { plain } from "../profile/machine_name.js";
import { forget, refuse_in_frame, set_stored, stored } from "../base/storage.js";
import { heard, later_word, part_of_page, word } from "../base/first_words.js";

const all_cores = { cores: true, pace: "quick" };

const is_visit = /^#(m|with)=/.test(location.hash);
const own_entries = ["profile.v1", "history.v1", "guess.v1"];
// The cleared entries, for "Undo", until the tab is closed or there are new results.
const cleared_name = "cleared";
const session = () => sessionStorage;

/** A first visit does not load the code that reads profiles. */
let may_have_results = is_visit || stored("profile.v1") !== null || stored("history.v1") !== null;
const no_results = {
  holds_something: false,
  is_viewing: false,
  load: () => ({ profile: null, problem: "" }),
};
const page = () => import("../page/page.js");
const results_store = async () => (may_have_results ? (await page()).store : no_results);

/**
 * Adds the menu of the longer runs to the measurement, puts its table into a fold, and adds the
 * sections to the end of the page.
 */
export async function show(bench) {
  bench.querySelector(".bench-controls").append(
    more_menu(
      button(word("Measure everything"), () => measure_everything(bench)),
      button(word("All cores"), () => on_all_cores(bench)),
      button(word("Measure the GPU"), () => measure_gpu(bench)),
    ),
  );
  fold_table(bench);
  const cores = make("p", { className: "machine-cores" });
  const facts = make("div", { className: "machine-summary" });
  const gpu = make("div", { className: "machine-gpu" });
  const results = make("div", { className: "machine-results" });
  const heading = make("h2", { id: "your-results", textContent: word("Your results") });
  const section = make("section", { className: "machine" }, heading, cores, facts, gpu, results);
  bench.closest("main").append(section, lab());
  if (is_visit) await visit(bench);
  addEventListener("hashchange", () => /^#(m|with|k)=/.test(location.hash) && location.reload());
  const refresh = () => {
    show_cores(bench, cores);
    show_results(bench, facts, results);
    show_gpu(gpu);
  };
  const measured = () => {
    may_have_results = true; // results are only in memory if storage is denied
    refresh();
  };
  new MutationObserver(measured).observe(bench, { attributeFilter: ["state"] });
  refresh();
}

/** Puts the table of kernels into a fold, so that the roofs are on the first screen. */
function fold_table(bench) {
  const table = bench.querySelector(".bench-table");
  if (!table) return;
  const summary = make("summary", { textContent: word("Kernel results") });
  const fold = make("details", { className: "bench-fold" }, summary);
  table.before(fold);
  fold.append(table);
}

/** Experiments to run by hand. Each is loaded when the reader opens it. */
function lab() {
  const heading = make("h2", { id: "lab", textContent: word("The lab") });
  return make(
    "section",
    { className: "lab" },
    heading,
    lab_part("own-kernel", word("Your own kernel")),
    lab_part("repeat", word("Repeat one kernel until stopped")),
    lab_part("trials", word("Instructions, pages, cores, load")),
  );
}

function lab_part(id, textContent) {
  const place = make("div", { className: "lab-part" });
  const part = make("details", { id }, make("summary", { textContent }), place);
  part.addEventListener("toggle", () => {
    if (part.open)
      part_of_page(() => import("../lab/lab.js")).then(
        ({ fill }) => fill(part),
        () => {},
      );
  });
  const is_asked =
    location.hash === `#${id}` || (id === "own-kernel" && /^#k=/.test(location.hash));
  part.open = is_asked;
  return part;
}

/** Shows the machine of a link instead of the reader's. Measuring is disabled while it is shown. */
async function visit(bench) {
  const allow = (is_allowed) => {
    for (const one of bench.querySelectorAll(".bench-controls button")) one.disabled = !is_allowed;
  };
  allow(false);
  try {
    const { open_visit } = await part_of_page(() => import("./visit.js"));
    await open_visit();
  } catch (error) {
    allow(true);
    say(bench, await because_words("The shared machine cannot be shown: {why}.", error.message));
  }
}

/** Starts a run, which the Measure button can cancel. Does nothing during a run. */
async function run(bench, request) {
  if (bench.getAttribute("state") === "running") return;
  bench.scrollIntoView({ block: "nearest" });
  try {
    const { toggle } = await part_of_page(() => import("../measure/bench.js"));
    const own = bench.querySelector(".bench-button");
    own?.focus(); // the menu closed and hid the button that had the focus
    await toggle(bench, request, own);
  } catch {
    say(bench, word("Unavailable, because the book was updated: reload the page."));
  }
}

/** Measures all kernels that the chapters use, and the roofs, at the full pace. */
async function measure_everything(bench) {
  try {
    const [{ suite_runs }, { registry, reference_profile }] = await Promise.all([
      import("../kernels/tasks.js"),
      page(),
    ]);
    const [kernels, reference] = await Promise.all([registry(), reference_profile()]);
    const request = { runs: suite_runs(kernels, reference), roofs: true, pace: "full" };
    await run(bench, request);
  } catch (error) {
    say(bench, await because_words("Unavailable, because {why}.", error.message));
  }
}

/** Runs the full WebGPU suite. */
async function measure_gpu(bench) {
  try {
    const { full_suite } = await import("../gpu/measure.js");
    await run(bench, { runs: full_suite, jitter: true, pace: "full" });
  } catch (error) {
    say(bench, await because_words("Unavailable, because {why}.", error.message));
  }
}

async function show_gpu(place) {
  const { profile } = (await results_store()).load();
  if (!profile?.gpu) return place.replaceChildren();
  const { passport } = await part_of_page(() => import("./gpu_passport.js"));
  const heading = make("h3", { id: "your-gpu", textContent: word("Your GPU") });
  const parts = await passport(profile).catch(cannot_be_shown);
  return place.replaceChildren(heading, ...[parts].flat());
}

/** Translates a sentence with a reason that comes from code without translations. */
const because_words = async (sentence, message) =>
  later_word(sentence, { why: await heard(message) });

/** Shows a message in the measurement's status line and scrolls to it. */
function say(bench, words) {
  const status = bench.querySelector(".bench-status");
  status.textContent = words;
  status.scrollIntoView({ block: "nearest" });
}

/**
 * Measures all cores if the page is isolated. Otherwise turns isolation on, which reloads the page
 * once.
 */
async function on_all_cores(bench) {
  const { isolated, reason } = isolation();
  if (isolated) {
    await run(bench, all_cores);
    return;
  }
  if (reason) {
    say(bench, await because_words("All cores are unavailable, because {why}.", reason));
    return;
  }
  try {
    await use_all_cores();
  } catch (error) {
    say(bench, await because_words("All cores are unavailable, because {why}.", error.message));
  }
}

/** Returns sentences on how many cores a page can use here, why not more, and other notes. */
async function cores_words({ usable, reported, why, notes = [] }) {
  const many =
    usable === 1
      ? await later_word("This page can use 1 core; the browser reports {reported}.", { reported })
      : await later_word("This page can use {n} cores; the browser reports {reported}.", {
          n: usable,
          reported,
        });
  const reason = await heard(plain(why, 300));
  const sentence = reason && `${reason[0].toUpperCase()}${reason.slice(1)}.`;
  const others = await Promise.all(notes.slice(0, 20).map((note) => heard(plain(note, 300))));
  return [many, ...(sentence ? [sentence] : []), ...others];
}

async function show_cores(bench, element) {
  const { isolated, reason } = isolation();
  const { cores } = (await results_store()).load().profile ?? {};
  const words = [];
  if (cores?.usable) {
    words.push(...(await cores_words(cores)));
  } else if (isolated) {
    words.push(word("This page can use several cores. Press “All cores” to find out how many."));
  } else if (reason) {
    words.push(await because_words("Several cores are unavailable, because {why}.", reason));
  } else {
    words.push(word("“All cores” reloads this page once and keeps your results."));
  }
  const is_wished = await wants_all_cores();
  const back = async () => {
    await use_one_core();
    say(bench, await later_word("From the next page on, the book uses one core again."));
    show_cores(bench, element);
  };
  element.replaceChildren(words.join(" "));
  if (is_wished) element.append(" ", button(word("Back to one core"), back));
}

/**
 * Shows the results, and the button "Clear" as the last part. While the code for results loads, no
 * other part is shown, so that readers can delete stored data even if the data breaks that code.
 */
async function show_results(bench, facts, place) {
  const store = await results_store();
  const holds = store.holds_something || stored("history.v1") !== null;
  const out = holds && !store.is_viewing ? [clear_row(bench)] : [];
  const { profile, problem } = store.load();
  const is_empty = (profile?.results ?? []).length === 0;
  if (is_empty) {
    const nothing = word("Nothing has been measured in this browser yet.");
    const textContent = problem ? await heard(problem) : nothing;
    const load = button(word("Load a saved profile"), () => keep_with((k) => k.choose_file(place)));
    const row = make("p", { className: "machine-tools" }, load);
    facts.replaceChildren();
    place.replaceChildren(...(await undo_row(bench)), make("p", { textContent }), row, ...out);
    return;
  }
  if (!store.is_viewing) forget(cleared_name, session);
  if (out.length > 0 && !place.querySelector("button")) place.replaceChildren(...out);
  const [results, { tools }, { history_table }, recorded] = await Promise.all([
    part_of_page(() => import("./results.js")),
    part_of_page(() => import("./keep.js")),
    part_of_page(() => import("./history_table.js")),
    page()
      .then(({ recorded_machines }) => recorded_machines())
      .catch(() => []),
  ]);
  const own = store.is_viewing && store.load_own().profile;
  const others = own
    ? [{ ...own, name: await later_word("Your own machine") }, ...recorded]
    : recorded;
  const { comparison, sentences_of, table_of } = results;
  const parts = (...makers) => makers.flatMap((make_part) => unless_it_fails(make_part));
  place.replaceChildren(
    ...(store.is_viewing ? [] : parts(() => tools(profile))),
    ...parts(() => table_of(profile.results)),
    ...(store.is_viewing ? [] : parts(history_table)),
    ...out,
  );
  facts.replaceChildren(
    ...parts(
      () => sentences_of(profile),
      () => comparison(profile, others),
    ),
  );
}

/**
 * Returns what `make_part` returns. If it throws, returns a note in its place, so that one invalid
 * result does not hide the rest.
 */
function unless_it_fails(make_part) {
  try {
    return make_part();
  } catch (error) {
    return cannot_be_shown(error);
  }
}

function cannot_be_shown({ message }) {
  const place = make("p");
  const said = because_words("Some of your results cannot be shown ({why}).", message);
  said.then((words) => place.append(words));
  return place;
}

function clear_row(bench) {
  const clear = async () => {
    try {
      refuse_in_frame();
    } catch ({ message }) {
      say(bench, await because_words("Not cleared, because {why}.", message));
      return;
    }
    remember_cleared();
    (await page()).store.clear();
    for (const name of own_entries) forget(name);
    forget("profile.before", session); // what a loaded file replaced (keep.js)
    location.reload();
  };
  return make("p", { className: "machine-tools" }, button(word("Clear"), clear));
}

function remember_cleared() {
  const entries = own_entries.map((name) => [name, stored(name)]).filter(([, text]) => text);
  try {
    set_stored(cleared_name, JSON.stringify(Object.fromEntries(entries)), session);
  } catch {
    // Then "Undo" is not offered.
  }
}

/** What "Clear" has removed, with a button that restores it; empty if nothing was removed. */
async function undo_row(bench) {
  const text = stored(cleared_name, session);
  if (text === null) return [];
  const undo = async () => {
    try {
      refuse_in_frame();
      const entries = JSON.parse(text);
      for (const name of own_entries)
        if (typeof entries[name] === "string") set_stored(name, entries[name]);
    } catch ({ message }) {
      say(bench, await because_words("Not restored, because {why}.", message));
      return;
    }
    forget(cleared_name, session);
    location.reload();
  };
  const said = await later_word(
    "Your results were deleted. You can undo this until you close the tab.",
  );
  const row = make("p", { className: "machine-tools" }, button(await later_word("Undo"), undo));
  row.prepend(make("span", { textContent: said }));
  row.setAttribute("role", "status");
  return [row];
}

async function keep_with(use) {
  use(await part_of_page(() => import("./keep.js")));
}
