// Runs a WGSL matmul by the reader: compiles it, runs a copy whose loops end (program.js), compares
// the answer with the reference in webgpu.wasm, and times it. The environment is passed in, so that
// tests can replace it.

import { entry_of, limited, limited_size, most_turns, sizes_of } from "./program.js";
import { describe_gpu, NoGpu, open_gpu } from "../gpu/adapter.js";
import { Bench, Work } from "../gpu/runner.js";
import { calibrate, time_all, time_nothing, untimeable } from "../gpu/timing.js";
import { measure_tick } from "../kernels/clock.js";
import { median } from "../base/stats.js";

const file = "yours";
const kernel_id = "gpu.matmul.naive"; // has the counts and the reference of all matmuls in FP32
const samples_wanted = 15;
const warm_up_rounds = 3;
const software_samples = 3;
/** n of the problem. A software GPU is thousands of times slower. */
export const size_of = (software) => (software ? 64 : 1024);

/** A program that was refused: {reason} and {problems: [{line, column, text}]}. */
class Refused extends Error {
  constructor(reason, problems = []) {
    super(reason);
    this.problems = problems;
  }
}

/** The compiler's errors with their lines. */
async function compile(bench, text) {
  const module = bench.device.createShaderModule({ code: text, label: file });
  const { messages } = await module.getCompilationInfo();
  const problems = messages
    .filter(({ type }) => type === "error")
    .map(({ lineNum: line, linePos: column, message }) => ({ line, column, text: message }));
  if (problems.length > 0) throw new Refused("the program does not compile", problems);
}

const in_words = (message) =>
  /binding index|bind group layout/i.test(message)
    ? "the program does not use all of c, a and b (bindings 0 to 2 of group 0)"
    : message;

/** What the program changes in the plan of a matmul (gpu/kernels.js). */
function plan_of_program({ text, block: [rows, columns] }, n) {
  const sizes = Object.fromEntries(sizes_of(text).map((name) => [name, n]));
  const groups = [Math.ceil(n / columns), Math.ceil(n / rows)];
  return { file, entry: entry_of(text), constants: sizes, groups };
}

/** Throws Refused if a loop of the copy whose loops end takes too many turns with n rows. */
async function run_limited(bench, program, n) {
  const text = limited(program.text, n);
  if (!text) return;
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const plan = plan_of_program(program, n);
  const floats = n ** 2;
  const found = await bench.guarded(async () => {
    bench.shaders[file] = text;
    const pipeline = await bench.pipeline(file, plan.entry, plan.constants);
    const endless = bench.buffer(16, STORAGE | COPY_SRC | COPY_DST);
    const numbers = await bench.numbers({ kind: "numbers", floats, first: 0 });
    const more = await bench.numbers({ kind: "numbers", floats, first: floats });
    const encoder = bench.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bench.group(pipeline, [bench.scratch(floats * 4), numbers, more]));
    const entries = [{ binding: 0, resource: { buffer: endless } }];
    const layout = pipeline.getBindGroupLayout(1);
    pass.setBindGroup(1, bench.device.createBindGroup({ layout, entries }));
    // A few groups are enough, and an endless loop costs less in them.
    pass.dispatchWorkgroups(...plan.groups.map((count) => Math.min(count, 2)));
    pass.end();
    bench.device.queue.submit([encoder.finish()]);
    return new Uint32Array(await bench.download(endless, 4))[0];
  });
  if (found > 0)
    throw new Refused(
      `the loop in line ${found} took more than ${most_turns(n)} turns on a matrix of ${n} rows, so it may never end`,
      [{ line: found, column: 1, text: "" }],
    );
}

/** Seconds of a dispatch on a software GPU, with the way there and back. */
async function time_software(work) {
  const times = [];
  for (let i = 0; i < software_samples; ++i) times.push(await work.wall(1));
  return median(times);
}

/** Seconds of a dispatch. */
async function time(bench, kernel, work, report) {
  if (bench.gpu.software) return time_software(work);
  const suite = { bench, tick: measure_tick(bench.now) / 1e3 };
  suite.look_seconds = await time_nothing(bench);
  const item = { kernel, work };
  const why_not = untimeable(suite, item);
  if (why_not) throw new Refused(why_not);
  for (let round = 0; round < warm_up_rounds; ++round) await calibrate(suite, [item]);
  if (item.reason) throw new Refused(item.reason);
  const times = [];
  for (let i = 0; i < samples_wanted; ++i) {
    report(0.5 + (0.5 * i) / samples_wanted, "Measuring");
    const [seconds] = await time_all(suite, [item]);
    if (seconds > 0) times.push(seconds / item.count);
  }
  if (times.length < samples_wanted / 2) throw new Refused("the GPU timer is not usable here");
  return median(times);
}

async function run(bench, reference, program, report) {
  const kernel = reference.registry.find(({ id }) => id === kernel_id);
  const n = size_of(bench.gpu.software);
  const values = { n, m: 0, k: 0 };
  report(0.05, "Compiling");
  await compile(bench, program.text);
  report(0.1, "Running it with limited loops");
  for (const rows of [limited_size, n]) await run_limited(bench, program, rows);
  report(0.25, "Comparing its answer with the reference");
  bench.shaders[file] = program.text;
  const work = await Work.prepare(bench, kernel, values, plan_of_program(program, n));
  const { error, tolerance } = await work.check();
  if (!(error <= tolerance))
    throw new Refused(
      Number.isNaN(error)
        ? "its answer is wrong: an element of C is not a number"
        : `its answer is wrong: an element of C is off by ${error}`,
    );
  const seconds = await time(bench, kernel, work, report);
  reference.select(kernel, values);
  const [flops, bytes] = [reference.flops(kernel), reference.bytes(kernel)];
  return { n, flops, bytes, rate: flops / seconds };
}

/**
 * Resolves to {result: {n, flops, bytes, rate in FLOP/s}, device}, or
 * {reason, problems} in words for readers. `program` is {text, block: [rows, columns]}; `reference`
 * is webgpu.wasm; `page` is the environment: {gpu: navigator.gpu, shaders() (WGSL by file name),
 * now() in milliseconds, report(fraction, text)}. The caller stops a silent trial.
 */
export async function try_program(program, reference, page) {
  let bench = null;
  try {
    const gpu = await open_gpu(page.gpu);
    bench = new Bench(gpu, reference, { shaders: { ...(await page.shaders()) }, now: page.now });
    gpu.lost.then((why) => (bench.gone = why));
    const lost = gpu.lost.then((why) => {
      throw new Error(why);
    });
    lost.catch(() => {}); // closing the bench loses the device, too
    const result = await Promise.race([run(bench, reference, program, page.report), lost]);
    return { result, device: describe_gpu(gpu) };
  } catch (error) {
    if (error instanceof NoGpu) return { reason: error.message, problems: [] };
    if (bench?.gone) return { reason: `the GPU was lost (${bench.gone})`, problems: [] };
    return { reason: in_words(error.message), problems: error.problems ?? [] };
  } finally {
    bench?.close();
  }
}
