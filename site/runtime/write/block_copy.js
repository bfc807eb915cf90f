// Copies one block of a page that primer.wasm rendered into this page.
//
// The program already drops an author's own HTML; this file is the second line of defense if the
// program has a bug. The HTML is never parsed as markup. A tokenizer splits it into tags and text,
// and each element is created by name, if the name is on the list of its namespace, with those
// attributes that are on the second list. An element that is not listed is dropped, but its content
// stays in its parent.
import { own } from "../base/own.js";
import { not_here } from "./pressed_block.js";

const listed = (text) => new Set(text.split(" "));
const spaces = {
  html: {
    url: "http://www.w3.org/1999/xhtml",
    names: listed(
      "primer-bench figure figcaption div p span small b strong em i code sub sup br table thead tbody tr th td " +
        "details summary label output button input select option",
    ),
    attributes: listed(
      "id class role lang tabindex aria-label aria-live aria-labelledby aria-describedby aria-valuetext scope colspan for name " +
        "type min max step value selected disabled autocomplete state data-run data-unit data-reference data-after data-press " +
        "data-longest data-drag data-model data-module data-doubling data-room",
    ),
  },
  svg: {
    url: "http://www.w3.org/2000/svg",
    names: listed("svg title desc g path line rect circle text"),
    attributes: listed(
      "class role lang aria-hidden width height viewBox x y x1 x2 y1 y2 cx cy r rx d transform fill fill-opacity stroke " +
        "stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin paint-order text-anchor font-size font-weight",
    ),
  },
  math: {
    url: "http://www.w3.org/1998/Math/MathML",
    names: listed("math mrow mi mn mo mtext mspace msub msup msubsup mfrac msqrt munder mover"),
    attributes: new Set(),
  },
};

// Prefix of all ids in a copy, so that they cannot clash with ids of this page.
const prefix = "draft-";
const referring = listed("id for aria-labelledby aria-describedby data-after");
/** Returns the id that the copy of the element `id` has. */
export const id_of_copy = (id) => prefix + id;

// The syntax that generator/core/base/html.cpp writes. Anything else is text.
const piece = /<(\/?)([a-z][\w-]*)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|[^<]+|</gi;
const attribute = /([\w:-]+)="([^"]*)"/g;
const signs = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const plain = (text) => text.replace(/&(#?\w+);/g, (whole, name) => own(signs, name) ?? whole);

const attributes_of = (text) =>
  [...text.matchAll(attribute)].map(([, name, value]) => [name, plain(value)]);

/**
 * Whether to copy an attribute. A value in a drawing must not be an address, because drawings load
 * nothing.
 */
const is_kept = (space, name, value) =>
  spaces[space].attributes.has(name) && (space !== "svg" || !/url|[\\:]/i.test(value));

const renamed = ([name, value]) =>
  referring.has(name) ? [name, value.replace(/\S+/g, id_of_copy)] : [name, value];

/**
 * Adds an element to `parent` and returns the entry for the stack of open elements. `children` is
 * where its content goes: into the element, or into the parent if the element is dropped.
 */
function begun(tag, attributes, parent) {
  const space = Object.hasOwn(spaces, tag) ? tag : parent.space;
  const name = space === "html" && tag === "a" ? "span" : tag; // a link would leave the page
  if (!spaces[space].names.has(name)) return { tag, space, children: parent.children };
  const kept = attributes.filter(([key, value]) => is_kept(space, key, value)).map(renamed);
  const node = { name, space, attributes: kept, children: [] };
  parent.children.push(node);
  return { tag, space, children: node.children };
}

/**
 * Returns the element `tag` with this id in a page's HTML as {name, space, attributes, children},
 * where text is a string among the children; undefined if the page has none.
 */
export function block_tree(html, tag, id) {
  const found = { space: "html", children: [] };
  const open = [];
  for (const [whole, end, name, given, is_empty] of html.matchAll(piece)) {
    if (open.length === 0) {
      if (end || name !== tag) continue;
      const attributes = attributes_of(given);
      if (!attributes.some(([key, value]) => key === "id" && value === id)) continue;
      open.push(begun(name, attributes, found));
    } else if (!name) {
      open.at(-1).children.push(plain(whole));
    } else if (end) {
      while (open.pop().tag !== name && open.length > 0);
      if (open.length === 0) break;
    } else {
      const one = begun(name, attributes_of(given), open.at(-1));
      if (!is_empty) open.push(one);
    }
  }
  return found.children[0];
}

function element_of({ name, space, attributes, children }) {
  const element = document.createElementNS(spaces[space].url, name);
  for (const [key, value] of attributes) element.setAttribute(key, value);
  element.append(...children.map((one) => (typeof one === "string" ? one : element_of(one))));
  return element;
}

/** Returns a DOM copy of that element. Throws Error if the page has none. */
export function copy_of_block(html, tag, id) {
  const tree = block_tree(html, tag, id);
  if (!tree) throw not_here();
  return element_of(tree);
}
