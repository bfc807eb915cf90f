// The only places that turn text into markup or script addresses. In browsers with Trusted Types,
// the pages' Content-Security-Policy (generator/core/assemble/policy.cpp) forbids all others.

// The elements that figures/draw/svg.cpp writes. The policy blocks handlers and addresses in
// attributes.
const not_drawn = /<(?!\/?(?:svg|title|desc|g|path|line|rect|circle|text)[\s/>])/;
// Workers are below the scripts' directory; the service worker is at the root of the book.
const here = new URL("../", import.meta.url).href;
const root = new URL(document.documentElement.dataset.root ?? "./", document.baseURI);
const service_worker = new URL("sw.js", root).href;

const rules = {
  createHTML(text, frame_script) {
    const is_good = frame_script
      ? !/<script/i.test(text)
      : text.startsWith("<svg") && !not_drawn.test(text);
    if (!is_good) throw new TypeError("a figure could not be redrawn");
    return frame_script
      ? text.replace("</head>", () => `<script>${frame_script}</script></head>`)
      : text;
  },
  createScriptURL(url) {
    const { href } = new URL(url);
    if (href !== service_worker && !href.startsWith(here))
      throw new TypeError("this is none of the book's scripts");
    return url;
  },
};
const policy = globalThis.trustedTypes?.createPolicy("primer", rules) ?? rules;

/** Returns an SVG of the book's renderer as trusted markup. Throws TypeError for anything else. */
export const drawing = (text) => policy.createHTML(text);

/**
 * Returns a page for the preview's frame as trusted markup. Its only script may be `script`, the
 * text of write/frame.js (write/preview.js). Throws TypeError for a page with another script.
 */
export const preview_page = (text, script) => policy.createHTML(text, script);

/**
 * Returns the address of one of the book's scripts as a trusted script URL for a worker. Throws
 * TypeError for other addresses.
 */
export const script = (url) => policy.createScriptURL(String(url));
