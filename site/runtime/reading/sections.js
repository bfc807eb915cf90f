// A page as a list of sections, each with a digest of its text, with which the next visit finds
// changed sections. Leaves out what differs although the text is the same: section, figure and
// reference numbers, the reader's results, and additions by scripts.

const living = [
  "svg",
  "form",
  "button",
  "select",
  "output",
  "primer-bench",
  ".live",
  ".verdict",
  ".predict",
  "legend",
  ".bench-all",
  ".score",
  ".worked-machine",
  ".model-controls",
  ".plot-source",
  ".plot-data",
  ".figure-save",
  ".quiz-result",
  ".number",
  ".label",
  ".citation",
  ".references",
  ".equation-number",
  ".turn",
  ".rail",
  ".source-note",
  'a[href*="#fig-"]',
  'a[href*="#tbl-"]',
  'a[href*="#eq-"]',
  'a[href*="#q-"]',
].join();

/** The headings of sections, in order. */
export const headings_of = (main) => [...main.querySelectorAll("h2[id], h3[id]")];

/**
 * Maps ids to digests of the text from a heading to the next. "" is the text before the first
 * heading.
 */
export function digests_of(main) {
  const headings = new Set(headings_of(main));
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, {
    acceptNode: (node) =>
      node.nodeType === Node.ELEMENT_NODE && node.matches(living)
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
  });
  const words = { "": [] };
  let id = "";
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (headings.has(node)) words[(id = node.id)] = [];
    else if (node.nodeType === Node.TEXT_NODE) words[id].push(node.data);
  }
  const digests = Object.entries(words).map(([name, parts]) => [name, digest(parts.join(""))]);
  return Object.fromEntries(digests);
}

/** FNV-1a of the text without spaces, in hexadecimal. */
function digest(text) {
  let hash = 0x811c9dc5;
  for (const letter of text.replace(/\s+/g, "")) {
    hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
