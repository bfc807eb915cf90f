// The family of matmul.i4: floats times 4-bit weights. ONNX Runtime has a scale per 64 weights of a
// column, like the kernel (MatMulNBits; at its accuracy level of 4 it also quantizes floats to
// bytes). LiteRT.js has one scale per column (FULLY_CONNECTED), which is less work.

import { litert_work } from "./litert.js";
import { deviation, floats } from "./numbers.js";
import { onnx_work } from "./onnxruntime.js";
import { tflite_model } from "./tflite.js";

const group = 64;
const scale = 1 / 16;
const tolerance = 0.02; // of the largest sum: floats pass through bytes

export function problem_of({ n: columns, m: rows = 1, k: depth = 0 }) {
  const [n, m] = [Number(columns), Number(rows)];
  const k = Number(depth) || n;
  const pairs = Uint8Array.from(floats((n * k) / 2, 2), (x) => Math.floor((x + 1) * 127.5));
  const bytes = (n * k) / 2 + (4 * n * k) / group + 4 * m * (k + n);
  return { m, k, n, a: floats(m * k, 1), pairs, flops: 2 * m * k * n, bytes };
}

/** Weights are stored column by column, the lower nibble first; 8 means 0. */
function sum_at({ k, n, a, pairs }, place) {
  const [i, j] = [Math.floor(place / n), place % n];
  let sum = 0;
  for (let p = 0; p < k; ++p) {
    const pair = pairs[(j * k + p) >> 1];
    sum += a[i * k + p] * ((p % 2 ? pair >> 4 : pair & 15) - 8) * scale;
  }
  return sum;
}

export function check(problem, found) {
  const { m, n } = problem;
  return { error: deviation(found, m * n, (at) => sum_at(problem, at)), tolerance };
}

export const libraries = {
  onnxruntime({ m, k, n, a, pairs }, threads) {
    const groups = k / group;
    const node = {
      op: "MatMulNBits",
      domain: "com.microsoft",
      inputs: ["A", "W", "scales"],
      outputs: ["C"],
      attributes: { K: k, N: n, bits: 4, block_size: group, accuracy_level: 4 },
    };
    const scales = new Float32Array(n * groups).fill(scale);
    return onnx_work(
      {
        inputs: [{ name: "A", shape: [m, k], data: a }],
        constants: [
          { name: "W", shape: [n, groups, group / 2], type: "u8", data: pairs },
          { name: "scales", shape: [n * groups], data: scales },
        ],
        outputs: [{ name: "C", shape: [m, n] }],
        nodes: [node],
        domains: { "com.microsoft": 1 },
      },
      threads,
    );
  },

  litert({ m, k, n, a, pairs }, threads) {
    const signed = pairs.map((pair) => pair ^ 0x88); // -8 … 7 in two's complement
    const model = tflite_model({
      tensors: [
        { name: "A", shape: [m, k] },
        {
          name: "W",
          shape: [n, k],
          type: "i4",
          scales: new Array(n).fill(scale),
          data: signed,
        },
        { name: "C", shape: [m, n] },
      ],
      steps: [
        { operator: "FULLY_CONNECTED", version: 12, inputs: ["A", "W", null], outputs: ["C"] },
      ],
      inputs: ["A"],
      outputs: ["C"],
    });
    return litert_work(model, [{ data: a, shape: [m, k] }], threads);
  },
};
