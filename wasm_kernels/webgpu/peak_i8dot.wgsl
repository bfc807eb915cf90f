// Sixteen independent chains of dot products of four signed bytes, each fed by the last.

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<uniform> factors: vec4u;  // 0x01ff0203 in x

// region: peak
@compute @workgroup_size(256)
fn peak(@builtin(global_invocation_id) id: vec3u) {
  let y = factors.x;
  var x: array<u32, 16>;
  for (var c = 0u; c < 16u; c++) { x[c] = id.x % 8u + c; }
  for (var i = 0u; i < 512u; i++) {
    x[0] += u32(dot4I8Packed(x[0], y));
    x[1] += u32(dot4I8Packed(x[1], y));
    x[2] += u32(dot4I8Packed(x[2], y));
    x[3] += u32(dot4I8Packed(x[3], y));
    x[4] += u32(dot4I8Packed(x[4], y));
    x[5] += u32(dot4I8Packed(x[5], y));
    x[6] += u32(dot4I8Packed(x[6], y));
    x[7] += u32(dot4I8Packed(x[7], y));
    x[8] += u32(dot4I8Packed(x[8], y));
    x[9] += u32(dot4I8Packed(x[9], y));
    x[10] += u32(dot4I8Packed(x[10], y));
    x[11] += u32(dot4I8Packed(x[11], y));
    x[12] += u32(dot4I8Packed(x[12], y));
    x[13] += u32(dot4I8Packed(x[13], y));
    x[14] += u32(dot4I8Packed(x[14], y));
    x[15] += u32(dot4I8Packed(x[15], y));
  }
  var sum = 0u;
  for (var c = 0u; c < 16u; c++) { sum += x[c]; }
  answer[id.x] = f32(sum >> 8u);  // as many bits as a float holds
}
// end region: peak
