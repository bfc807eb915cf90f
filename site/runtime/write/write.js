// The button on /write/. It loads the editor (tool.js), which is large.
import { make } from "../base/element.js";
import { heard, later_word, part_of_page, word } from "../base/first_words.js";

/** Adds the button below the text of the page. A link with a file presses it. */
export function show(main) {
  const button = make("button", { type: "button", textContent: word("Open the editor") });
  const status = make("output", { className: "write-state" });
  const line = make("p", { className: "write-says" }, button, " ", status);
  const place = make("div", { className: "write-place" }, line);
  main.append(place);
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const { begin } = await part_of_page(() => import("./tool.js")).catch(() => {
        throw new Error("the editor could not be loaded: check your network connection");
      });
      // Progress of other downloads must not replace the error.
      await begin(place, (text) => button.disabled && (status.textContent = text));
      line.remove();
      place.scrollIntoView({ behavior: "instant" }); // it starts low on the first screen
    } catch ({ message }) {
      const why = await heard(message);
      status.textContent = await later_word("Unavailable, because {why}.", { why });
      button.disabled = false;
    }
  });
  if (new URLSearchParams(location.search).has("file")) button.click();
}
