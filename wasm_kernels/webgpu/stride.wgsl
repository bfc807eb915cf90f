// Neighbouring lanes read floats that lie s apart; each element once.

override s: u32;
override trips: u32;

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> numbers: array<f32>;

// region: stride
@compute @workgroup_size(256)
fn stride(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0f;
  for (var trip = 0u; trip < trips; trip++) {
    sum += numbers[(trip * 65536u + id.x) * s];
  }
  answer[id.x] = sum;
}
// end region: stride
