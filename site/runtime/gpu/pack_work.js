// A WGSL kernel of a book (docs/reference/kernel-packs.md), as Work for the
// sampler. All expressions of the manifest are already evaluated:
//
//   kernel  {...description, check, works: {key of parameters: {flops, bytes, memory, groups,
//           buffers}}}
//
//   buffers  @group(0), in the order of their bindings --+
//   parameters  overrides, for every entry point       --+--> prepare --> run --> download, check
//
// The shader is foreign code. The browser validates it and clears its buffers, WebGPU keeps every
// access inside them, and the page ends this worker when a dispatch does not return in time.

import { own } from "../base/own.js";
import { output_error, work_key } from "../kernels/pack_module.js";
import { complete_params } from "../kernels/tasks.js";
import { Work } from "./runner.js";

/** The counts of the pack's kernels, with the interface of KernelModule as the summary needs it. */
export const pack_counts = {
  selected: "",
  select(kernel, params) {
    this.selected = work_key(kernel, params);
  },
  flops(kernel) {
    return own(kernel.works, this.selected).flops;
  },
  bytes(kernel) {
    return own(kernel.works, this.selected).bytes;
  },
};

export class PackWork extends Work {
  /** Rejects with a message for readers, like Work.prepare(). */
  static async prepare(bench, kernel, values) {
    const work = new PackWork(bench, kernel, values, own(kernel.works, work_key(kernel, values)));
    await bench.guarded(() => work.#build());
    return work;
  }

  async #build() {
    const { bench, plan } = this;
    const { device } = bench;
    if (plan.buffers.reduce((sum, bytes) => sum + bytes, 0) > plan.memory)
      throw new Error("its buffers are larger than the memory in its manifest");
    this.buffers = plan.buffers.map((bytes) => bench.storage(bytes));
    const seen = { visibility: GPUShaderStage.COMPUTE, buffer: { type: "storage" } };
    const layout = device.createBindGroupLayout({
      entries: this.buffers.map((_, binding) => ({ binding, ...seen })),
    });
    const entries = this.buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    this.bindings = device.createBindGroup({ layout, entries });
    this.layout = device.createPipelineLayout({ bindGroupLayouts: [layout] });
    this.pipeline = await this.#pipeline("run");
    this.#dispatch(await this.#pipeline("prepare"));
  }

  #pipeline(entry) {
    const { bench, kernel, values, layout } = this;
    return bench.pipeline(kernel.shader, entry, values, undefined, layout);
  }

  #dispatch(pipeline) {
    const { device } = this.bench;
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.bindings);
    pass.dispatchWorkgroups(...this.plan.groups);
    pass.end();
    device.queue.submit([encoder.finish()]);
  }

  /**
   * {error, tolerance} of one run with the parameters of the check, in other buffers. Throws Error
   * if the check passes before the kernel has run, because such a check proves nothing.
   */
  async check() {
    const { bench, kernel } = this;
    const { tolerance = 0, params } = kernel.check;
    const checked = await PackWork.prepare(bench, kernel, complete_params(kernel, params));
    try {
      if ((await checked.#error()) <= tolerance)
        throw new Error(`the check of ${kernel.id} passes before the kernel has run`);
      await bench.guarded(async () => {
        checked.#dispatch(await checked.#pipeline("prepare"));
        checked.#dispatch(checked.pipeline);
      });
      return { error: await checked.#error(), tolerance };
    } finally {
      for (const buffer of checked.buffers) buffer.destroy();
    }
  }

  async #error() {
    const { bench, kernel, plan, buffers } = this;
    const all = new Uint8Array(plan.buffers.reduce((sum, bytes) => sum + bytes, 0));
    const { check } = kernel;
    await bench.guarded(async () => {
      if (check.kind === "reference") this.#dispatch(await this.#pipeline("verify"));
      let begin = 0;
      for (const [i, bytes] of plan.buffers.entries()) {
        all.set(new Uint8Array(await bench.download(buffers[i], bytes)), begin);
        begin += bytes;
      }
    });
    if (check.kind !== "reference") return output_error(all.buffer, 0, check);
    const errors = new Float32Array(all.buffer, check.at, check.bytes / 4);
    return errors.reduce((most, error) => (Math.abs(error) <= most ? most : Math.abs(error)), 0);
  }
}
