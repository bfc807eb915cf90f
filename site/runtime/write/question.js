// What is asked before something is replaced or lost.
import { button, make } from "../base/element.js";

/** `text` with a button for each of `answers`, [words, act]: a press takes the question away, and the cursor is in the text again. */
export function question(editor, text, answers) {
  const says = make("p", { className: "write-says" }, text);
  says.setAttribute("role", "status");
  for (const [words, act] of answers) {
    const press = async () => {
      says.remove();
      await act();
      editor.focus();
    };
    says.append(" ", button(words, press));
  }
  return says;
}
