// /traps/: a bar with one button at the lower edge, and below each trap's text what it does on this
// machine. The pairs themselves run in worker.js; their words are in sentences.js, which the first press fetches.

import { make } from "../base/element.js";
import { heard, later_word, word } from "../base/first_words.js";
import { assets } from "../page/page.js";
import { script } from "../base/trusted.js";

const patience_ms = 60_000; // for a worker that says nothing

/** The paragraph in the section of heading `id` that stands where the result will be. */
function place_of(id) {
  let at = document.getElementById(id)?.nextElementSibling;
  while (at && at.tagName !== "H2") {
    if (at.tagName === "P" && at.firstElementChild?.tagName === "EM") return at;
    at = at.nextElementSibling;
  }
  return null;
}

/** Adds the bar, at the end of the page's text, where it moves nothing. */
export function show(main) {
  const button = make("button", { type: "button", textContent: word("Run all traps") });
  const status = make("output", { className: "traps-status" });
  main.append(make("div", { className: "traps-bar" }, button, " ", status));
  let cancel = null;
  button.addEventListener("click", async () => {
    if (cancel) return cancel();
    const stopped = new Promise((_, reject) => {
      cancel = () => reject(new Error("it was cancelled"));
    });
    stopped.catch(() => {}); // it may come before anything waits for it
    const places = new Map();
    const say = (id, state, words) => tell(places.get(id), state, words);
    try {
      const { longest, sentence, traps } = await import("./sentences.js");
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

/** Keeps room for the longest result, so that what stands below moves once, with the click. */
function reserve(place, longest) {
  place.style.minHeight = "";
  tell(place, "running", longest);
  place.style.minHeight = getComputedStyle(place).height;
}

function tell(place, state, words) {
  place.className = "trap-result";
  place.dataset.state = state;
  place.textContent = words;
}

/** Runs every trap in one worker; rejects with words when that ends early. */
async function run(say, status, stopped) {
  if (typeof Worker === "undefined") throw new Error("this browser has no workers");
  const { set_limit } = await import("../kernels/detect.js");
  const limit = set_limit(navigator);
  // Looked at last: from here on the page tells when it is hidden, which it may have been while that was loaded.
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
