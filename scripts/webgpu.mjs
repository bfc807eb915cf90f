// Implements scripts/webgpu: runs the page's sampler and runner on Dawn, in Node, with the GPU that
// the Vulkan loader finds.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { assets, become_page } from "./lib/page_in_node.mjs";
import { check_profile_place, write_profile } from "./lib/profile_file.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const paces = ["quick", "full", "thorough"];
// A software driver takes half a minute to compile if other processes use the CPU.
const patience_ms = 600_000;

const known_options = {
  out: { type: "string" },
  only: { type: "string", multiple: true },
  pace: { type: "string", default: "thorough" },
  name: { type: "string" },
  note: { type: "string" },
  "default-limits": { type: "boolean", default: false },
  "even-software": { type: "boolean", default: false },
  modules: { type: "string", default: resolve(root, "build/wasm/wasm_kernels") },
};

/** Throws Error for unknown options. */
function read_options() {
  const { values } = parseArgs({ options: known_options });
  const { pace, only = [] } = values;
  if (!paces.includes(pace)) throw new Error(`--pace is ${paces.join(" or ")}, not "${pace}"`);
  const wrong = only.find((pattern) => !pattern.startsWith("gpu."));
  if (wrong) throw new Error(`--only takes kernels of GPUs (gpu.*), not "${wrong}"`);
  return values;
}

/**
 * The request to site/runtime/measure: the given kernels, or everything in a GPU's summary (a first
 * look at a quick pace), and the read rate of all cores, which identifies a GPU with its own
 * memory.
 */
async function request_of(options) {
  const how = { pace: options.pace, even_software: options["even-software"] };
  if (options.only) return { ...how, only: options.only };
  const { full_suite, quick_suite } = await import("../site/runtime/gpu/measure.js");
  const runs = options.pace === "quick" ? quick_suite : full_suite;
  return { ...how, runs, cores: true, jitter: true };
}

/** Reports progress as a line on stderr whenever it changes. */
function progress() {
  let last = "";
  return (fraction, text) => {
    if (text !== last) console.error(`${Math.round(fraction * 100)} % ${text}`);
    last = text;
  };
}

function version_of_dawn() {
  const file = new URL("../node_modules/webgpu/package.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
}

/** The profile with its provenance. */
function named(profile, options) {
  const gpu = profile.devices.find(({ kind }) => kind === "gpu");
  const limits = options["default-limits"] ? ", default limits" : "";
  return {
    ...profile,
    name: options.name ?? `${gpu.name}, Dawn in Node${limits}`,
    date: profile.created.slice(0, 10),
    note: options.note ?? `Recorded by scripts/webgpu, one ${options.pace} run${limits}.`,
    browser: `Node ${process.versions.node} with webgpu ${version_of_dawn()}`,
    engine: "V8",
    os: "Linux",
  };
}

const of_gpu = ({ device }) => device === "gpu";
const run_name = ({ kernel, params }) => `${kernel} ${JSON.stringify(params)}`;

/** Prints each result of the GPU. Returns the number of wrong results. */
function report(profile) {
  const results = profile.results.filter(of_gpu);
  for (const result of results) {
    const { status, median, unit, reason, flags } = result;
    const rate = `${Number(median).toPrecision(3)} ${unit} ${flags.join(", ")}`.trim();
    console.log(`${run_name(result)}: ${status === "measured" ? rate : reason}`);
  }
  const right = results.filter(({ verified }) => verified).length;
  const wrong = results.filter(({ verified }) => verified === false).length;
  const rest = results.length - right - wrong;
  console.log(`${right} of ${results.length} runs verified, ${wrong} wrong, ${rest} not run`);
  return wrong;
}

async function record(options) {
  const shaders = resolve(root, "wasm_kernels/webgpu");
  const default_limits = options["default-limits"];
  become_page({ modules: resolve(options.modules), shaders, default_limits });
  const { add_to_profile, measure } = await import("../site/runtime/measure/measure.js");
  const request = await request_of(options);
  const fresh = await measure(request, { assets, patience_ms, on_progress: progress() });
  const profile = await add_to_profile(null, fresh);
  const { state, reason } = profile.gpu;
  if (state === "none" || state === "refused") throw new Error(reason);
  if (!profile.results.some(of_gpu)) throw new Error(`no kernel matches "${options.only}"`);
  return named(profile, options);
}

try {
  const options = read_options();
  if (options.out) check_profile_place(options.out);
  const profile = await record(options);
  if (options.out) write_profile(profile, options.out);
  console.log(`${profile.name}: ${profile.gpu.state}`);
  process.exitCode = report(profile) > 0 ? 1 : 0;
} catch (error) {
  console.error(`webgpu: ${error.message}`);
  process.exitCode = 1;
}
