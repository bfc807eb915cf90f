// The buttons under what a page has stored about the reader: save it as a file, and clear it, with
// an undo that lasts until the tab is closed. Nothing is sent.

import { button, make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { forget, refuse_in_frame, set_stored, stored } from "../base/storage.js";
import { download } from "../page/download.js";

const session = () => sessionStorage;

/**
 * Returns the row of buttons. `name` is the entry of the cleared data in the tab's storage;
 * `save()` returns {file, value} of the file; `clear()` removes the data and returns what
 * `put_back(cleared)` restores; `changed()` shows the page again; `more` are further buttons.
 */
export function data_row({ name, is_empty, save, clear, put_back, changed, more = [] }) {
  const status = make("span");
  status.setAttribute("role", "status");
  const attempt = (act, why) => {
    try {
      refuse_in_frame();
      act();
    } catch ({ message }) {
      status.textContent = word(why, { why: heard(message) });
      return;
    }
    changed();
  };
  const clear_all = () => {
    const cleared = JSON.stringify(clear());
    unstored = cleared;
    try {
      set_stored(name, cleared, session);
    } catch {
      // Then "Undo" lasts until the page is left.
    }
  };
  const undo = (text) => {
    put_back(JSON.parse(text));
    unstored = null;
    forget(name, session);
  };
  const save_file = () => {
    const { file, value } = save();
    download(`${JSON.stringify(value, null, 2)}\n`, "application/json", file);
  };
  const cleared = stored(name, session) ?? unstored;
  const own = is_empty
    ? []
    : [
        ...more,
        button(word("Save as JSON"), save_file),
        button(word("Clear"), () => attempt(clear_all, "Not cleared, because {why}.")),
      ];
  const undone = cleared
    ? [button(word("Undo"), () => attempt(() => undo(cleared), "Not restored, because {why}."))]
    : [];
  return make("p", { className: "own-data" }, ...own, ...undone, " ", status);
}

let unstored = null; // what was cleared, if the tab's storage is denied
