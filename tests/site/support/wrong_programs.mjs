// Wrong WGSL programs, and what the page says about each: {name, text, says, line}. `line` is where
// the problem is, if a line has it.
const head = `override m: u32;
override n: u32;
override k: u32;
@group(0) @binding(0) var<storage, read_write> c: array<f32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
`;
const main = (body, more = "") => `${head}${more}
@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  var sum = f32(m + n + k) * 0 + a[id.x] * 0 + b[id.y] * 0;
  ${body}
  c[min(id.y * n + id.x, m * n - 1)] = sum;
}
`;

export const wrong_programs = [
  { name: "no program", text: "hello", says: /one function with @compute, and has 0/ },
  { name: "a misspelled type", text: main("var x: vec5f;"), says: /does not compile/, line: 11 },
  { name: "a missing brace", text: main("if (sum > 0) {"), says: /does not compile/, line: 13 },
  {
    name: "no matrix b",
    text: main("").replaceAll("@binding(2)", "@binding(7)"),
    says: /no binding 2/,
  },
  {
    name: "a matrix that is not used",
    text: main("").replace(" + b[id.y] * 0", ""),
    says: /does not use all of c, a and b/,
  },
  { name: "a wrong answer", text: main("sum = 1;"), says: /answer is wrong: .* off by/ },
  {
    name: "not a number",
    text: main("sum = bitcast<f32>(lane | 0x7fc00000u);"),
    says: /answer is wrong/,
  },
  {
    name: "a loop without an end",
    text: main("loop { sum += 1; if (sum < 0) { break; } }"),
    says: /loop in line 11 .* never end/,
    line: 11,
  },
  {
    name: "a loop in a function that turns back",
    text: main(
      "sum += spin(lane);",
      "fn spin(x: u32) -> f32 {\n  var i = 0u;\n  while (i < 10u) { i = i * 1u; }\n  return f32(i + x);\n}\n",
    ),
    says: /loop in line 9 .* never end/,
    line: 9,
  },
  {
    name: "too much workgroup memory",
    text: main(
      "big[lane] = sum; workgroupBarrier(); sum = big[0];",
      "var<workgroup> big: array<f32, 20000>;",
    ),
    says: /workgroup|storage/i,
  },
  {
    name: "a barrier that not all lanes reach",
    text: main("if (lane == 0) { workgroupBarrier(); }"),
    says: /does not compile/,
    line: 11,
  },
  {
    name: "an array beyond all memory",
    text: main("var huge: array<f32, 268435456>; huge[lane * 1000] = sum; sum = huge[id.x];"),
    says: /does not compile/,
    line: 11,
  },
  {
    name: "a loop that ends on small matrices only",
    text: main("for (var i = 0u; n > 32u || i < n; i++) { sum += 0; }"),
    says: /loop in line 11 .* never end/,
    line: 11,
  },
];
