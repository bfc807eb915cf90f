// The family of matmul.packed and matmul.parallel: matmuls A · B of floats in each library, either
// with two new operands, or with B in advance like a layer's weights ("prepacked").

import { litert_work } from "./litert.js";
import { onnx_model } from "./onnx.js";
import { tensorflow } from "./tensorflow.js";
import { tflite_model } from "./tflite.js";

const modules = "/tests/bench/peers/node_modules";
const tolerance = 1e-4; // of the largest sum, for sums of up to 4096 products in single precision

/** {m, k, n, prepacked, a, b, flops, bytes} of a request's parameters. */
export function problem_of({ n: columns, m: rows = 0, k: depth = 0, prepacked = 0 }) {
  const n = Number(columns);
  const [m, k] = [Number(rows) || n, Number(depth) || n];
  const bytes = 4 * (m * k + k * n + m * n);
  const [a, b] = [small_numbers(m * k, 1), small_numbers(k * n, 2)];
  return { m, k, n, prepacked: Number(prepacked) === 1, a, b, flops: 2 * m * k * n, bytes };
}

/**
 * Freivalds' check: C·x against A·(B·x), in double precision, relative to the largest of all sums.
 */
export function check({ m, k, n, a, b }, c) {
  const times = (matrix, rows, columns, x) =>
    Float64Array.from({ length: rows }, (_, i) => {
      let sum = 0;
      for (let j = 0; j < columns; ++j) sum += matrix[i * columns + j] * x[j];
      return sum;
    });
  const x = Float64Array.from({ length: n }, (_, i) => ((i * 7) % 5) - 2);
  const expected = times(a, m, k, times(b, k, n, x));
  const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const error = times(c, m, n, x).reduce(
    (most, value, i) => Math.max(most, Math.abs(value - expected[i])),
    0,
  );
  return { error: c.length === m * n ? error / largest : NaN, tolerance };
}

/** By library: the problem and the threads → a work as in peers.js. */
export const libraries = {
  async onnxruntime({ m, k, n, a, b, prepacked }, threads) {
    const ort = await import(`${modules}/onnxruntime-web/dist/ort.wasm.min.mjs`);
    ort.env.wasm.numThreads = threads;
    ort.env.wasm.wasmPaths = `${modules}/onnxruntime-web/dist/`;
    const right = { name: "B", shape: [k, n] };
    const left = { name: "A", shape: [m, k] };
    const model = onnx_model({
      inputs: prepacked ? [left] : [left, right],
      constants: prepacked ? [{ ...right, data: b }] : [],
      outputs: [{ name: "C", shape: [m, n] }],
      nodes: [{ op: "MatMul", inputs: ["A", "B"], outputs: ["C"] }],
    });
    const session = await ort.InferenceSession.create(model, { executionProviders: ["wasm"] });
    const feeds = { A: new ort.Tensor("float32", a, [m, k]) };
    if (!prepacked) feeds.B = new ort.Tensor("float32", b, [k, n]);
    return {
      run: async () => (await session.run(feeds)).C,
      values: async (c) => c.data,
      drop: () => {},
      end: () => session.release(),
    };
  },

  async litert({ m, k, n, a, b, prepacked }, threads) {
    const left = { data: a, shape: [m, k] };
    if (!prepacked) {
      const model = tflite_model({
        tensors: [
          { name: "A", shape: [m, k] },
          { name: "B", shape: [k, n] },
          { name: "C", shape: [m, n] },
        ],
        steps: [{ operator: "BATCH_MATMUL", inputs: ["A", "B"], outputs: ["C"] }],
        inputs: ["A", "B"],
        outputs: ["C"],
      });
      return litert_work(model, [left, { data: b, shape: [k, n] }], threads);
    }
    const model = tflite_model({
      tensors: [
        { name: "A", shape: [m, k] },
        { name: "W", shape: [n, k], data: turned(b, k, n) },
        { name: "C", shape: [m, n] },
      ],
      steps: [{ operator: "FULLY_CONNECTED", inputs: ["A", "W", null], outputs: ["C"] }],
      inputs: ["A"],
      outputs: ["C"],
    });
    return litert_work(model, [left], threads);
  },

  async tfjs({ m, k, n, a, b, prepacked }, threads) {
    if (prepacked) return null;
    const tf = await tensorflow(threads);
    const [left, right] = [tf.tensor2d(a, [m, k]), tf.tensor2d(b, [k, n])];
    return {
      run: async () => tf.matMul(left, right),
      values: (c) => c.data(),
      drop: (c) => c.dispose(),
      end: () => [left, right].forEach((one) => one.dispose()),
    };
  },

  async "jax-js"({ m, k, n, a, b, prepacked }, threads) {
    if (prepacked || threads > 1) return null;
    const { init, defaultDevice, jit, numpy } = await import(
      `${modules}/@jax-js/jax/dist/index.js`
    );
    await init("wasm");
    defaultDevice("wasm");
    const left = numpy.array(a).reshape([m, k]);
    const right = numpy.array(b).reshape([k, n]);
    await left.blockUntilReady();
    await right.blockUntilReady();
    const product = jit((x, y) => numpy.matmul(x, y));
    return {
      run: async () => {
        const c = product(left.ref, right.ref);
        await c.blockUntilReady();
        return c;
      },
      values: (c) => c.ref.data(),
      drop: (c) => c.dispose(),
      end: () => [left, right].forEach((one) => one.dispose()),
    };
  },
};

/** The transposed matrix, the format of weights in TFLite. */
function turned(b, k, n) {
  const weights = new Float32Array(n * k);
  for (let i = 0; i < k; ++i) for (let j = 0; j < n; ++j) weights[j * k + i] = b[i * n + j];
  return weights;
}

function small_numbers(count, seed) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
