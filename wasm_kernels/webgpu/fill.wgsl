// Fills inputs on the GPU, so that half a gigabyte need not cross the browser. Grid-stride, so that
// one dispatch fills any size. webgpu.hpp computes the same numbers.

override first: u32 = 0u;

fn scramble(seed: u32) -> u32 {
  var x = seed * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
  return (x >> 22u) ^ x;
}

// An integer from -3 to 4, small enough that sums and products stay exact in every format.
fn value(i: u32) -> f32 { return f32(i32(scramble(i + first) >> 29u) - 3); }

@group(0) @binding(0) var<storage, read_write> numbers: array<f32>;

@compute @workgroup_size(256)
fn floats(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < arrayLength(&numbers); i += groups.x * 256u) { numbers[i] = value(i); }
}

@group(0) @binding(0) var<storage, read_write> pairs: array<u32>;

@compute @workgroup_size(256)
fn halves(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < arrayLength(&pairs); i += groups.x * 256u) {
    pairs[i] = pack2x16float(vec2f(value(2u * i), value(2u * i + 1u)));
  }
}

// A cycle of elements, one per 128 bytes, as indices into the buffer.
@group(0) @binding(0) var<storage, read_write> apart: array<u32>;
@group(0) @binding(1) var<storage, read> cycle: array<u32>;

@compute @workgroup_size(256)
fn spread(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < arrayLength(&cycle); i += groups.x * 256u) {
    apart[32u * i] = 32u * cycle[i];
  }
}
