// The participants of a benchmark; each answers the requests listed in tests/bench/twin.hpp.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

import { KernelModule } from "../../site/runtime/kernels/kernel_module.js";
import { WasmTwin } from "../../tests/bench/wasm_twin.mjs";
import { browser_kinds, open_browser, serve } from "./browsers.mjs";

export const modules = ["simd128", "relaxed"];
const module_file = (name, family = "kernels") => `build/wasm/wasm_kernels/${family}-${name}.wasm`;
const pool_member = "/site/runtime/measure/thread_pool_member.js";
const peers_folder = "/tests/bench/peers";

/** Starts a native program: {name, ask(line), close()}. */
function start_program(name, path, environment = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn(path, { stdio: ["pipe", "pipe", "inherit"], env });
  const lines = createInterface({ input: child.stdout });
  const waiting = [];
  lines.on("line", (line) => waiting.shift()(JSON.parse(line)));
  let has_ended = false;
  child.on("exit", () => {
    has_ended = true;
    for (const answer of waiting.splice(0)) answer({ refused: "it ended" });
  });
  const ask = (line) =>
    new Promise((answer) => {
      if (has_ended) return answer({ refused: "it ended" });
      waiting.push(answer);
      child.stdin.write(`${line}\n`);
    });
  return { name, ask, close: async () => child.stdin.end() };
}

/** The native programs that scripts/bench has built; OpenBLAS once per vector width. */
export function native_twins() {
  const programs = [
    ["native mul+add", "twin_simd"],
    ["native fma", "twin_fma"],
    ["native avx2", "twin_avx2"],
    ["OpenBLAS sse", "twin_blas", { OPENBLAS_CORETYPE: "Nehalem" }],
    ["OpenBLAS avx2", "twin_blas", { OPENBLAS_CORETYPE: "Haswell" }],
  ];
  return programs
    .map(([name, file, more = {}]) => [name, `build/twins/tests/bench/${file}`, more])
    .filter(([, path]) => existsSync(path))
    .map(([name, path, more]) => start_program(name, path, { ...more, OPENBLAS_NUM_THREADS: "1" }));
}

export async function node_twins() {
  const twins = [];
  for (const module of modules) {
    const bytes = readFileSync(module_file(module));
    if (!WebAssembly.validate(bytes)) continue; // Node supports relaxed SIMD since version 21
    const compiled = await WebAssembly.compile(bytes);
    const twin = new WasmTwin(() => KernelModule.instantiate(compiled));
    twins.push({ name: `Node ${module}`, ask: (line) => twin.answer(line), close: async () => {} });
  }
  return twins;
}

/**
 * A directory to serve: an empty page, links to the tree, and the files that LiteRT.js imports by
 * name.
 */
function lay_out_site() {
  const directory = mkdtempSync(join(tmpdir(), "roofline-bench-"));
  for (const part of ["site", "tests", "build"]) symlinkSync(resolve(part), join(directory, part));
  const imports = {
    "@litertjs/wasm-utils": `${peers_folder}/node_modules/@litertjs/wasm-utils/dist/index.js`,
  };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  const html = `<!doctype html><html lang="en"><title>Bench</title>${map}</html>\n`;
  writeFileSync(join(directory, "index.html"), html);
  return directory;
}

/**
 * Opens a page in `kind`, `isolated` for a fine clock and shared memory: {page, version, close}.
 */
async function open_page(kind, isolated) {
  const directory = lay_out_site();
  const server = await serve(directory, { isolated });
  const browser = await open_browser(kind);
  const page = await browser.newPage();
  await page.goto(server.url);
  const close = async () => {
    await browser.close();
    await server.close();
    rmSync(directory, { recursive: true });
  };
  return { page, version: await browser.version(), close };
}

/**
 * Starts a worker of `page` with a module of kernels. With `threads` above 1 it is a team, whose
 * other workers the page starts (thread_pool.js).
 */
async function start_worker(page, name, module, { threads = 1, family } = {}) {
  const ask = (line) =>
    page.evaluate(
      (key, text) =>
        new Promise((answer) => {
          window[key].answer = answer;
          window[key].worker.onerror = ({ message }) => answer({ refused: message });
          window[key].worker.postMessage(text);
        }),
      name,
      line,
    );
  await page.evaluate(
    (key, member) => {
      const start = (task) =>
        new Promise((resolve, reject) => {
          const other = new Worker(member, { type: "module" });
          const heard = ({ data }) => (data.ready ? resolve() : reject(new Error(data.reason)));
          other.addEventListener("message", heard, { once: true });
          other.addEventListener("error", ({ message }) => reject(new Error(message)));
          other.postMessage(task);
        });
      const worker = new Worker("/tests/bench/twin_worker.js", { type: "module" });
      worker.onmessage = async ({ data }) => {
        if (data.type !== "gather") return window[key].answer(data);
        const failed = await Promise.all(data.tasks.map(start)).then(
          () => undefined,
          ({ message }) => message,
        );
        worker.postMessage({ gathered: true, reason: failed });
      };
      window[key] = { worker };
    },
    name,
    pool_member,
  );
  const file = module_file(threads > 1 ? `${module}-shared` : module, family);
  const { refused } = await ask({ url: `/${file}`, threads });
  if (refused) throw new Error(`${name}: ${refused}`);
  return { name, ask, close: async () => {} };
}

const label_of = (kind) => kind[0].toUpperCase() + kind.slice(1);

/**
 * Both modules in a page of each browser; with `roofs` also the probes of arithmetic, "… roof".
 * `family` "layers" uses the modules of layers, and the probes of the main modules.
 */
export async function browser_twins(how = {}) {
  const { kinds = browser_kinds, isolated = true, roofs, family } = how;
  const twins = [];
  for (const kind of kinds) {
    const { page, version, close } = await open_page(kind, isolated);
    for (const module of modules) {
      const add = async (name, more, from) =>
        twins.push({ ...(await start_worker(page, name, module, from)), page, version, ...more });
      await add(`${label_of(kind)} ${module}`, { module }, { family });
      if (roofs) await add(`${label_of(kind)} ${module} roof`, { own_row: roofs[module] });
    }
    twins.at(-1).close = close;
  }
  return twins;
}

/**
 * The relaxed module in an isolated page of one browser, alone and as a team of `threads` whose
 * rows are those of matmul.parallel.
 */
export async function team_twins(kind, threads) {
  const { page, version, close } = await open_page(kind, true);
  const label = label_of(kind);
  const own_row = (row) => ({ ...row, kernel: "matmul.parallel" });
  const alone = await start_worker(page, `${label} 1 thread`, "relaxed");
  const team = await start_worker(page, `${label} ${threads} threads`, "relaxed", { threads });
  return [
    { ...alone, page, version },
    { ...team, page, version, own_row, close },
  ];
}

/** The libraries of tests/bench/peers on `page`, each named `label` plus its name. */
export async function peer_twins(page, label, threads = 1) {
  const names = await page.evaluate(async (folder) => {
    window.peers = await import(`${folder}/peers.js`);
    return window.peers.peers;
  }, peers_folder);
  const ask = (peer, line) => page.evaluate((key, text) => window.peers.ask(key, text), peer, line);
  return names.map((peer) => ({
    name: `${label} ${peer}`,
    peer,
    is_peer: true,
    ask: (line) => ask(peer, line.startsWith("prepare") ? `${line} threads=${threads}` : line),
    close: async () => {},
  }));
}
