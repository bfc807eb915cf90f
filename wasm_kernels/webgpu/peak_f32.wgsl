// Sixteen independent chains of fused multiply-adds on vectors of four, so that every unit finds
// another one ready. Factor and summand come from a buffer, so that nothing can be folded.

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<uniform> one: vec4f;  // 1, 1, 1, 1

// region: peak
@compute @workgroup_size(256)
fn peak(@builtin(global_invocation_id) id: vec3u) {
  let a = vec4<f32>(one);
  let begin = vec4<f32>(f32(id.x % 8u)) + vec4<f32>(0, 1, 2, 3);
  var x: array<vec4<f32>, 16>;
  for (var c = 0u; c < 16u; c++) { x[c] = begin + f32(c); }
  for (var i = 0u; i < 512u; i++) {
    x[0] = fma(x[0], a, a);
    x[1] = fma(x[1], a, a);
    x[2] = fma(x[2], a, a);
    x[3] = fma(x[3], a, a);
    x[4] = fma(x[4], a, a);
    x[5] = fma(x[5], a, a);
    x[6] = fma(x[6], a, a);
    x[7] = fma(x[7], a, a);
    x[8] = fma(x[8], a, a);
    x[9] = fma(x[9], a, a);
    x[10] = fma(x[10], a, a);
    x[11] = fma(x[11], a, a);
    x[12] = fma(x[12], a, a);
    x[13] = fma(x[13], a, a);
    x[14] = fma(x[14], a, a);
    x[15] = fma(x[15], a, a);
  }
  var sum = vec4f(0);
  for (var c = 0u; c < 16u; c++) { sum += vec4f(x[c]); }
  answer[id.x] = sum.x + sum.y + sum.z + sum.w;
}
// end region: peak
