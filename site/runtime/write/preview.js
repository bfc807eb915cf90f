// A page as it will be published, in a frame of opaque origin, where no script runs but frame.js. The page is what the book's own program
// made, which lets no HTML of an author through; the frame is for the case that it errs.
//
// A server may refuse what such a frame asks for as it refuses another site, and the service worker does not hear of it. So it asks for
// nothing but pictures: its script stands in it, and its styles and fonts are sent to it.
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { preview_page } from "../base/trusted.js";
import { faces_of, text_at } from "./frame_parts.js";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const style_link = /<link rel="stylesheet" href="([^"]*)"[^>]*>/g;

/** What the policy of this page calls the one script that may stand in a page (generator/assemble/policy.cpp). */
const script_source = () =>
  /'sha256-[^']+'/.exec(
    document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content,
  )?.[0] ?? "'none'";

/**
 * `html` of the page at `address` (from `root`, the site's own), for a frame: without its scripts and styles, its addresses whole, and with
 * a policy that names this origin, because a frame of opaque origin has none of its own.
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

/** What the frame of the page at `page` cannot fetch: its script, the texts of its style sheets, and their faces. */
async function parts_of(html, page) {
  const sheets = style_links(html).map((link) => new URL(link, page));
  const faces = Promise.all(sheets.map(faces_of));
  return Promise.all([
    text_at(new URL("frame.js", import.meta.url)),
    Promise.all(sheets.map(text_at)),
    faces.then((lists) => lists.flat()),
  ]);
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

/** Shows pages in `frame`, one of make_frame(). `heard(message)` hears what that says, which may be anything. */
export function make_preview(frame, root, heard = () => {}) {
  let shown = "";
  let latest = "";
  const say = (message) => frame.contentWindow?.postMessage(message, "*");
  const measure = word("Measure");
  addEventListener("message", ({ data, source }) => source === frame.contentWindow && heard(data));
  return {
    /** The page at `address`; one that is shown already keeps its place. */
    async show(html, address) {
      latest = framed(html, root, address);
      const page_shown = `${address} ${style_links(html)}`; // a formula may need another sheet
      if (shown === page_shown) return say({ html: latest, measure });
      shown = page_shown;
      const [script, styles, faces] = await parts_of(html, new URL(address, root)).catch(
        (failure) => {
          shown = ""; // the next edit asks again
          throw failure;
        },
      );
      if (shown !== page_shown) return;
      // The text comes after the page around it, so that it has to pass by frame.js always.
      frame.addEventListener("load", () => say({ styles, faces, html: latest, measure }), {
        once: true,
      });
      const page = latest.replace(/(<main\b[^>]*>)[^]*(?=<\/main>)/, "$1");
      frame.srcdoc = preview_page(page, script);
    },
    go_to: (heading) => say({ heading }),
  };
}
