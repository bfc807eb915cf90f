// The mutations of scripts/mutate: one operator of a source file is changed, never in comments or
// strings.

// [pattern, replacement]. The first group of the pattern, if any, stays.
const changes = [
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ == /g, " != "],
  [/ != /g, " == "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ < /g, " <= "],
  [/ > /g, " >= "],
  [/ <= /g, " < "],
  [/ >= /g, " > "],
  [/ \+ 1\b(?![.'])/g, " + 2"],
  [/ - 1\b(?![.'])/g, " - 2"],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/(\breturn |[(&|] ?)!(?=[\w(])/g, "$1"],
];

// Excluded because the change is no error in the program's behavior: preprocessor and compile-time
// code, and bounds of loops, which would read out of bounds instead of giving another answer.
const left_out = /^\s*(#|template\b|static_assert\b|import\b|requires\b)|\bfor \(.* < /;

// Not code: comments, strings (including C++ raw strings, and JavaScript templates with their
// expressions), characters, and JavaScript regular expressions.
const texts = {
  cpp: /\/\/[^\n]*|\/\*[^]*?\*\/|R"(\w*)\([^]*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'(?!\w)/g,
  js: /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:?&|!] ?|return )\/(?![*/ ])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g,
};

/** The source with its comments and texts blank, of the same length and with the same lines. */
export const code_of = (source, language) =>
  source.replace(texts[language], (text) => text.replace(/[^\n]/g, "_"));

/**
 * Every change that can be made in a source: {line, was, now, source}, the last being all of it.
 */
export function mutants_of(source, language) {
  const lines = source.split("\n");
  const code = code_of(source, language).split("\n");
  return code.flatMap((text, i) =>
    left_out.test(text)
      ? []
      : changed_lines(text, lines[i]).map((now) => ({
          line: i + 1,
          was: lines[i].trim(),
          now: now.trim(),
          source: [...lines.slice(0, i), now, ...lines.slice(i + 1)].join("\n"),
        })),
  );
}

function changed_lines(code, line) {
  return changes.flatMap(([pattern, other]) =>
    [...code.matchAll(pattern)].map((match) => {
      const there = line.slice(0, match.index);
      return (
        there + other.replace("$1", match[1] ?? "") + line.slice(match.index + match[0].length)
      );
    }),
  );
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * `number` of the mutants, each with the `file` that it is in, in an order that the seed decides:
 * no file has two before each has one.
 */
export function chosen(mutants, number, seed) {
  const next = random(seed);
  const drawn = mutants.map((mutant) => ({ mutant, key: next() })).sort((a, b) => a.key - b.key);
  const turns = new Map();
  const in_turns = drawn.map(({ mutant }) => {
    const turn = turns.get(mutant.file) ?? 0;
    turns.set(mutant.file, turn + 1);
    return { mutant, turn };
  });
  return in_turns
    .sort((a, b) => a.turn - b.turn)
    .slice(0, number)
    .map(({ mutant }) => mutant);
}
