// Neighboring lanes read words of workgroup memory that are s apart. This tests banks instead of
// sectors.

override s: u32;

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> numbers: array<f32>;

var<workgroup> words: array<f32, 2056>;

// region: wgmem
@compute @workgroup_size(256)
fn wgmem(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  for (var i = lane; i < 2056u; i += 256u) { words[i] = numbers[i]; }
  workgroupBarrier();
  var at = lane * s;
  var sum = 0f;
  for (var trip = 0u; trip < 128u; trip++) {
    at &= 2047u;
    for (var j = 0u; j < 8u; j++) { sum += words[at + j]; }
    at += 8u;
  }
  answer[group.x * 256u + lane] = sum;
}
// end region: wgmem
