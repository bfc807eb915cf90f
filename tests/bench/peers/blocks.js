// The family of block.gpt2: one block of GPT-2 with its weights. ONNX Runtime has operators for norms,
// attention (com.microsoft.MultiHeadAttention) and GELU; LiteRT.js takes the norms, the heads and the
// masked softmax in pieces.

import { mask_of } from "./attention.js";
import { litert_work } from "./litert.js";
import { deviation, floats } from "./numbers.js";
import { onnx_work } from "./onnxruntime.js";
import { tflite_model } from "./tflite.js";

const tolerance = 1e-3;
const epsilon = 1e-5;

export function problem_of(given) {
  const of = (name, usual) => Number(given[name] ?? usual);
  const [n, heads, size] = [of("n", 512), of("heads", 12), of("d", 64)];
  const d = heads * size;
  let seed = 1;
  const layer = (inputs, outputs) => {
    const bound = Math.sqrt(3 / inputs);
    const weights = floats(inputs * outputs, ++seed).map((x) => x * bound);
    return { inputs, outputs, weights, bias: floats(outputs, ++seed).map((x) => x / 8) };
  };
  const norm = () => ({
    factor: floats(d, ++seed).map((x) => 1 + x / 8),
    bias: floats(d, ++seed).map((x) => x / 8),
  });
  return {
    ...{ n, d, heads, size, x: floats(n * d, 1), norms: [norm(), norm()] },
    layers: [layer(d, 3 * d), layer(d, d), layer(d, 4 * d), layer(4 * d, d)],
    flops: 24 * n * d * d + 2 * d * n * (n + 1),
    bytes: 4 * (12 * d * d + 13 * d + 2 * n * d),
  };
}

function normal(row, { factor, bias }) {
  const mean = row.reduce((sum, x) => sum + x, 0) / row.length;
  const variance = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / row.length;
  return row.map((x, i) => ((x - mean) / Math.sqrt(variance + epsilon)) * factor[i] + bias[i]);
}

function through(row, { outputs, weights, bias }) {
  const to = Float64Array.from(bias);
  row.forEach((x, p) => {
    for (let j = 0; j < outputs; ++j) to[j] += x * weights[p * outputs + j];
  });
  return to;
}

/** Token i of what comes out; `seen` are the tokens' queries, keys and values. */
function token(problem, seen, i) {
  const { d, heads, size, layers, norms, x } = problem;
  const mixed = new Float64Array(d);
  for (let h = 0; h < heads; ++h) {
    const q = seen[i].subarray(h * size, (h + 1) * size);
    const powers = seen.slice(0, i + 1).map((other) => {
      const k = other.subarray(d + h * size, d + (h + 1) * size);
      return Math.exp(q.reduce((sum, value, p) => sum + value * k[p], 0) / Math.sqrt(size));
    });
    const total = powers.reduce((sum, power) => sum + power, 0);
    powers.forEach((power, j) => {
      for (let p = 0; p < size; ++p)
        mixed[h * size + p] += (power / total) * seen[j][2 * d + h * size + p];
    });
  }
  const after = through(mixed, layers[1]).map((value, j) => value + x[i * d + j]);
  const gelu = (u) => (u / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (u + 0.044715 * u ** 3)));
  const hidden = through(normal(after, norms[1]), layers[2]).map(gelu);
  return through(hidden, layers[3]).map((value, j) => value + after[j]);
}

/** The first eight tokens: later ones see them, and nothing else differs. */
export function check(problem, found) {
  const { n, d, x, layers, norms } = problem;
  const few = Math.min(n, 8);
  const seen = Array.from({ length: few }, (_, i) => {
    const row = Float64Array.from(x.subarray(i * d, (i + 1) * d));
    return through(normal(row, norms[0]), layers[0]);
  });
  const rows = seen.map((_, i) => token(problem, seen, i));
  const first = found.length === n * d ? found.subarray(0, few * d) : [];
  return { error: deviation(first, few * d, (at) => rows[Math.floor(at / d)][at % d]), tolerance };
}

export const libraries = {
  onnxruntime({ n, d, heads, x, layers, norms }, threads) {
    const constants = [];
    const constant = (name, shape, data) => (constants.push({ name, shape, data }), name);
    const nodes = [];
    const node = (op, inputs, output, more = {}) => {
      nodes.push({ op, inputs, outputs: [output].flat(), ...more });
      return output;
    };
    const layer = (input, i) => {
      const { inputs, outputs, weights, bias } = layers[i];
      const w = constant(`W${i}`, [inputs, outputs], weights);
      const product = node("MatMul", [input, w], `product${i}`);
      return node("Add", [product, constant(`b${i}`, [outputs], bias)], `layer${i}`);
    };
    const norm = (input, i) => {
      const [factor, bias] = [norms[i].factor, norms[i].bias];
      const names = [constant(`f${i}`, [d], factor), constant(`n${i}`, [d], bias)];
      const attributes = { axis: 2, epsilon: { float: epsilon } };
      return node("LayerNormalization", [input, ...names], `norm${i}`, { attributes });
    };
    const qkv = node("Split", [layer(norm("x", 0), 0)], ["q", "k", "v"], {
      attributes: { axis: 2, num_outputs: 3 },
    });
    const mixed = node("MultiHeadAttention", qkv, "mixed", {
      domain: "com.microsoft",
      attributes: { num_heads: heads, unidirectional: 1 },
    });
    const after = node("Add", [layer(mixed, 1), "x"], "after");
    const middle = node("Gelu", [layer(norm(after, 1), 2)], "middle", {
      attributes: { approximate: "tanh" },
    });
    node("Add", [layer(middle, 3), after], "y");
    const shape = [1, n, d];
    return onnx_work(
      {
        ...{ constants, nodes, opset: 20, domains: { "com.microsoft": 1 } },
        inputs: [{ name: "x", shape, data: x }],
        outputs: [{ name: "y", shape }],
      },
      threads,
    );
  },

  litert({ n, d, heads, size, x, layers, norms }, threads) {
    const tensors = [];
    const steps = [];
    const tensor = (name, shape, data, more = {}) => {
      tensors.push({ name, shape, data, ...more });
      return name;
    };
    const whole = (name, values) =>
      tensor(name, [values.length], Int32Array.from(values), { type: "i32" });
    const step = (operator, inputs, name, shape, options) => {
      steps.push({ operator, inputs, outputs: [tensor(name, shape)], options });
      return name;
    };
    const rows = [n, d];
    const axis = whole("axis", [1]);
    const small = tensor("epsilon", [1], Float32Array.of(epsilon));
    const layer = (input, i, more = 0) => {
      const { inputs, outputs, weights, bias } = layers[i];
      const scale = i === 0 ? 1 / Math.sqrt(size) : 1; // of the queries, beforehand
      const turned = new Float32Array(weights.length);
      for (let p = 0; p < inputs; ++p)
        for (let j = 0; j < outputs; ++j)
          turned[j * inputs + p] = weights[p * outputs + j] * (j < d ? scale : 1);
      const scaled = bias.map((value, j) => value * (j < d ? scale : 1));
      const names = [
        tensor(`W${i}`, [outputs, inputs], turned),
        tensor(`b${i}`, [outputs], scaled),
      ];
      return step(
        "FULLY_CONNECTED",
        [input, ...names],
        `layer${i}`,
        [n, outputs],
        [[0, "Int8", more]],
      );
    };
    const norm = (input, i) => {
      const keep = [[0, "Int8", 1]];
      const mean = step("MEAN", [input, axis], `mean${i}`, [n, 1], keep);
      const off = step("SUB", [input, mean], `off${i}`, rows);
      const square = step("MUL", [off, off], `square${i}`, rows);
      const variance = step("MEAN", [square, axis], `variance${i}`, [n, 1], keep);
      const some = step("ADD", [variance, small], `some${i}`, [n, 1]);
      const share = step("RSQRT", [some], `share${i}`, [n, 1]);
      const even = step("MUL", [off, share], `even${i}`, rows);
      const factor = tensor(`f${i}`, [d], norms[i].factor);
      const wide = step("MUL", [even, factor], `wide${i}`, rows);
      return step("ADD", [wide, tensor(`n${i}`, [d], norms[i].bias)], `norm${i}`, rows);
    };
    tensor("x", rows);
    const qkv = layer(norm("x", 0), 0);
    const apart = [n, 3 * heads, size];
    const split = step("RESHAPE", [qkv, whole("apart", apart)], "parts", apart);
    const turn = whole("turn", [1, 0, 2]);
    const turned = step("TRANSPOSE", [split, turn], "turned", [3 * heads, n, size]);
    const each = [heads, n, size];
    const extent = whole("extent", each);
    const [q, k, v] = ["q", "k", "v"].map((name, i) =>
      step("SLICE", [turned, whole(`at_${name}`, [i * heads, 0, 0]), extent], name, each),
    );
    const square = [heads, n, n];
    const scores = step("BATCH_MATMUL", [q, k], "scores", square, [[1, "Int8", 1]]);
    const masked = step("ADD", [scores, tensor("mask", [1, n, n], mask_of(n))], "masked", square);
    const shares = step("SOFTMAX", [masked], "shares", square, [[0, "Float32", 1]]);
    const means = step("BATCH_MATMUL", [shares, v], "means", each);
    const back = step("TRANSPOSE", [means, turn], "back", [n, heads, size]);
    const mixed = step("RESHAPE", [back, whole("together", rows)], "mixed", rows);
    const after = step("ADD", [layer(mixed, 1), "x"], "after", rows);
    const middle = step("GELU", [layer(norm(after, 1), 2)], "middle", [n, 4 * d], [[0, "Int8", 1]]);
    step("ADD", [layer(middle, 3), after], "y", rows);
    const model = tflite_model({ tensors, steps, inputs: ["x"], outputs: ["y"] });
    return litert_work(model, [{ data: x, shape: rows }], threads);
  },
};
