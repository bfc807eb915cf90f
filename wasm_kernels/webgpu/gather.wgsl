// Copies the elements of a large output that are checked: the first, the last and random ones
// (webgpu.hpp).

override outputs: u32;
override sampled: bool;

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> output: array<f32>;

fn scramble(seed: u32) -> u32 {
  var x = seed * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
  return (x >> 22u) ^ x;
}

@compute @workgroup_size(256)
fn gather(@builtin(global_invocation_id) id: vec3u) {
  let k = id.x;
  if (k >= arrayLength(&answer)) { return; }
  var i = k;
  if (sampled && k == 1u) { i = outputs - 1u; }
  if (sampled && k > 1u) { i = scramble(k) % outputs; }
  answer[k] = output[i];
}
