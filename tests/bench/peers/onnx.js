// Writes ONNX models: protocol buffers as in onnx.proto.

const types = { f32: 1, u8: 2, i8: 3, i32: 6, i64: 7, bool: 9 };
const ir_version = 8;

/**
 * A model of one graph. `inputs`, `outputs`: [{name, shape, type = "f32"}]; `constants`: the same
 * with `data`, a typed array; `nodes`: [{op, inputs, outputs, domain = "", attributes = {}}], where
 * an attribute is a number (integer, or {float}), an array of integers, or a text. `domains`:
 * {name: version}, in addition to ONNX's own.
 */
export function onnx_model({ inputs, outputs, nodes, constants = [], opset = 13, domains = {} }) {
  const graph = [
    ...nodes.map((node) => field(1, node_of(node))),
    text(2, "bench"),
    ...constants.map((constant) => field(5, tensor_of(constant))),
    ...inputs.map((one) => field(11, value_of(one))),
    ...outputs.map((one) => field(12, value_of(one))),
  ];
  const sets = Object.entries({ "": opset, ...domains }).map(([domain, version]) =>
    field(8, [text(1, domain), integer(2, version)]),
  );
  return joined([integer(1, ir_version), field(7, graph), ...sets]);
}

/** A message is a list of pieces, each of bytes. */
function joined(pieces) {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function varint(value) {
  const bytes = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}
const integer = (number, value) => Uint8Array.from([...varint(number << 3), ...varint(value)]);
const bytes_of = (number, content) =>
  joined([Uint8Array.from([...varint((number << 3) | 2), ...varint(content.length)]), content]);
const field = (number, pieces) => bytes_of(number, joined(pieces));
const text = (number, value) => bytes_of(number, new TextEncoder().encode(value));

function value_of({ name, shape, type = "f32" }) {
  const dimensions = shape.map((size) => field(1, [integer(1, size)]));
  const tensor = [integer(1, types[type]), field(2, dimensions)];
  return [text(1, name), field(2, [field(1, tensor)])];
}

function tensor_of({ name, shape, type = "f32", data }) {
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const sizes = shape.map((size) => integer(1, size));
  return [...sizes, integer(2, types[type]), text(8, name), bytes_of(9, raw)];
}

function node_of({ op, inputs, outputs, domain = "", attributes = {} }) {
  return [
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => field(5, attribute_of(name, value))),
    text(7, domain),
  ];
}

function attribute_of(name, value) {
  const kind = (number) => integer(20, number);
  if (typeof value === "number") return [text(1, name), integer(3, value), kind(2)];
  if (typeof value === "string") return [text(1, name), text(4, value), kind(3)];
  if (Array.isArray(value)) return [text(1, name), ...value.map((one) => integer(8, one)), kind(7)];
  const float = new Uint8Array(Float32Array.of(value.float).buffer);
  return [text(1, name), joined([Uint8Array.of((2 << 3) | 5), float]), kind(1)];
}
