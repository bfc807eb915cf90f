// Sixteen independent chains of fused multiply-adds on vectors of four, so that every unit always
// has a ready instruction. Factor and summand come from a buffer, so that nothing is folded. For
// fewer chains, which need fewer registers, the page removes the lines of the other chains.

override trips: u32;  // four steps each

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<uniform> one: vec4f;  // 1, 1, 1, 1

// region: peak
@compute @workgroup_size(256)
fn peak(@builtin(global_invocation_id) id: vec3u) {
  let a = vec4<f32>(one);
  let begin = vec4<f32>(f32(id.x % 8u)) + vec4<f32>(0, 1, 2, 3);
  var x0 = begin + 0;
  var x1 = begin + 1;
  var x2 = begin + 2;
  var x3 = begin + 3;
  var x4 = begin + 4;
  var x5 = begin + 5;
  var x6 = begin + 6;
  var x7 = begin + 7;
  var x8 = begin + 8;
  var x9 = begin + 9;
  var x10 = begin + 10;
  var x11 = begin + 11;
  var x12 = begin + 12;
  var x13 = begin + 13;
  var x14 = begin + 14;
  var x15 = begin + 15;
  for (var i = 0u; i < trips; i++) {
    x0 = fma(x0, a, a);
    x1 = fma(x1, a, a);
    x2 = fma(x2, a, a);
    x3 = fma(x3, a, a);
    x4 = fma(x4, a, a);
    x5 = fma(x5, a, a);
    x6 = fma(x6, a, a);
    x7 = fma(x7, a, a);
    x8 = fma(x8, a, a);
    x9 = fma(x9, a, a);
    x10 = fma(x10, a, a);
    x11 = fma(x11, a, a);
    x12 = fma(x12, a, a);
    x13 = fma(x13, a, a);
    x14 = fma(x14, a, a);
    x15 = fma(x15, a, a);
    x0 = fma(x0, a, a);
    x1 = fma(x1, a, a);
    x2 = fma(x2, a, a);
    x3 = fma(x3, a, a);
    x4 = fma(x4, a, a);
    x5 = fma(x5, a, a);
    x6 = fma(x6, a, a);
    x7 = fma(x7, a, a);
    x8 = fma(x8, a, a);
    x9 = fma(x9, a, a);
    x10 = fma(x10, a, a);
    x11 = fma(x11, a, a);
    x12 = fma(x12, a, a);
    x13 = fma(x13, a, a);
    x14 = fma(x14, a, a);
    x15 = fma(x15, a, a);
    x0 = fma(x0, a, a);
    x1 = fma(x1, a, a);
    x2 = fma(x2, a, a);
    x3 = fma(x3, a, a);
    x4 = fma(x4, a, a);
    x5 = fma(x5, a, a);
    x6 = fma(x6, a, a);
    x7 = fma(x7, a, a);
    x8 = fma(x8, a, a);
    x9 = fma(x9, a, a);
    x10 = fma(x10, a, a);
    x11 = fma(x11, a, a);
    x12 = fma(x12, a, a);
    x13 = fma(x13, a, a);
    x14 = fma(x14, a, a);
    x15 = fma(x15, a, a);
    x0 = fma(x0, a, a);
    x1 = fma(x1, a, a);
    x2 = fma(x2, a, a);
    x3 = fma(x3, a, a);
    x4 = fma(x4, a, a);
    x5 = fma(x5, a, a);
    x6 = fma(x6, a, a);
    x7 = fma(x7, a, a);
    x8 = fma(x8, a, a);
    x9 = fma(x9, a, a);
    x10 = fma(x10, a, a);
    x11 = fma(x11, a, a);
    x12 = fma(x12, a, a);
    x13 = fma(x13, a, a);
    x14 = fma(x14, a, a);
    x15 = fma(x15, a, a);
  }
  var sum = vec4f(0);
  sum += vec4f(x0);
  sum += vec4f(x1);
  sum += vec4f(x2);
  sum += vec4f(x3);
  sum += vec4f(x4);
  sum += vec4f(x5);
  sum += vec4f(x6);
  sum += vec4f(x7);
  sum += vec4f(x8);
  sum += vec4f(x9);
  sum += vec4f(x10);
  sum += vec4f(x11);
  sum += vec4f(x12);
  sum += vec4f(x13);
  sum += vec4f(x14);
  sum += vec4f(x15);
  answer[id.x] = sum.x + sum.y + sum.z + sum.w;
}
// end region: peak
