// The commands of primer and their options, as --help prints them.
import { execFileSync } from "node:child_process";

const subcommands = (text) =>
  [...(text.split("Commands:")[1] ?? "").matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);

/**
 * Each leaf command by its words, with the set of its options.
 */
export function command_lines(primer) {
  const help = (...command) => execFileSync(primer, [...command, "--help"], { encoding: "utf8" });
  const options_in = (text) =>
    new Set([...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, option]) => option));
  const all = new Map();
  function look(words) {
    const text = help(...words);
    const below = subcommands(text);
    if (below.length === 0) all.set(words.join(" "), options_in(text));
    for (const name of below) look([...words, name]);
  }
  look([]);
  return all;
}
