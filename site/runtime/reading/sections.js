// A page as a list of sections, each with a digest of its words: what a reader's next visit compares
// to say what has changed. Left out is what differs without the text having changed: numbers that
// count sections, figures and references, the reader's own results, and what scripts add.

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

/** Headings of sections, in order. */
export const headings_of = (main) => [...main.querySelectorAll("h2[id], h3[id]")];

/** id → digest of the words between a heading and the next one. "" is what stands before the first. */
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

/** FNV-1a over the text without its spaces, as hexadecimal digits. */
function digest(text) {
  let hash = 0x811c9dc5;
  for (const letter of text.replace(/\s+/g, "")) {
    hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
