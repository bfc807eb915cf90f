// One JSON value in the browser's storage. If the browser denies storage, or it is full, the value
// lasts as long as the page. Callers check what they read, because stored data is untrusted.

import { forget, set_stored, stored } from "./storage.js";

/** {read, write, clear} of an entry; a stored text longer than `longest` counts as none. */
export function stored_json(name, longest) {
  let unsaved; // the value that could not be stored
  return {
    /** The value, or null. */
    read() {
      if (unsaved !== undefined) return unsaved;
      try {
        const text = stored(name);
        return text === null || text.length > longest ? null : JSON.parse(text);
      } catch {
        return null;
      }
    },
    /** Returns false if the value lasts only as long as the page. */
    write(value) {
      try {
        const text = JSON.stringify(value);
        if (text.length > longest) throw new RangeError();
        set_stored(name, text);
        unsaved = undefined;
        return true;
      } catch {
        unsaved = value;
        return false;
      }
    },
    clear() {
      unsaved = undefined;
      forget(name);
    },
  };
}
