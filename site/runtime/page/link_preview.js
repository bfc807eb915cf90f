// A preview of what a link leads to: a figure, an equation, a table or the beginning of a section,
// of this page or of another page of the book, which is fetched only now. As WCAG 1.4.13 demands,
// Escape closes it, the pointer can move onto it, and it stays until pointer and focus leave. It is
// hidden from screen readers, which follow the link. tooltips.js loads this when the pointer or the
// focus first reaches a link.

import { make } from "../base/element.js";
import { style_sheet } from "../base/style_sheet.js";

const delay = 350; // ms, so that a pointer that crosses the text opens nothing
const grace = 250; // ms to move from the link to its preview
const gap = 6; // px
const most_characters = 600; // of a section
const kinds = "figure, .equation, .table-caption, h2, h3, h4";
const left_out =
  "button, input, select, form, details, script, primer-bench, .tip, .copy, .plot-tools, .guess-form, .guess, .model-controls, .visually-hidden, .source-note, .formula-narrow";

const load_style = style_sheet(new URL("link_preview.css", import.meta.url));
const root = new URL(document.documentElement.dataset.root ?? "./", document.baseURI).href;
const pages = new Map([[here(location.href), Promise.resolve(document)]]);
let open; // {link, popup}
let timer;

function here(url) {
  return url.replace(/#.*/, "").replace(/index\.html$/, "");
}

/** XMLHttpRequest parses pages without a policy for trusted HTML, which fetch() would need. */
const parsed_page = (address) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.onload = () => (request.response ? resolve(request.response) : reject(request.status));
    request.onerror = reject;
    request.send();
  });

function page_at(address) {
  if (!pages.has(address)) {
    const page = parsed_page(address);
    page.catch(() => pages.delete(address));
    pages.set(address, page);
  }
  return pages.get(address);
}

/** The elements that a preview of `target` shows. */
function shown_of(target) {
  if (target.matches(".table-caption")) return [target, target.nextElementSibling];
  if (!target.matches("h2, h3, h4")) return [target];
  const shown = [target];
  const whole = target.closest("summary")?.parentElement;
  let next = whole ? whole.querySelector("summary")?.nextElementSibling : target.nextElementSibling;
  let length = 0;
  for (; next && !next.matches("h2, h3, h4, .fold"); next = next.nextElementSibling) {
    if (!next.matches("p, .paragraph, ul, ol, .equation, blockquote")) break;
    length += next.textContent.length;
    if (shown.length > 1 && length > most_characters) break;
    shown.push(next);
  }
  return shown;
}

/** A copy without tools, links and ids that are on the page, too. */
function copy_of(element) {
  const copy = document.importNode(element, true);
  // The addresses of another page's images are relative to it.
  const images = element.querySelectorAll("img");
  for (const [i, image] of copy.querySelectorAll("img").entries()) image.src = images[i].src;
  for (const one of copy.querySelectorAll(left_out)) one.remove();
  const renamed = (value) => value.replace(/(^|url\()#(?=[\w-])/g, "$1#preview-");
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    one.removeAttribute("tabindex");
    if (one.localName === "a") one.removeAttribute("href");
    if (one.id) one.id = `preview-${one.id}`;
    for (const { name, value } of [...one.attributes]) {
      if (/^aria-(labelledby|describedby|controls)$/.test(name)) one.removeAttribute(name);
      else if (value.includes("#")) one.setAttribute(name, renamed(value));
    }
  }
  return copy;
}

/** Below the link's last line, or above its first one if there is more room. */
function place({ link, popup }) {
  const lines = [...link.getClientRects()];
  const { innerHeight: height } = globalThis;
  const width = document.documentElement.clientWidth;
  const below = height - lines.at(-1).bottom - gap;
  const above = lines[0].top - gap;
  const is_below = below >= Math.min(popup.scrollHeight, height / 3) || below >= above;
  const left = Math.min(lines[is_below ? lines.length - 1 : 0].left, width - popup.offsetWidth - 8);
  Object.assign(popup.style, {
    left: `${Math.max(8, left)}px`,
    maxHeight: `${Math.max(80, (is_below ? below : above) - 8)}px`,
    top: is_below ? `${lines.at(-1).bottom + gap}px` : "auto",
    bottom: is_below ? "auto" : `${height - lines[0].top + gap}px`,
  });
}

function close() {
  clearTimeout(timer);
  open?.popup.remove();
  open = undefined;
}

const close_soon = () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (open && !open.popup.matches(":hover") && !open.link.matches(":hover, :focus-visible"))
      close();
  }, grace);
};

async function open_preview(link) {
  const url = new URL(link.href);
  const [page] = await Promise.all([page_at(here(url.href)), load_style()]);
  const target = page.getElementById(decodeURIComponent(url.hash.slice(1)));
  if (!target?.matches(kinds) || !link.matches(":hover, :focus-visible")) return;
  close();
  const popup = make("div", { className: "preview", ariaHidden: "true" });
  popup.append(...shown_of(target).filter(Boolean).map(copy_of));
  popup.addEventListener("pointerleave", close_soon);
  document.body.append(popup);
  open = { link, popup };
  place(open);
}

/** Whether the link is in the text, not in a list of links, and leads to a part of a page here. */
function is_previewed(link) {
  const in_text = !link.closest("nav, h1, h2, h3, h4, .plot-tools, .references, sup");
  return in_text && link.hash.length > 1 && link.href.startsWith(root);
}

export function preview(link) {
  if (!is_previewed(link) || open?.link === link) return;
  clearTimeout(timer);
  timer = setTimeout(() => open_preview(link).catch(() => {}), delay);
  link.addEventListener("pointerleave", close_soon, { once: true });
  link.addEventListener("blur", close_soon, { once: true });
}

addEventListener("keydown", ({ key }) => key === "Escape" && close());
addEventListener("scroll", () => open && place(open), { passive: true });
addEventListener("beforeprint", close);
