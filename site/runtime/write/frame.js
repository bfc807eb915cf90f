// The only script in the preview's sandboxed frame (preview.js). The page around the frame posts
// {styles, faces, html, measure, heading}; each member is optional. The frame posts {pressed: id}
// when the author presses a measurement or a model. It loads nothing and follows no links, because
// a draft may come from anybody.
const policy = globalThis.trustedTypes?.createPolicy("primer", { createHTML: (html) => html });

// Elements that load or lead to something by themselves. The program never writes them into the
// text.
const never = "base, embed, frame, iframe, link, meta, object, script";

// Parts whose press opens a block outside the frame. The message contains only the block's id.
const pressed = ".bench-button, .model-controls button, .model :is(.plot-wide, .plot-narrow)";
const moved = ".model-controls :is(input, select)";

function press({ type, target }) {
  const part = target.closest?.(type === "click" ? pressed : moved);
  const block = part?.closest("primer-bench, figure.model");
  if (!block) return;
  if (type === "change") put_back(part);
  parent.postMessage({ pressed: block.id }, "*");
}

/** Resets a control of a model, because the model runs only in the dialog. */
function put_back(field) {
  for (const one of field.options ?? []) one.selected = one.defaultSelected;
  if (!field.options) field.value = field.defaultValue;
}

/** Adds the buttons of measurements, which chapter pages get from measure/buttons.js. */
function add_buttons(main, words) {
  for (const bench of main.querySelectorAll("primer-bench")) {
    const button = document.createElement("button");
    const label = bench.querySelector(".label")?.textContent;
    Object.assign(button, { type: "button", className: "bench-button" });
    button.textContent = bench.dataset.press ?? words;
    if (label) button.ariaLabel = `${button.textContent}, ${label}`;
    bench.querySelector(".bench-controls")?.append(button);
  }
}

function replace(html, words) {
  const fresh = new DOMParser().parseFromString(policy?.createHTML(html) ?? html, "text/html");
  const [now, then] = [document, fresh].map((page) => page.querySelector("main"));
  for (const one of fresh.querySelectorAll(never)) one.remove();
  if (!now || !then) return;
  add_buttons(then, words);
  now.replaceWith(document.adoptNode(then));
}

/** A style sheet without the font faces that are files, because the frame cannot load them. */
function sheet_of(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  for (let i = sheet.cssRules.length - 1; i >= 0; --i) {
    const rule = sheet.cssRules[i];
    if (rule instanceof CSSFontFaceRule && rule.cssText.includes("url(")) sheet.deleteRule(i);
  }
  return sheet;
}

function dress({ styles, faces }) {
  document.adoptedStyleSheets = styles.map(sheet_of);
  for (const { family, bytes, descriptors } of faces)
    document.fonts.add(new FontFace(family, bytes, descriptors));
}

/** Scrolls to the nth heading, from 1; 0 is the top. */
function go_to(heading) {
  const headings = document.querySelectorAll("main h2, main h3");
  (headings.item(heading - 1) ?? document.querySelector("main")).scrollIntoView();
}

addEventListener("message", ({ data, source }) => {
  if (source !== parent) return;
  if (data.styles) dress(data);
  if (typeof data.html === "string") replace(data.html, data.measure);
  if (typeof data.heading === "number") go_to(data.heading);
});

/**
 * Stops links, because they would replace the draft or open another page. A link to a place on the
 * page scrolls there.
 */
function stay(event) {
  const link = event.composedPath().find((one) => one.matches?.("a, area, [href]"));
  if (!link) return;
  event.preventDefault();
  const place = link.getAttribute("href") ?? "";
  if (event.type === "click" && place.startsWith("#"))
    document.getElementById(place.slice(1))?.scrollIntoView();
}
for (const type of ["click", "auxclick", "dragstart"]) addEventListener(type, stay, true);
for (const type of ["click", "change"]) addEventListener(type, press);
for (const type of ["dragover", "drop", "submit"])
  addEventListener(type, (event) => event.preventDefault(), true);
