// ONNX Runtime Web on models that onnx.js writes.

import { onnx_model } from "./onnx.js";

const folder = "/tests/bench/peers/node_modules/onnxruntime-web/dist";

/**
 * The work of a model. `given` is the argument of onnx_model, with `data` for each input. Its only
 * output counts.
 */
export async function onnx_work(given, threads) {
  const ort = await import(`${folder}/ort.wasm.min.mjs`);
  ort.env.wasm.numThreads = threads;
  ort.env.wasm.wasmPaths = `${folder}/`;
  const session = await ort.InferenceSession.create(onnx_model(given), {
    executionProviders: ["wasm"],
  });
  const names = { f32: "float32", u8: "uint8", i8: "int8", i32: "int32" };
  const feeds = Object.fromEntries(
    given.inputs.map(({ name, type = "f32", shape, data }) => [
      name,
      new ort.Tensor(names[type], data, shape),
    ]),
  );
  const [{ name }] = given.outputs;
  return {
    run: async () => (await session.run(feeds))[name],
    values: async (tensor) => tensor.data,
    drop: () => {},
    end: () => session.release(),
  };
}
