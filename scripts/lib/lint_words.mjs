#!/usr/bin/env node
// Checks the wording of commits since origin/main: their subjects, and phrases in the comments and
// documents that they add (scripts/phrases.txt, site/locales/en.terms.json). Prints one line per
// fault; exit status 1 if there is one. Does nothing where origin/main does not exist.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const longest_subject = 72;
const nouns = /^(The|A|An|All|What|Every|Each|No|It|They|Of|In|On|For|With)$/;
const verbs_like_participles = /^(Embed|Feed|Need|Seed|Shed|Speed|Bring|Ping|String|Pass|Focus)$/;

/** What is wrong with a commit's subject: a list of texts. */
export function subject_faults(subject) {
  const [, text] = subject.match(/^(?:Erratum: )?(.*)$/);
  const [first] = text.split(" ");
  const faults = [];
  if (subject.length > longest_subject) faults.push(`has more than ${longest_subject} characters`);
  if (subject.includes(";")) faults.push("has a semicolon; make two commits");
  const is_verb = verbs_like_participles.test(first) || !/(ed|ing|[^s]s)$/.test(first);
  if (nouns.test(first) || !is_verb) faults.push(`begins with "${first}", not with a verb`);
  if (!subject.startsWith("Erratum: ") && !/^[A-Z]/.test(first))
    faults.push("begins in lower case");
  return faults;
}

/** [[RegExp, replacement], …] of the file of phrases. */
export function phrases_in(text) {
  return text
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split(" -> "))
    .map(([pattern, replacement]) => [new RegExp(pattern, "i"), replacement]);
}

/** The same for the words that the term list in site/locales/ avoids. */
export const phrases_of_terms = (terms) =>
  terms.flatMap(({ english, avoid = [] }) =>
    avoid.map((words) => [new RegExp(`\\b${words}\\b`, "i"), english]),
  );

/** The part of a line that people read: all of a document's, the comment of a source's. */
export function prose_of(path, line) {
  if (path.endsWith(".md")) return line.replace(/`[^`]*`/g, "");
  const is_script = /(^|\/)[^.]+$|\.(bash|yml|yaml|cmake|py)$|CMakeLists\.txt$/.test(path);
  const comment = line.match(is_script ? /(?:^|\s)#(?!!)(.*)$/ : /(?:^|\s)(?:\/\/|\/?\*+)(.*)$/);
  return comment ? comment[1].replace(/`[^`]*`/g, "") : "";
}

/** Added lines of `git diff -U0`: [{path, number, line}, …]. */
export function added_lines(diff) {
  const all = [];
  let path, number;
  for (const line of diff.split("\n")) {
    if (line.startsWith("+++ ")) path = line.slice("+++ b/".length);
    else if (line.startsWith("@@")) number = Number(line.match(/\+(\d+)/)[1]);
    else if (line.startsWith("+")) all.push({ path, number: number++, line: line.slice(1) });
  }
  return all;
}

export function phrase_faults(diff, phrases) {
  return added_lines(diff).flatMap(({ path, number, line }) => {
    const prose = prose_of(path, line);
    return phrases
      .filter(([pattern]) => pattern.test(prose))
      .map(
        ([pattern, replacement]) =>
          `${path}:${number}: "${prose.match(pattern)[0]}": write ${replacement}`,
      );
  });
}

const git = (...words) => execFileSync("git", words, { encoding: "utf8", maxBuffer: 1 << 28 });

function has_origin() {
  try {
    git("rev-parse", "--verify", "--quiet", "origin/main");
    return true;
  } catch {
    return false;
  }
}

function main() {
  if (!has_origin()) return 0;
  const subjects = git("log", "--no-merges", "--format=%h %s", "origin/main..HEAD").split("\n");
  const of_subjects = subjects.filter(Boolean).flatMap((line) => {
    const [hash] = line.split(" ");
    return subject_faults(line.slice(hash.length + 1)).map(
      (fault) => `${hash}: its subject ${fault}`,
    );
  });
  // Import is replaced as a whole, and fixtures are other people's words.
  const places = [
    "*.md",
    "*.cpp",
    "*.hpp",
    "*.js",
    "*.mjs",
    "*.css",
    "scripts",
    "cmake",
    ".github",
  ];
  const left_out = [":!chapters/es", ":!generator/tools/import", ":!tests/fixtures", ":!notes"];
  const diff = git("diff", "-U0", "origin/main...HEAD", "--", ...places, ...left_out);
  const terms = JSON.parse(readFileSync("site/locales/en.terms.json", "utf8"));
  const phrases = phrases_in(readFileSync("scripts/phrases.txt", "utf8"));
  const of_phrases = phrase_faults(diff, [...phrases, ...phrases_of_terms(terms)]);
  for (const fault of [...of_subjects, ...of_phrases]) console.log(fault);
  return of_subjects.length + of_phrases.length > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exitCode = main();
