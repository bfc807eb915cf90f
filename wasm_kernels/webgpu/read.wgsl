// Every lane adds up every lanes-th vector, so that neighbours read neighbouring bytes.

override lanes: u32;
override trips: u32;

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> numbers: array<vec4f>;

// region: read
@compute @workgroup_size(256)
fn read_all(@builtin(global_invocation_id) id: vec3u) {
  var sum = vec4f(0);
  for (var trip = 0u; trip < trips; trip++) {
    sum += numbers[trip * lanes + id.x];
  }
  answer[id.x] = sum.x + sum.y + sum.z + sum.w;
}
// end region: read
