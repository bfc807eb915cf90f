// Creates elements of a drawing.

const namespace = "http://www.w3.org/2000/svg";

/** Creates an SVG element with these attributes and children. */
export function make_svg(tag, attributes, ...children) {
  const element = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
