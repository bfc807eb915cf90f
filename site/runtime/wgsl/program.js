// The text of a reader's WGSL program: checks that need no GPU, and a copy whose loops end.
//
// A browser cannot stop a GPU program, and one that never ends can freeze the screen. So before a
// program runs, limited() makes a copy in which each loop counts its turns and leaves after too
// many. The copy runs first, on a small problem and then on the whole one, in a few workgroups. The
// counters are variables of their function, so WGSL's rules for barriers still accept the copy:
//
//   for (var p = 0u; p < k; p++) { … }
//   for (var p = 0u; p < k; p++) {
//     turns_of_loop_0 += 1u; if (turns_of_loop_0 > 65536u) { endless_loop = 12u; break; } … }
//
// Pure.

export const longest_program = 40_000; // in characters
/** Rows and columns of the small problem. */
export const limited_size = 32;
/**
 * Turns of a loop in one call that the copy allows for n rows and columns: twice as many as a lane
 * needs that computes 32 × 32 elements of C in one loop.
 */
export const most_turns = (n) => 2048 * n;

/** The text with spaces for each character of its comments, so that positions stay. */
export function without_comments(text) {
  let out = "";
  let depth = 0; // of nested block comments
  for (let i = 0; i < text.length;) {
    const two = text.slice(i, i + 2);
    if (depth === 0 && two === "//") {
      const end = text.indexOf("\n", i);
      const stop = end < 0 ? text.length : end;
      out += " ".repeat(stop - i);
      i = stop;
    } else if (two === "/*" || (depth > 0 && two === "*/")) {
      depth += two === "/*" ? 1 : -1;
      out += "  ";
      i += 2;
    } else {
      out += depth > 0 && text[i] !== "\n" ? " " : text[i];
      ++i;
    }
  }
  return out;
}

const line_of = (text, at) => text.slice(0, at).split("\n").length;

/** The position after the bracket that closes the one at `at`; -1: there is none. */
function after_closing(code, at, [open, close]) {
  let depth = 0;
  for (let i = at; i < code.length; ++i) {
    if (code[i] === open) ++depth;
    else if (code[i] === close && --depth === 0) return i + 1;
  }
  return -1;
}

/** The position after the opening brace of the body that follows `at`. */
function body_of(code, at) {
  const open = code.indexOf("{", at);
  return open < 0 ? -1 : open + 1;
}

/**
 * The copy whose loops end, for a problem with n rows. It writes the line of an endless loop to
 * binding 0 of group 1. Null if the text has no loop.
 */
export function limited(text, n) {
  const code = without_comments(text);
  const parts = []; // {at, text}
  let loops = 0;
  let first = 0; // position of the function's body
  for (const { 0: word, index } of code.matchAll(/(?<![\w.])(?:fn|for|while|loop)(?!\w)/g)) {
    const paren = code.indexOf("(", index);
    if (word === "fn") {
      first = body_of(code, after_closing(code, paren, "()"));
      continue;
    }
    const body = body_of(code, word === "for" ? after_closing(code, paren, "()") : index);
    if (body < 0 || first <= 0) continue;
    const name = `turns_of_loop_${loops++}`;
    parts.push({ at: first, text: ` var ${name} = 0u;` });
    const leave = `{ endless_loop = ${line_of(code, index)}u; break; }`;
    parts.push({ at: body, text: ` ${name} += 1u; if (${name} > ${most_turns(n)}u) ${leave}` });
  }
  if (loops === 0) return null;
  let out = text;
  // From the end, so that positions stay. Array.sort is stable.
  for (const { at, text: part } of parts.sort((a, b) => b.at - a.at))
    out = out.slice(0, at) + part + out.slice(at);
  return `${out}\n@group(1) @binding(0) var<storage, read_write> endless_loop: u32;\n`;
}

/** The names of the entry points. */
const entries_of = (code) =>
  [...code.matchAll(/@compute\b[^{;]*?\bfn\s+(\w+)/g)].map(([, name]) => name);

/** The names among m, n and k that the program declares as overrides. */
export const sizes_of = (text) =>
  [...without_comments(text).matchAll(/\boverride\s+([mnk])\b/g)].map(([, name]) => name);

export const entry_of = (text) => entries_of(without_comments(text))[0];

/** A problem that needs no compiler, [English, values] for word(); null: none. */
export function problem_of(text) {
  if (text.length > longest_program)
    return ["the program is longer than {n} characters", { n: longest_program }];
  const code = without_comments(text);
  const entries = entries_of(code);
  if (entries.length !== 1)
    return ["the program needs one function with @compute, and has {n}", { n: entries.length }];
  if (/@group\s*\(\s*[^0\s)]/.test(code)) return ["the program may use only group 0", {}];
  for (const [binding, name] of ["c", "a", "b"].entries())
    if (!new RegExp(`@binding\\s*\\(\\s*${binding}u?\\s*\\)`).test(code))
      return ["the program has no binding {n}, which is the matrix {name}", { n: binding, name }];
  return null;
}

/** A published program, which has no indentation, with two spaces per open brace. */
export function indented(text) {
  let depth = 0;
  const lines = text.trim().split("\n");
  const shown = lines.filter((line, i) => line.trim() || lines[i - 1].trim());
  return `${shown
    .map((line) => {
      const bare = line.trim();
      const spaces = "  ".repeat(Math.max(0, depth - (bare.startsWith("}") ? 1 : 0)));
      depth += bare.split("{").length - bare.split("}").length;
      return bare && spaces + bare;
    })
    .join("\n")}\n`;
}

/** The programs of chapter 3: file name, and rows and columns of C that a workgroup computes. */
export const starts = [
  { id: "strided", title: "Neighbors in a column", block: [16, 16] },
  { id: "naive", title: "Neighbors in a row", block: [16, 16] },
  { id: "tiled", title: "Tiles in workgroup memory", block: [16, 16] },
  { id: "regblock", title: "A block in each lane's registers", block: [64, 64] },
  { id: "vec4", title: "Loads of four floats", block: [64, 64] },
];

/** Rows and columns as whole numbers from 1 to 1,024; null: they are not. */
export function block_of(values) {
  const block = values.map(Number);
  return block.length === 2 && block.every((n) => Number.isInteger(n) && n >= 1 && n <= 1024)
    ? block
    : null;
}

/** {text, block} from what anybody may have put into an address; null: it is no program. */
export function shared_program(value) {
  const [text, ...block] = Array.isArray(value) ? value : [];
  const is_program = typeof text === "string" && text.length <= longest_program;
  return is_program && block_of(block) ? { text, block: block_of(block) } : null;
}
