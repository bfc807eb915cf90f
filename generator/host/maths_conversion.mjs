// Converts TeX to MathML with Temml, in Node (maths_helper.mjs) and in the worker of /write/.
import temml from "temml";

// Macros are created per formula, so that a formula cannot redefine them for another.
const options = (display) => ({
  displayMode: display,
  xml: true,
  throwOnError: true,
  trust: false,
  maxExpand: 500,
  maxSize: [20, 20],
  macros: {
    "\\mbox": "\\text{#1}",
    "\\mathbbm": "\\mathbb{#1}",
    "\\mathds": "\\mathbb{#1}",
    "\\mathbfit": "\\boldsymbol{#1}",
  },
});

// In math mode, Temml writes "é" as an accent over "e", which tears words apart, as in
// \mathrm{débit}. As text they stay whole.
const WORDS =
  /\\(mathrm|mathit|mathbf|mathsf|mathtt|operatorname\*?)(\s*)\{([\p{Script=Latin}\p{M}\p{N} -]*)\}/gu;
const with_words = (tex) =>
  tex.replace(WORDS, (whole, command, space, words) => {
    if (!/[^\x00-\x7f]/.test(words)) return whole;
    return command.startsWith("math")
      ? `\\${command.replace("math", "text")}${space}{${words}}`
      : `\\${command}${space}{\\text{${words}}}`;
  });

// Limits what could blow up a short formula: commands that stand for long text, and rows that Temml
// pads to the length of the longest.
const DEFINITIONS = new Set([
  "def",
  "gdef",
  "edef",
  "xdef",
  "let",
  "futurelet",
  "newcommand",
  "renewcommand",
  "providecommand",
  "global",
  "long",
]);
const ROW_ENDS = new Set(["\\", "cr", "crcr", "newline", "tabularnewline"]);
const MOST_CELLS = 10_000;

// Why a formula is refused, or null.
function refused(tex) {
  let columns = 1,
    rows = 1;
  for (const { 0: token, 1: name, index } of tex.matchAll(/\\([a-zA-Z@]+|[^])|&/gu)) {
    if (DEFINITIONS.has(name)) {
      const message = `a formula defines no commands: write out what ${token} would stand for`;
      return { message, offset: bytes(tex.slice(0, index)), length: bytes(token) };
    }
    if (token === "&") columns += 1;
    else if (ROW_ENDS.has(name)) rows += 1;
  }
  if (columns * rows <= MOST_CELLS) return null;
  const message =
    `a formula has too many rows and columns: ${rows} rows and ${columns - 1} "&" come to ` +
    `${rows * columns} cells, at most ${MOST_CELLS} are set; make several formulas of it`;
  return { message, offset: 0, length: bytes(tex) };
}

const encoder = new TextEncoder();
const bytes = (text) => encoder.encode(text).length;

// Temml's messages repeat the position and the formula, which diagnostics show anyway.
function describe(error, tex) {
  if (error instanceof RangeError)
    return { message: "the formula is nested too deeply", offset: 0, length: bytes(tex) };
  const [, message] = /^\s*(.*?)(?: at (?:position \d+|end of input): [^]*)?$/.exec(error.message);
  const named = /: (\\[a-zA-Z]+)$/.exec(message)?.[1];
  if (named && tex.includes(named)) {
    return { message, offset: bytes(tex.slice(0, tex.indexOf(named))), length: bytes(named) };
  }
  if (!Number.isInteger(error.position)) return { message, offset: 0, length: bytes(tex) };
  const rest = tex.slice(error.position);
  const span = /^(?:\\[a-zA-Z]+|\\?[^]|)/u.exec(rest)[0];
  return { message, offset: bytes(tex.slice(0, error.position)), length: bytes(span) };
}

/** {id, mathml} or {id, message, offset, length}: offsets are bytes of the TeX in UTF-8. */
export function convert({ id, tex, display }) {
  const refusal = refused(tex);
  if (refusal) return { id, ...refusal };
  for (const form of new Set([with_words(tex), tex])) {
    try {
      // Fonts have composed characters such as "∉" for \not\in. Temml adds a selector to ⊕ that
      // prevents an emoji; a math font has none.
      const mathml = temml.renderToString(form, options(display)).normalize();
      return { id, mathml: mathml.replaceAll("⊕\ufe0e", "⊕") };
    } catch (error) {
      if (form === tex) return { id, ...describe(error, tex) };
    }
  }
}
