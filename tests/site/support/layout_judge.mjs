// The layout of a page in numbers: how much of it is boxes, how much of these is empty, the
// distances between figures, the number of edges of its blocks, and the length of its core
// (everything visible while folds are closed). Everything is measured in a browser, after layout.

/**
 * The limits of a chapter. At `width` 1280 px or 390 px; heights in px, shares of the chapter's
 * height. A limit given for one width does not apply at the other.
 */
export const limits = {
  words: { 1280: 2500 }, // of the core, see visible_words()
  height: { 1280: 12000 }, // of the core
  questions: { 1280: 5 }, // in the core
  measurements: { 1280: 3 }, // in the core
  boxes: 0.2,
  blank: 0.03,
  "first drawing": { 1280: 900, 390: 1400 },
  "drawings apart": { 1280: 1800, 390: 3000 }, // before the problems
  "drawings apart in all": { 1280: 1800, 390: 3000 }, // including the problems
  "left edges": 3,
  "right edges": 3,
};

/** The limit of visible words of each home page at 1280 px. Spanish needs more words. */
export const home_words = { "": 350, "es/": 400 };

/** Lower limits of words for some pages, by the end of their address. */
const word_limits = { "interlude/": 1800 };

/**
 * Runs in the page: how many words of `main` can be read without opening anything. Skips
 * table cells, text in figures, tooltips and notes in the margin.
 */
function visible_words() {
  const margin = ".rail, .before, .beside, .note, .source-note";
  const apart = `td, th, svg, .tip, .visually-hidden, script, style, ${margin}`;
  const block_of = (element) => {
    while (/^(inline|contents|math)/.test(getComputedStyle(element).display))
      element = element.parentElement;
    return element;
  };
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  let all = "";
  let last;
  while (texts.nextNode()) {
    const { data, parentElement: parent } = texts.currentNode;
    if (parent.closest(apart) || !parent.checkVisibility()) continue;
    const block = block_of(parent);
    all += (block === last ? "" : " ") + data;
    last = block;
  }
  return all.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Runs in the page: the other numbers that `limits` bound. */
function measured() {
  const main = document.querySelector("main");
  const height = main.getBoundingClientRect().height;
  const paper = getComputedStyle(document.documentElement).backgroundColor;
  const is_shown = (element) =>
    element.checkVisibility() && element.getBoundingClientRect().height > 0;
  const extent = (element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return [top + scrollY, bottom + scrollY];
  };
  const union = (extents) => {
    const sorted = extents.filter(([a, b]) => b > a).sort(([a], [b]) => a - b);
    const joined = [];
    for (const [a, b] of sorted) {
      const last = joined.at(-1);
      if (last && a <= last[1]) last[1] = Math.max(last[1], b);
      else joined.push([a, b]);
    }
    return joined;
  };
  const total = (extents) => extents.reduce((sum, [a, b]) => sum + b - a, 0);

  // A box: a block that is filled, or has a line at its side.
  const is_box = (element) => {
    const style = getComputedStyle(element);
    if (/inline|table|contents/.test(style.display)) return false;
    if (element.matches("input, select, button, svg *, a, math *")) return false;
    const filled =
      !/, 0\)$|^transparent$/.test(style.backgroundColor) && style.backgroundColor !== paper;
    const lined = ["Left", "Right"].some(
      (side) =>
        parseFloat(style[`border${side}Width`]) > 0 && style[`border${side}Style`] !== "none",
    );
    return (filled || lined) && element.getBoundingClientRect().height >= 40;
  };
  const boxes = [...main.querySelectorAll("*")].filter((one) => is_shown(one) && is_box(one));

  // The visible parts of a block: its words, drawings and controls.
  const ink_of = (block) => {
    const drawn = "svg, img, input, select, button, progress, math, pre"; // lines of a program
    const ink = [...block.querySelectorAll(drawn)].filter(is_shown).map(extent);
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (!text.data.trim() || !text.parentElement.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const { top, bottom, width } of range.getClientRects())
        if (width > 1) ink.push([top + scrollY, bottom + scrollY]);
    }
    return union(ink);
  };
  const longest_blank = 24;
  const kinds = ".callout, .worked, .quiz, .predict, .verdict, primer-bench, figure";
  const blocks = [...main.querySelectorAll(kinds)].filter(
    (one) => is_shown(one) && !one.parentElement.closest(kinds),
  );
  const blank_of = (block) => {
    const [top, bottom] = extent(block);
    let at = top,
      blank = 0;
    for (const [a, b] of [...ink_of(block), [bottom, bottom]]) {
      if (a - at > longest_blank) blank += a - at;
      at = Math.max(at, b);
    }
    return blank;
  };

  const drawings = union(
    [...main.querySelectorAll("figure svg")]
      .filter((one) => is_shown(one) && one.getBoundingClientRect().height > 80)
      .map(extent),
  );
  /** The longest distance from one figure to the next, or to the first of `ends`. */
  const apart_until = (ends) => {
    const end = main.querySelector(ends);
    const last = end ? extent(end)[0] : extent(main)[1];
    let [at, apart] = [drawings[0]?.[1] ?? extent(main)[0], 0];
    for (const [a, b] of [...drawings.slice(1).filter(([top]) => top < last), [last, last]]) {
      apart = Math.max(apart, a - at);
      at = b;
    }
    return apart;
  };

  // Edges that several blocks share. Edges within 3 px count as one.
  const parts = [...main.children].filter(
    (one) => is_shown(one) && getComputedStyle(one).position !== "absolute",
  );
  const edges = (side) => {
    const found = [];
    for (const part of parts) {
      const place = part.getBoundingClientRect()[side];
      if (!found.some((other) => Math.abs(other - place) < 3)) found.push(place);
    }
    return found.map(Math.round).sort((a, b) => a - b);
  };
  const count = (kind) => [...main.querySelectorAll(kind)].filter(is_shown).length;
  return {
    height,
    questions: count(".quiz, .predict, .worked"),
    measurements: count("primer-bench"),
    boxes: total(union(boxes.map(extent))) / height,
    blank: blocks.map(blank_of).reduce((a, b) => a + b, 0) / height,
    "first drawing": drawings[0]?.[0] ?? extent(main)[1],
    "drawings apart": apart_until("#problems, #reference-list, .turn"),
    "drawings apart in all": apart_until("#reference-list, .turn"),
    "left edges": edges("left"),
    "right edges": edges("right"),
  };
}

/** The numbers of a page at this width, {limit: number}. Folds are not changed. */
export async function layout_numbers(page, width) {
  await page.setViewport({ width, height: width < 500 ? 844 : 900 });
  // Waits for the font, because the fallback is wider and wraps lines differently.
  await page.evaluate(() =>
    Promise.allSettled([...document.fonts].map((face) => face.load())).then(() => {}),
  );
  return { words: await page.evaluate(visible_words), ...(await page.evaluate(measured)) };
}

/** The limits that a page exceeds at this width, {limit: the number found}. */
export async function beyond_limits(page, width) {
  const found = await layout_numbers(page, width);
  const shorter = Object.keys(word_limits).find((end) => page.url().endsWith(`/${end}`));
  const beyond = {};
  for (const [name, bound] of Object.entries(limits)) {
    let most = typeof bound === "object" ? bound[width] : bound;
    if (most === undefined) continue;
    if (name === "words" && shorter) most = word_limits[shorter];
    const is_edges = Array.isArray(found[name]);
    if (is_edges && width < 1200) continue; // one column
    if ((is_edges ? found[name].length : found[name]) > most) beyond[name] = found[name];
  }
  return beyond;
}
