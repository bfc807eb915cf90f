// Sanitizes names in untrusted profiles and links: browsers and systems must be on a list; other
// text is shortened to one line without invisible characters. Pure.

const browsers =
  /^(Chromium|Google Chrome|Chrome|Microsoft Edge|Edge|Brave|Opera|Vivaldi|Samsung Internet|Firefox|Safari)(?: (\d{1,4})(?:\.[\w.]{0,20})?)?$/;
const systems = /^(Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux)$/;
// Controls, line separators, and characters that only direct, join or hide their neighbors.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;

/** "Firefox 153", or "unknown browser". */
export function browser_of(text) {
  const [, name, version] = browsers.exec(typeof text === "string" ? text : "") ?? [];
  return name ? [name, version].filter(Boolean).join(" ") : "unknown browser";
}

/** "Linux", or "". */
export const system_of = (text) => (typeof text === "string" && systems.test(text) ? text : "");

/** One line of at most `most` characters; "" if it is not a text. */
export function plain(text, most = 100) {
  if (typeof text !== "string") return "";
  const line = text
    .slice(0, 4 * most)
    .replace(unseen, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}
