// A card of the reader's roofline, a picture of 1200 × 630 pixels to save or to hand to the system's own sharing. It is
// made in the page, and nothing is sent by it.

import { digits } from "../base/digits.js";
import { word } from "../base/language.js";
import { font_faces, png_of } from "../page/figure_save.js";
import { ask, page_data } from "../page/page.js";
import { corner_of } from "../profile/machine_summary.js";
import { machine_words } from "../profile/result_text.js";

const size = { width: 1200, height: 630 };
const edge = 48;
const room = { top: 156, height: 420 }; // of the drawing

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** "56 GFLOP/s · 27 GB/s · ridge 2.1 FLOP/B", as far as it was measured. */
export function numbers_of(profile) {
  const { ceiling, slope } = corner_of(profile);
  return [
    ceiling > 0 ? `${digits(ceiling)} GFLOP/s` : "",
    slope > 0 ? `${digits(slope)} GB/s` : "",
    ceiling > 0 && slope > 0 ? word("ridge {n} FLOP/B", { n: digits(ceiling / slope) }) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** A drawing as large as its room allows, in the middle of it. */
function placed(drawing) {
  const [tag] = drawing.match(/^<svg[^>]*>/) ?? [];
  const side = (name) => Number(tag?.match(new RegExp(` ${name}="([\\d.]+)"`))?.[1]);
  const [width, height] = [side("width"), side("height")];
  if (!(width > 0 && height > 0)) throw new Error("a figure could not be drawn again");
  const scale = Math.min((size.width - 2 * edge) / width, room.height / height);
  const left = (size.width - width * scale) / 2;
  const at = `x="${left}" y="${room.top}" width="${width * scale}" height="${height * scale}"`;
  return drawing.replace(
    tag,
    tag.replace(/ (width|height)="[^"]*"/g, "").replace("<svg", `<svg ${at}`),
  );
}

/** The card as a document of its own: title, numbers, whose they are, the roofline, the book. */
export function card_of({ drawing, faces, numbers, machine, book }) {
  const line = (y, font, fill, text) =>
    `<text x="${edge}" y="${y}" font-size="${font}" font-weight="${font > 30 ? 600 : 400}" fill="${fill}">${escaped(text)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="'Roofline Figure', sans-serif"><style>${faces}</style><rect width="100%" height="100%" fill="#fdfcf9"/>${line(84, 44, "#7a2f96", numbers)}${line(124, 24, "#5d574d", machine)}${placed(drawing)}${line(608, 22, "#5d574d", book)}</svg>`;
}

/** The card of this profile as a PNG. */
export async function card_png(profile) {
  const { figures } = await page_data();
  const { spec } = Object.values(figures).find((figure) => figure.spec.kind === "roofline");
  const lang = document.documentElement.lang;
  const options = { width: "wide", theme: "light", lang };
  const { svg } = await ask({ op: "render", spec, options });
  const text = card_of({
    drawing: svg,
    faces: await font_faces(),
    numbers: numbers_of(profile),
    machine: machine_words(profile),
    book: document.querySelector(".page-head .book")?.ariaLabel ?? document.title,
  });
  return png_of(text, 1);
}

/** The card as a file where the system can share one, else null. */
export function shareable(png) {
  const data = { files: [new File([png], "my-roofline.png", { type: "image/png" })] };
  return navigator.canShare?.(data) ? data : null;
}
