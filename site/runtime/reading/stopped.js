// "This stopped me here" at the end of the section that is being read: a link to a prefilled issue
// of the repository. Nothing is sent before the reader sends it there.
//
// One link moves along, so it is a single tab stop, and it is drawn in the space above the next
// heading, so nothing moves.

import { make } from "../base/element.js";
import { frame_word } from "../base/frame_language.js";

let link = null;

/** Places the link above the heading `next`; null hides it. `section` is the one before it. */
export function place_stopped(section, next) {
  const report = document.getElementById("report");
  if (!report) return; // the book has no repository
  link ??= make("a", {
    className: "stopped-here",
    textContent: frame_word("This stopped me here"),
  });
  if (!section || !next) return link.remove();
  link.href = issue_of(report.href, section);
  (next.closest("details.fold") ?? next).before(link);
}

function issue_of(report, section) {
  const url = new URL(report);
  const place = section.textContent.replace(/\s+/g, " ").trim();
  url.searchParams.set("title", `${frame_word("This stopped me here")}: ${place}`);
  const page = url.searchParams.get("page");
  if (page) url.searchParams.set("page", `${page.split("#")[0]}#${section.id}`);
  return url.href;
}
