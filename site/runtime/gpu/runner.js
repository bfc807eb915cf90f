// Runs one kernel on the GPU: its buffers, which the GPU fills itself, its pipeline, the comparison
// of its output with the reference in webgpu.wasm, and the times of many dispatches of many
// kernels.

import { plan_of } from "./kernels.js";

const most_answers = 65536;
const sampled_answers = 4096;
const timed_at_once = 64;
const mebibyte = 2 ** 20;
const whole_lines = (bytes) => Math.ceil(bytes / 64) * 64;

/** Device, shaders, and buffers that several kernels share. Call close() after use. */
export class Bench {
  #numbers = new Map();
  #modules = new Map();
  #scratch = null;
  #buffers = [];
  #idle_clocks = [];

  /** `shaders` maps file names to WGSL; `now` is a clock in milliseconds. */
  constructor(gpu, reference, { shaders, now }) {
    this.gpu = gpu;
    this.device = gpu.device;
    this.reference = reference; // webgpu.wasm
    this.shaders = shaders;
    this.now = now;
    this.by_gpu = gpu.timing === "timestamp";
    this.tick = 1e-4; // seconds per tick of the GPU's clock: an upper bound, lowered by observation
  }

  buffer(size, usage) {
    const made = this.device.createBuffer({ size: Math.max(16, Math.ceil(size / 16) * 16), usage });
    this.#buffers.push(made);
    return made;
  }

  /**
   * Throws a message for readers if there is not enough memory, so that the kernel gets no smaller
   * buffer.
   */
  storage(bytes) {
    const most = this.gpu.limits.maxStorageBufferBindingSize;
    if (bytes > most) {
      const [wanted, allowed] = [bytes, most].map((n) => Math.round(n / mebibyte));
      throw new Error(`it needs ${wanted} MiB in one array, and this GPU allows ${allowed}`);
    }
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    return this.buffer(bytes, STORAGE | COPY_SRC | COPY_DST);
  }

  /** Runs `work`, and throws a message for readers if the device reports an error. */
  async guarded(work) {
    this.device.pushErrorScope("validation");
    this.device.pushErrorScope("out-of-memory");
    let value;
    let problem = null;
    try {
      value = await work();
    } catch (error) {
      problem = error;
    }
    const memory = await this.device.popErrorScope();
    const invalid = await this.device.popErrorScope();
    if (memory) throw new Error("the GPU refused the memory");
    if (problem ?? invalid) throw new Error((problem ?? invalid).message.split("\n")[0]);
    return value;
  }

  async pipeline(file, entry, constants = {}, edit = (text) => text, layout = "auto") {
    const code = edit(this.shaders[file]);
    let module = this.#modules.get(code);
    if (!module) {
      module = this.device.createShaderModule({ code, label: file });
      const { messages } = await module.getCompilationInfo();
      const wrong = messages.find(({ type }) => type === "error");
      if (wrong) throw new Error(`${file}.wgsl:${wrong.lineNum}: ${wrong.message}`);
      this.#modules.set(code, module);
    }
    const compute = { module, entryPoint: entry, constants };
    return this.device.createComputePipelineAsync({ layout, compute });
  }

  group(pipeline, buffers) {
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    return this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  }

  async dispatch_once(pipeline, buffers, groups) {
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.group(pipeline, buffers));
    pass.dispatchWorkgroups(...groups);
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  /**
   * A buffer of `floats` numbers, starting with number `first`, in FP32 or (`kind` "halves") FP16.
   * A larger cached buffer may be returned.
   */
  async numbers({ kind, floats, first }) {
    const key = `${kind} ${first}`;
    const bytes = kind === "halves" ? floats * 2 : floats * 4;
    const known = this.#numbers.get(key);
    if (known && known.size >= bytes) return known;
    const made = this.storage(bytes);
    const entry = kind === "halves" ? "halves" : "floats";
    const fill = await this.pipeline("fill", entry, { first });
    await this.dispatch_once(fill, [made], [4096]);
    this.#numbers.set(key, made);
    return made;
  }

  /** One buffer that every kernel may use for its output. */
  scratch(bytes) {
    if (!(this.#scratch?.size >= bytes)) this.#scratch = this.storage(bytes);
    return this.#scratch;
  }

  /** Downloads the first `bytes` of a buffer. */
  async download(source, bytes) {
    const { MAP_READ, COPY_DST } = GPUBufferUsage;
    const size = Math.ceil(bytes / 16) * 16;
    const staging = this.device.createBuffer({ size, usage: MAP_READ | COPY_DST });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, 0, staging, 0, Math.min(size, source.size));
    this.device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    const copy = staging.getMappedRange().slice(0, bytes);
    staging.destroy();
    return copy;
  }

  /** The timestamp resources of one submission. Several submissions can be in flight. */
  #clock() {
    const { MAP_READ, COPY_DST, COPY_SRC, QUERY_RESOLVE } = GPUBufferUsage;
    const count = 2 * timed_at_once;
    return {
      queries: this.device.createQuerySet({ type: "timestamp", count }),
      resolved: this.buffer(8 * count, QUERY_RESOLVE | COPY_SRC),
      staging: this.buffer(8 * count, MAP_READ | COPY_DST),
    };
  }

  /**
   * Seconds of each of `passes` ({work, count}, where count is a number of dispatches). All passes
   * are in one submission, so that the GPU does not idle between them, and each has its own
   * timestamps. A time may be zero or negative; the caller discards it. A pass with `is_untimed`
   * gives NaN.
   */
  async time_passes(passes) {
    const clock = this.#idle_clocks.pop() ?? this.#clock();
    const { queries: querySet, resolved, staging } = clock;
    const encoder = this.device.createCommandEncoder();
    for (const [i, { work, count, is_untimed }] of passes.entries()) {
      const [beginningOfPassWriteIndex, endOfPassWriteIndex] = [2 * i, 2 * i + 1];
      const pair = { querySet, beginningOfPassWriteIndex, endOfPassWriteIndex };
      work.encode(encoder, count, is_untimed ? undefined : pair);
    }
    encoder.resolveQuerySet(querySet, 0, 2 * passes.length, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, staging, 0, 16 * passes.length);
    this.device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    const stamps = new BigUint64Array(staging.getMappedRange().slice(0, 16 * passes.length));
    staging.unmap();
    this.#idle_clocks.push(clock);
    return passes.map(({ is_untimed }, i) => {
      if (is_untimed) return NaN;
      const seconds = Number(stamps[2 * i + 1] - stamps[2 * i]) / 1e9;
      if (seconds > 0) this.tick = Math.min(this.tick, seconds);
      return seconds;
    });
  }

  close() {
    for (const one of this.#buffers) one.destroy();
    for (const { queries } of this.#idle_clocks) queries.destroy();
    this.device.destroy();
  }
}

/** A kernel with decided parameters, ready to run. */
export class Work {
  /**
   * Rejects with a message for readers: no memory, a shader that this GPU rejects, or sizes that do
   * not fit. `changes` replaces members of the kernel's plan.
   */
  static async prepare(bench, kernel, values, changes = {}) {
    const work = new Work(bench, kernel, values);
    Object.assign(work.plan, changes);
    await bench.guarded(() => work.#build());
    return work;
  }

  constructor(bench, kernel, values, plan = plan_of(kernel, values)) {
    Object.assign(this, { bench, kernel, values, plan });
  }

  async #build() {
    const { bench, plan } = this;
    this.answers = plan.outputs <= most_answers ? plan.outputs : sampled_answers;
    this.#lay_out_reference();
    this.output = bench.scratch(plan.outputs * 4);
    const buffers = [this.output];
    for (const input of plan.inputs) buffers.push(await this.#input(input));
    this.pipeline = await bench.pipeline(plan.file, plan.entry, plan.constants, plan.edit);
    this.bindings = bench.group(this.pipeline, buffers);
  }

  /** Prepares the reference's memory: the answer, followed by the data to upload. */
  #lay_out_reference() {
    const { reference } = this.bench;
    reference.select(this.kernel, this.values);
    const bytes = reference.memory_needed(this.kernel);
    this.base = reference.heap_base;
    if (!reference.reserve(this.base + bytes)) throw new Error("the browser refused the memory");
    reference.prepare(this.kernel, this.base);
    this.input_base = this.base + whole_lines(this.answers * 4);
  }

  async #input(input) {
    const { bench } = this;
    switch (input.kind) {
      case "uniform": {
        const made = bench.buffer(16, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
        const data = input.whole ? new Uint32Array(input.data) : new Float32Array(input.data);
        bench.device.queue.writeBuffer(made, 0, data);
        return made;
      }
      case "uploaded":
        return this.#uploaded(input.bytes);
      case "position":
        this.position = bench.storage(128);
        return this.position;
      case "cycle": {
        const apart = bench.storage(input.elements * 128);
        const spread = await bench.pipeline("fill", "spread");
        await bench.dispatch_once(spread, [apart, this.#uploaded(input.elements * 4)], [4096]);
        this.toucher = await Toucher.prepare(bench, apart);
        return apart;
      }
      default:
        return bench.numbers(input);
    }
  }

  #uploaded(bytes) {
    const made = this.bench.storage(bytes);
    const data = this.bench.reference.words(this.input_base, bytes / 4);
    this.bench.device.queue.writeBuffer(made, 0, data);
    return made;
  }

  /** Runs once from the start and compares with the reference: {error, tolerance}. */
  async check() {
    const { bench, plan, kernel } = this;
    const { device, reference } = bench;
    const downloaded = await bench.guarded(async () => {
      const encoder = device.createCommandEncoder();
      const from = Math.min(this.output.size, Math.max(16, plan.outputs * 4));
      encoder.clearBuffer(this.output, 0, Math.floor(from / 4) * 4);
      if (this.position) encoder.clearBuffer(this.position);
      device.queue.submit([encoder.finish()]);
      device.queue.submit([this.#encoded(1)]);
      if (plan.outputs <= most_answers) return bench.download(this.output, plan.outputs * 4);
      const answer = bench.storage(this.answers * 4);
      const constants = { outputs: plan.outputs, sampled: 1 };
      const gather = await bench.pipeline("gather", "gather", constants);
      await bench.dispatch_once(gather, [answer, this.output], [this.answers / 256]);
      return bench.download(answer, this.answers * 4);
    });
    this.#lay_out_reference(); // another kernel may have used the memory
    reference.floats(this.base, this.answers).set(new Float32Array(downloaded));
    return reference.verify(kernel, this.base);
  }

  /** Encodes one pass of `count` dispatches; `pair` selects its timestamps. */
  encode(encoder, count, pair) {
    const pass = encoder.beginComputePass(pair ? { timestampWrites: pair } : {});
    pass.setPipeline(this.pipeline);
    pass.setBindGroup(0, this.bindings);
    for (let i = 0; i < count; ++i) pass.dispatchWorkgroups(...this.plan.groups);
    pass.end();
  }

  #encoded(count) {
    const encoder = this.bench.device.createCommandEncoder();
    this.encode(encoder, count);
    return encoder.finish();
  }

  /**
   * Seconds of `count` dispatches by the page's clock: the difference between 2 · `count` and
   * `count` dispatches, so that fixed costs cancel.
   */
  async time(count) {
    const once = await this.wall(count);
    return (await this.wall(2 * count)) - once;
  }

  /** Seconds from the submission of `count` dispatches to the notice of their completion. */
  async wall(count) {
    const { device, now } = this.bench;
    const commands = this.#encoded(count); // encoding is the page's time
    const begin = now();
    device.queue.submit([commands]);
    await device.queue.onSubmittedWorkDone();
    return (now() - begin) / 1e3;
  }

  /**
   * Seconds of `count` separately submitted passes: the difference between twice as many and
   * `count`.
   */
  async time_submits(count) {
    const { device, now } = this.bench;
    const wall = async (times) => {
      const begin = now();
      for (let i = 0; i < times; ++i) device.queue.submit([this.#encoded(1)]);
      await device.queue.onSubmittedWorkDone();
      return (now() - begin) / 1e3;
    };
    const once = await wall(count);
    return (await wall(2 * count)) - once;
  }
}

/** Reads a whole buffer to bring it into the caches that can hold it. */
class Toucher extends Work {
  static async prepare(bench, buffer) {
    const toucher = new Toucher(bench, { id: "gpu.read" }, { w: buffer.size });
    const { file, entry, constants, outputs } = toucher.plan;
    toucher.pipeline = await bench.pipeline(file, entry, constants);
    toucher.bindings = bench.group(toucher.pipeline, [bench.scratch(outputs * 4), buffer]);
    return toucher;
  }
}
