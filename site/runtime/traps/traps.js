// /traps/: a bar with one button at the bottom. A click adds the result on this machine below each
// recorded one. worker.js runs the pairs; sentences.js, loaded on the first click, has the texts.

import { make } from "../base/element.js";
import { heard, later_word, part_of_page, word } from "../base/first_words.js";
import { script } from "../base/trusted.js";

const patience_ms = 60_000; // timeout of a silent worker

/** The paragraph for the result, at the end of the section of heading `id`; null without one. */
function place_of(id) {
  let last = document.getElementById(id);
  if (!last) return null;
  const ends = (one) => !one || one.matches("h2, .traps-bar");
  while (!ends(last.nextElementSibling)) last = last.nextElementSibling;
  if (last.matches(".trap-result")) return last;
  const place = make("p", { className: "trap-result" });
  last.after(place);
  return place;
}

/** Adds the bar at the end of the page's text, where it moves nothing. */
export function show(main) {
  const button = make("button", { type: "button", textContent: word("Run all traps") });
  const status = make("output", { className: "traps-status" });
  main.append(make("div", { className: "traps-bar" }, button, " ", status));
  let cancel = null;
  button.addEventListener("click", async () => {
    if (cancel) return cancel();
    const stopped = new Promise((_, reject) => {
      cancel = () => reject(new Error("it was canceled"));
    });
    stopped.catch(() => {}); // it may reject before anything awaits it
    const places = new Map();
    const say = (id, state, words) => tell(places.get(id), state, words);
    try {
      const { longest, sentence, traps } = await part_of_page(() => import("./sentences.js"));
      const waiting = await later_word("Waiting for its turn …");
      for (const { id } of traps) {
        const place = place_of(id);
        if (!place) continue;
        places.set(id, place);
        reserve(place, longest(id));
        say(id, "running", waiting);
      }
      button.textContent = word("Cancel");
      await run((result) => say(result.id, ...sentence(result)), status, stopped);
      status.textContent = await later_word("Done.");
    } catch (error) {
      const why = await heard(error.message);
      status.textContent = await later_word("Stopped, because {why}.", { why });
      for (const [id, place] of places) {
        if (place.dataset.state === "running")
          say(id, "unavailable", word("Unavailable, because {why}.", { why }));
      }
    } finally {
      cancel = null;
      button.textContent = word("Run again");
    }
  });
}

/** Reserves room for the longest result, so that content below moves only once, at the click. */
function reserve(place, longest) {
  place.style.minHeight = "";
  tell(place, "running", longest);
  place.style.minHeight = getComputedStyle(place).height;
}

function tell(place, state, words) {
  place.dataset.state = state;
  place.textContent = words;
}

/** Runs all traps in one worker. Rejects with a message if that ends early. */
async function run(say, status, stopped) {
  if (typeof Worker === "undefined") throw new Error("this browser has no workers");
  const { set_limit } = await import("../kernels/detect.js");
  const { assets } = await import("../page/page.js");
  const limit = set_limit(navigator);
  // Checked last: after this, the page reports when it is hidden.
  if (document.hidden) throw new Error("the page is hidden");
  const worker = new Worker(script(new URL("worker.js", import.meta.url)), { type: "module" });
  let hidden;
  let watchdog;
  try {
    const finished = new Promise((resolve, reject) => {
      hidden = () => document.hidden && reject(new Error("the page was hidden"));
      document.addEventListener("visibilitychange", hidden);
      const listen = () => {
        clearTimeout(watchdog);
        const silent = new Error("the browser ended the measuring worker");
        watchdog = setTimeout(() => reject(silent), patience_ms);
      };
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        reject(new Error(event.message || "the book was updated: reload the page"));
      });
      worker.addEventListener("message", ({ data }) => {
        listen();
        if (data.type === "begin") status.textContent = `${title_of(data.id)} …`;
        if (data.type === "result") say(data);
        if (data.type === "end") resolve();
        if (data.type === "failed") reject(new Error(data.reason));
      });
      listen();
      worker.postMessage({
        url: new URL("kernels/traps.wasm", assets).href,
        limit,
      });
    });
    await Promise.race([finished, stopped]);
  } finally {
    clearTimeout(watchdog);
    document.removeEventListener("visibilitychange", hidden);
    worker.terminate();
  }
}

const title_of = (id) => document.getElementById(id)?.textContent ?? id;
