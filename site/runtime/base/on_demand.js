// Loads parts of a page on demand, and reports parts that cannot be loaded.
import { heard, word } from "./first_words.js";

export const once_loaded = (action) =>
  document.readyState === "complete" ? action() : addEventListener("load", action);

/**
 * Why a part could not be loaded: its own message or, if the browser loaded nothing, whether this
 * page can be fetched again.
 */
async function reason_of(error) {
  if (error?.constructor === Error) return error.message;
  const is_there = navigator.onLine && fetch(location.href, { method: "HEAD", cache: "no-store" });
  return (await Promise.resolve(is_there).catch(() => false))
    ? "the book was updated: reload the page"
    : "you are offline";
}

/** Loads a part on demand, and calls `complain` with the reason if it cannot be loaded. */
export async function on_demand(load, use, complain) {
  try {
    await use(await load());
  } catch (error) {
    complain(word("Unavailable, because {why}.", { why: await heard(await reason_of(error)) }));
  }
}

export const complain_in = (output) => (words) => {
  output.textContent = words;
};
