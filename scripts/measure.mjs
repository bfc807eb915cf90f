// scripts/measure: runs the book's measuring code in a headless browser, and writes a profile with
// its provenance.
//
// It serves site/runtime and the kernel modules instead of build/site, because the book does not
// build until its reference profile has every number that the chapters use.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { parse_term, runs_in_spec, terms_in } from "./lib/kernel_terms.mjs";
import { browser_kinds, open_browser, serve } from "./lib/browsers.mjs";
import { changes_in } from "./lib/profile_changes.mjs";
import { check_profile_place, write_profile } from "./lib/profile_file.mjs";
import { with_progress } from "./lib/progress.mjs";
import { derive_roofs, lift_roofs } from "../site/runtime/measure/roofs.js";
import { select_kernels } from "../site/runtime/kernels/tasks.js";
import { middle_runs, spread_of } from "../site/runtime/profile/runs.js";

const paces = ["quick", "full", "thorough"];
const primer = "build/release/generator/primer";

function fail(words) {
  console.error(`measure: ${words}`);
  process.exit(2);
}

function read_options() {
  const { values } = parseArgs({
    options: {
      browser: { type: "string", default: "chromium" },
      out: { type: "string" },
      only: { type: "string", multiple: true },
      repeat: { type: "string", default: "1" },
      name: { type: "string", default: "" },
      note: { type: "string", default: "" },
      pace: { type: "string", default: "thorough" },
      cores: { type: "boolean", default: false },
      spread: { type: "boolean", default: false },
      modules: { type: "string", default: "build/wasm/wasm_kernels" },
    },
  });
  if (!browser_kinds.includes(values.browser)) fail(`--browser is ${browser_kinds.join(" or ")}`);
  if (!paces.includes(values.pace)) fail(`--pace is ${paces.join(" or ")}`);
  if (!values.out) fail("--out FILE is missing");
  try {
    check_profile_place(values.out);
  } catch (error) {
    fail(error.message);
  }
  const repeat = Number(values.repeat);
  if (!Number.isInteger(repeat) || repeat < 1) fail("--repeat is a whole number from 1");
  if (values.spread && repeat < 3) fail("--spread needs --repeat of at least 3");
  return { ...values, repeat };
}

/** A directory to serve: an empty page, the runtime, the modules. */
function lay_out_site(modules) {
  if (!existsSync(modules)) fail(`${modules} is not there: run scripts/build first`);
  const directory = mkdtempSync(join(tmpdir(), "roofline-measure-"));
  const root = resolve(".");
  mkdirSync(join(directory, "kernels"));
  symlinkSync(join(root, "site/runtime"), join(directory, "runtime"));
  for (const file of readdirSync(modules).filter((name) => name.endsWith(".wasm"))) {
    copyFileSync(join(modules, file), join(directory, "kernels", file));
  }
  writeFileSync(
    join(directory, "index.html"),
    '<!doctype html><html lang="en"><title>Measuring</title></html>\n',
  );
  return directory;
}

/**
 * The runs that the chapters mention. `primer check` reports terms that are no run of this
 * registry.
 */
function runs_of_book(registry) {
  const files = readdirSync("chapters", { recursive: true }).filter((name) => name.endsWith(".md"));
  const terms = files.flatMap((name) =>
    terms_in(readFileSync(join("chapters", name), "utf8"), registry),
  );
  const specs = readdirSync("figures/specs").map((name) =>
    readFileSync(join("figures/specs", name), "utf8"),
  );
  terms.push(...specs.flatMap((text) => runs_in_spec(JSON.parse(text), registry)));
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}

/**
 * --only accepts kernels and families ("matmul.*") with default parameters, or terms
 * ("matmul.packed{n=480}").
 */
function request_for(patterns, registry) {
  const runs = patterns
    .filter((pattern) => pattern.includes("{"))
    .map((term) => {
      const run = parse_term(term, registry);
      if (!run) throw new Error(`"${term}" is not a kernel with these parameters`);
      return run;
    });
  const only = patterns.filter((pattern) => !pattern.includes("{"));
  const unknown = only.find((pattern) => select_kernels(registry, pattern).length === 0);
  if (unknown) throw new Error(`no kernel matches "${unknown}"`);
  return { only, runs };
}

async function registry_in(page) {
  return page.evaluate(async () => {
    const { detect, choose_module } = await import(
      new URL("runtime/kernels/detect.js", location).href
    );
    const { compile, KernelModule } = await import(
      new URL("runtime/kernels/kernel_module.js", location).href
    );
    const { file, further, reason } = choose_module(detect());
    if (reason) throw new Error(reason);
    const registry_of = async (name) =>
      (await KernelModule.instantiate(await compile(`kernels/${name}`))).registry;
    return (await Promise.all([file, ...further].map(registry_of))).flat();
  });
}

async function measure_in(page, request) {
  return page.evaluate(async (wanted) => {
    const { measure } = await import(new URL("runtime/measure/measure.js", location).href);
    const on_progress = (fraction, text) => {
      document.title = `${Math.round(fraction * 100)} % ${text}`;
    };
    return measure(wanted, { assets: new URL(".", location).href, on_progress });
  }, request);
}

/** The page's progress, from its title: {share, text}. */
async function how_far_in(page) {
  const [, percent, text] = /^(\d+) % (.*)$/.exec(await page.title()) ?? [];
  return percent === undefined ? {} : { share: Number(percent) / 100, text };
}

async function record(options) {
  const directory = lay_out_site(options.modules);
  // Only isolated pages have shared memory
  const server = await serve(directory, { isolated: options.cores });
  const browser = await open_browser(options.browser);
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    const registry = await registry_in(page);
    const request = options.only
      ? request_for(options.only, registry)
      : { runs: runs_of_book(registry), roofs: true };
    const profiles = [];
    const { pace, cores } = options;
    for (let i = 0; i < options.repeat; ++i) {
      const run = options.repeat > 1 ? `run ${i + 1} of ${options.repeat}` : options.browser;
      const work = measure_in(page, { ...request, pace, cores });
      profiles.push(await with_progress(`measure: ${run}`, work, () => how_far_in(page)));
    }
    return { profiles, version: await browser.version() };
  } finally {
    await browser.close();
    await server.close();
    rmSync(directory, { recursive: true });
  }
}

/**
 * Combines several runs into one profile: of each measurement the run with the median typical
 * value, and the roofs computed from those.
 */
function combine({ profiles, version }, options) {
  const results = middle_runs(profiles.map((profile) => profile.results));
  const { levels, roofs } = derive_roofs(results);
  const [first] = profiles;
  const browser = `${first.browser.split(" ")[0]} ${version.split("/")[1]}`;
  const cpu = cpus()[0]?.model?.trim() || "unknown processor";
  const runs = `${options.repeat} ${options.pace} run${options.repeat > 1 ? "s" : ""}`;
  return lift_roofs({
    ...first,
    name: options.name || `${cpu}, ${browser.replace(/(\d+)\..*/, "$1")}`,
    date: first.created.slice(0, 10),
    note: options.note || `Recorded headless by scripts/measure, ${runs}.`,
    browser,
    devices: first.devices.map((device) => ({ ...device, name: cpu })),
    levels,
    roofs,
    results,
  });
}

function report(profile, file) {
  for (const result of profile.results.filter((r) => r.status !== "measured")) {
    console.log(`unavailable: ${result.kernel} ${JSON.stringify(result.params)}: ${result.reason}`);
  }
  for (const note of profile.cores.notes ?? []) console.log(note);
  const measured = profile.results.filter((r) => r.status === "measured");
  const doubtful = measured.filter(
    (r) => r.flags.includes("drift") || r.flags.includes("throttled"),
  );
  console.log(
    `${file}: ${measured.length} measurements (${doubtful.length} doubtful), ` +
      `${profile.roofs.length} roofs`,
  );
}

/** Prints how much the runs differ, in percent, as a Markdown table. */
function print_spread(profiles) {
  const percent = (share) => `${(100 * share).toFixed(2)} %`;
  const table = spread_of(profiles.map((profile) => profile.results));
  console.log(`| measurement | median of ${profiles.length} runs | MAD | MAD of its ratio |`);
  console.log("|---|---|---|---|");
  for (const { kernel, params, unit, value, mad, ratio } of table) {
    const given = Object.entries(params).map(([name, v]) => `${name}=${v}`);
    const name = `${kernel}{${given.join(",")}}`;
    const beside = ratio.mad === 0 ? "" : `${percent(ratio.mad)} (to ${ratio.to})`;
    console.log(`| ${name} | ${value.toPrecision(3)} ${unit} | ${percent(mad)} | ${beside} |`);
  }
  const worst = (list) => (list.length > 0 ? percent(Math.max(...list)) : "–");
  const of = (pick) => table.map(pick);
  for (const [i, profile] of profiles.entries()) {
    const lifted = lift_roofs(profile).results.filter(({ flags }) => flags.includes("lifted-roof"));
    for (const { kernel, params } of lifted)
      console.log(
        `run ${i + 1}: ${kernel} ${JSON.stringify(params)} lies above its roof and lifts it`,
      );
  }
  console.log(`worst: values ${worst(of((r) => r.mad))}, ratios ${worst(of((r) => r.ratio.mad))}`);
}

/** The text of the book's recorded profile of this browser; null if there is none. */
function recorded_text({ browser }) {
  const path = `figures/profiles/reference-${browser}.json`;
  return existsSync(path) ? { path, text: readFileSync(path, "utf8") } : null;
}

/** Prints the differences from the profile that was recorded before. */
function print_changes(before, file) {
  if (!before || !existsSync(primer)) return;
  const folder = mkdtempSync(join(tmpdir(), "roofline-before-"));
  try {
    const old = join(folder, "recorded.json");
    writeFileSync(old, before.text);
    const { status, stdout, stderr } = spawnSync(primer, ["profile", "compare", old, file], {
      encoding: "utf8",
    });
    const words = status === 0 ? changes_in(stdout).text : `not compared: ${stderr}`;
    console.log(`\nAgainst ${before.path}:\n${words.replaceAll(old, "as recorded")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const options = read_options();
const before = recorded_text(options);
try {
  const recorded = await record(options);
  if (options.spread) print_spread(recorded.profiles);
  const profile = combine(recorded, options);
  write_profile(profile, options.out);
  report(profile, options.out);
  print_changes(before, options.out);
} catch (error) {
  fail(error.message);
}
if (resolve(options.out).startsWith(resolve("figures/profiles")) && existsSync(primer)) {
  process.exit(
    spawnSync(primer, ["check", "--book", ".", "--fix"], { stdio: "inherit" }).status ?? 1,
  );
}
