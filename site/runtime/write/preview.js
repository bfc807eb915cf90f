// A page as it will be published, in a frame of opaque origin, where no script runs but frame.js. The page is what the book's own program
// made, which lets no HTML of an author through; the frame is for the case that it errs.
import { make } from "../base/element.js";
import { preview_page } from "../base/trusted.js";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const script = new URL("frame.js", import.meta.url).href;

/**
 * `html` of the page at `address` (from `root`, the site's own), for a frame: without its scripts, its addresses whole, and with a policy that
 * names this origin, because a frame of opaque origin has none of its own.
 */
export function framed(html, root, address, only_script = script) {
  const { origin } = new URL(root);
  const page = new URL(address, root).href;
  const policy =
    `default-src 'none'; base-uri 'none'; form-action 'none'; style-src ${origin}; img-src ${origin} data:; font-src ${origin}; ` +
    `script-src ${only_script}; trusted-types primer; require-trusted-types-for 'script'`;
  return html
    .replace(/<script\b[^>]*>[^]*?<\/script>|<link rel="(?:module)?preload"[^>]*>/g, "")
    .replace(
      /<meta http-equiv="Content-Security-Policy"[^>]*>/,
      `<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}"/>`,
    )
    .replace(/\b(href|src)="(?!#|[a-z]+:)([^"]*)"/g, (whole, name, link) => {
      const { href } = new URL(link.replaceAll("&amp;", "&"), page);
      return `${name}="${escaped(href)}"`;
    })
    .replace("</head>", `<script src="${escaped(only_script)}"></script></head>`);
}

/** Of Markdown, how many headings of the text (## and ###) begin up to a line, from 1: those in fences are none. */
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

/** A frame for make_preview(): its origin is opaque before it is anywhere. */
export function make_frame(members) {
  const frame = make("iframe", members);
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("referrerpolicy", "no-referrer");
  return frame;
}

/** Shows pages in `frame`, one of make_frame(). */
export function make_preview(frame, root) {
  let shown = "";
  let latest = "";
  const say = (message) => frame.contentWindow?.postMessage(message, "*");
  return {
    /** The page at `address`; one that is shown already keeps its place. */
    show(html, address) {
      latest = framed(html, root, address);
      if (shown === address) return say({ html: latest });
      shown = address;
      // The text comes after the page around it, so that it has to pass by frame.js always.
      frame.addEventListener("load", () => say({ html: latest }), { once: true });
      const page = latest.replace(/(<main\b[^>]*>)[^]*(?=<\/main>)/, "$1");
      frame.srcdoc = preview_page(page);
    },
    go_to: (heading) => say({ heading }),
  };
}
