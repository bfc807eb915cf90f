// Implements `scripts/bench generator`: primer and Hugo on the same text, interleaved, so that
// other load on the machine affects both. Prints medians, spreads and the bars. The exit status is
// not 0 if a bar is missed.
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { plausible_profile, random_from } from "../../scripts/lib/plausible_profiles.mjs";
import { corpus, write_hugo_book, write_primer_book } from "./corpus.mjs";

const repository = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const primer = join(repository, "build/release/generator/primer");
const { values: options } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, keep: { type: "string" } },
});
const rounds = Number(options.rounds);
const root = options.keep ?? mkdtempSync(join(tmpdir(), "primer-bench-"));

/**
 * Moves the output of a build away and removes it only at the end. Before ext4 allocates an inode,
 * it looks at every inode that was freed in the last minute, which would affect the measurement.
 */
function put_away(directory, made) {
  const from = join(directory, made);
  if (!existsSync(from)) return;
  mkdirSync(join(root, "old"), { recursive: true });
  renameSync(from, join(root, "old", String(++put_away.count)));
}
put_away.count = 0;

// A small shell reads the clock, because Node takes 1 to 20 ms to start a program, depending on the
// memory it holds. GNU time reports the memory, because a program's own report would leave out its
// start.
const watched = `
from=$EPOCHREALTIME
command time -f %M "$@" || exit
to=$EPOCHREALTIME
echo "$from $to" >&2`;

/** Runs a program to its end: {ms, mib}, wall clock and peak memory. */
function run(command, args, cwd, own = {}) {
  const child = spawnSync("bash", ["-c", watched, "bash", command, ...args], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", ...own },
  });
  if (child.status !== 0) throw new Error(`${command} ${args.join(" ")}:\n${child.stderr}`);
  const [kib, times] = child.stderr.trim().split("\n").slice(-2);
  const [from, to] = times.split(" ").map(Number);
  return { ms: (to - from) * 1000, mib: Number(kib) / 1024 };
}

class PrimerBook {
  /**
   * `published`: with dates from git, feeds, a sitemap and a second language. `languages`: the
   * number of languages; one of them is not known to the program. `translated`: all texts exist in
   * all languages.
   */
  constructor(
    name,
    chapters,
    { published = false, languages = published ? 2 : 1, translated = false } = {},
  ) {
    this.directory = join(root, name);
    const its_languages = ["en", "es", "de"].slice(0, languages);
    write_primer_book(this.directory, chapters, its_languages, translated);
    this.options = published ? ["--base-url", "https://example.org/book/"] : [];
    if (languages > 1) this.options.push("--trust");
    if (languages > 2) this.bring_words("de");
    if (published) this.commit();
    this.chapter = join(this.directory, `chapters/en/${chapters[chapters.length >> 1].slug}.md`);
    this.edits = 0;
  }

  /** The strings of an unknown language: those of Spanish, which cost as much. */
  bring_words(language) {
    const own = join(this.directory, "site/locales");
    mkdirSync(own, { recursive: true });
    cpSync(join(repository, "site/locales/es.json"), join(own, `${language}.json`));
  }

  commit() {
    const git = (...words) => {
      const who = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org"];
      const { status, stderr } = spawnSync("git", [...who, ...words], {
        cwd: this.directory,
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`git ${words.join(" ")}:\n${stderr}`);
    };
    git("init", "--quiet");
    git("add", "chapters");
    git("commit", "--quiet", "--message", "The corpus");
  }

  build() {
    const places = ["--book", ".", "--out", "out/site"];
    // Next to the book. A directory below it would have come with the book and would not be used.
    const user = {
      XDG_CACHE_HOME: `${this.directory}.user`,
      XDG_STATE_HOME: `${this.directory}.user`,
    };
    return run(primer, ["build", ...places, ...this.options], this.directory, user);
  }

  /** Neither a site nor a cache exists. */
  cold() {
    put_away(this.directory, "out");
    put_away(root, `${basename(this.directory)}.user`);
    return this.build();
  }

  edited() {
    appendFileSync(this.chapter, `\nSentence ${++this.edits} was added.\n`);
    return this.build();
  }

  /** Many pages have the title of a chapter in their contents. */
  retitled() {
    const text = readFileSync(this.chapter, "utf8");
    writeFileSync(this.chapter, text.replace(/^title: .*/m, `title: "Title ${++this.edits}"`));
    return this.build();
  }
}

/** A book of one chapter and a gallery of invented machines. */
class GalleryBook extends PrimerBook {
  constructor(name, machines) {
    super(name, corpus(1));
    const profiles = join(this.directory, "figures/profiles");
    mkdirSync(profiles, { recursive: true });
    const random = random_from(1);
    for (let i = 0; i < machines; ++i)
      writeFileSync(join(profiles, `m${i}.json`), JSON.stringify(plausible_profile(random)));
  }
}

class HugoBook {
  constructor(name, chapters) {
    this.directory = join(root, name);
    cpSync(join(repository, "tests/bench/hugo"), this.directory, { recursive: true });
    write_hugo_book(this.directory, chapters);
  }

  cold() {
    for (const made of ["public", "resources"]) put_away(this.directory, made);
    return run("hugo", ["--quiet", "--ignoreCache"], this.directory);
  }
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

/** Measures each of `tasks` once per round, one after the other. */
function interleaved(count, tasks) {
  const results = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < count; ++round) {
    for (const [name, task] of Object.entries(tasks)) results[name].push(task());
  }
  return Object.fromEntries(
    Object.entries(results).map(([name, list]) => {
      const times = list.map(({ ms }) => ms);
      return [
        name,
        {
          ms: median(times),
          low: Math.min(...times),
          high: Math.max(...times),
          mib: Math.max(...list.map(({ mib }) => mib)),
        },
      ];
    }),
  );
}

const one = corpus(111);
const nine = corpus(999);
const bytes = one.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
const blocks = one.reduce((sum, { text }) => sum + text.match(/^```\w/gm).length, 0);
const small = new PrimerBook("primer-111", one);
const large = new PrimerBook("primer-999", nine);
const public_book = new PrimerBook("primer-public", one, { published: true });
const three = new PrimerBook("primer-999-3", nine, { languages: 3 });
const whole = new PrimerBook("primer-999-3-translated", nine, { languages: 3, translated: true });
const gallery = new GalleryBook("primer-gallery", 10_000);
const peer = new HugoBook("hugo-111", one);
for (const book of [small, large, public_book, three, whole, gallery, peer]) book.cold();

const at_111 = interleaved(rounds, {
  "primer, cold": () => small.cold(),
  "hugo, cold": () => peer.cold(),
  "primer, nothing changed": () => small.build(),
  "primer, one chapter edited": () => small.edited(),
  "primer, edited again": () => small.edited(),
  "primer, cold, feeds and two languages": () => public_book.cold(),
  "primer, nothing changed, feeds and two languages": () => public_book.build(),
  // Changes a page in each language, so that the first edit after a cold build makes a second tree.
  "primer, one chapter edited, feeds and two languages": () => public_book.edited(),
  "primer, edited again, feeds and two languages": () => public_book.edited(),
});
const at_999 = interleaved(Math.max(3, rounds >> 1), {
  "primer, cold, 999 chapters": () => large.cold(),
  "primer, nothing changed, 999 chapters": () => large.build(),
  "primer, one chapter edited, 999 chapters": () => large.edited(),
});
const tasks_of_three = (book, name) => ({
  [`primer, cold, ${name}`]: () => book.cold(),
  [`primer, nothing changed, ${name}`]: () => book.build(),
  [`primer, one chapter edited, ${name}`]: () => book.edited(),
  [`primer, edited again, ${name}`]: () => book.edited(),
  [`primer, a title edited, ${name}`]: () => book.retitled(),
});
const of_three = interleaved(Math.max(3, rounds >> 1), {
  ...tasks_of_three(three, "999 in three languages"),
  ...tasks_of_three(whole, "999 translated into two"),
});
const of_gallery = interleaved(Math.max(3, rounds >> 1), {
  "primer, cold, 10,000 machines": () => gallery.cold(),
});

const hugo_version = spawnSync("hugo", ["version"], { encoding: "utf8" }).stdout.match(
  /v[\d.]+/,
)[0];
console.log(`${one.length} chapters, ${bytes} bytes, ${blocks} code blocks; hugo ${hugo_version}`);
console.log(`${cpus().length} processors, ${cpus()[0].model}; medians of ${rounds}\n`);
for (const [name, { ms, low, high, mib }] of Object.entries({
  ...at_111,
  ...at_999,
  ...of_three,
  ...of_gallery,
})) {
  const spread = `${low.toFixed(0)} to ${high.toFixed(0)}`;
  console.log(
    `${name.padEnd(52)} ${ms.toFixed(1).padStart(8)} ms  (${spread})  ${mib.toFixed(0)} MiB`,
  );
}

const bars = [
  ["cold, times faster than Hugo", at_111["hugo, cold"].ms / at_111["primer, cold"].ms, ">=", 3],
  ["nothing changed, ms", at_111["primer, nothing changed"].ms, "<=", 15],
  ["one chapter edited, ms", at_111["primer, one chapter edited"].ms, "<=", 50],
  [
    "nothing changed, feeds and two languages, ms",
    at_111["primer, nothing changed, feeds and two languages"].ms,
    "<=",
    15,
  ],
  [
    "one chapter edited, feeds and two languages, ms",
    at_111["primer, one chapter edited, feeds and two languages"].ms,
    "<=",
    50,
  ],
  [
    "edited again, feeds and two languages, ms",
    at_111["primer, edited again, feeds and two languages"].ms,
    "<=",
    50,
  ],
  [
    "nine times the chapters, times the time",
    at_999["primer, cold, 999 chapters"].ms / at_111["primer, cold"].ms,
    "<=",
    10,
  ],
  [
    "peak memory at 999 chapters, MB",
    Math.max(...Object.values(at_999).map(({ mib }) => mib)) * 1.048576,
    "<=",
    100,
  ],
  ...["999 in three languages", "999 translated into two"].flatMap((name) => [
    [`cold, ${name}, ms`, of_three[`primer, cold, ${name}`].ms, "<=", 6000],
    [`edited again, ${name}, ms`, of_three[`primer, edited again, ${name}`].ms, "<=", 120],
  ]),
  [
    "peak memory at 999 chapters in three languages, MB",
    Math.max(...Object.values(of_three).map(({ mib }) => mib)) * 1.048576,
    "<=",
    200,
  ],
  ["cold, 10,000 machines, ms", of_gallery["primer, cold, 10,000 machines"].ms, "<=", 5000],
];
console.log();
for (const [name, value, relation, bar] of bars) {
  const met = relation === ">=" ? value >= bar : value <= bar;
  console.log(`${met ? "met   " : "MISSED"} ${name}: ${value.toFixed(2)} (${relation} ${bar})`);
  if (!met) process.exitCode = 1;
}
rmSync(join(root, "old"), { recursive: true, force: true });
if (!options.keep) rmSync(root, { recursive: true, force: true });
