// The family of conv.packed. ONNX Runtime stores images channel by channel, like the kernel; the
// other libraries store them pixel by pixel. If the stride is two, they put one row and one column
// of zeros less in front.

import { litert_work } from "./litert.js";
import { deviation, floats } from "./numbers.js";
import { onnx_work } from "./onnxruntime.js";
import { tensorflow } from "./tensorflow.js";
import { tflite_model } from "./tflite.js";

const tolerance = 1e-4;

export function problem_of(given) {
  const of = (name, usual) => Number(given[name] ?? usual);
  const [channels, filters, side] = [of("in", 64), of("out", 64), of("side", 56)];
  const [filter, stride] = [of("filter", 3), of("stride", 1)];
  const across = Math.ceil(side / stride);
  const [image, weights] = [
    floats(channels * side ** 2, 1),
    floats(filters * channels * filter ** 2, 2),
  ];
  const result = filters * across ** 2;
  return {
    ...{ channels, filters, side, filter, stride, across, image, weights },
    flops: 2 * result * channels * filter ** 2,
    bytes: 4 * (image.length + weights.length + result),
  };
}

/** `front`: zeros before the first pixel; at(channel, y, x) finds a pixel of the image. */
function pixel(problem, { filter: o, y, x, front }) {
  const { channels, side, filter, stride, image, weights } = problem;
  let sum = 0;
  for (let c = 0; c < channels; ++c)
    for (let tap = 0; tap < filter ** 2; ++tap) {
      const row = y * stride + Math.floor(tap / filter) - front;
      const column = x * stride + (tap % filter) - front;
      if (row < 0 || row >= side || column < 0 || column >= side) continue;
      sum +=
        weights[(o * channels + c) * filter ** 2 + tap] * image[(c * side + row) * side + column];
    }
  return sum;
}

export function check(problem, found) {
  const { filters, across, filter, stride, side, by_pixels } = problem;
  const all = Math.max(0, (across - 1) * stride + filter - side);
  const front = by_pixels ? Math.floor(all / 2) : Math.floor(filter / 2);
  const expected = (place) => {
    const o = by_pixels ? place % filters : Math.floor(place / across ** 2);
    const at = by_pixels ? Math.floor(place / filters) : place % across ** 2;
    return pixel(problem, { filter: o, y: Math.floor(at / across), x: at % across, front });
  };
  return { error: deviation(found, filters * across ** 2, expected), tolerance };
}

/** An array of [outer][inner][count] as [outer][count][inner]. */
function turned(from, outer, inner, count) {
  const to = new Float32Array(from.length);
  for (let a = 0; a < outer; ++a)
    for (let b = 0; b < inner; ++b)
      for (let c = 0; c < count; ++c)
        to[(a * count + c) * inner + b] = from[(a * inner + b) * count + c];
  return to;
}

const pixel_image = ({ image, channels, side }) => turned(image, 1, channels, side ** 2);

export const libraries = {
  onnxruntime(problem, threads) {
    const { channels, filters, side, filter, stride, across, image, weights } = problem;
    const pad = Math.floor(filter / 2);
    const attributes = {
      kernel_shape: [filter, filter],
      pads: [pad, pad, pad, pad],
      strides: [stride, stride],
    };
    return onnx_work(
      {
        inputs: [{ name: "X", shape: [1, channels, side, side], data: image }],
        constants: [{ name: "W", shape: [filters, channels, filter, filter], data: weights }],
        outputs: [{ name: "Y", shape: [1, filters, across, across] }],
        nodes: [{ op: "Conv", inputs: ["X", "W"], outputs: ["Y"], attributes }],
      },
      threads,
    );
  },

  litert(problem, threads) {
    problem.by_pixels = true;
    const { channels, filters, side, filter, stride, across, weights } = problem;
    const shape = [1, side, side, channels];
    const model = tflite_model({
      tensors: [
        { name: "X", shape },
        {
          name: "W",
          shape: [filters, filter, filter, channels],
          data: turned(weights, filters, channels, filter ** 2),
        },
        { name: "zero", shape: [filters], data: new Float32Array(filters) },
        { name: "Y", shape: [1, across, across, filters] },
      ],
      steps: [
        {
          operator: "CONV_2D",
          inputs: ["X", "W", "zero"],
          outputs: ["Y"],
          options: [
            [0, "Int8", 0], // SAME
            [1, "Int32", stride],
            [2, "Int32", stride],
            [4, "Int32", 1],
            [5, "Int32", 1],
          ],
        },
      ],
      inputs: ["X"],
      outputs: ["Y"],
    });
    return litert_work(model, [{ data: pixel_image(problem), shape }], threads);
  },

  async tfjs(problem, threads) {
    problem.by_pixels = true;
    const tf = await tensorflow(threads);
    const { channels, filters, side, filter, stride, weights } = problem;
    const image = tf.tensor4d(pixel_image(problem), [1, side, side, channels]);
    const taps = filter ** 2;
    const last = new Float32Array(weights.length);
    for (let i = 0; i < weights.length; ++i) {
      const [o, c] = [Math.floor(i / taps / channels), Math.floor(i / taps) % channels];
      last[((i % taps) * channels + c) * filters + o] = weights[i];
    }
    const kernel = tf.tensor4d(last, [filter, filter, channels, filters]);
    return {
      run: async () => tf.conv2d(image, kernel, stride, "same"),
      values: (tensor) => tensor.data(),
      drop: (tensor) => tensor.dispose(),
      end: () => [image, kernel].forEach((one) => one.dispose()),
    };
  },
};
