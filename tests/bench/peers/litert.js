// LiteRT.js: XNNPACK in WebAssembly, on models that tflite.js writes.
//
// The page's import map names @litertjs/wasm-utils (lay_out_site in scripts/lib/bench_twins.mjs).

const core = "/tests/bench/peers/node_modules/@litertjs/core";
let loading;

/** The library. The first call of a page decides whether its module has threads. */
function library(threads) {
  loading ??= (async () => {
    const litert = await import(`${core}/dist/index.js`);
    await litert.loadLiteRt(`${core}/wasm/`, { threads: threads > 1 });
    return litert;
  })();
  return loading;
}

/**
 * A compiled model: {run(): Promise<Tensor>, values(tensor), drop(tensor), end()}. `inputs`:
 * [{data, shape}] in the model's order, copied into the library's memory once. Only its first
 * output counts.
 */
export async function litert_work(bytes, inputs, threads) {
  const litert = await library(threads);
  const model = await litert.loadAndCompile(bytes, {
    accelerator: "wasm",
    cpuOptions: { numThreads: threads },
  });
  const tensors = inputs.map(({ data, shape }) => new litert.Tensor(data, shape));
  return {
    run: async () => (await model.run(tensors))[0],
    values: async (tensor) => tensor.data(),
    drop: (tensor) => tensor.delete(),
    end: () => {
      for (const one of [...tensors, model]) one.delete();
    },
  };
}
