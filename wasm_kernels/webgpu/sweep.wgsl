// Groups walk through one working set, 4 KiB per iteration and with four pieces in flight. Each
// group starts at a different piece.

override pieces: u32;
override trips: u32;  // a multiple of four

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> numbers: array<vec4f>;

fn next(piece: u32) -> u32 { return select(piece + 1u, 0u, piece + 1u == pieces); }

// region: sweep
@compute @workgroup_size(256)
fn sweep(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  // group * pieces / 1024 without overflowing 32 bits
  var piece = group.x * (pieces / 1024u) + group.x * (pieces % 1024u) / 1024u;
  var sum0 = vec4f(0);
  var sum1 = vec4f(0);
  var sum2 = vec4f(0);
  var sum3 = vec4f(0);
  for (var trip = 0u; trip < trips; trip += 4u) {
    let second = next(piece);
    let third = next(second);
    let fourth = next(third);
    sum0 += numbers[piece * 256u + lane];
    sum1 += numbers[second * 256u + lane];
    sum2 += numbers[third * 256u + lane];
    sum3 += numbers[fourth * 256u + lane];
    piece = next(fourth);
  }
  let sum = (sum0 + sum1) + (sum2 + sum3);
  answer[group.x * 256u + lane] = sum.x + sum.y + sum.z + sum.w;
}
// end region: sweep
