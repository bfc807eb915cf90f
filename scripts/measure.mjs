// Records a profile of this machine in a headless browser. `primer measure` runs this script, and
// scripts/measure runs `primer measure` for this book.
//
//   primer build --unmeasured --> a site, served on this machine --> measuring code in a browser
//     --> profile with its provenance --> --out FILE, or `primer profile use`
//
// Texts and figure specs name the kernels to measure; the site lists all kernels with their
// parameters. $PRIMER_INSTALLED is the path of primer.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { browser_kinds, open_browser, serve } from "./lib/browsers.mjs";
import { parse_term, runs_in_spec, terms_in } from "./lib/kernel_terms.mjs";
import { changes_in } from "./lib/profile_changes.mjs";
import { check_profile_place, write_profile } from "./lib/profile_file.mjs";
import { with_progress } from "./lib/progress.mjs";
import { derive_roofs, lift_roofs } from "../site/runtime/measure/roofs.js";
import { select_kernels } from "../site/runtime/kernels/tasks.js";
import { middle_runs, spread_of } from "../site/runtime/profile/runs.js";

const paces = ["quick", "full", "thorough"];
const primer = process.env.PRIMER_INSTALLED ?? "primer";
const page_name = "measuring.html";

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
      book: { type: "string", default: "." },
      modules: { type: "string" },
      trust: { type: "boolean", default: false },
      "no-sandbox": { type: "boolean", default: false },
    },
  });
  if (!browser_kinds.includes(values.browser)) fail(`--browser is ${browser_kinds.join(" or ")}`);
  if (!paces.includes(values.pace)) fail(`--pace is ${paces.join(" or ")}`);
  if (values.only && !values.out) fail("--only needs --out, because it records a part");
  try {
    if (values.out) check_profile_place(values.out);
  } catch (error) {
    fail(error.message);
  }
  const repeat = Number(values.repeat);
  if (!Number.isInteger(repeat) || repeat < 1) fail("--repeat is a whole number from 1");
  if (values.spread && repeat < 3) fail("--spread needs --repeat of at least 3");
  return { ...values, repeat };
}

/** Builds the book without measured numbers, with an empty page to measure in. */
function build_site(directory, { book, modules, trust, "no-sandbox": no_sandbox }) {
  const site = join(directory, "site");
  const words = ["build", "--book", book, "--out", site, "--base-url", "none", "--unmeasured"];
  if (modules) words.push("--modules", modules);
  if (trust) words.push("--trust");
  if (no_sandbox) words.push("--no-sandbox");
  const { status, stderr, stdout } = spawnSync(primer, words, { encoding: "utf8" });
  if (status !== 0)
    throw new Error(
      `the book does not build, so it cannot be measured:\n${stderr ?? ""}${stdout ?? ""}`,
    );
  const [assets] = readdirSync(join(site, "_"));
  writeFileSync(
    join(site, page_name),
    `<!doctype html><html lang="en" data-assets="_/${assets}/"><title>Measuring</title>\n`,
  );
  return site;
}

/**
 * The runs that the chapters mention. `primer check` reports terms that are no run of this
 * registry.
 */
function runs_of_book(book, registry) {
  const texts_in = (folder, ending) =>
    (existsSync(join(book, folder)) ? readdirSync(join(book, folder), { recursive: true }) : [])
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(join(book, folder, name), "utf8"));
  const terms = texts_in("chapters", ".md").flatMap((text) => terms_in(text, registry));
  const specs = texts_in("figures/specs", ".json");
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
  const only = [];
  for (const pattern of patterns.filter((one) => !one.includes("{"))) {
    const kernels = select_kernels(registry, pattern);
    if (kernels.length === 0) throw new Error(`no kernel matches "${pattern}"`);
    // The page takes kernels of the book as runs
    const own = kernels.filter(({ pack }) => pack);
    runs.push(...own.map(({ id }) => ({ kernel: id, params: {}, threads: 1 })));
    if (own.length < kernels.length) only.push(pattern);
  }
  return { only, runs };
}

/** The kernels of the site's CPU modules and of the book itself. scripts/webgpu records GPUs. */
async function registry_in(page) {
  const kernels = await page.evaluate(async () => {
    const { registry } = await import(new URL("runtime/page/page.js", window.assets).href);
    return registry();
  });
  return kernels.filter(({ id, pack }) => pack || !id.startsWith("gpu."));
}

async function measure_in(page, request) {
  return page.evaluate(async (wanted) => {
    const script = (name) => import(new URL(`runtime/measure/${name}.js`, window.assets).href);
    const [{ measure }, { with_packs }] = [await script("measure"), await script("bench")];
    const on_progress = (fraction, text) => {
      document.title = `${Math.round(fraction * 100)} % ${text}`;
    };
    return measure(await with_packs(wanted), { assets: window.assets, on_progress });
  }, request);
}

/** The page's progress, from its title: {share, text}. */
async function how_far_in(page) {
  const [, percent, text] = /^(\d+) % (.*)$/.exec(await page.title()) ?? [];
  return percent === undefined ? {} : { share: Number(percent) / 100, text };
}

async function record(options) {
  const directory = mkdtempSync(join(tmpdir(), "primer-measure-"));
  const closing = [() => rmSync(directory, { recursive: true, force: true })];
  try {
    const site = build_site(directory, options);
    // Only isolated pages have shared memory
    const server = await serve(site, { isolated: options.cores });
    closing.unshift(() => server.close());
    const browser = await open_browser(options.browser, { sandbox: true, patience_ms: 0 });
    closing.unshift(() => browser.close());
    const page = await browser.newPage();
    await page.goto(server.url + page_name);
    await page.evaluate(() => {
      window.assets = new URL(document.documentElement.dataset.assets, location).href;
    });
    return { profiles: await runs_in(page, options), version: await browser.version() };
  } finally {
    for (const close of closing) await close();
  }
}

/** The profiles of all runs. */
async function runs_in(page, options) {
  const { pace, cores, repeat, only, browser, book } = options;
  const registry = await registry_in(page);
  const request = only
    ? request_for(only, registry)
    : { runs: runs_of_book(book, registry), roofs: true };
  const profiles = [];
  for (let i = 0; i < repeat; ++i) {
    const run = repeat > 1 ? `run ${i + 1} of ${repeat}` : browser;
    const work = measure_in(page, { ...request, pace, cores });
    profiles.push(await with_progress(`measure: ${run}`, work, () => how_far_in(page)));
  }
  return profiles;
}

/**
 * Combines several runs into one profile: of each measurement the run with the median typical
 * value, and the roofs computed from those.
 */
function combine({ profiles, version }, options) {
  const results = middle_runs(profiles.map((profile) => profile.results));
  const { levels, roofs } = derive_roofs(results);
  const [first] = profiles;
  const browser = `${first.browser.split(" ")[0].replace("Headless", "")} ${version.split("/")[1]}`;
  const cpu = cpus()[0]?.model?.trim() || "unknown processor";
  const runs = `${options.repeat} ${options.pace} run${options.repeat > 1 ? "s" : ""}`;
  return lift_roofs({
    ...first,
    name: options.name || `${cpu}, ${browser.replace(/(\d+)\..*/, "$1")}`,
    date: first.created.slice(0, 10),
    note: options.note || `Recorded headless by primer measure, ${runs}.`,
    browser,
    devices: first.devices.map((device) => ({ ...device, name: cpu })),
    levels,
    roofs,
    results,
  });
}

function report(profile, file, only) {
  for (const result of profile.results.filter((r) => r.status !== "measured")) {
    console.log(`unavailable: ${result.kernel} ${JSON.stringify(result.params)}: ${result.reason}`);
  }
  for (const note of profile.cores.notes ?? []) console.log(note);
  const measured = profile.results.filter((r) => r.status === "measured");
  const doubtful = measured.filter(({ flags }) =>
    ["drift", "throttled", "disturbed"].some((flag) => flags.includes(flag)),
  );
  console.log(
    `${file}: ${measured.length} measurements (${doubtful.length} doubtful), ` +
      `${profile.roofs.length} roofs`,
  );
  if (profile.roofs.length === 0 && !only)
    console.log("no roofs: other programs disturbed the run; close them and measure again");
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

/** Prints the differences from the profile that was recorded before. */
function print_changes(before, file, of_book) {
  const { status, stdout, stderr } = run_primer("profile", "compare", before, file, ...of_book);
  const words = status === 0 ? changes_in(stdout).text : `not compared: ${stderr}`;
  console.log(`\nCompared with the previous profile:\n${words.replaceAll(before, "previous")}`);
}

const run_primer = (...words) => spawnSync(primer, words, { encoding: "utf8" });

/** Writes the profile where it belongs; the exit status. */
function store(profile, { out, only, book, "no-sandbox": no_sandbox }) {
  const folder = mkdtempSync(join(tmpdir(), "primer-profile-"));
  const of_book = ["--book", book, ...(no_sandbox ? ["--no-sandbox"] : [])];
  let status = 0;
  try {
    const before = join(folder, "previous.json");
    const is_known = out && existsSync(out);
    if (is_known) copyFileSync(out, before);
    const file = out ?? join(folder, "this-machine.json");
    write_profile(profile, file);
    report(profile, out ?? profile.name, only);
    if (is_known) print_changes(before, file, of_book);
    if (out) return 0;
    const words = ["profile", "use", file, ...of_book];
    // Without roofs, the book's verdicts and figures would lack their values.
    const has_roofs = profile.roofs.length > 0;
    status = has_roofs ? (spawnSync(primer, words, { stdio: "inherit" }).status ?? 1) : 1;
    if (status !== 0)
      console.error(`measure: the profile is in ${file}; then: primer ${words.join(" ")}`);
    return status;
  } finally {
    if (status === 0) rmSync(folder, { recursive: true });
  }
}

const options = read_options();
try {
  const recorded = await record(options);
  if (options.spread) print_spread(recorded.profiles);
  process.exitCode = store(combine(recorded, options), options);
} catch (error) {
  fail(error.message);
}
