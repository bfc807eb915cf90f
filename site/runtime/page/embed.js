// An embed that is opened by itself shows the <iframe> to copy, with the height that the embed has
// in a frame. In a frame it shows nothing.

import { add_copy_buttons } from "./tools.js";
import { make } from "../base/element.js";
import { later_word } from "../base/first_words.js";

const width = Math.min(760, innerWidth);
const tallest = 1000; // px; a taller embed scrolls in its frame
const patience_ms = 5000; // until the controls in the frame are there

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** The element to copy, as text. */
const frame_code = (src, title, height) =>
  `<iframe src="${escaped(src)}" title="${escaped(title)}" width="${width}" height="${height}"` +
  ' loading="lazy" style="border: 0; max-width: 100%"></iframe>';

/**
 * The height of this page in a frame of that width, once its scripts have added their controls. The
 * address differs, because a page cannot be in a frame of itself.
 */
async function height_in_frame(address) {
  const frame = make("iframe", { src: `${address}?in-frame`, width });
  frame.ariaHidden = "true";
  Object.assign(frame.style, { position: "absolute", top: 0, visibility: "hidden" });
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  document.body.append(frame);
  await loaded;
  const { documentElement: root, body } = frame.contentDocument;
  const end = performance.now() + patience_ms;
  while (root.dataset.ready === undefined && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const height = Math.min(body.offsetHeight, tallest);
  frame.remove();
  return height;
}

async function show_code() {
  const src = new URL(location.pathname, location.href).href;
  const textContent = frame_code(src, document.title, await height_in_frame(src));
  const ariaLabel = await later_word("Copy this into a page:");
  const pre = make("pre", { tabIndex: 0 }, make("code", { textContent }));
  const section = make(
    "section",
    { className: "embed-code", ariaLabel },
    make("p", { textContent: ariaLabel }),
    make("div", { className: "code" }, pre),
  );
  document.body.append(section);
  add_copy_buttons(section);
}

if (top === self) show_code().catch(() => {});
