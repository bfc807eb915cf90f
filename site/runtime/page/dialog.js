// What search, shortcuts and notices share: the book's address, their style sheet, and a dialog.

import { make } from "../base/element.js";
import { frame_word } from "../base/frame_language.js";
import { once } from "../base/once.js";

export const book_url = new URL(document.documentElement.dataset.root ?? "./", document.baseURI);

/** Their style sheet, which pages do without until one of them is opened. */
export const load_style = once(
  () =>
    new Promise((resolve, reject) => {
      const link = make("link", {
        rel: "stylesheet",
        href: new URL("dialog.css", import.meta.url),
      });
      link.onload = resolve;
      link.onerror = () => {
        link.remove();
        reject(new Error("the style sheet did not load"));
      };
      document.head.append(link);
    }),
);

/**
 * A dialog over the page, closed by Escape (the browser's), its button, or a click beside it. Focus
 * goes back to where it was.
 */
export function make_dialog(label, ...children) {
  const textContent = frame_word("Close");
  const shut = make("button", { type: "button", className: "panel-close", textContent });
  const dialog = make("dialog", { className: "panel", ariaLabel: label }, ...children, shut);
  shut.addEventListener("click", () => dialog.close());
  // A browser may leave the focus in what is hidden now, where single keys are for the field.
  dialog.addEventListener("close", () => {
    if (dialog.contains(document.activeElement)) document.activeElement.blur();
  });
  dialog.addEventListener("click", (event) => {
    const box = dialog.getBoundingClientRect();
    const is_beside =
      event.target === dialog &&
      (event.clientY > box.bottom ||
        event.clientY < box.top ||
        event.clientX < box.left ||
        event.clientX > box.right);
    if (is_beside) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}
