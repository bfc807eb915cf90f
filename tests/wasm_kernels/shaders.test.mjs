// Validates the WGSL kernels with a second compiler: naga, which Firefox uses. Every pipeline that
// the page makes for any parameters of a kernel is validated with the values of its overrides, and
// written as SPIR-V.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { NagaError, translate } from "naga-wasm";

import { read_shaders } from "../../scripts/lib/page_in_node.mjs";
import { decided } from "../../site/runtime/gpu/kernels.js";
import { full_suite } from "../../site/runtime/gpu/measure.js";
import { Bench, Work } from "../../site/runtime/gpu/runner.js";
import { KernelModule } from "../../site/runtime/kernels/kernel_module.js";
import { complete_params, task_of } from "../../site/runtime/kernels/tasks.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const shaders = read_shaders(join(root, "wasm_kernels/webgpu"));
const largest = 2 ** 29;

/** Accepts any call and any member, and returns itself. */
const anything = () =>
  new Proxy(() => {}, {
    get: (_, name) => (name === "then" ? undefined : anything()),
    apply: () => anything(),
  });

/**
 * A device that computes nothing and calls `found({code, entryPoint, constants})` for each
 * pipeline.
 */
function recording_device(found) {
  const known = {
    createBuffer: ({ size }) => ({
      size,
      destroy() {},
      unmap() {},
      mapAsync: async () => {},
      getMappedRange: () => new ArrayBuffer(size),
    }),
    createShaderModule: ({ code }) => ({
      code,
      getCompilationInfo: async () => ({ messages: [] }),
    }),
    createComputePipelineAsync: async ({ compute: { module, entryPoint, constants } }) => {
      found({ code: module.code, entryPoint, constants });
      return anything();
    },
    popErrorScope: async () => null,
  };
  return new Proxy(known, { get: (_, name) => known[name] ?? anything() });
}

/**
 * The parameters of a kernel that differ from the defaults in one place: each choice, the minimum
 * and the maximum.
 */
function variations(kernel) {
  const own = complete_params(kernel);
  const others = kernel.params.flatMap(({ name, min, max, choices }) =>
    (choices ?? [min, max]).map((value) => ({ ...own, [name]: value })),
  );
  return [own, ...others];
}

const limits = { maxStorageBufferBindingSize: 2 ** 31 };

/** Every pipeline of every kernel, once: {kernel, code, entryPoint, constants}. */
async function all_pipelines(registry_module) {
  const found = new Map();
  let kernel;
  const device = recording_device((pipeline) => {
    found.set(JSON.stringify(pipeline), { kernel, ...pipeline });
  });
  const of_suite = full_suite.map((run) => task_of(registry_module.registry, run));
  const varied = registry_module.registry.flatMap((one) =>
    variations(one).map((params) => ({ kernel: one, params })),
  );
  const tasks = [...of_suite, ...varied].filter(({ kernel: { id } }) => !/load$/.test(id));
  for (const task of tasks) {
    kernel = task.kernel.id;
    const values = decided(task.kernel, task.params, largest);
    if (values.groups === 0) values.groups = 64;
    const gpu = { device, largest, limits };
    const bench = new Bench(gpu, registry_module, { shaders, now: () => 0 });
    try {
      const work = await Work.prepare(bench, task.kernel, values);
      if (work.plan.outputs > work.answers) await work.check(); // gathers samples
    } catch (error) {
      assert.match(error.message, /whole vectors of four/, `${kernel} ${JSON.stringify(values)}`);
    }
  }
  return [...found.values()];
}

const written = {
  u32: (v) => `${v}u`,
  i32: (v) => `${v}i`,
  f32: (v) => `f32(${v})`,
  bool: Boolean,
};

/**
 * The text with the overrides replaced by the constants of a pipeline, as in the browser. An
 * override without a default may be missing if the entry point does not use it.
 */
function with_constants({ code, entryPoint, constants }) {
  const left = new Set(Object.keys(constants));
  const [body] = code.slice(code.indexOf(`fn ${entryPoint}(`)).split("\n}");
  const text = code.replace(/^override (\w+): (\w+)(?: = ([^;]+))?;/gm, (_, name, type, own) => {
    const is_read = new RegExp(`\\b${name}\\b`).test(body);
    const given = left.delete(name);
    assert.ok(given || own || !is_read, `nothing says what ${name} is`);
    return `const ${name}: ${type} = ${given ? written[type](constants[name]) : (own ?? `${type}()`)};`;
  });
  assert.deepEqual([...left], [], "constants that no override of the shader takes");
  return text;
}

/** Throws NagaError if the text is not valid WGSL. */
const accept = (source) => translate({ from: "wgsl", to: "spirv", source });

describe("naga", () => {
  let pipelines;

  before(async () => {
    for (const name of ["GPUBufferUsage", "GPUMapMode"])
      globalThis[name] = new Proxy({}, { get: () => 0 });
    const file = readFileSync(join(root, "build/wasm/wasm_kernels/webgpu.wasm"));
    const module = await KernelModule.instantiate(await WebAssembly.compile(file));
    pipelines = await all_pipelines(module);
  });

  test("every shader is in a tested pipeline", () => {
    const entries = new Set(pipelines.map(({ entryPoint }) => entryPoint));
    for (const [name, text] of Object.entries(shaders))
      for (const [, entry] of text.matchAll(/^@compute[^\n]*\n(?:@[^\n]*\n)*fn (\w+)/gm))
        assert.ok(entries.has(entry), `${name}.wgsl: nothing runs ${entry}`);
  });

  test("every pipeline is valid with the values of its overrides", () => {
    assert.ok(pipelines.length > 100, `${pipelines.length} pipelines`);
    for (const pipeline of pipelines) {
      const { kernel, entryPoint, constants } = pipeline;
      const where = `${kernel}, ${entryPoint} with ${JSON.stringify(constants)}`;
      try {
        assert.ok(accept(with_constants(pipeline)).length > 0);
      } catch (error) {
        assert.fail(`${where}: ${error.formatted ?? error.message}`);
      }
    }
  });

  test("an error in a shader, even if only in a value, is rejected", () => {
    const altered = (from, to, s) => {
      assert.ok(shaders.wgmem.includes(from), from);
      const code = shaders.wgmem.replace(from, to);
      return () => accept(with_constants({ code, entryPoint: "wgmem", constants: { s } }));
    };
    assert.throws(altered("sum = 0f", "sum = 0u", 1), NagaError);
    assert.throws(altered("lane * s", "lane * t", 1), NagaError);
    assert.throws(altered("words[at + j]", "words[s]", 2056), NagaError);
    assert.doesNotThrow(altered("words[at + j]", "words[s]", 2055));
    assert.throws(() => accept(shaders.peak_f16.replace("enable f16;", "")), NagaError);
  });
});
