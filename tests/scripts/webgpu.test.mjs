// scripts/webgpu without its driver: a page in Node measures as in a browser, and a missing GPU is
// reported.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";

import { dawn_gpu } from "../../scripts/lib/dawn_gpu.mjs";
import { assets, become_page } from "../../scripts/lib/page_in_node.mjs";

const folder = mkdtempSync(join(tmpdir(), "webgpu-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The output of bash after sourcing scripts/lib/vulkan.bash. */
function in_bash(script, env = {}) {
  const source = `set -euo pipefail; scratch=${folder}; . scripts/lib/vulkan.bash; ${script}`;
  const ended = spawnSync("bash", ["-c", source], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return { ...ended, lines: ended.stdout.split("\n").filter(Boolean) };
}

/** Runs scripts/webgpu.mjs with a Vulkan loader that finds no driver. */
const without_driver = (...all) =>
  spawnSync(process.execPath, ["scripts/webgpu.mjs", ...all], {
    encoding: "utf8",
    env: { ...process.env, VK_DRIVER_FILES: join(folder, "none.json") },
  });

test("site/runtime measures in Node unchanged, also on several cores", async () => {
  become_page({
    modules: resolve("build/wasm/wasm_kernels"),
    shaders: resolve("wasm_kernels/webgpu"),
  });
  const { measure } = await import("../../site/runtime/measure/measure.js");
  const runs = [1, 2].map((threads) => ({ kernel: "peak.simd", params: { chains: 4 }, threads }));
  const { results, isolated } = await measure({ runs, only: [], pace: "quick" }, { assets });
  assert.equal(isolated, true);
  assert.deepEqual(
    results.map(({ status, threads }) => [status, threads]),
    [
      ["measured", 1],
      ["measured", 2],
    ],
  );
  for (const { median } of results) assert.ok(median > 0.01);
});

test("where no GPU is found, the page's words say so, and no profile is written", () => {
  const { status, stderr, stdout } = without_driver("--only", "gpu.triad");
  assert.equal(status, 1, stdout);
  assert.match(stderr, /^webgpu: the browser gave no GPU/m);
});

test("what it is asked and does not know is said", () => {
  assert.match(
    without_driver("--only", "matmul.*").stderr,
    /^webgpu: --only takes kernels of GPUs/,
  );
  assert.match(
    without_driver("--pace", "slow").stderr,
    /^webgpu: --pace is quick or full or thoro/,
  );
  assert.match(without_driver("--outt", "x").stderr, /^webgpu: .*'--outt'/);
});

test("an adapter of default limits has no feature and no larger limit", async () => {
  const adapter = {
    info: { vendor: "a" },
    limits: { maxBufferSize: 2 ** 32 },
    features: new Set(["shader-f16"]),
    requestDevice: async (wanted) => wanted,
  };
  const gpu = { requestAdapter: async () => adapter, wgslLanguageFeatures: new Set(["x"]) };
  const load = async () => ({ create: () => gpu, globals: {} });
  const least = dawn_gpu({ default_limits: true }, load);
  const found = await least.requestAdapter();
  assert.equal(found.features.size, 0);
  assert.equal(found.limits.maxStorageBufferBindingSize, 2 ** 27);
  assert.equal(found.limits.maxBufferSize, 2 ** 28);
  assert.deepEqual(await found.requestDevice({ requiredFeatures: [] }), { requiredFeatures: [] });
  assert.equal(least.wgslLanguageFeatures.size, 0);
  const whole = dawn_gpu({}, load);
  assert.equal(await whole.requestAdapter(), adapter);
  assert.ok(whole.wgslLanguageFeatures.has("x"));
});

/**
 * A machine's directories with these files, empty, and the beginning of a script that searches
 * there.
 */
function machine(name, ...files) {
  const begin = join(folder, name);
  for (const file of files) {
    mkdirSync(join(begin, dirname(file)), { recursive: true });
    writeFileSync(join(begin, file), "");
  }
  return { begin, looks: `system_root=${begin}; unset VK_DRIVER_FILES VK_ICD_FILENAMES;` };
}

test("of a machine's drivers the environment's are taken, else NVIDIA's, else all", () => {
  const icds = ["etc/vulkan/icd.d/a.json", "usr/share/vulkan/icd.d/nvidia_icd.json"];
  const both = machine("both", ...icds);
  assert.deepEqual(in_bash(`${both.looks} machine_drivers`).lines, [join(both.begin, icds[1])]);
  const named = in_bash("machine_drivers", { VK_DRIVER_FILES: "/one.json:/other.json" });
  assert.deepEqual(named.lines, ["/one.json", "/other.json"]);
  const other = machine("other", icds[0]);
  assert.deepEqual(in_bash(`${other.looks} machine_drivers`).lines, [join(other.begin, icds[0])]);
  assert.deepEqual(in_bash(`${machine("none").looks} machine_drivers`).lines, []);
});

test("NVIDIA's libraries without the file that names them get one, and are found", () => {
  const library = "usr/local/nvidia/lib64/libGLX_nvidia.so.0";
  const { begin, looks } = machine("container", library);
  const { lines } = in_bash(`${looks} file=$(machine_drivers); cat $file; libraries_of $file`);
  assert.equal(JSON.parse(lines[0]).ICD.library_path, join(begin, library));
  assert.deepEqual(lines[1].split(":"), [
    "",
    join(folder, "lib"), // a link to the library's directory
    join(begin, "usr/local/nvidia/lib64"),
  ]);
  assert.equal(realpathSync(join(folder, "lib")), dirname(realpathSync(join(begin, library))));
});

test("a driver's libraries are searched next to its file, then where the environment says", () => {
  const file = "opt/share/vulkan/icd.d/some_icd.json";
  const { begin, looks } = machine("vendor", file, "opt/lib64/libsome.so");
  const { lines } = in_bash(`${looks} libraries_of ${join(begin, file)}`, {
    LD_LIBRARY_PATH: "/more",
  });
  assert.deepEqual(lines, [`:${begin}/opt/lib64:/more`]);
});

test("the program runs on the given C library with the given driver, and --driver is not passed on", () => {
  const loader = join(folder, "ld-linux-some.so.2");
  writeFileSync(loader, '#!/bin/sh\necho "$VK_DRIVER_FILES"; printf "%s\\n" "$@"\n', {
    mode: 0o755,
  });
  const { lines } = in_bash(
    `webgpu ${folder} /usual.json node script --driver /mine.json --only 'gpu.*'`,
  );
  assert.equal(lines[0], "/mine.json");
  assert.equal(lines[1], "--library-path");
  assert.ok(lines[2].startsWith(folder));
  assert.deepEqual(lines.slice(3), ["node", "script", "--only", "gpu.*"]);
  assert.equal(in_bash(`webgpu ${folder} /usual.json node script`).lines[0], "/usual.json");
});

test("without a driver on the machine, the message names the variable that sets one", () => {
  const none = "machine_drivers() { :; }; webgpu /none machine node script";
  const { status, stderr } = in_bash(none);
  assert.equal(status, 1);
  assert.match(stderr, /no Vulkan driver was found on this machine; --driver FILE/);
});
