// navigator.gpu of a machine file, with as much of WebGPU as the book's runner uses. It computes
// nothing, but takes the time of each call from kernel_costs.mjs and advances a virtual clock.
import { random_of } from "./clock.mjs";
import { clock_ghz } from "./closed_forms.mjs";
import { cost_of } from "./kernel_costs.mjs";

const mebibyte = 2 ** 20;
const kept_data = 4 * mebibyte; // bytes of a buffer whose content affects costs
const noise = 0.004;

/** The objects that the runner takes from the page's global scope. */
export const page_globals = {
  GPUBufferUsage: {
    ...{ MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, UNIFORM: 64, STORAGE: 128, QUERY_RESOLVE: 512 },
  },
  GPUMapMode: { READ: 1 },
};

class FakeBuffer {
  constructor(device, { size, usage }) {
    Object.assign(this, { device, size, usage, data: null, id: device.buffers++ });
  }
  mapAsync() {
    const { device } = this;
    const ready = device.queue.done_ns() + this.size / device.gpu.host.download_gbs;
    return device.awaited(ready);
  }
  /** A large buffer always returns the same zeros, because nothing reads them. */
  getMappedRange() {
    if (this.size > 4096) return { slice: (from = 0, to = this.size) => this.#zeros(to - from) };
    const range = new ArrayBuffer(this.size);
    if (this.data)
      new Uint8Array(range).set(new Uint8Array(this.data.buffer).subarray(0, this.size));
    return range;
  }
  #zeros(size) {
    if (this.zeros?.byteLength !== size) this.zeros = new ArrayBuffer(size);
    return this.zeros;
  }
  unmap() {}
  destroy() {}
}

class FakePass {
  constructor(encoder, { timestampWrites } = {}) {
    this.encoder = encoder;
    this.work = { dispatches: [], timestampWrites };
  }
  setPipeline(pipeline) {
    this.pipeline = pipeline;
  }
  setBindGroup(_, group) {
    this.group = group;
  }
  dispatchWorkgroups(...groups) {
    const { device } = this.encoder;
    device.clock.advance(device.gpu.host.dispatch_encode_us * 1e3);
    const { pipeline, group } = this;
    const last = this.work.dispatches.at(-1);
    if (last?.pipeline === pipeline && last.group === group) return void ++last.count;
    const cost = this.#cost(`${pipeline.id} ${group.id} ${groups}`, groups);
    this.work.dispatches.push({ pipeline, group, count: 1, cost });
  }
  #cost(key, groups) {
    const { costs } = this.encoder.device;
    if (!costs.has(key)) {
      const { label, code, constants } = this.pipeline;
      const { buffers } = this.group;
      const data = ({ data: kept }) => kept ?? new Uint32Array(0);
      costs.set(key, cost_of({ label, code, constants, groups, buffers, data }));
    }
    return costs.get(key);
  }
  end() {
    this.encoder.commands.push({ pass: this.work });
  }
}

class FakeEncoder {
  constructor(device) {
    Object.assign(this, { device, commands: [] });
  }
  beginComputePass(options) {
    return new FakePass(this, options);
  }
  clearBuffer() {}
  copyBufferToBuffer(source, _, target) {
    this.commands.push({ copy: [source, target] });
  }
  resolveQuerySet(set, first, count, target) {
    this.commands.push({ resolve: [set, first, count, target] });
  }
  finish() {
    return this.commands;
  }
}

/** The units: their temperature, their speed, and when they will be done. */
class FakeQueue {
  #done = 0;
  #warm_ms = 0;
  #load_s = 0;
  #touched = 0;
  #visits = new Map();

  constructor(device) {
    this.device = device;
    this.random = random_of(device.seed);
  }

  done_ns() {
    return Math.max(this.#done, this.device.clock.ns);
  }

  writeBuffer(buffer, _, data) {
    const { clock, gpu } = this.device;
    clock.advance(1000);
    this.#done = this.done_ns() + data.byteLength / gpu.host.upload_gbs;
    if (buffer.size <= kept_data) buffer.data ??= data.slice();
  }

  submit(lists) {
    const { clock, gpu } = this.device;
    clock.advance(gpu.host.submit_us * 1e3);
    this.#rest(clock.ns - this.#done);
    this.#done = this.done_ns();
    for (const command of lists.flat()) this.#execute(command);
  }

  onSubmittedWorkDone() {
    return this.device.awaited(this.done_ns());
  }

  #rest(ns) {
    if (ns > this.device.gpu.clock.holds_after_idle_ms * 1e6) this.#warm_ms = 0;
  }

  #execute({ pass, copy, resolve }) {
    if (pass) this.#run(pass);
    if (copy) copy[1].data = copy[0].data;
    if (resolve) resolve[3].data = resolve[0].values.slice(resolve[1], resolve[1] + resolve[2]);
  }

  #run({ dispatches, timestampWrites: writes }) {
    const begin = this.#done;
    const { gap_between_dispatches_us: gap } = this.device.gpu.host;
    for (const { cost, count } of dispatches) this.#work(cost, count, gap * 1e3);
    this.#pass(gap * 1e3); // between passes
    if (writes) this.#stamp(writes, begin);
  }

  /**
   * `count` dispatches, one after the other while the clock rises, then all remaining ones at once.
   */
  #work(cost, count, gap) {
    const { gpu } = this.device;
    for (let left = count; left > 0;) {
      const ghz = clock_ghz(gpu, { warm_ms: this.#warm_ms, load_s: this.#load_s });
      const warmth = (buffer, bytes) => this.#warmth(buffer, bytes);
      const ns = cost({ gpu, speed: ghz / gpu.clock.full_ghz, warmth });
      const slice = Math.max(1, Math.min(left, Math.floor(1e6 / ns)));
      const alike = cost.has_memory ? 1 : slice;
      this.#pass(alike * (ns + gap), alike * ns);
      if (cost.fills) this.#visits.set(cost.fills, { at: this.#touched, cold: 0 });
      left -= alike;
    }
  }

  #pass(ns, work = 0) {
    this.#warm_ms += ns / 1e6;
    this.#load_s += ns / 1e9;
    this.#touched += work * this.device.gpu.memory.read_gbs;
    this.#done += ns;
  }

  /**
   * How many of the `bytes` that a chase reads in `buffer` other work has displaced: {cold, all}.
   */
  #warmth(buffer, bytes) {
    const held = 1024 * Math.max(...this.device.gpu.caches.map((c) => c.kib * c.instances));
    const known = this.#visits.get(buffer) ?? { at: -Infinity, cold: buffer.size };
    const displaced = Math.min(1, Math.max(0, this.#touched - known.at) / held);
    const left = Math.min(buffer.size, known.cold + buffer.size * displaced);
    const cold = Math.min(left, bytes);
    const own = (bytes / 128) * 1e3 * this.device.gpu.memory.read_gbs; // roughly, for this visit
    this.#visits.set(buffer, { at: this.#touched + own, cold: left - cold });
    return { cold, all: bytes };
  }

  #stamp({ querySet, beginningOfPassWriteIndex: first, endOfPassWriteIndex: last }, begin) {
    const { quantum_us, zero_share } = this.device.gpu.timestamps;
    const cut = (ns) => BigInt(Math.floor(ns / quantum_us / 1e3) * Math.round(quantum_us * 1e3));
    const shaken = begin + (this.#done - begin) * (1 + noise * (this.random() - 0.5));
    const is_lost = this.random() < zero_share;
    querySet.values[first] = cut(begin);
    querySet.values[last] = is_lost ? cut(begin) : cut(shaken);
  }
}

class FakeDevice {
  buffers = 0;
  #made = 0;
  #scopes = [];
  costs = new Map();
  lost = new Promise(() => {});

  constructor(gpu, clock, { is_firefox, seed }) {
    Object.assign(this, { gpu, clock, is_firefox, seed });
    this.queue = new FakeQueue(this);
  }
  /**
   * Resolves when the page learns that the GPU was done at `ns`. Firefox checks only periodically.
   */
  awaited(ns) {
    const { round_trip_ms: trip, firefox_await_ms: poll } = this.gpu.host;
    const seen = ns + trip * 1e6;
    const asked = this.clock.ns + poll * 1e6;
    return this.clock.until(this.is_firefox ? Math.max(seen, asked) : seen);
  }
  createBuffer(options) {
    return new FakeBuffer(this, options);
  }
  createQuerySet({ count }) {
    return { values: new BigUint64Array(count), destroy() {} };
  }
  createShaderModule({ code, label }) {
    return { code, label, getCompilationInfo: async () => ({ messages: [] }) };
  }
  async createComputePipelineAsync({ compute: { module, constants } }) {
    await this.clock.until(this.clock.ns + 20e6); // compiling
    const id = this.#made++;
    return {
      ...{ id, constants },
      label: module.label,
      code: module.code,
      getBindGroupLayout() {},
    };
  }
  createBindGroup({ entries }) {
    const buffers = entries.map(({ resource }) => resource.buffer);
    const most = this.gpu.limits.storage_binding_mib * mebibyte;
    for (const { size } of buffers)
      if (size > most) this.#found(`Binding size (${size}) is larger than (${most})`);
    return { id: buffers.map(({ id }) => id).join(), buffers };
  }
  createCommandEncoder() {
    return new FakeEncoder(this);
  }
  #found(message) {
    const scope = this.#scopes.findLast(({ filter }) => filter === "validation");
    if (!scope) throw new Error(`nobody hears: ${message}`);
    scope.error ??= { message };
  }
  pushErrorScope(filter) {
    this.#scopes.push({ filter, error: null });
  }
  async popErrorScope() {
    return this.#scopes.pop().error;
  }
  destroy() {}
}

/**
 * navigator.gpu of the machine file `gpu` on `clock`. `is_firefox`: an await ends at the browser's
 * next check; `without_timestamps`: like browsers without the feature.
 */
export function fake_navigator_gpu(gpu, clock, options = {}) {
  const { without_timestamps = false, is_firefox = false, seed = 1 } = options;
  const { limits, compute, timestamps, adapter, subgroups } = gpu;
  const features = new Set();
  if (timestamps.offered && !without_timestamps) features.add("timestamp-query");
  if (compute.f16_offered) features.add("shader-f16");
  const info = { ...adapter, subgroupMinSize: subgroups.min, subgroupMaxSize: subgroups.max };
  const granted = {
    maxBufferSize: limits.buffer_mib * mebibyte,
    maxStorageBufferBindingSize: limits.storage_binding_mib * mebibyte,
    maxComputeWorkgroupStorageSize: limits.workgroup_bytes,
    maxComputeInvocationsPerWorkgroup: limits.workgroup_lanes,
    maxComputeWorkgroupSizeX: limits.workgroup_lanes,
    maxComputeWorkgroupsPerDimension: 65535,
  };
  const requestDevice = async () => new FakeDevice(gpu, clock, { is_firefox, seed });
  return {
    wgslLanguageFeatures: new Set(
      compute.int8_dot.offered ? ["packed_4x8_integer_dot_product"] : [],
    ),
    requestAdapter: async () => ({ info, features, limits: granted, requestDevice }),
  };
}
