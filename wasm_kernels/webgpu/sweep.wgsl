// 256 groups walk through one working set, 4 KiB a trip, each from a start of its own.

override pieces: u32;
override trips: u32;

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> numbers: array<vec4f>;

// region: sweep
@compute @workgroup_size(256)
fn sweep(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  // group * pieces / 256 without leaving 32 bits
  var piece = group.x * (pieces / 256u) + group.x * (pieces % 256u) / 256u;
  var sum = vec4f(0);
  for (var trip = 0u; trip < trips; trip++) {
    sum += numbers[piece * 256u + lane];
    piece++;
    if (piece == pieces) { piece = 0u; }
  }
  answer[group.x * 256u + lane] = sum.x + sum.y + sum.z + sum.w;
}
// end region: sweep
