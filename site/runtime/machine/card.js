// Draws a card of the reader's roofline as a PNG of 1200 × 630 pixels, to save or to share with the
// system's share sheet. It is drawn in the page, and nothing is sent.
//
//   2.2 FLOPs per byte.       |
//   An H100 needs 295.        |   the reader's roof under an H100's,
//   I guessed 5.0.            |   and the guess
//   56 GFLOP/s · 26 GB/s      |
//   One core of a computer    |
//   Chromium 156, Linux       |
//   Under the Roofline · address                                 date

import { digits } from "../base/digits.js";
import { language, word } from "../base/language.js";
import { font_faces, png_of } from "../page/figure_save.js";
import { ask } from "../page/page.js";
import { browser_of, plain, system_of } from "../profile/machine_name.js";
import { headline_of, roof_words, standing_of } from "../profile/standing.js";
import { stored_guess } from "../questions/guess.js";
import { axis_of, path_of, roof_of } from "../questions/plot.js";
import { h100, h100_ridge } from "./h100.js";

export const file_name = "my-roofline.png";

const size = { width: 1200, height: 630 };
const edge = 48;
const room = { left: 452, top: 56, width: 708, height: 500 }; // of the drawing
const colors = { reader: "#7a2f96", ink: "#1e1c19", soft: "#5d574d", paper: "#fdfcf9" };

/** The roof under an H100's, if the book has an H100. */
const spec_with = (needs) => ({
  kind: "roofline",
  title: "Rooflines of two machines",
  x: [0.25, 2048],
  machines: needs ? [{ label: "H100", ...h100, role: "context" }] : [],
  profile: { slot: true },
  guess: true,
});

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** "One core of a computer" or the machine's name, and "Chromium 156, Linux". */
export function device_lines({ name, browser, os }) {
  const kind = /^(Android|iPhone|iPad)$/.test(os)
    ? word("One core of a phone or tablet")
    : word("One core of a computer");
  return [plain(name, 34) || kind, [browser_of(browser), system_of(os)].filter(Boolean).join(", ")];
}

/** The date of the newest roof. */
const date_of = ({ roofs = [], created }) =>
  roofs
    .map((roof) => roof.run ?? "")
    .sort()
    .at(-1) || created;

/** A date in words; "" if it is not one. */
export function date_words(text) {
  const date = new Date(text);
  const form = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  return Number.isNaN(date.getTime()) ? "" : form.format(date);
}

const book_url = () => new URL(document.documentElement.dataset.root ?? "./", document.baseURI);

/** The address of the book, as a reader types it. */
function address() {
  const { host, pathname } = book_url();
  return (host + pathname).replace(/\/$/, "");
}

/** The last line of a card: the book's title and address. */
export const book_words = () =>
  `${document.querySelector(".page-head .book")?.ariaLabel ?? document.title} · ${address()}`;

const sentences_of = (text) => text.split(/(?<=\.) /);

/** The text on the card: {headline, guess, numbers, device, book, date}. */
export async function card_words(profile) {
  const needs = await h100_ridge();
  const guess = stored_guess();
  return {
    headline: headline_of(standing_of(profile), { needs }),
    guess: guess ? word("I guessed {n}.", { n: digits(guess.rate / guess.bandwidth, 2) }) : "",
    numbers: roof_words(profile).join(" · "),
    device: device_lines(profile),
    book: book_words(),
    date: date_words(date_of(profile)),
  };
}

/** The drawing with the reader's guess as a dotted roof, or without a guess. */
export function with_guess(drawing, guess) {
  const [group] = drawing.match(/<g class="guess"[\s\S]*?<\/g>\s*<\/g>/) ?? [];
  if (!group) return drawing;
  const span = (name) => axis_of(group.match(new RegExp(` data-${name}="([^"]+)"`))[1]);
  if (!guess) return drawing.replace(group, "");
  const [x, y] = [span("x"), span("y")];
  const roof = roof_of(guess, x, y);
  const [right, top] = [roof[2][0].toFixed(1), (roof[2][1] - 7).toFixed(1)];
  const name = `<text x="${right}" y="${top}" text-anchor="end" font-size="12" fill="${colors.reader}">${escaped(word("my guess"))}</text>`;
  const line = `<path d="${path_of(roof)}" fill="none" stroke="${colors.reader}" stroke-width="2" stroke-dasharray="3 5"/>`;
  return drawing.replace(group, line + name);
}

/** Scales a drawing to fit its area and centers it. Throws Error if the SVG has no size. */
function placed(drawing) {
  const [tag] = drawing.match(/^<svg[^>]*>/) ?? [];
  const side = (name) => Number(tag?.match(new RegExp(` ${name}="([\\d.]+)"`))?.[1]);
  const [width, height] = [side("width"), side("height")];
  if (!(width > 0 && height > 0)) throw new Error("a figure could not be redrawn");
  const scale = Math.min(room.width / width, room.height / height);
  const left = room.left + (room.width - width * scale) / 2;
  const top = room.top + (room.height - height * scale) / 2;
  const at = `x="${left}" y="${top}" width="${width * scale}" height="${height * scale}"`;
  return drawing.replace(
    tag,
    tag.replace(/ (width|height)="[^"]*"/g, "").replace("<svg", `<svg ${at}`),
  );
}

/** Returns the card as a complete SVG with embedded fonts, because an image loads nothing. */
export function card_of({ drawing, faces, headline, guess, numbers, device, book, date }) {
  const line = (y, font, fill, text, more = "") =>
    `<text x="${edge}" y="${y}" font-size="${font}" font-weight="${font > 30 ? 600 : 400}" fill="${fill}"${more}>${escaped(text)}</text>`;
  const rows = [
    ...sentences_of(headline).map((text, i) => [i ? 34 : 40, i ? colors.ink : colors.reader, text]),
    ...[guess, numbers].map((text) => [28, colors.ink, text]),
    ...device.map((text) => [22, colors.soft, text]),
  ].filter(([, , text]) => text);
  let y = 120;
  const lines = rows.map(([font, fill, text]) => {
    const at = y;
    y += 1.7 * font;
    return line(at, font, fill, text);
  });
  const right = ` text-anchor="end" transform="translate(${size.width - 2 * edge})"`;
  const foot = [line(602, 22, colors.soft, book), line(602, 22, colors.soft, date, right)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="'Roofline Figure', sans-serif"><style>${faces}</style><rect width="100%" height="100%" fill="${colors.paper}"/>${[...lines, placed(drawing), ...foot].join("")}</svg>`;
}

export async function card_png(profile) {
  const lang = document.documentElement.lang;
  const options = { width: "column", theme: "light", lang };
  // Only the reader's machine and the H100: the reference machine would be a third roof.
  const spec = spec_with(await h100_ridge());
  const { svg } = await ask({ op: "render", spec, options, reference: null }, profile);
  const named = svg.replaceAll(word("your machine"), word("my machine"));
  const [faces, words] = await Promise.all([font_faces(), card_words(profile)]);
  return png_of(card_of({ drawing: with_guess(named, stored_guess()), faces, ...words }), 1);
}

/**
 * Returns the data for navigator.share(), or null if the system cannot share images. The text
 * contains the result, because some systems show no image.
 */
export function shareable(png, { headline = "", file = file_name } = {}) {
  const files = [new File([png], file, { type: "image/png" })];
  const whole = { files, text: `${headline} ${book_url().href}` };
  if (headline && navigator.canShare?.(whole)) return whole;
  return navigator.canShare?.({ files }) ? { files } : null;
}
