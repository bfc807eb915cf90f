// Transfers through the browser to the GPU and back, timed from outside: the rate that a page can
// get, not the rate of the link.

/** gpu.upload or gpu.download of `bytes`, with the interface of Work (runner.js). */
export class Transfer {
  static async prepare(bench, kernel, values) {
    const transfer = new Transfer(bench, kernel, values);
    await bench.guarded(() => transfer.#build());
    return transfer;
  }

  constructor(bench, kernel, values) {
    Object.assign(this, { bench, kernel, values, bytes: values.bytes });
    this.is_upload = kernel.id === "gpu.upload";
  }

  async #build() {
    const { bench, bytes } = this;
    this.remote = bench.storage(bytes);
    const made = await bench.numbers({ kind: "numbers", floats: bytes / 4, first: 0 });
    const data = await bench.download(made, bytes);
    this.local = new Uint8Array(data);
    if (!this.is_upload) bench.device.queue.writeBuffer(this.remote, 0, this.local);
    const { MAP_READ, COPY_DST } = GPUBufferUsage;
    this.staging = bench.buffer(bytes, MAP_READ | COPY_DST);
  }

  /** Checks a round trip on the samples that webgpu.wasm checks. */
  async check() {
    const { bench, kernel, values, bytes } = this;
    const { reference } = bench;
    if (this.is_upload) {
      const encoder = bench.device.createCommandEncoder();
      encoder.clearBuffer(this.remote);
      bench.device.queue.submit([encoder.finish()]);
      bench.device.queue.writeBuffer(this.remote, 0, this.local);
    }
    const arrived = new Float32Array(
      this.is_upload ? await bench.download(this.remote, bytes) : await this.#fetch(),
    );
    reference.select(kernel, values);
    const base = reference.heap_base;
    if (!reference.reserve(base + reference.memory_needed(kernel)))
      throw new Error("the browser refused the memory");
    reference.prepare(kernel, base);
    const count = reference.memory_needed(kernel) / 4;
    const answer = reference.floats(base, Math.floor(count));
    const outputs = bytes / 4;
    const answers = outputs <= 65536 ? outputs : 4096;
    for (let k = 0; k < answers; ++k) answer[k] = arrived[sample_index(k, outputs)];
    return reference.verify(kernel, base);
  }

  async #fetch() {
    const encoder = this.bench.device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.remote, 0, this.staging, 0, this.bytes);
    this.bench.device.queue.submit([encoder.finish()]);
    await this.staging.mapAsync(GPUMapMode.READ);
    const copy = this.staging.getMappedRange().slice(0);
    this.staging.unmap();
    return copy;
  }

  async time(count) {
    const { device, now } = this.bench;
    const begin = now();
    for (let i = 0; i < count; ++i) {
      if (this.is_upload) device.queue.writeBuffer(this.remote, 0, this.local);
      else await this.#fetch();
    }
    if (this.is_upload) {
      device.queue.submit([]);
      await device.queue.onSubmittedWorkDone();
    }
    return (now() - begin) / 1e3;
  }
}

/** The index of the element for answer `k` of a large output, as in webgpu.hpp. */
export function sample_index(k, outputs) {
  if (outputs <= 65536 || k === 0) return k;
  if (k === 1) return outputs - 1;
  let x = (Math.imul(k, 747796405) + 2891336453) >>> 0;
  x = Math.imul((x >>> ((x >>> 28) + 4)) ^ x, 277803737) >>> 0;
  return (((x >>> 22) ^ x) >>> 0) % outputs;
}
