// The reader's own page, /machine/: everything that was measured in one table, a full run, all
// cores, the results as a file, and a way to forget them. Its Markdown brings the measurement
// "bench-machine"; what needs scripts is added here.

import { isolation, use_all_cores, use_one_core, wants_all_cores } from "./isolation.js";
import { reference_profile, registry, store } from "./page.js";

const make = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...children);
  return element;
};

const all_cores = { cores: true, pace: "quick" };

/** Adds a section with controls and results at the end of the page, where it moves nothing. */
export function show(bench) {
  const cores = make("p", { className: "machine-cores" });
  const facts = make("div", { className: "machine-portrait" });
  const results = make("div", { className: "machine-results" });
  const section = make(
    "section",
    { className: "machine" },
    make("h2", { id: "your-results", textContent: "Your results" }),
    make(
      "p",
      { className: "machine-controls" },
      button("Measure everything", () => measure_everything(bench)),
      " ",
      button("All cores", () => on_all_cores(bench)),
    ),
    cores,
    facts,
    results,
  );
  bench.closest("main").append(section);
  const refresh = () => {
    show_cores(bench, cores);
    show_results(bench, facts, results);
  };
  new MutationObserver(refresh).observe(bench, { attributeFilter: ["state"] });
  refresh();
}

function button(textContent, action) {
  const element = make("button", { type: "button", textContent });
  element.addEventListener("click", action);
  return element;
}

async function run(bench, request) {
  if (bench.getAttribute("state") === "running") return;
  bench.scrollIntoView({ block: "nearest" });
  try {
    const { toggle } = await import("./bench.js");
    await toggle(bench, request);
  } catch {
    say(bench, "Unavailable, because the book was updated: reload the page.");
  }
}

/** The roofs, finely, and all that the chapters' numbers and figures are made of. */
async function measure_everything(bench) {
  try {
    const [{ suite_runs }, kernels, reference] = await Promise.all([
      import("./tasks.js"),
      registry(),
      reference_profile(),
    ]);
    await run(bench, { runs: suite_runs(kernels, reference), roofs: true, pace: "full" });
  } catch (error) {
    say(bench, `Unavailable, because ${error.message}.`);
  }
}

/** Words where the measurement has its own, brought into view. */
function say(bench, words) {
  const status = bench.querySelector(".bench-status");
  status.textContent = words;
  status.scrollIntoView({ block: "nearest" });
}

/** Measures all cores where the page can, else asks for that, which reloads the page once. */
async function on_all_cores(bench) {
  const { isolated, reason } = isolation();
  if (isolated) {
    await run(bench, all_cores);
    return;
  }
  if (reason) {
    say(bench, `All cores are unavailable, because ${reason}.`);
    return;
  }
  try {
    await use_all_cores();
  } catch (error) {
    say(bench, `All cores are unavailable, because ${error.message}.`);
  }
}

async function show_cores(bench, element) {
  const { isolated, reason } = isolation();
  const { cores } = store.load().profile ?? {};
  const words = [];
  if (cores?.usable) {
    const many = cores.usable === 1 ? "1 core" : `${cores.usable} cores`;
    words.push(`This page can use ${many}; the browser reports ${cores.reported}.`);
    if (cores.why) words.push(`${cores.why[0].toUpperCase()}${cores.why.slice(1)}.`);
    if (Array.isArray(cores.notes)) words.push(...cores.notes.map(String));
  } else if (isolated) {
    words.push("This page may use several cores: press “All cores” to try how many there are.");
  } else if (reason) {
    words.push(`Several cores are unavailable, because ${reason}.`);
  } else {
    words.push("“All cores” reloads this page once; what you measured stays.");
  }
  const is_wished = await wants_all_cores();
  const back = async () => {
    await use_one_core();
    say(bench, "From the next page on, the book uses one core again.");
    show_cores(bench, element);
  };
  element.replaceChildren(words.join(" "));
  if (is_wished) element.append(" ", button("Back to one core", back));
}

/** The code for results is fetched when there are some. */
async function show_results(bench, facts, place) {
  const { profile, problem } = store.load();
  if ((profile?.results ?? []).length === 0) {
    const textContent = problem || "Nothing has been measured in this browser yet.";
    facts.replaceChildren();
    place.replaceChildren(make("p", { textContent }));
    return;
  }
  const { sentences_of, table_of, save } = await import("./machine_results.js");
  const forget = () => {
    store.clear();
    say(bench, "Your results are gone from this browser.");
    show_results(bench, facts, place);
  };
  const keep = make(
    "p",
    {},
    button("Save as JSON", () => save(profile)),
    " ",
    button("Clear", forget),
  );
  facts.replaceChildren(...sentences_of(profile));
  place.replaceChildren(keep, table_of(profile.results));
}
