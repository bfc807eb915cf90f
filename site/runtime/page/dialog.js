// Shared by search, shortcuts and notices: the book's address, a style sheet, and a dialog.

import { make } from "../base/element.js";
import { frame_word } from "../base/frame_language.js";
import { style_sheet } from "../base/style_sheet.js";

export const book_url = new URL(document.documentElement.dataset.root ?? "./", document.baseURI);

/** Loads the style sheet, which pages do not need before the first dialog. */
export const load_style = style_sheet(new URL("dialog.css", import.meta.url));

/**
 * Opens a dialog over the page. Escape (handled by the browser), its button, or a click outside
 * closes it. The focus then returns to where it was.
 */
export function make_dialog(label, ...children) {
  const textContent = frame_word("Close");
  const shut = make("button", { type: "button", className: "panel-close", textContent });
  const dialog = make("dialog", { className: "panel", ariaLabel: label }, ...children, shut);
  shut.addEventListener("click", () => dialog.close());
  // A browser may leave the focus in the closed dialog, whose field would swallow single-key
  // shortcuts.
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
