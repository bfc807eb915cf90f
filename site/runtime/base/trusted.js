// The only places where text becomes a page's markup or the address of a script; the pages' policy
// (generator/assemble/policy.cpp) forbids all others in browsers that know Trusted Types.

// What figures/draw/svg.cpp writes; handlers and addresses in attributes are not scripts under the policy.
const not_drawn = /<(?!\/?(?:svg|title|desc|g|path|line|rect|circle|text)[\s/>])/;
// Workers lie below the scripts' directory; the service worker lies where the book begins.
const here = new URL("../", import.meta.url).href;
const root = new URL(document.documentElement.dataset.root ?? "./", document.baseURI);
const service_worker = new URL("sw.js", root).href;

const rules = {
  createHTML(text, frame_script) {
    const is_good = frame_script
      ? !/<script/i.test(text)
      : text.startsWith("<svg") && !not_drawn.test(text);
    if (!is_good) throw new TypeError("a figure could not be drawn again");
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

/** A picture of the book's own renderer as markup. Throws TypeError for anything else. */
export const drawing = (text) => policy.createHTML(text);

/** A page for a frame, with `script`, the text of write/frame.js, and no other (write/preview.js). Throws TypeError for one that has a script. */
export const preview_page = (text, script) => policy.createHTML(text, script);

/** The address of one of the book's scripts, for a worker. Throws TypeError for any other's. */
export const script = (url) => policy.createScriptURL(String(url));
