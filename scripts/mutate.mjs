// scripts/mutate says what this is. The copy below build/mutate holds what git tracks, as it stands in
// the working tree; a file of it is written only where it differs, so that Ninja compiles no more than
// what has changed.
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
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";

import { chosen, mutants_of } from "./lib/mutants.mjs";

const root = process.cwd();
const at_once = cpus().length;
const longest_ms = 20 * 60_000; // of one step's tests; what takes longer waits for ever, and was seen
const patience_s = 120; // of one case of Catch2

const trees = {
  cpp: { folders: ["generator", "figures", "wasm_kernels"], ending: /\.cpp$/, tests: cpp_tests },
  runtime: { folders: ["site/runtime"], ending: /\.js$/, tests: runtime_tests },
};

class Refusal extends Error {}

/** Brings the copy to what the working tree holds. */
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
/** Runs a command in the copy, in a group of its own; resolves to whether it ended well, and in time. */
function succeeds(copy, [command, ...words], { limit = null, heard = () => {} } = {}) {
  return new Promise((done) => {
    const child = spawn(command, words, {
      cwd: copy,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running = child;
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", heard);
    const late = limit && setTimeout(stop, limit);
    const end = (well) => {
      clearTimeout(late);
      running = null;
      done(well);
    };
    child.on("error", () => end(false));
    child.on("close", (code) => end(code === 0));
  });
}

function stop() {
  try {
    if (running) process.kill(-running.pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

/** The C++ tests: `build` and `steps` for a file, the likeliest to notice first. */
async function cpp_tests(copy, own) {
  const build = "build/native";
  const source = "build/sources";
  if (existsSync(source)) link(join(copy, source), resolve(root, source));
  // Each source alone: a change compiles one.
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
  const all = `--test-dir ${build} --stop-on-failure --timeout ${patience_s} -j ${at_once}`.split(
    " ",
  );
  const cases = (...words) => ["ctest", ...all, ...words];
  const ninja = (...targets) => ["ninja", "-C", build, ...targets];
  const of_program = (program) => [
    { build: ninja(program) },
    { test: cases("-R", `^${program}:`, "-L", "unit", "--no-tests=error") },
    { test: cases("-R", `^${program}:`, "-LE", "unit") },
  ];
  const steps_of = (file) => {
    const likely = programs[file.split("/")[0]];
    return own
      ? of_program(likely[0])
      : [...likely.flatMap(of_program), { build: ninja() }, { test: cases() }];
  };
  return { steps_of };
}

/** Every module that a module imports, itself included, by its path in the copy. */
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

/** The tests of site/runtime that open no browser: those that import the changed file, the quick first. */
async function runtime_tests(copy) {
  const made = join(root, "build");
  if (existsSync(made)) {
    for (const name of readdirSync(made))
      if (name !== "mutate") link(join(copy, "build", name), join(made, name));
  }
  const folder = "tests/site/runtime";
  const files = readdirSync(join(copy, folder), { recursive: true })
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => ({ path: `${folder}/${name}`, imports: imports_of(join(copy, folder, name)) }))
    .filter(({ imports }) => !imports.has("puppeteer-core"));
  const tests = [];
  for (const file of files) {
    const began = Date.now();
    if (await succeeds(copy, ["node", "--test", file.path], { limit: longest_ms })) {
      tests.push({ ...file, ms: Date.now() - began });
    } else {
      console.error(`mutate: ${file.path} is left out, because it fails on the unchanged sources`);
    }
  }
  if (tests.length === 0)
    throw new Refusal(`no test below ${folder} passes on the unchanged sources`);
  const steps_of = (changed) => {
    const imports = ({ imports: all }) => (all.has(join(copy, changed)) ? 0 : 1);
    const order = [...tests].sort((a, b) => imports(a) - imports(b) || a.ms - b.ms);
    return order.map(({ path }) => ({ test: ["node", "--test", path] }));
  };
  return { steps_of };
}

/** Runs what has to end well before anything is changed, and shows it. */
async function must(copy, what, command) {
  const heard = (text) => process.stderr.write(text);
  if (!(await succeeds(copy, command, { heard })))
    throw new Refusal(`${what} fails on the unchanged sources: ${copy}`);
}

/** What becomes of the copy as it is: "SURVIVED", "killed" or "no build". */
async function fate(copy, steps) {
  for (const { build, test } of steps) {
    if (build && !(await succeeds(copy, build))) return "no build";
    if (test && !(await succeeds(copy, test, { limit: longest_ms }))) return "killed";
  }
  return "SURVIVED";
}

/** The changes that were asked for, or a refusal. */
function changes_of(tree, files, paths, { number, seed }) {
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
  return chosen(mutants, number, seed);
}

function options(args) {
  const text = { type: "string" };
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { number: text, seed: text, own: { type: "boolean" } },
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
  // What fails anyhow would notice everything. (The tests of site/runtime have been tried by now.)
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
    const result = await fate(copy, steps_of(file));
    writeFileSync(path, before);
    count[result]++;
    console.log(`${result.padEnd(8)} ${file}:${line}  ${was}  →  ${now}`);
  }
  const tried = count.killed + count.SURVIVED;
  console.log(
    `seed ${which.seed}: ${Object.entries(count)
      .map(([name, number]) => `${name} ${number}`)
      .join(", ")}`,
  );
  if (tried > 0)
    console.log(
      `noticed: ${count.killed} of ${tried}, ${((100 * count.killed) / tried).toFixed(0)} %`,
    );
}

// Their caches are not the user's.
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
