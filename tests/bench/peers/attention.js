// The family of attention.heads: softmax(Q · Kᵀ / sqrt(d)) · V for several heads, causal or not.
// ONNX Runtime has one operator for the whole (MultiHeadAttention). LiteRT.js needs two matmuls
// with a softmax between them, and adds a mask if later tokens are hidden.

import { litert_work } from "./litert.js";
import { deviation, floats } from "./numbers.js";
import { onnx_work } from "./onnxruntime.js";
import { tflite_model } from "./tflite.js";

const tolerance = 1e-4;
export const hidden = -1e4; // a score whose exponential is zero

export function problem_of(given) {
  const of = (name, usual) => Number(given[name] ?? usual);
  const [n, d, heads, causal] = [of("n", 1024), of("d", 64), of("heads", 16), of("causal", 0)];
  const size = n * d * heads;
  const pairs = causal ? (n * (n + 1)) / 2 : n * n;
  return {
    ...{ n, d, heads, causal: causal === 1, flops: 4 * pairs * d * heads, bytes: 16 * size },
    q: floats(size, 1),
    k: floats(size, 2),
    v: floats(size, 3),
  };
}

/** Values of head h, token i are at place(h, i). */
function value_at({ n, d, heads, causal, q, k, v, by_tokens }, at) {
  const row = by_tokens ? heads * d : d;
  const head = by_tokens ? Math.floor(at / d) % heads : Math.floor(at / d / n);
  const i = by_tokens ? Math.floor(at / row) : Math.floor(at / d) % n;
  const place = (token) => token * row + head * (by_tokens ? d : n * d);
  const seen = causal ? i + 1 : n;
  let [sum, total] = [0, 0];
  for (let j = 0; j < seen; ++j) {
    let score = 0;
    for (let p = 0; p < d; ++p) score += q[place(i) + p] * k[place(j) + p];
    const power = Math.exp(score / Math.sqrt(d));
    total += power;
    sum += power * v[place(j) + (at % d)];
  }
  return sum / total;
}

export function check(problem, found) {
  const { n, d, heads } = problem;
  return { error: deviation(found, n * d * heads, (at) => value_at(problem, at)), tolerance };
}

/** A mask that hides later tokens, n × n. */
export const mask_of = (n) =>
  Float32Array.from({ length: n * n }, (_, at) => (at % n > Math.floor(at / n) ? hidden : 0));

export const libraries = {
  onnxruntime(problem, threads) {
    problem.by_tokens = true;
    const { n, d, heads, causal, q, k, v } = problem;
    const shape = [1, n, heads * d];
    const node = {
      op: "MultiHeadAttention",
      domain: "com.microsoft",
      inputs: ["Q", "K", "V"],
      outputs: ["O"],
      attributes: { num_heads: heads, unidirectional: causal ? 1 : 0 },
    };
    return onnx_work(
      {
        inputs: [
          { name: "Q", shape, data: q },
          { name: "K", shape, data: k },
          { name: "V", shape, data: v },
        ],
        outputs: [{ name: "O", shape }],
        nodes: [node],
        domains: { "com.microsoft": 1 },
      },
      threads,
    );
  },

  litert({ n, d, heads, causal, q, k, v }, threads) {
    const shape = [heads, n, d];
    const scores = [heads, n, n];
    const model = tflite_model({
      tensors: [
        ...["Q", "K", "V", "O"].map((name) => ({ name, shape })),
        ...["S", "M", "P"].map((name) => ({ name, shape: scores })),
        { name: "mask", shape: [1, n, n], data: causal ? mask_of(n) : undefined },
      ],
      steps: [
        { operator: "BATCH_MATMUL", inputs: ["Q", "K"], outputs: ["S"], options: [[1, "Int8", 1]] },
        ...(causal ? [{ operator: "ADD", inputs: ["S", "mask"], outputs: ["M"] }] : []),
        {
          operator: "SOFTMAX",
          inputs: [causal ? "M" : "S"],
          outputs: ["P"],
          options: [[0, "Float32", 1]],
        },
        { operator: "BATCH_MATMUL", inputs: ["P", "V"], outputs: ["O"] },
      ],
      inputs: ["Q", "K", "V"],
      outputs: ["O"],
    });
    const scaled = q.map((x) => x / Math.sqrt(d)); // once: the kernel does it in every run
    const data = [scaled, k, v].map((one) => ({ data: one, shape }));
    return litert_work(model, data, threads);
  },
};
