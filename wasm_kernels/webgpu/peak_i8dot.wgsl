// Sixteen independent chains of dot products of four signed bytes; each step depends on the
// previous one. For fewer chains, the page removes the lines of the other chains.

override trips: u32;  // four steps each

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<uniform> factors: vec4u;  // 0x01ff0203 in x

// region: peak
@compute @workgroup_size(256)
fn peak(@builtin(global_invocation_id) id: vec3u) {
  let y = factors.x;
  var x0 = id.x % 8u + 0u;
  var x1 = id.x % 8u + 1u;
  var x2 = id.x % 8u + 2u;
  var x3 = id.x % 8u + 3u;
  var x4 = id.x % 8u + 4u;
  var x5 = id.x % 8u + 5u;
  var x6 = id.x % 8u + 6u;
  var x7 = id.x % 8u + 7u;
  var x8 = id.x % 8u + 8u;
  var x9 = id.x % 8u + 9u;
  var x10 = id.x % 8u + 10u;
  var x11 = id.x % 8u + 11u;
  var x12 = id.x % 8u + 12u;
  var x13 = id.x % 8u + 13u;
  var x14 = id.x % 8u + 14u;
  var x15 = id.x % 8u + 15u;
  for (var i = 0u; i < trips; i++) {
    x0 += u32(dot4I8Packed(x0, y));
    x1 += u32(dot4I8Packed(x1, y));
    x2 += u32(dot4I8Packed(x2, y));
    x3 += u32(dot4I8Packed(x3, y));
    x4 += u32(dot4I8Packed(x4, y));
    x5 += u32(dot4I8Packed(x5, y));
    x6 += u32(dot4I8Packed(x6, y));
    x7 += u32(dot4I8Packed(x7, y));
    x8 += u32(dot4I8Packed(x8, y));
    x9 += u32(dot4I8Packed(x9, y));
    x10 += u32(dot4I8Packed(x10, y));
    x11 += u32(dot4I8Packed(x11, y));
    x12 += u32(dot4I8Packed(x12, y));
    x13 += u32(dot4I8Packed(x13, y));
    x14 += u32(dot4I8Packed(x14, y));
    x15 += u32(dot4I8Packed(x15, y));
    x0 += u32(dot4I8Packed(x0, y));
    x1 += u32(dot4I8Packed(x1, y));
    x2 += u32(dot4I8Packed(x2, y));
    x3 += u32(dot4I8Packed(x3, y));
    x4 += u32(dot4I8Packed(x4, y));
    x5 += u32(dot4I8Packed(x5, y));
    x6 += u32(dot4I8Packed(x6, y));
    x7 += u32(dot4I8Packed(x7, y));
    x8 += u32(dot4I8Packed(x8, y));
    x9 += u32(dot4I8Packed(x9, y));
    x10 += u32(dot4I8Packed(x10, y));
    x11 += u32(dot4I8Packed(x11, y));
    x12 += u32(dot4I8Packed(x12, y));
    x13 += u32(dot4I8Packed(x13, y));
    x14 += u32(dot4I8Packed(x14, y));
    x15 += u32(dot4I8Packed(x15, y));
    x0 += u32(dot4I8Packed(x0, y));
    x1 += u32(dot4I8Packed(x1, y));
    x2 += u32(dot4I8Packed(x2, y));
    x3 += u32(dot4I8Packed(x3, y));
    x4 += u32(dot4I8Packed(x4, y));
    x5 += u32(dot4I8Packed(x5, y));
    x6 += u32(dot4I8Packed(x6, y));
    x7 += u32(dot4I8Packed(x7, y));
    x8 += u32(dot4I8Packed(x8, y));
    x9 += u32(dot4I8Packed(x9, y));
    x10 += u32(dot4I8Packed(x10, y));
    x11 += u32(dot4I8Packed(x11, y));
    x12 += u32(dot4I8Packed(x12, y));
    x13 += u32(dot4I8Packed(x13, y));
    x14 += u32(dot4I8Packed(x14, y));
    x15 += u32(dot4I8Packed(x15, y));
    x0 += u32(dot4I8Packed(x0, y));
    x1 += u32(dot4I8Packed(x1, y));
    x2 += u32(dot4I8Packed(x2, y));
    x3 += u32(dot4I8Packed(x3, y));
    x4 += u32(dot4I8Packed(x4, y));
    x5 += u32(dot4I8Packed(x5, y));
    x6 += u32(dot4I8Packed(x6, y));
    x7 += u32(dot4I8Packed(x7, y));
    x8 += u32(dot4I8Packed(x8, y));
    x9 += u32(dot4I8Packed(x9, y));
    x10 += u32(dot4I8Packed(x10, y));
    x11 += u32(dot4I8Packed(x11, y));
    x12 += u32(dot4I8Packed(x12, y));
    x13 += u32(dot4I8Packed(x13, y));
    x14 += u32(dot4I8Packed(x14, y));
    x15 += u32(dot4I8Packed(x15, y));
  }
  var sum = 0u;
  sum += x0;
  sum += x1;
  sum += x2;
  sum += x3;
  sum += x4;
  sum += x5;
  sum += x6;
  sum += x7;
  sum += x8;
  sum += x9;
  sum += x10;
  sum += x11;
  sum += x12;
  sum += x13;
  sum += x14;
  sum += x15;
  answer[id.x] = f32(sum >> 8u);  // as many bits as a float holds exactly
}
// end region: peak
