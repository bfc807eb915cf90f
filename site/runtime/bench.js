// The work behind <primer-bench>: run, progress, cancel, results. main.js loads this on the first
// click.

import { add_to_profile, Cancelled, measure } from "./measure.js";
import { assets, page_data, store } from "./page.js";
import { refresh } from "./refresh.js";

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
  const say = (words) => {
    element.querySelector(".bench-status").textContent = words;
  };
  element.removeAttribute("reason");
  element.setAttribute("progress", "0");
  element.setAttribute("state", "running");
  button.textContent = "Cancel";
  say("Loading the kernels");
  try {
    const { choices } = store.load().profile ?? {};
    const wanted = { ...(request ?? (await plan_of(element.id))), choices };
    const fresh = await measure(wanted, {
      assets,
      signal,
      on_progress: progress_on(element, say),
    });
    const refused = store.save(add_to_profile(store.load().profile, fresh));
    const problems = await refresh();
    element.setAttribute("state", "done");
    say([summary_of(fresh), refused, ...problems].filter(Boolean).join(" "));
    button.textContent = "Measure again";
  } catch (error) {
    button.textContent = label;
    if (error instanceof Cancelled) {
      element.setAttribute("state", "idle");
      say(
        error.message === "cancelled"
          ? "Cancelled: nothing was kept."
          : `Not measured: ${error.message}.`,
      );
    } else {
      element.setAttribute("state", "unavailable");
      element.setAttribute("reason", error.message);
      say(`Unavailable, because ${error.message}.`);
    }
  } finally {
    element.removeAttribute("progress");
  }
}

async function plan_of(id) {
  const plan = (await page_data()).benches.find((bench) => bench.id === id);
  if (!plan) throw new Error("the page's data does not list this measurement: reload the page");
  const { runs, roofs = false, quick = true } = plan;
  return { runs, roofs, is_quick: quick };
}

/**
 * Shows progress at most ten times a second, and says a new word only once a second: the status is
 * read aloud.
 */
function progress_on(element, say) {
  let said = 0;
  return (fraction, text) => {
    element.setAttribute("progress", fraction.toFixed(2));
    element.style.setProperty("--progress", fraction.toFixed(3));
    if (performance.now() - said > 1000) {
      said = performance.now();
      say(`${text} …`);
    }
  };
}

function summary_of(profile) {
  const good = profile.results.filter((r) => r.status === "measured").length;
  const rest = profile.results.length - good;
  const what = `${good} measurement${good === 1 ? "" : "s"}, each checked against a known result`;
  return `Done: ${what}${rest ? `; ${rest} unavailable` : ""}.`;
}
