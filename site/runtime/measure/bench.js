// The work behind <primer-bench>: run, progress, cancel, results. main.js loads this on the first
// click.

import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { add_to_profile, Cancelled, Hidden, measure } from "./measure.js";
import { assets, page_data, store } from "../page/page.js";
import { remember } from "../profile/history.js";
import { known_machine } from "../profile/known_machine.js";
import { plain } from "../profile/machine_name.js";
import { is_doubtful } from "../profile/result_text.js";
import { refresh } from "../page/refresh.js";

const running = new Map();

/**
 * Starts the element's measurement, or the given one; cancels what is running. `pressed` is the button that was pressed,
 * which cancels meanwhile; the element's others rest.
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
 * One measurement of several that `controller` cancels together, or the only one; `on_progress` hears its fractions.
 * Resolves when it has ended, however it did: the element's `state` says how.
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

// A status is read aloud whenever it changes, which `aloud` prevents.
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
    const wanted = { ...(request ?? (await plan_of(element.id))), ...known };
    const show = progress_on(element, bar, say);
    const fresh = await measure(wanted, {
      assets,
      signal,
      on_progress: (fraction, text) => {
        show(fraction, text);
        on_progress(fraction);
      },
    });
    const refused = store.save(await add_to_profile(store.load().profile, fresh));
    remember(fresh);
    const problems = await refresh();
    ended(
      "done",
      [
        ...found_by(element),
        summary_of(fresh),
        ...[refused, ...problems].filter(Boolean).map(heard),
      ].join(" "),
    );
    own.textContent = word("Measure again");
  } catch (error) {
    const why = heard(error.message);
    if (error instanceof Cancelled) ended("idle", word("Cancelled: nothing was kept."));
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

/** How far a run is, beside its button. */
export function progress_bar(owner) {
  const bar = make("progress", { className: "bench-progress", max: 1, value: 0 });
  const name = owner.querySelector(".label, .bench-button").textContent;
  bar.ariaLabel = word("Progress of {name}", { name });
  return bar;
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
function progress_on(element, bar, say) {
  const began = performance.now();
  let said = 0;
  let quarter = 0;
  return (fraction, text) => {
    element.setAttribute("progress", fraction.toFixed(2));
    bar.value = fraction;
    element.dispatchEvent(new CustomEvent("primer-progress", { bubbles: true, detail: fraction }));
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

/** Too little done to tell says nothing: the first steps take longest. */
function left_words(fraction, left_ms) {
  if (fraction < 0.15) return "";
  const seconds = left_ms / 1000;
  if (seconds < 7.5) return word("A few seconds left.");
  return word("About {n} s left.", { n: 5 * Math.round(seconds / 5) });
}

/** The home page's numbers, said where they were asked for: on a phone they stand a screen below the button. */
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
  const [{ reason } = {}] = profile.results.filter((r) => r.status !== "measured");
  if (good === 0 && reason)
    return word("Nothing measured: {why}.", { why: heard(plain(reason, 300)) });
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
