// The reader's own page, /machine/: a full run, all cores, what the results say, and the results to
// keep, share, compare and forget. Its Markdown brings the measurement "bench-machine", figures and
// sentences; what needs scripts is added here, at the end or where room is kept for it. What works on
// results is fetched when there are some.

import { button, make } from "../base/element.js";
import { isolation, use_all_cores, use_one_core, wants_all_cores } from "../measure/isolation.js";
import { plain } from "../profile/machine_name.js";
import { forget, refuse_in_frame, stored } from "../base/storage.js";
import { heard, later_word, word } from "../base/first_words.js";

const all_cores = { cores: true, pace: "quick" };

const is_visit = /^#(m|with)=/.test(location.hash);
/** Who has measured nothing does without what reads results. */
let may_have_results = is_visit || stored("profile.v1") !== null || stored("history.v1") !== null;
const no_results = {
  holds_something: false,
  is_viewing: false,
  load: () => ({ profile: null, problem: "" }),
};
const page = () => import("../page/page.js");
const results_store = async () => (may_have_results ? (await page()).store : no_results);

/** Adds the buttons of longer runs, and a section with results at the end of the page. */
export async function show(bench) {
  bench.querySelector(".bench-controls").append(
    button(word("Measure everything"), ({ target }) => measure_everything(bench, target)),
    button(word("All cores"), ({ target }) => on_all_cores(bench, target)),
    button(word("Measure the GPU"), ({ target }) => measure_gpu(bench, target)),
  );
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
    may_have_results = true; // in memory alone where storage is refused
    refresh();
  };
  new MutationObserver(measured).observe(bench, { attributeFilter: ["state"] });
  refresh();
}

/** What can be tried by hand: each part is loaded when it is unfolded. */
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
      import("../lab/lab.js").then(
        ({ fill }) => fill(part),
        () => {},
      );
  });
  const is_asked =
    location.hash === `#${id}` || (id === "own-kernel" && /^#k=/.test(location.hash));
  part.open = is_asked;
  return part;
}

/** The machine of a link in place of the reader's, which stays as it is: nothing is measured here. */
async function visit(bench) {
  const allow = (is_allowed) => {
    for (const one of bench.querySelectorAll(".bench-controls button")) one.disabled = !is_allowed;
  };
  allow(false);
  try {
    const { open_visit } = await import("./visit.js");
    await open_visit();
  } catch (error) {
    allow(true);
    say(
      bench,
      await because_words("Somebody's machine could not be shown, because {why}.", error.message),
    );
  }
}

let at_work = null;

/** Measures; the pressed button, and no other, cancels what it began. */
async function run(bench, request, pressed) {
  if (bench.getAttribute("state") === "running" && at_work !== pressed) return;
  at_work = pressed;
  bench.scrollIntoView({ block: "nearest" });
  try {
    const { toggle } = await import("../measure/bench.js");
    await toggle(bench, request, pressed);
  } catch {
    say(bench, word("Unavailable, because the book was updated: reload the page."));
  } finally {
    at_work = null;
  }
}

/** The roofs, finely, and all that the chapters' numbers and figures are made of. */
async function measure_everything(bench, pressed) {
  try {
    const [{ suite_runs }, { registry, reference_profile }] = await Promise.all([
      import("../kernels/tasks.js"),
      page(),
    ]);
    const [kernels, reference] = await Promise.all([registry(), reference_profile()]);
    const request = { runs: suite_runs(kernels, reference), roofs: true, pace: "full" };
    await run(bench, request, pressed);
  } catch (error) {
    say(bench, await because_words("Unavailable, because {why}.", error.message));
  }
}

/** What WebGPU grants: roofs, waits, warps, the ladder. */
async function measure_gpu(bench, pressed) {
  try {
    const { full_suite } = await import("../gpu/measure.js");
    await run(bench, { runs: full_suite, jitter: true, pace: "full" }, pressed);
  } catch (error) {
    say(bench, await because_words("Unavailable, because {why}.", error.message));
  }
}

async function show_gpu(place) {
  const { profile } = (await results_store()).load();
  if (!profile?.gpu) return place.replaceChildren();
  const { passport } = await import("./gpu_passport.js");
  const heading = make("h3", { id: "your-gpu", textContent: word("Your GPU") });
  const parts = await passport(profile).catch(cannot_be_shown);
  return place.replaceChildren(heading, ...[parts].flat());
}

/** A sentence with a reason that was put together where no language is known. */
const because_words = async (sentence, message) =>
  later_word(sentence, { why: await heard(message) });

/** Words where the measurement has its own, brought into view. */
function say(bench, words) {
  const status = bench.querySelector(".bench-status");
  status.textContent = words;
  status.scrollIntoView({ block: "nearest" });
}

/** Measures all cores where the page can, else asks for that, which reloads the page once. */
async function on_all_cores(bench, pressed) {
  const { isolated, reason } = isolation();
  if (isolated) {
    await run(bench, all_cores, pressed);
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

/** How many cores a page can use here, why not more, and what else was found. */
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
    words.push(
      word("This page may use several cores: press “All cores” to try how many there are."),
    );
  } else if (reason) {
    words.push(await because_words("Several cores are unavailable, because {why}.", reason));
  } else {
    words.push(word("“All cores” reloads this page once; what you measured stays."));
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

/** The way out first, at once and by itself: whatever is stored and whatever then fails, it can be cleared. */
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
    place.replaceChildren(...out, make("p", { textContent }), row);
    return;
  }
  if (out.length > 0 && !place.querySelector("button")) place.replaceChildren(...out);
  const [results, { tools }, { history_table }, recorded] = await Promise.all([
    import("./results.js"),
    import("./keep.js"),
    import("./history_table.js"),
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
    ...out,
    ...(store.is_viewing ? [] : parts(() => tools(profile))),
    ...parts(() => table_of(profile.results)),
    ...(store.is_viewing ? [] : parts(history_table)),
  );
  facts.replaceChildren(
    ...parts(
      () => sentences_of(profile),
      () => comparison(profile, others),
    ),
  );
}

/** What `make_part` makes; a part that these results do not allow says so in its place. */
function unless_it_fails(make_part) {
  try {
    return make_part();
  } catch (error) {
    return cannot_be_shown(error);
  }
}

function cannot_be_shown({ message }) {
  const place = make("p");
  const said = because_words("A part of your results cannot be shown ({why}).", message);
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
    (await page()).store.clear();
    forget("history.v1");
    forget("profile.before", () => sessionStorage); // what a loaded file displaced (keep.js)
    location.reload();
  };
  return make("p", { className: "machine-tools" }, button(word("Clear"), clear));
}

async function keep_with(use) {
  use(await import("./keep.js"));
}
