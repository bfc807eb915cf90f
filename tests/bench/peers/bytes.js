// The family of matmul.i8: matmuls of signed bytes. ONNX Runtime returns the sums (MatMulInteger),
// like the kernel. LiteRT.js takes no byte tensors: FULLY_CONNECTED with byte weights and a scale
// per channel either quantizes its floats itself (scaled = 0), or is between QUANTIZE and
// DEQUANTIZE (scaled = 1, if the kernel applies scales too).

import { litert_work } from "./litert.js";
import { bytes, deviation } from "./numbers.js";
import { onnx_work } from "./onnxruntime.js";
import { tflite_model } from "./tflite.js";

export function problem_of({ n: columns, m: rows = 0, k: depth = 0, prepacked = 0, scaled = 0 }) {
  const n = Number(columns);
  const [m, k] = [Number(rows) || n, Number(depth) || n];
  const moved = m * k + k * n + 4 * m * n;
  const [a, b] = [bytes(m * k, 1), bytes(k * n, 2)];
  const problem = { m, k, n, a, b, flops: 2 * m * k * n, bytes: moved };
  const coarse = 150 * Math.sqrt(k); // value of one unit of a scaled result
  return { ...problem, prepacked: Number(prepacked) === 1, scaled: Number(scaled) === 1, coarse };
}

function sum_at({ k, n, a, b }, place) {
  const [i, j] = [Math.floor(place / n), place % n];
  let sum = 0;
  for (let p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
  return sum;
}

/**
 * Sums are exact. Floats are the sums times the weights' scale of 1/2 and the activations' of 2.
 */
export function check(problem, found) {
  const { m, n, coarse, scaled } = problem;
  const is_exact = found instanceof Int32Array;
  // Half a unit is 0.005 to 0.01 of the largest sums in these tests.
  const rounded = scaled ? 0.02 : 0.01;
  const kept = (sum) => Math.max(-128 * coarse, Math.min(127 * coarse, sum));
  const wanted = (at) => (is_exact || !scaled ? sum_at(problem, at) : kept(sum_at(problem, at)));
  return { error: deviation(found, m * n, wanted), tolerance: is_exact ? 0 : rounded };
}

export const libraries = {
  onnxruntime({ m, k, n, a, b, prepacked }, threads) {
    const left = { name: "A", shape: [m, k], type: "i8", data: a };
    const right = { name: "B", shape: [k, n], type: "i8", data: b };
    return onnx_work(
      {
        inputs: prepacked ? [left] : [left, right],
        constants: prepacked ? [right] : [],
        outputs: [{ name: "C", shape: [m, n], type: "i32" }],
        nodes: [{ op: "MatMulInteger", inputs: ["A", "B"], outputs: ["C"] }],
      },
      threads,
    );
  },

  litert(problem, threads) {
    const { m, k, n, a, b, prepacked, scaled, coarse } = problem;
    if (!prepacked) return null;
    const weights = new Int8Array(n * k);
    for (let p = 0; p < k; ++p) for (let j = 0; j < n; ++j) weights[j * k + p] = b[p * n + j];
    const scales = new Array(n).fill(0.5);
    const layer = { operator: "FULLY_CONNECTED", version: 5, outputs: ["C"] };
    const steps = scaled
      ? [
          { operator: "QUANTIZE", inputs: ["A"], outputs: ["A8"] },
          { ...layer, inputs: ["A8", "W", null], outputs: ["C8"] },
          { operator: "DEQUANTIZE", version: 2, inputs: ["C8"], outputs: ["C"] },
        ]
      : [{ ...layer, inputs: ["A", "W", null] }];
    const model = tflite_model({
      tensors: [
        { name: "A", shape: [m, k] },
        { name: "A8", shape: [m, k], type: "i8", scales: [2] },
        { name: "W", shape: [n, k], type: "i8", scales, data: weights },
        { name: "C8", shape: [m, n], type: "i8", scales: [coarse] },
        { name: "C", shape: [m, n] },
      ],
      steps,
      inputs: ["A"],
      outputs: ["C"],
    });
    return litert_work(
      model,
      [{ data: Float32Array.from(a, (x) => 2 * x), shape: [m, k] }],
      threads,
    );
  },
};
