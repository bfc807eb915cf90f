// Runs the measurement of a <primer-bench> element: progress, canceling, results. buttons.js loads
// this file when a button is about to be pressed.

import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { answer_of } from "./answer.js";
import { add_to_profile, Cancelled, Hidden, measure } from "./measure.js";
import { kernel_of } from "../kernels/tasks.js";
import { ask, assets, page_data, registry, store } from "../page/page.js";
import { remember } from "../profile/history.js";
import { known_machine } from "../profile/known_machine.js";
import { is_doubtful } from "../profile/result_text.js";
import { refresh } from "../page/refresh.js";

const running = new Map();
const summarized = new Set(["measured", "partial"]); // answers whose status line counts the results

/**
 * Starts a measurement in `element`, or cancels the running one. `request` replaces the page's plan
 * for the element. `pressed` is the button that becomes "Cancel" meanwhile (default: the element's
 * first); the other buttons are disabled.
 */
export async function toggle(element, request = null, pressed = null) {
  const controller = running.get(element);
  if (controller) {
    controller.abort();
    return;
  }
  await measure_in(element, { request, pressed, controller: new AbortController() });
}

/**
 * Runs one measurement. `controller` cancels it, and several measurements may share it. Calls
 * `on_progress` with fractions. Resolves when the measurement has ended, even after an error; the
 * attribute `state` of the element is then the outcome.
 */
export async function measure_in(
  element,
  { request = null, pressed = null, controller, on_progress },
) {
  running.set(element, controller);
  try {
    await run(element, { request, pressed, signal: controller.signal, on_progress });
  } finally {
    running.delete(element);
  }
}

// Screen readers announce each change of the status unless `aloud` is false.
const teller =
  (status) =>
  (words, aloud = true) => {
    status.setAttribute("aria-live", aloud ? "polite" : "off");
    status.textContent = words;
  };

async function run(element, { request, pressed, signal, on_progress = () => {} }) {
  const own = element.querySelector(".bench-button");
  const button = pressed ?? own;
  const label = button.textContent;
  const others = [...element.querySelectorAll(".bench-controls button")].filter(
    (one) => one !== button && !one.disabled,
  );
  const status = element.querySelector(".bench-status");
  const say = teller(status);
  const bar = progress_bar(element);
  element.removeAttribute("reason");
  element.removeAttribute("answer");
  element.setAttribute("progress", "0");
  element.setAttribute("state", "running");
  button.textContent = word("Cancel");
  for (const one of others) one.disabled = true;
  status.before(bar);
  say(word("Loading the kernels"));
  const ended = (state, words) => {
    button.textContent = label;
    element.setAttribute("state", state);
    say(words);
  };
  try {
    const known = known_machine(store.load().profile ?? {});
    const plan = await with_packs(request ?? (await plan_of(element.id)));
    const wanted = { ...plan, ...known };
    const show = progress_on(element, bar, say);
    const fresh = await measure(wanted, {
      assets,
      signal,
      on_progress: (fraction, text, samples) => {
        show(fraction, text, samples);
        on_progress(fraction);
      },
    });
    const refused = store.save(await add_to_profile(store.load().profile, fresh));
    remember(fresh);
    const problems = await refresh();
    ended("done", words_of(element, fresh, wanted, [refused, ...problems]));
    own.textContent = word("Measure again");
  } catch (error) {
    const why = heard(error.message);
    if (error instanceof Cancelled) ended("idle", word("Canceled. Nothing was saved."));
    else if (error instanceof Hidden) ended("idle", word("Not measured: {why}.", { why }));
    else {
      element.setAttribute("reason", error.message);
      ended("unavailable", word("Unavailable, because {why}.", { why }));
    }
  } finally {
    for (const one of others) one.disabled = false;
    bar.remove();
    element.removeAttribute("progress");
  }
}

/** The text of the status line. Also sets the attribute `answer`, which machine/reveal.js reads. */
function words_of(element, fresh, wanted, problems) {
  const answer = answer_of(fresh, wanted);
  element.setAttribute("answer", answer.state);
  const words = [
    ...(answer.state === "measured" ? found_by(element) : []),
    ...(summarized.has(answer.state) ? [summary_of(fresh)] : []),
    answer.words,
    ...problems.filter(Boolean).map(heard),
  ];
  return words.filter(Boolean).join(" ");
}

/** A progress bar for a run, named after the owner's label or button. */
export function progress_bar(owner) {
  const bar = make("progress", { className: "bench-progress", max: 1, value: 0 });
  const name = owner.querySelector(".label, .bench-button").textContent;
  bar.ariaLabel = word("Progress of {name}", { name });
  return bar;
}

async function plan_of(id) {
  const plan = (await page_data()).benches.find((bench) => bench.id === id);
  if (!plan) throw new Error("this page has no data for this measurement: reload the page");
  const { runs, roofs = false, quick = true } = plan;
  return { runs, roofs, pace: quick ? "quick" : "full" };
}

/** `request`, with the runs of the book's own kernels apart as `packs`. */
export async function with_packs(request) {
  const kernels = await registry();
  const { runs = [] } = request;
  const is_own = (run) => kernel_of(kernels, run)?.pack !== undefined;
  if (!runs.some(is_own)) return request;
  const { requests_of } = await import("./packs.js");
  const evaluate = async (expression) =>
    (await ask({ op: "evaluate", expression, unit: "" })).value;
  const packs = await requests_of(runs.filter(is_own), kernels, { assets, evaluate });
  return { ...request, runs: runs.filter((run) => !is_own(run)), packs };
}

const announced = [0.25, 0.5, 0.75]; // shares of a long run at which progress is read aloud
const worth_announcing_ms = 15_000;

/**
 * Returns a function that shows progress: on the bar with every call, and at most once per second
 * in words, with the time left. Screen readers announce only the quarters of a long run.
 */
function progress_on(element, bar, say) {
  const began = performance.now();
  let said = 0;
  let quarter = 0;
  return (fraction, text, samples = []) => {
    element.setAttribute("progress", fraction.toFixed(2));
    bar.value = fraction;
    // The home page's figure draws the samples (questions/samples.js).
    if (samples.length > 0)
      element.dispatchEvent(new CustomEvent("primer-samples", { bubbles: true, detail: samples }));
    const spent = performance.now() - began;
    if (spent - said < 1000) return;
    said = spent;
    const reached = announced.filter((share) => fraction >= share).length;
    const left = (spent * (1 - fraction)) / fraction;
    bar.ariaValueText = left_words(fraction, left) || null;
    say(
      `${heard(text)} … ${left_words(fraction, left)}`,
      reached > quarter && left > worth_announcing_ms,
    );
    quarter = reached;
  };
}

/** The time left, in words; "" in the first 15 %, because the first steps take longest. */
function left_words(fraction, left_ms) {
  if (fraction < 0.15) return "";
  const seconds = left_ms / 1000;
  if (seconds < 7.5) return word("A few seconds left.");
  return word("About {n} s left.", { n: 5 * Math.round(seconds / 5) });
}

/**
 * The home page's numbers for the status line next to the button, because on a phone the numbers
 * are a screen further down. Empty on other pages.
 */
function found_by(element) {
  if (!element.matches(".hero")) return [];
  const numbers = element.parentElement.querySelectorAll(".plot + ul .live[data-from='reader']");
  const words = [...numbers].map((number) => number.textContent).join(" · ");
  return words ? [`${words}.`] : [];
}

function summary_of(profile) {
  const measured = profile.results.filter((r) => r.status === "measured");
  const good = measured.length;
  const rest = profile.results.length - good;
  const done =
    good === 1
      ? "Done: 1 measurement, each checked against a known result"
      : "Done: {n} measurements, each checked against a known result";
  const doubtful = measured.filter(is_doubtful).length;
  const more = [
    rest ? word("; {n} unavailable", { n: rest }) : "",
    doubtful ? word("; {n} doubtful", { n: doubtful }) : "",
  ];
  return `${word(done, { n: good })}${more.join("")}.`;
}
