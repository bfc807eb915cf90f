// The family of block.gpt2: one block of GPT-2 with its weights. ONNX Runtime has operators for
// norms, attention (com.microsoft.MultiHeadAttention) and GELU; LiteRT.js takes the norms, the
// heads and the masked softmax in pieces.

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

/** Token i of the output; `seen` are the tokens' queries, keys and values. */
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

  litert(problem, threads) {
    const { n, d, x } = problem;
    const parts = new TfliteBlock(problem);
    parts.tensor("x", [n, d]);
    const mixed = parts.attention(parts.layer(parts.norm("x", 0), 0));
    const after = parts.step("ADD", [parts.layer(mixed, 1), "x"], "after", [n, d]);
    const middle = parts.gelu(parts.layer(parts.norm(after, 1), 2));
    parts.step("ADD", [parts.layer(middle, 3), after], "y", [n, d]);
    const { tensors, steps } = parts;
    const model = tflite_model({ tensors, steps, inputs: ["x"], outputs: ["y"] });
    return litert_work(model, [{ data: x, shape: [n, d] }], threads);
  },
};

/** Writes the steps of a block for LiteRT.js, which has no operator for norms, heads or masks. */
class TfliteBlock {
  tensors = [];
  steps = [];
  #problem;

  constructor(problem) {
    this.#problem = problem;
    this.tensor("epsilon", [1], Float32Array.of(epsilon));
    this.#whole("axis", [1]);
  }

  tensor(name, shape, data, more = {}) {
    this.tensors.push({ name, shape, data, ...more });
    return name;
  }
  #whole(name, values) {
    return this.tensor(name, [values.length], Int32Array.from(values), { type: "i32" });
  }
  step(operator, inputs, name, shape, options) {
    this.steps.push({ operator, inputs, outputs: [this.tensor(name, shape)], options });
    return name;
  }

  /** Queries are scaled in advance, through their weights. */
  layer(input, i) {
    const { n, d, size, layers } = this.#problem;
    const { inputs, outputs, weights, bias } = layers[i];
    const factor = (j) => (i === 0 && j < d ? 1 / Math.sqrt(size) : 1);
    const turned = new Float32Array(weights.length);
    for (let p = 0; p < inputs; ++p)
      for (let j = 0; j < outputs; ++j)
        turned[j * inputs + p] = weights[p * outputs + j] * factor(j);
    const names = [
      this.tensor(`W${i}`, [outputs, inputs], turned),
      this.tensor(
        `b${i}`,
        [outputs],
        bias.map((value, j) => value * factor(j)),
      ),
    ];
    return this.step("FULLY_CONNECTED", [input, ...names], `layer${i}`, [n, outputs]);
  }

  norm(input, i) {
    const { n, d, norms } = this.#problem;
    const [rows, each, keep] = [[n, d], [n, 1], [[0, "Int8", 1]]];
    const mean = this.step("MEAN", [input, "axis"], `mean${i}`, each, keep);
    const off = this.step("SUB", [input, mean], `off${i}`, rows);
    const square = this.step("MUL", [off, off], `square${i}`, rows);
    const variance = this.step("MEAN", [square, "axis"], `variance${i}`, each, keep);
    const some = this.step("ADD", [variance, "epsilon"], `some${i}`, each);
    const share = this.step("RSQRT", [some], `share${i}`, each);
    const even = this.step("MUL", [off, share], `even${i}`, rows);
    const factor = this.tensor(`f${i}`, [d], norms[i].factor);
    const wide = this.step("MUL", [even, factor], `wide${i}`, rows);
    return this.step("ADD", [wide, this.tensor(`n${i}`, [d], norms[i].bias)], `norm${i}`, rows);
  }

  attention(qkv) {
    const { n, d, heads, size } = this.#problem;
    const [apart, each, square] = [
      [n, 3 * heads, size],
      [heads, n, size],
      [heads, n, n],
    ];
    const split = this.step("RESHAPE", [qkv, this.#whole("apart", apart)], "parts", apart);
    const turn = this.#whole("turn", [1, 0, 2]);
    const turned = this.step("TRANSPOSE", [split, turn], "turned", [3 * heads, n, size]);
    const extent = this.#whole("extent", each);
    const [q, k, v] = ["q", "k", "v"].map((name, i) => {
      const from = this.#whole(`at_${name}`, [i * heads, 0, 0]);
      return this.step("SLICE", [turned, from, extent], name, each);
    });
    const scores = this.step("BATCH_MATMUL", [q, k], "scores", square, [[1, "Int8", 1]]);
    const mask = this.tensor("mask", [1, n, n], mask_of(n));
    const masked = this.step("ADD", [scores, mask], "masked", square);
    const shares = this.step("SOFTMAX", [masked], "shares", square, [[0, "Float32", 1]]);
    const means = this.step("BATCH_MATMUL", [shares, v], "means", each);
    const back = this.step("TRANSPOSE", [means, turn], "back", [n, heads, size]);
    return this.step("RESHAPE", [back, this.#whole("together", [n, d])], "mixed", [n, d]);
  }

  gelu(input) {
    const { n, d } = this.#problem;
    return this.step("GELU", [input], "middle", [n, 4 * d], [[0, "Int8", 1]]);
  }
}
