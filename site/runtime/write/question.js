// A question that is asked before something is replaced or lost.
import { button, make } from "../base/element.js";

/**
 * Returns `text` with a button per answer, [words, act]. A press removes the question, calls `act`
 * and returns the focus to the editor.
 */
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
