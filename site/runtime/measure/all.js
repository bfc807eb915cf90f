// Measures a whole chapter with one button. The measurements run one after the other, each in its
// panel, so finished results are saved even if a later measurement fails or is canceled.

import { measure_in, progress_bar } from "./bench.js";
import { word } from "../base/language.js";
import { page_data } from "../page/page.js";

let controller = null;

/** Measures every panel of the page; if that is already running, cancels it. */
export async function toggle_all(bar) {
  if (controller) {
    controller.abort();
    return;
  }
  controller = new AbortController();
  const button = bar.querySelector(".bench-button");
  const label = button.textContent;
  const progress = progress_bar(bar); // takes its name from the button's label, which changes below
  button.textContent = word("Cancel");
  bar.setAttribute("state", "running");
  try {
    await measure_each(bar, progress, controller.signal);
    button.textContent = word("Measure all again");
  } catch (error) {
    button.textContent = label;
    bar.querySelector(".bench-status").textContent = error.message;
  } finally {
    progress.remove();
    bar.setAttribute("state", "idle");
    controller = null;
  }
}

async function measure_each(bar, progress, signal) {
  const status = bar.querySelector(".bench-status");
  const { benches } = await page_data();
  const parts = benches
    .map(({ id, seconds }) => ({ panel: document.getElementById(id), seconds }))
    .filter(({ panel }) => panel && panel.getAttribute("state") !== "running");
  const all = parts.reduce((sum, { seconds }) => sum + seconds, 0);
  let begun = 0; // planned seconds of the finished measurements
  let ended = 0;
  status.before(progress);
  for (const { panel, seconds } of parts) {
    const say = (fraction) => {
      progress.value = (begun + seconds * fraction) / all;
      const left = Math.ceil(all - begun - seconds * fraction);
      status.textContent = word("{name}, {i} of {n}. About {left} s left.", {
        name: panel.querySelector(".label").textContent,
        i: ended + 1,
        n: parts.length,
        left: left > 10 ? 5 * Math.round(left / 5) : left,
      });
    };
    status.setAttribute("aria-live", "off"); // each panel announces its result
    say(0);
    await measure_in(panel, { controller, on_progress: say });
    if (signal.aborted || panel.getAttribute("state") === "idle") break;
    begun += seconds;
    ended += 1;
  }
  status.setAttribute("aria-live", "polite");
  status.textContent =
    ended === parts.length
      ? word("Done: all {n} measurements.", { n: ended })
      : word("Ended after {i} of {n} measurements. Their results are saved.", {
          i: ended,
          n: parts.length,
        });
}
