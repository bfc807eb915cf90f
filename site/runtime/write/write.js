// /write/: a button, whose press loads the tool (tool.js), which is large.
import { make } from "../base/element.js";
import { heard, later_word, word } from "../base/first_words.js";

/** Adds the button below the page's text. A link that names a file presses it. */
export function show(main) {
  const button = make("button", { type: "button", textContent: word("Open the workshop") });
  const status = make("output", { className: "write-state" });
  const line = make("p", { className: "write-says" }, button, " ", status);
  const place = make("div", { className: "write-place" }, line);
  main.append(place);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const { begin } = await import("./tool.js").catch(() => {
        throw new Error("the workshop could not be loaded: is the network there?");
      });
      // What still loads after a failure must not write over what is said of it.
      await begin(place, (text) => button.disabled && (status.textContent = text));
      line.remove();
      place.scrollIntoView({ behavior: "instant" }); // it begins low on the first screen
    } catch ({ message }) {
      const why = await heard(message);
      status.textContent = await later_word("Unavailable, because {why}.", { why });
      button.disabled = false;
    }
  });
  if (new URLSearchParams(location.search).has("file")) button.click();
}
