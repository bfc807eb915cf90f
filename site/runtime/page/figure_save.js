// Saves a figure as the reader sees it: as SVG with its colors and its font, as PNG, or as a link.
// tools.js loads this when the reader first opens a "Save" menu.

import { word } from "../base/language.js";
import { once } from "../base/once.js";
import { add_credit, png_with_credit } from "./figure_credit.js";
import { book_url } from "./dialog.js";
import { assets, fetch_ok } from "./page.js";

const pixels = 2; // PNG pixels per px of the figure
const longest = 16_000; // pixels; browsers refuse larger canvases

const data_url = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

/** The figure font as a self-contained style sheet. */
export const font_faces = once(async () => {
  const faces = [400, 600].map(async (weight) => {
    const response = await fetch_ok(new URL(`fonts/figure-${weight}.woff2`, assets));
    const font = new Blob([await response.arrayBuffer()], { type: "font/woff2" });
    return `@font-face{font-family:"Roofline Figure";font-weight:${weight};src:url(${await data_url(font)})}`;
  });
  return (await Promise.all(faces)).join("");
});

const shown_svg = (figure) =>
  [...figure.querySelectorAll("svg.figure-svg")].find((svg) => svg.getClientRects().length > 0);

/** Replaces the variables of the page's style sheet by their current colors. */
function resolve_colours(element, style) {
  for (const { name, value } of element.attributes)
    if (value.includes("var("))
      element.setAttribute(
        name,
        value.replace(/var\((--[\w-]+)\)/g, (_, variable) =>
          style.getPropertyValue(variable).trim(),
        ),
      );
  for (const child of element.children) resolve_colours(child, style);
}

/** The figure as a standalone document with the page's background color, and where it is from. */
export async function standalone(figure) {
  const svg = shown_svg(figure).cloneNode(true);
  const style = getComputedStyle(document.documentElement);
  resolve_colours(svg, style);
  svg.removeAttribute("class");
  svg.setAttribute("font-family", "'Roofline Figure', sans-serif");
  const paper = document.createElementNS(svg.namespaceURI, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", style.getPropertyValue("--paper").trim());
  svg.querySelector("desc").after(paper);
  const about = add_credit(svg, figure, style.getPropertyValue("--ink-soft").trim());
  const text = new XMLSerializer().serializeToString(svg);
  // Inserted as text, because the page's CSP allows no style element, even in a copy.
  return text.replace("<title", `${about}<style>${await font_faces()}</style><title`);
}

async function picture(figure) {
  const plain = await png_of(await standalone(figure));
  const bytes = png_with_credit(new Uint8Array(await plain.arrayBuffer()), figure);
  return new Blob([bytes], { type: "image/png" });
}

/**
 * A standalone drawing as a PNG; `scale` is the number of pixels per px. A drawing that would be
 * too long for a canvas gets fewer.
 */
export async function png_of(text, scale = pixels) {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    const { naturalWidth: width, naturalHeight: height } = image;
    const fitting = Math.min(scale, longest / Math.max(width, height));
    canvas.width = Math.round(width * fitting);
    canvas.height = Math.round(height * fitting);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Here instead of in the style sheet, which blocks the rendering of every page.
const menu_style = {
  position: "absolute",
  inset: "1.7rem 0 auto auto",
  zIndex: "2",
  display: "flex",
  alignItems: "center",
  gap: "0.8rem",
  padding: "0.5rem 0.8rem",
  background: "var(--paper-raised)",
  border: "1px solid var(--rule)",
};

const savers = {
  SVG: async (figure) => new Blob([await standalone(figure)], { type: "image/svg+xml" }),
  PNG: picture,
};

/** The address of the figure alone (generator/core/assemble/embed.hpp), with the code to copy. */
function embed_of(figure) {
  const page = new URL(figure.querySelector(".plot-link, .model-link").href).pathname;
  const place = page.slice(book_url.pathname.length).replace(/[^/]*$/, "");
  return new URL(`embed/${place}${figure.id}/`, book_url).href;
}

/** Fills the menu of a figure, a <details>, with the formats. */
export function fill(menu) {
  if (menu.querySelector(".figure-saves")) return;
  const figure = menu.closest("figure");
  const items = document.createElement("div");
  items.className = "figure-saves";
  Object.assign(items.style, menu_style);
  for (const [name, make] of Object.entries(savers)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", async () => {
      try {
        download(await make(figure), `${figure.id}.${name.toLowerCase()}`);
        button.textContent = name;
      } catch {
        button.textContent = word("{name}: not saved", { name });
      }
    });
    items.append(button);
  }
  const link = document.createElement("a");
  link.textContent = word("Link");
  const embed = document.createElement("a");
  embed.textContent = word("Embed");
  embed.href = embed_of(figure);
  items.append(link, embed);
  const aim = () => (link.href = figure.querySelector(".model-link")?.href ?? `#${figure.id}`);
  aim();
  menu.append(items);

  const close = () => (menu.open = false);
  menu.addEventListener("toggle", aim); // a model's settings may have changed
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    close();
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => menu.contains(event.target) || close());
}
