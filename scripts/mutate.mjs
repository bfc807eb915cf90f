// Implements scripts/mutate, which has the usage. The copy below build/mutate contains the files
// that git tracks, as they are in the working tree. A file is written only if it differs, so that
// Ninja compiles only what has changed.
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

import { chosen, mutants_of } from "./lib/mutants.mjs";

const root = process.cwd();
const at_once = cpus().length;
// Per step; tests that take longer hang, and the mutant counts as killed
const longest_ms = 10 * 60_000;
const patience_s = 120; // per case of Catch2

const trees = {
  cpp: { folders: ["generator", "figures", "wasm_kernels"], ending: /\.cpp$/, tests: cpp_tests },
  runtime: { folders: ["site/runtime"], ending: /\.js$/, tests: runtime_tests },
};

class Refusal extends Error {}

/** Updates the copy from the working tree. */
function copy_sources(copy) {
  const tracked = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    { encoding: "utf8" },
  );
  const files = new Set(
    tracked.split("\0").filter((file) => file && existsSync(file) && lstatSync(file).isFile()),
  );
  for (const file of files) {
    const bytes = readFileSync(file);
    const to = join(copy, file);
    if (existsSync(to) && readFileSync(to).equals(bytes)) continue;
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, bytes, { mode: lstatSync(file).mode });
  }
  const own = new Set(["build", "node_modules"]);
  for (const top of readdirSync(copy).filter((name) => !own.has(name))) {
    const all = lstatSync(join(copy, top)).isFile()
      ? [top]
      : readdirSync(join(copy, top), { recursive: true }).map((name) => join(top, name));
    for (const path of all) {
      if (lstatSync(join(copy, path)).isFile() && !files.has(path)) rmSync(join(copy, path));
    }
  }
  link(join(copy, "node_modules"), join(root, "node_modules"));
  return [...files].sort();
}

function link(at, to) {
  if (existsSync(at)) return;
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(to, at);
}

let running = null;
/**
 * Runs a command in the copy, in a separate process group. Resolves to whether it succeeded in
 * time. Calls `heard` with its output and a function that ends it.
 */
function succeeds(copy, [command, ...words], { limit = null, heard = () => {}, env } = {}) {
  return new Promise((done) => {
    const child = spawn(command, words, {
      cwd: copy,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    running = child;
    // SIGTERM first, so that a test can close its browsers.
    let force = null;
    const leave = () => {
      force ??= setTimeout(stop, 5_000);
      stop("SIGTERM");
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => heard(text, leave));
    const late = limit && setTimeout(leave, limit);
    const end = (well) => {
      clearTimeout(late);
      clearTimeout(force);
      running = null;
      done(well);
    };
    child.on("error", () => end(false));
    child.on("close", (code) => end(code === 0));
  });
}

function stop(signal = "SIGKILL") {
  try {
    if (running) process.kill(-running.pid, signal);
  } catch {
    // It has just ended.
  }
}

/** Runs a file of Node tests until one fails. */
function passes(copy, path, env) {
  const heard = (text, leave) => /^\s*not ok /m.test(text) && leave();
  return succeeds(copy, ["node", "--test-reporter=tap", path], { limit: longest_ms, heard, env });
}

/** The C++ tests: `build`, and the `steps` for a file, with the most likely to fail first. */
async function cpp_tests(copy, own) {
  const build = "build/native";
  const source = "build/sources";
  if (existsSync(source)) link(join(copy, source), resolve(root, source));
  // Without unity builds, so that a change compiles one source.
  const flags = [
    "-DROOFLINE_BY_FOLDER=OFF",
    "-DCMAKE_BUILD_TYPE=Debug",
    "-DCMAKE_C_FLAGS_DEBUG=-O1",
    "-DCMAKE_CXX_FLAGS_DEBUG=-O1",
  ];
  await must(copy, "CMake", ["cmake", "-S", ".", "-B", build, "-G", "Ninja", ...flags]);
  const programs = {
    generator: ["test_generator"],
    figures: ["test_figures", "test_generator"],
    wasm_kernels: ["test_kernels", "test_traps", "test_generator"],
  };
  const ninja = (...targets) => ["ninja", "-C", build, ...targets];
  const test_files = readdirSync(join(copy, "tests"), { recursive: true });
  // First the test file named after the module. One process, whereas ctest would start one per
  // case.
  const of_program = (name, file) => {
    const own_file = `${basename(file, ".cpp")}_test`;
    const its = test_files.some((path) => basename(path) === `${own_file}.cpp`);
    const folder = programs[name.slice("test_".length)]
      ? name.slice("test_".length)
      : "wasm_kernels";
    const specs = [
      its && `[#${own_file}]~[slow]`,
      "~[slow]",
      folder !== "wasm_kernels" && "[slow]",
    ];
    const run = (spec) => [`${build}/tests/${folder}/${name}`, "-#", "--abort", spec];
    return [{ build: ninja(name) }, ...specs.filter(Boolean).map((spec) => ({ test: run(spec) }))];
  };
  const all_but = (names) =>
    `ctest --test-dir ${build} --stop-on-failure --timeout ${patience_s} -j ${at_once} -E ^(${names.join("|")}):`;
  const steps_of = (file) => {
    const likely = programs[file.split("/")[0]];
    if (own) return of_program(likely[0], file);
    return [
      ...likely.flatMap((name) => of_program(name, file)),
      { build: ninja() },
      { test: all_but(likely).split(" ") },
    ];
  };
  return { steps_of };
}

/** All modules that a module imports, including itself, by their paths in the copy. */
function imports_of(file, seen = new Set()) {
  if (seen.has(file) || !existsSync(file) || !lstatSync(file).isFile()) return seen;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, name] of text.matchAll(/(?:\bfrom|\bimport\(?|new URL\()\s*"([^"]+)"/g)) {
    if (name.startsWith(".")) imports_of(join(dirname(file), name), seen);
    else seen.add(name);
  }
  return seen;
}

// The browser tests of each folder of site/runtime, below tests/site: first the quick ones, which
// test modules alone (bare_pages.mjs), then whole pages. Between the two, the files in the folder's
// own tests run.
const by_itself = {
  ".": ["runtime/main"],
  base: ["runtime/page/alone"],
  classroom: ["runtime/classroom/class_list"],
  gpu: ["runtime/machine/alone"],
  kernels: ["runtime/measure/alone"],
  learning: ["runtime/learning/test_score"],
  machine: ["runtime/machine/alone"],
  measure: ["runtime/measure/alone"],
  models: ["runtime/models/alone"],
  page: ["runtime/page/alone"],
  profile: ["runtime/machine/alone"],
  questions: ["runtime/questions/alone"],
  reading: ["runtime/reading/alone", "runtime/reading/options"],
  traps: ["runtime/traps/traps"],
  wgsl: ["runtime/wgsl/program", "runtime/wgsl/trial"],
};
const on_pages = {
  ".": ["runtime/reading/reading", "runtime/base/language", "opened_pages"],
  base: ["shared_origin", "runtime/reading/reading"],
  classroom: ["class"],
  costs: ["your_model"],
  gpu: ["machine"],
  kernels: ["faults", "machine"],
  learning: ["learning"],
  machine: ["machine", "runtime/base/language"],
  measure: ["faults", "isolation", "machine"],
  page: ["runtime/questions/questions", "machine", "serve"],
  profile: ["machine", "shared_origin"],
  reading: ["isolation"],
  traps: ["measuring/traps"],
  wgsl: ["measuring/wgsl"],
};
// One browser, with a shorter timeout than on an unattended machine. Books that tests build have
// the copy's scripts.
const in_a_browser = (copy) => ({
  BROWSERS: "chromium",
  PATIENCE_MS: "20000",
  PRIMER: join(copy, "build/primer"),
});

const left_out = (path) =>
  console.error(`mutate: ${path} is left out, because it fails on the unchanged sources`);

/**
 * The tests of site/runtime: files that import the changed module, then files that open it in a
 * browser.
 */
async function runtime_tests(copy, own) {
  const made = join(root, "build");
  const its_own = new Set(["mutate", "site", "site.lock", "site.trees"]);
  if (existsSync(made)) {
    for (const name of readdirSync(made).filter((one) => !its_own.has(one)))
      link(join(copy, "build", name), join(made, name));
  }
  const files = readdirSync(join(copy, "tests"), { recursive: true })
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => join("tests", name))
    .map((path) => ({ path, imports: imports_of(join(copy, path)) }));
  const is_shown = ({ path, imports }) =>
    imports.has("puppeteer-core") && path.startsWith("tests/site/");
  const is_alone = ({ path, imports }) =>
    !imports.has("puppeteer-core") &&
    (path.startsWith("tests/site/runtime/") ||
      [...imports].some((one) => one.startsWith(join(copy, "site/runtime/"))));
  const tests = await quick_first(copy, files.filter(is_alone));
  const primer = join(made, "release/generator/primer");
  const is_built = existsSync(primer);
  const shown = is_built ? files.filter(is_shown).map(({ path }) => path) : [];
  if (is_built) write_primer(copy, primer);
  else if (files.some(is_shown)) console.error("mutate: no browser is asked, as nothing is built");
  const publish = [join(copy, "build/primer"), "build", "--out", "build/site"];
  const env = in_a_browser(copy);
  const steps_of = (changed) => {
    const importing = tests.filter(({ imports }) => imports.has(join(copy, changed)));
    const { alone: quick, pages } = files_shown(changed, shown);
    return [
      ...importing.map(({ path }) => ({ file: path })),
      ...quick.map((path) => ({ file: path, env })),
      ...(own || pages.length === 0 ? [] : [{ build: publish }]),
      ...(own ? [] : pages.map((path) => ({ file: path, env }))),
    ];
  };
  return { steps_of };
}

/** The test files that pass, the quick ones first. */
async function quick_first(copy, files) {
  const tests = [];
  for (const file of files) {
    const began = Date.now();
    if (await passes(copy, file.path)) tests.push({ ...file, ms: Date.now() - began });
    else left_out(file.path);
  }
  if (tests.length === 0)
    throw new Refusal("no test of site/runtime passes on the unchanged sources");
  return tests.sort((a, b) => a.ms - b.ms);
}

/** A primer that publishes the copy's scripts for every book. */
function write_primer(copy, primer) {
  const text = `#!/bin/sh
case "$*" in
*--assets*) exec "${primer}" "$@" ;;
*) exec "${primer}" "$@" --assets "${join(copy, "site")}" ;;
esac
`;
  writeFileSync(join(copy, "build/primer"), text, { mode: 0o755 });
}

/** {alone, pages}: the test files that open `changed` in a browser, alone and in whole pages. */
function files_shown(changed, shown) {
  const name = relative("site/runtime", changed).replace(/\.js$/, "");
  const folder = dirname(name);
  const known = (table) => (table[folder] ?? []).map((file) => `tests/site/${file}.test.mjs`);
  const there = (paths) => [...new Set(paths)].filter((path) => shown.includes(path));
  const alone = there(known(by_itself));
  const pages = there([
    `tests/site/runtime/${name}.test.mjs`,
    ...shown.filter((path) => dirname(path) === join("tests/site/runtime", folder)),
    ...known(on_pages),
  ]);
  return { alone, pages: pages.filter((path) => !alone.includes(path)) };
}

/** Runs a command that must succeed before anything is changed, and shows its output. */
async function must(copy, what, command) {
  const heard = (text) => process.stderr.write(text);
  if (!(await succeeds(copy, command, { heard })))
    throw new Refusal(`${what} fails on the unchanged sources: ${copy}`);
}

const trusted = new Map(); // per browser test file: whether it passes on the unchanged sources

/**
 * The fate of the current mutant: "SURVIVED", "killed" or "no build". When a browser test file
 * fails for the first time, `unchanged(f)` returns its result on the unchanged sources.
 */
async function fate(copy, steps, unchanged) {
  let publish = null;
  for (const { build, test, file, env } of steps) {
    if (build && !(await succeeds(copy, build))) return "no build";
    if (build) publish = build;
    if (test && !(await succeeds(copy, test, { limit: longest_ms }))) return "killed";
    if (!file || trusted.get(file) === false) continue;
    const passed = await passes(copy, file, env);
    if (!passed && env && !trusted.has(file)) {
      const made = async () => !publish || (await succeeds(copy, publish));
      const well = async () => (await made()) && passes(copy, file, env);
      trusted.set(file, await unchanged(well));
      if (!trusted.get(file)) left_out(file);
      await made();
    }
    if (passed && env) trusted.set(file, true);
    if (!passed && trusted.get(file) !== false) return "killed";
  }
  return "SURVIVED";
}

/** The changes that survived the run that wrote `log`, even if their lines have moved. */
function survivors(mutants, log) {
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  const told = new Set(
    text.match(/(?<=^SURVIVED ).+$/gm)?.map((line) => line.replace(/:\d+ {2}/, " ")),
  );
  const found = mutants.filter(({ file, was, now }) => told.has(`${file} ${was}  →  ${now}`));
  if (found.length === 0) throw new Refusal(`no change survived in ${log}`);
  return found;
}

/** The requested changes; throws if there are none. */
function changes_of(tree, files, paths, { number, seed, again }) {
  const { folders, ending } = trees[tree];
  const inside = (file, folder) => file === folder || file.startsWith(`${folder}/`);
  const wanted = (paths.length > 0 ? paths : folders).map((path) => relative(root, resolve(path)));
  for (const path of wanted) {
    if (!folders.some((folder) => inside(path, folder))) {
      throw new Refusal(`${path} is not below ${folders.join(", ")}`);
    }
  }
  const language = tree === "cpp" ? "cpp" : "js";
  const mutants = files
    .filter((file) => ending.test(file) && wanted.some((path) => inside(file, path)))
    .flatMap((file) =>
      mutants_of(readFileSync(file, "utf8"), language).map((mutant) => ({ ...mutant, file })),
    );
  if (mutants.length === 0) throw new Refusal(`nothing to change in ${wanted.join(", ")}`);
  return again === undefined ? chosen(mutants, number, seed) : survivors(mutants, again);
}

function options(args) {
  const text = { type: "string" };
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { number: text, seed: text, again: text, own: { type: "boolean" } },
  });
  const [tree, ...paths] = positionals;
  if (!Object.hasOwn(trees, tree ?? ""))
    throw new Refusal(`expected cpp or runtime, not "${tree ?? ""}"`);
  const whole = (name, usual, least) => {
    const value = Number(values[name] ?? usual);
    if (!Number.isInteger(value) || value < least)
      throw new Refusal(
        `--${name}: expected a whole number, at least ${least}, not "${values[name]}"`,
      );
    return value;
  };
  return {
    tree,
    paths,
    own: values.own,
    again: values.again,
    number: whole("number", 80, 1),
    seed: whole("seed", 1, 0),
  };
}

async function main(args) {
  const { tree, paths, own, ...which } = options(args);
  const copy = join(root, "build/mutate", tree);
  mkdirSync(copy, { recursive: true });
  const files = copy_sources(copy);
  const mutants = changes_of(tree, files, paths, which);
  const { steps_of } = await trees[tree].tests(copy, own);
  // Tests that fail without a change would kill every mutant. (The tests of site/runtime were run
  // above.)
  if (tree === "cpp") {
    const kinds = new Map(mutants.map(({ file }) => [file.split("/")[0], file]));
    for (const file of kinds.values()) {
      for (const { build, test } of steps_of(file))
        await must(copy, build ? "the build" : "a test", build ?? test);
    }
  }
  const count = { killed: 0, SURVIVED: 0, "no build": 0 };
  for (const { file, line, was, now, source } of mutants) {
    const path = join(copy, file);
    const before = readFileSync(path);
    writeFileSync(path, source);
    const result = await fate(copy, steps_of(file), async (look) => {
      writeFileSync(path, before);
      const seen = await look();
      writeFileSync(path, source);
      return seen;
    });
    writeFileSync(path, before);
    count[result]++;
    console.log(`${result.padEnd(8)} ${file}:${line}  ${was}  →  ${now}`);
  }
  const tried = count.killed + count.SURVIVED;
  console.log(
    `${which.again ? "again" : `seed ${which.seed}`}: ${Object.entries(count)
      .map(([name, number]) => `${name} ${number}`)
      .join(", ")}`,
  );
  if (tried > 0)
    console.log(
      `noticed: ${count.killed} of ${tried}, ${((100 * count.killed) / tried).toFixed(0)} %`,
    );
}

// Separate caches from the user's.
process.env.XDG_CACHE_HOME = mkdtempSync(join(tmpdir(), "mutate-"));
process.on("exit", () => {
  stop();
  rmSync(process.env.XDG_CACHE_HOME, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130));
try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal) && !error.code?.startsWith("ERR_PARSE_ARGS")) throw error;
  console.error(`mutate: ${error.message}`);
  process.exitCode = 2;
}
