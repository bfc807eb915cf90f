// Shares a card of the reader with one click: through the system's share sheet if that accepts
// images, otherwise in a dialog with a link to save it. The book itself sends nothing.

import { button, make } from "../base/element.js";
import { word } from "../base/language.js";
import { load_style, make_dialog } from "../page/dialog.js";
import { link_of } from "../profile/permalink.js";
import { card_png, card_words, file_name, shareable } from "./card.js";

let offering = null;
/** Makes the card of `profile` and offers it. Throws Error if it cannot be drawn. */
export const share_card = (profile) => offer_card(() => machine_card(profile));

async function machine_card(profile) {
  const [png, { headline }] = await Promise.all([card_png(profile), card_words(profile)]);
  return {
    png,
    headline,
    file: file_name,
    alt: word("A card with your roofline: {numbers}", { numbers: headline }),
    note: word(
      "The link contains only the name of your browser, your operating system and the numbers on " +
        "this page. Nothing is sent.",
    ),
    link: () => machine_link(profile),
  };
}

/**
 * Makes a card and offers it. `make_card` resolves to {png, headline, file, alt, note} and, for a
 * link to copy, `link`, which resolves to its address. Throws what `make_card` throws.
 */
export const offer_card = (make_card) =>
  (offering ??= offer(make_card).finally(() => (offering = null)));

async function offer(make_card) {
  const card = await make_card();
  const data = shareable(card.png, card);
  if (data && (await is_shared(data))) return;
  await show_card(card, data);
}

/**
 * Opens the share sheet. True if the reader used or closed it; false if the browser refused, for
 * example because drawing the card took too long after the press.
 */
async function is_shared(data) {
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error.name === "AbortError";
  }
}

async function show_card({ png, file, alt, note: said, link }, data) {
  await load_style();
  const href = URL.createObjectURL(png);
  const image = make("img", {
    src: href,
    width: 1200,
    height: 630,
    className: "machine-card",
    alt,
  });
  const save = make("a", { href, download: file, textContent: word("Save the card") });
  const actions = [save, ...(data ? [button(word("Share the card"), () => is_shared(data))] : [])];
  const row = make(
    "p",
    { className: "card-actions" },
    ...actions,
    ...(link ? [copy_button(link)] : []),
  );
  const note = make("p", { className: "panel-status", textContent: said });
  const dialog = make_dialog(word("A card to share"), image, row, note);
  dialog.classList.add("card-panel");
  dialog.addEventListener("close", () => {
    URL.revokeObjectURL(href);
    dialog.remove();
  });
  dialog.showModal();
  save.focus();
}

function copy_button(link) {
  const copy = button(word("Copy the link"), async () => {
    try {
      await navigator.clipboard.writeText(await link());
      copy.textContent = word("Copied");
    } catch {
      copy.textContent = word("Not copied");
    }
  });
  return copy;
}

/** The address of /machine/ with the profile in it. */
async function machine_link(profile) {
  const page = document.querySelector(".chip-panel a")?.href ?? location.href;
  return new URL(await link_of(profile), page.split("#")[0]).href;
}
