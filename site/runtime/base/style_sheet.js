// Style sheets that a page needs only after a click or a result.

import { make } from "./element.js";
import { once } from "./once.js";

/**
 * A function that adds the style sheet at `href` to the page once, and resolves when it applies.
 * Rejects if it cannot be loaded; a later call tries again.
 */
export const style_sheet = (href) =>
  once(
    () =>
      new Promise((resolve, reject) => {
        const link = make("link", { rel: "stylesheet", href });
        link.onload = resolve;
        link.onerror = () => {
          link.remove();
          reject(new Error("the style sheet did not load"));
        };
        document.head.append(link);
      }),
  );
