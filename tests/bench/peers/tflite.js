// Writes models for LiteRT.js: a FlatBuffer as in tensorflow/compiler/mlir/lite/schema/schema.fbs,
// whose tables are named below with the slots of their fields.

import { Builder } from "./node_modules/flatbuffers/mjs/flatbuffers.js";

/** The values of TensorType, BuiltinOperator and BuiltinOptions that the families need. */
const types = { f32: 0, i32: 2, u8: 3, i8: 9, i4: 17 };
const operators = {
  ADD: { code: 0, options: 11 },
  CONV_2D: { code: 3, options: 1 },
  DEQUANTIZE: { code: 6, options: 38 },
  FULLY_CONNECTED: { code: 9, options: 8 },
  MUL: { code: 18, options: 21 },
  RESHAPE: { code: 22, options: 17 },
  SOFTMAX: { code: 25, options: 9 },
  TRANSPOSE: { code: 39, options: 26 },
  MEAN: { code: 40, options: 27 },
  SUB: { code: 41, options: 28 },
  SLICE: { code: 65, options: 48 },
  RSQRT: { code: 76, options: 0 },
  QUANTIZE: { code: 114, options: 0 },
  BATCH_MATMUL: { code: 126, options: 101 },
  GELU: { code: 150, options: 119 },
};
const schema_version = 3;

/**
 * A model of one graph. `tensors`: [{name, shape, type = "f32", data?, scales?, axis?}], where
 * `data` (any typed array) makes a constant, and `scales` makes a quantized tensor with its zeros
 * at 0 and one scale, or one per index of `axis`. `steps`: [{operator, version = 1, inputs,
 * outputs, options = []}], inputs and outputs by name (null: left out), options [[slot, "Int8" |
 * "Int32" | "Float32", value]]. `inputs`, `outputs`: names. Throws Error for an unknown operator,
 * type or tensor.
 */
export function tflite_model({ tensors, steps, inputs, outputs }) {
  const room = tensors.reduce((sum, { data }) => sum + (data?.byteLength ?? 0), 1 << 14);
  const b = new Builder(room);
  const place = new Map(tensors.map(({ name }, i) => [name, i]));
  const index = (name) => {
    if (name === null) return -1;
    if (!place.has(name)) throw new Error(`there is no tensor "${name}" in this model`);
    return place.get(name);
  };
  const kinds = [...new Set(steps.map(({ operator }) => operator))];
  // Buffer 0 must be empty, and belongs to every tensor that is not a constant.
  const constants = tensors.filter(({ data }) => data);
  const buffers = [table(b, 1, []), ...constants.map(({ data }) => buffer(b, data))];
  const written = tensors.map((tensor) => write_tensor(b, tensor, constants.indexOf(tensor) + 1));
  const done = steps.map((step) => write_step(b, step, kinds.indexOf(step.operator), index));
  const graph = table(b, 5, [
    [0, "Offset", offsets(b, written)],
    [1, "Offset", integers(b, inputs.map(index))],
    [2, "Offset", integers(b, outputs.map(index))],
    [3, "Offset", offsets(b, done)],
    [4, "Offset", b.createString("main")],
  ]);
  const codes = kinds.map((kind) => write_code(b, kind, steps));
  const model = table(b, 8, [
    [0, "Int32", schema_version],
    [1, "Offset", offsets(b, codes)],
    [2, "Offset", offsets(b, [graph])],
    [3, "Offset", b.createString("bench")],
    [4, "Offset", offsets(b, buffers)],
  ]);
  b.finish(model, "TFL3");
  return b.asUint8Array();
}

/** A table with room for `slots` fields. Every field in `fields` is written, even if it is 0. */
function table(b, slots, fields) {
  b.forceDefaults(true);
  b.startObject(slots);
  for (const [slot, kind, value] of fields) b[`addField${kind}`](slot, value, 0);
  b.forceDefaults(false);
  return b.endObject();
}

function vector(b, width, values, add) {
  b.startVector(width, values.length, width);
  for (let i = values.length - 1; i >= 0; --i) b[add](values[i]);
  return b.endVector();
}
const offsets = (b, values) => vector(b, 4, values, "addOffset");
const integers = (b, values) => vector(b, 4, values, "addInt32");

/** Bytes, aligned for vectors. The builder has no call that copies them at once. */
function buffer(b, data) {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  b.startVector(1, bytes.length, 16);
  b.space -= bytes.length;
  b.dataBuffer().bytes().set(bytes, b.space);
  return table(b, 1, [[0, "Offset", b.endVector()]]);
}

function write_tensor(b, { name, shape, type = "f32", scales, axis = 0 }, place) {
  if (!(type in types)) throw new Error(`no type "${type}": ${Object.keys(types)}`);
  const fields = [
    [0, "Offset", integers(b, shape)],
    [1, "Int8", types[type]],
    [2, "Int32", place],
    [3, "Offset", b.createString(name)],
  ];
  if (scales) {
    const zeros = Array.from(scales, () => 0n);
    const quantization = [
      [2, "Offset", vector(b, 4, scales, "addFloat32")],
      [3, "Offset", vector(b, 8, zeros, "addInt64")],
      [6, "Int32", axis],
    ];
    fields.push([4, "Offset", table(b, 7, quantization)]);
  }
  return table(b, 8, fields);
}

function write_step(b, { operator, inputs, outputs, options = [] }, kind, index) {
  const known = operators[operator];
  if (!known) throw new Error(`no operator "${operator}": ${Object.keys(operators)}`);
  const slots = 1 + Math.max(7, ...options.map(([slot]) => slot));
  return table(b, 11, [
    [0, "Int32", kind],
    [1, "Offset", integers(b, inputs.map(index))],
    [2, "Offset", integers(b, outputs.map(index))],
    [3, "Int8", known.options],
    [4, "Offset", table(b, slots, options)],
  ]);
}

/** Writes the code twice: also as a byte, for readers older than 2020, which stop at 127. */
function write_code(b, kind, steps) {
  const { code } = operators[kind];
  const version = Math.max(...steps.map((one) => (one.operator === kind ? (one.version ?? 1) : 1)));
  return table(b, 4, [
    [0, "Int8", Math.min(code, 127)],
    [2, "Int32", version],
    [3, "Int32", code],
  ]);
}
