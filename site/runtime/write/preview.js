// Shows a page as it will be published, in a sandboxed frame with an opaque origin.
//
//   page of the program --framed()--> srcdoc: head, empty main, frame.js
//                       --message---> styles, fonts, then the HTML of the text
//
// The program drops an author's HTML; the frame is the second line of defense if the program has a
// bug. Its CSP allows one script, frame.js, by hash. A server may refuse the frame's requests as
// cross-site, and the service worker does not see them, so the frame loads nothing but images. The
// script is inlined, and styles and fonts are posted to it.
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { preview_page } from "../base/trusted.js";
import { faces_of, text_at } from "./frame_parts.js";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const style_link = /<link rel="stylesheet" href="([^"]*)"[^>]*>/g;

/** The hash by which this page's CSP allows frame.js (generator/core/assemble/policy.cpp). */
const script_source = () =>
  /'sha256-[^']+'/.exec(
    document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content,
  )?.[0] ?? "'none'";

/**
 * Returns `html` of the page at `address` (relative to `root`, the URL of the site) for the frame,
 * without its scripts and styles and with absolute addresses. Its CSP names this origin, because an
 * opaque origin has no 'self'.
 */
export function framed(html, root, address) {
  const page = new URL(address, root).href;
  const policy =
    `default-src 'none'; base-uri 'none'; form-action 'none'; img-src ${new URL(root).origin} data:; ` +
    `script-src ${script_source()}; trusted-types primer; require-trusted-types-for 'script'`;
  return html
    .replace(/<script\b[^>]*>[^]*?<\/script>|<link rel="(?:module)?preload"[^>]*>/g, "")
    .replace(style_link, "")
    .replace(
      /<meta http-equiv="Content-Security-Policy"[^>]*>/,
      `<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}"/>`,
    )
    .replace(/\b(href|src)="(?!#|[a-z]+:)([^"]*)"/g, (whole, name, link) => {
      const { href } = new URL(link.replaceAll("&amp;", "&"), page);
      return `${name}="${escaped(href)}"`;
    });
}

const style_links = (html) => [...html.matchAll(style_link)].map(([, link]) => link);

/**
 * Returns a promise of what the frame cannot load: [frame.js, texts of its style sheets, font
 * faces].
 */
async function parts_of(html, page) {
  const sheets = style_links(html).map((link) => new URL(link, page));
  const faces = Promise.all(sheets.map(faces_of));
  return Promise.all([
    text_at(new URL("frame.js", import.meta.url)),
    Promise.all(sheets.map(text_at)),
    faces.then((lists) => lists.flat()),
  ]);
}

/**
 * Counts the headings (## and ###, outside fences) that begin in the first `line` lines of
 * Markdown.
 */
export function headings_before(text, line) {
  let fence = "";
  let count = 0;
  for (const one of text.split("\n").slice(0, line)) {
    const [mark] = /^(?:```+|~~~+)/.exec(one) ?? [""];
    if (fence) {
      if (mark.startsWith(fence) && one.trim() === mark) fence = "";
    } else if (mark) {
      fence = mark;
    } else if (/^#{2,3} /.test(one)) {
      count += 1;
    }
  }
  return count;
}

/** Creates the frame for make_preview(). It is sandboxed before it is in the document. */
export function make_frame(members) {
  const frame = make("iframe", members);
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("referrerpolicy", "no-referrer");
  return frame;
}

/**
 * Shows pages in `frame`, from make_frame(). `heard(message)` gets the frame's messages, which are
 * untrusted.
 */
export function make_preview(frame, root, heard = () => {}) {
  let shown = "";
  let latest = "";
  const say = (message) => frame.contentWindow?.postMessage(message, "*");
  const measure = word("Measure");
  addEventListener("message", ({ data, source }) => source === frame.contentWindow && heard(data));
  return {
    /**
     * Shows the page at `address`. If it is already shown, only its text is replaced, so it does
     * not scroll.
     */
    async show(html, address) {
      latest = framed(html, root, address);
      // A new formula may need another style sheet.
      const page_shown = `${address} ${style_links(html)}`;
      if (shown === page_shown) return say({ html: latest, measure });
      shown = page_shown;
      const [script, styles, faces] = await parts_of(html, new URL(address, root)).catch(
        (failure) => {
          shown = ""; // load them again after the next edit
          throw failure;
        },
      );
      if (shown !== page_shown) return;
      // The text is posted after the page has loaded, so that frame.js always checks it.
      frame.addEventListener("load", () => say({ styles, faces, html: latest, measure }), {
        once: true,
      });
      const page = latest.replace(/(<main\b[^>]*>)[^]*(?=<\/main>)/, "$1");
      frame.srcdoc = preview_page(page, script);
    },
    go_to: (heading) => say({ heading }),
  };
}
