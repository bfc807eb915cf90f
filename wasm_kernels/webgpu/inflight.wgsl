// A given number of lanes, each with a given number of loads in flight. The loaded values, whose
// contribution is always 0, determine the addresses of the next iteration.

override loads: u32;   // per lane and iteration: 1, 2, 4 or 8
override trips: u32;
override step: u32;    // floats between consecutive loads of a lane
override floats: u32;  // in the buffer
override lanes: u32;

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> numbers: array<f32>;
@group(0) @binding(2) var<uniform> zero: vec4u;  // 0, 0, 0, 0

// region: inflight
@compute @workgroup_size(32)
fn inflight(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let place = group.x * 32u + lane;
  var at = place;
  var sum = 0f;
  for (var trip = 0u; trip < trips; trip++) {
    var loaded = 0f;
    for (var j = 0u; j < loads; j++) {
      loaded += numbers[at];
      at += step;
      if (at >= floats) { at -= floats; }
    }
    sum += loaded;
    at += bitcast<u32>(loaded) & zero.x;
  }
  answer[place] = sum;
}
// end region: inflight
