// Neighboring lanes read floats that are s apart, with four loads in flight per lane. A lap begins
// eight floats after the previous one, so that widely spaced elements are not found in a cache
// again.

override s: u32;
override lanes: u32;
override trips: u32;  // per lap, a multiple of four
override laps: u32;

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> numbers: array<f32>;

// region: stride
@compute @workgroup_size(256)
fn stride(@builtin(global_invocation_id) id: vec3u) {
  var sum0 = 0f;
  var sum1 = 0f;
  var sum2 = 0f;
  var sum3 = 0f;
  for (var lap = 0u; lap < laps; lap++) {
    var at = id.x * s + lap * 8u % s;
    for (var trip = 0u; trip < trips; trip += 4u) {
      sum0 += numbers[at];
      sum1 += numbers[at + lanes * s];
      sum2 += numbers[at + 2u * lanes * s];
      sum3 += numbers[at + 3u * lanes * s];
      at += 4u * lanes * s;
    }
  }
  answer[id.x] = sum0 + sum1 + sum2 + sum3;
}
// end region: stride
