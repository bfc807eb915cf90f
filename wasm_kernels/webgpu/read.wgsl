// Each lane sums every lanes-th vector, so that neighboring lanes read neighboring bytes, with four
// loads in flight.

override lanes: u32;
override trips: u32;  // a multiple of four

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> numbers: array<vec4f>;

// region: read
@compute @workgroup_size(256)
fn read_all(@builtin(global_invocation_id) id: vec3u) {
  var sum0 = vec4f(0);
  var sum1 = vec4f(0);
  var sum2 = vec4f(0);
  var sum3 = vec4f(0);
  for (var trip = 0u; trip < trips; trip += 4u) {
    let at = trip * lanes + id.x;
    sum0 += numbers[at];
    sum1 += numbers[at + lanes];
    sum2 += numbers[at + 2u * lanes];
    sum3 += numbers[at + 3u * lanes];
  }
  let sum = (sum0 + sum1) + (sum2 + sum3);
  answer[id.x] = sum.x + sum.y + sum.z + sum.w;
}
// end region: read
