// The arguments of measure_suite for a machine file and a browser's timer.

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import v8 from "node:v8";
import { fileURLToPath } from "node:url";

import { KernelModule } from "../../../site/runtime/kernels/kernel_module.js";
import { detect } from "../../../site/runtime/kernels/detect.js";
import { SimulatedModule, SimulatedPage } from "./simulated_module.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../../..");
const modules = process.env.KERNEL_MODULES ?? path.join(root, "build/wasm/wasm_kernels");

const read_json = (file) => JSON.parse(readFileSync(file, "utf8"));

/** Every machine file of a folder of tests/machines ("processors", "gpus"), by id. */
export function machines_of(folder) {
  const at = path.join(here, "..", folder);
  const files = readdirSync(at).filter((name) => name.endsWith(".json"));
  return new Map(
    files.sort().map((name) => [path.parse(name).name, read_json(path.join(at, name))]),
  );
}

export const browser_modes = read_json(path.join(here, "../browser_modes.json"));

/**
 * Why no kernel can be counted here, or an empty string. Node 18 has other opcodes for relaxed
 * SIMD.
 */
export function unknown_here() {
  if (!detect().relaxed) v8.setFlagsFromString("--experimental-wasm-relaxed-simd");
  return detect().relaxed ? "" : `Node ${process.version} does not know relaxed SIMD`;
}

async function module_called(name) {
  const bytes = readFileSync(path.join(modules, `${name}.wasm`));
  return KernelModule.instantiate(await WebAssembly.compile(bytes));
}

/**
 * The real module, which has the registry and counts operations and bytes; it runs nothing.
 * `further` is the module with the kernels that it lacks.
 */
export async function counting_module(name = "kernels-relaxed") {
  if (name.includes("relaxed") && unknown_here()) throw new Error(unknown_here());
  const further = await module_called(name.replace("kernels", "layers"));
  return Object.assign(await module_called(name), { further });
}

/**
 * {module, now, pause, page} of a machine for measure_suite. `mode` is one of browser_modes
 * (default: the machine's own), `kind` restricts the worker to cores of one kind (default: the
 * machine file), `counter` is a counting_module.
 */
export function simulate(machine, { counter, mode = machine.default_mode, kind, seed }) {
  const timer = machine.timer?.[mode] ?? browser_modes[mode];
  const page = new SimulatedPage(machine, { counter, timer, kind, seed });
  return { module: new SimulatedModule(page), now: page.now, pause: page.pause, page };
}
