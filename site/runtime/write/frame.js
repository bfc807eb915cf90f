// In the frame of the preview, whose origin is opaque: takes a page's new text from the page around it, and goes where that says.
const policy = globalThis.trustedTypes?.createPolicy("primer", { createHTML: (html) => html });

// What loads or leads elsewhere by itself. No page has any in its text.
const never = "base, embed, frame, iframe, link, meta, object, script";

// What a press opens outside of this frame, where all that runs is known: the frame says which block, and no more.
const pressed = ".bench-button, .model-controls button, .model :is(.plot-wide, .plot-narrow)";
const moved = ".model-controls :is(input, select)";

function press({ type, target }) {
  const part = target.closest?.(type === "click" ? pressed : moved);
  const block = part?.closest("primer-bench, figure.model");
  if (!block) return;
  if (type === "change") put_back(part);
  parent.postMessage({ pressed: block.id }, "*");
}

/** A control is as it is published until its model is open. */
function put_back(field) {
  for (const one of field.options ?? []) one.selected = one.defaultSelected;
  if (!field.options) field.value = field.defaultValue;
}

/** Measurements get their buttons by scripts, as on a page (main.js). */
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

/** Styles, without the faces that are files, which this frame cannot fetch. */
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

/** The heading with this number, from 1; 0 is the top. */
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

/** A link would leave the page that is being written, or open another; one to a place on it is followed here. */
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
