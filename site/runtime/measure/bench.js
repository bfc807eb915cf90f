// The work behind <primer-bench>: run, progress, cancel, results. main.js loads this on the first
// click.

import { heard, word } from "../base/language.js";
import { add_to_profile, Cancelled, Hidden, measure } from "./measure.js";
import { assets, page_data, store } from "../page/page.js";
import { end_of_caches } from "../profile/level_size.js";
import { remember } from "../profile/history.js";
import { refresh } from "../page/refresh.js";

const running = new Map();

/** Starts the element's measurement, or the given one; cancels what is running. */
export async function toggle(element, request = null) {
  const controller = running.get(element);
  if (controller) {
    controller.abort();
    return;
  }
  running.set(element, new AbortController());
  try {
    await run(element, request, running.get(element).signal);
  } finally {
    running.delete(element);
  }
}

async function run(element, request, signal) {
  const button = element.querySelector(".bench-button");
  const label = button.textContent;
  const status = element.querySelector(".bench-status");
  // A status is read aloud whenever it changes, which `aloud` prevents.
  const say = (words, aloud = true) => {
    status.setAttribute("aria-live", aloud ? "polite" : "off");
    status.textContent = words;
  };
  element.removeAttribute("reason");
  element.setAttribute("progress", "0");
  element.setAttribute("state", "running");
  button.textContent = word("Cancel");
  say(word("Loading the kernels"));
  try {
    const { choices, levels } = store.load().profile ?? {};
    const known = { choices, last_cache: end_of_caches(levels) };
    const wanted = { ...(request ?? (await plan_of(element.id))), ...known };
    const fresh = await measure(wanted, {
      assets,
      signal,
      on_progress: progress_on(element, say),
    });
    const refused = store.save(await add_to_profile(store.load().profile, fresh));
    remember(fresh);
    const problems = await refresh();
    element.setAttribute("state", "done");
    say([summary_of(fresh), ...[refused, ...problems].filter(Boolean).map(heard)].join(" "));
    button.textContent = word("Measure again");
  } catch (error) {
    button.textContent = label;
    if (error instanceof Cancelled) {
      element.setAttribute("state", "idle");
      say(word("Cancelled: nothing was kept."));
    } else if (error instanceof Hidden) {
      element.setAttribute("state", "idle");
      say(word("Not measured: {why}.", { why: heard(error.message) }));
    } else {
      element.setAttribute("state", "unavailable");
      element.setAttribute("reason", error.message);
      say(word("Unavailable, because {why}.", { why: heard(error.message) }));
    }
  } finally {
    element.removeAttribute("progress");
  }
}

async function plan_of(id) {
  const plan = (await page_data()).benches.find((bench) => bench.id === id);
  if (!plan) throw new Error("the page's data does not list this measurement: reload the page");
  const { runs, roofs = false, quick = true } = plan;
  return { runs, roofs, pace: quick ? "quick" : "full" };
}

const announced = [0.25, 0.5, 0.75]; // of a run that takes long enough to wonder
const worth_announcing_ms = 15_000;

/**
 * Shows how far the run is, and once a second in words, with the time left; they are read aloud only
 * at each quarter of a long run.
 */
function progress_on(element, say) {
  const began = performance.now();
  let said = 0;
  let quarter = 0;
  return (fraction, text) => {
    element.setAttribute("progress", fraction.toFixed(2));
    element.style.setProperty("--progress", fraction.toFixed(3));
    const spent = performance.now() - began;
    if (spent - said < 1000) return;
    said = spent;
    const reached = announced.filter((share) => fraction >= share).length;
    const left = (spent * (1 - fraction)) / fraction;
    say(
      `${heard(text)} … ${left_words(fraction, left)}`,
      reached > quarter && left > worth_announcing_ms,
    );
    quarter = reached;
  };
}

/** Too little done to tell says nothing: the first steps take longest. */
function left_words(fraction, left_ms) {
  if (fraction < 0.15) return "";
  const seconds = left_ms / 1000;
  if (seconds < 7.5) return word("A few seconds left.");
  return word("About {n} s left.", { n: 5 * Math.round(seconds / 5) });
}

function summary_of(profile) {
  const good = profile.results.filter((r) => r.status === "measured").length;
  const rest = profile.results.length - good;
  const done =
    good === 1
      ? "Done: 1 measurement, each checked against a known result"
      : "Done: {n} measurements, each checked against a known result";
  return `${word(done, { n: good })}${rest ? word("; {n} unavailable", { n: rest }) : ""}.`;
}
