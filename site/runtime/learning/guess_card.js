// The card of the reader's guesses, drawn like the card of a machine (machine/card.js).

import { word } from "../base/language.js";
import { book_words, card_of, date_words } from "../machine/card.js";
import { font_faces, png_of } from "../page/figure_save.js";
import { draw_guesses } from "./guess_plot.js";

// The light theme, because a card is an image.
const colors = {
  ink: "#1e1c19",
  soft: "#5d574d",
  rule: "#e2dbcd",
  paper: "#fdfcf9",
  band: "#f5f2ea",
  memory: "#1a5fa6",
  compute: "#a8431a",
  latency: "#2b7a74",
  scale: "#8a6110",
};

// Two thirds of its size on the card, so that its text is larger there.
const size = { width: 472, height: 333 };

/** {png, headline, file, alt, note} for offer_card(). `lines` are sentences, at most four. */
export async function guess_card(records, lines) {
  const alt = word("A card with your guesses: {text}", { text: lines.join(" ") });
  const svg = draw_guesses(records, { ...size, colors, name: alt });
  const { width, height } = size;
  const drawing = new XMLSerializer()
    .serializeToString(svg)
    .replace(
      /^<svg [^>]*>/,
      `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    );
  const [headline, ...rest] = lines;
  const card = card_of({
    drawing,
    faces: await font_faces(),
    headline,
    guess: rest[0] ?? "",
    numbers: rest[1] ?? "",
    device: rest.slice(2),
    book: book_words(),
    date: date_words(new Date().toISOString()),
  });
  return {
    png: await png_of(card, 1),
    headline,
    file: "my-guesses.png",
    alt,
    note: word("The card contains only your guesses. Nothing is sent."),
  };
}
