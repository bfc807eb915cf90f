// One load after another, each dependent on the previous one. A run continues where the previous
// run ended, so that it visits no line twice before the cycle is complete. Thirty-two lanes load
// the same address: for a group of one lane, whose addresses are uniform, compilers use the path
// for constants.

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read_write> position: array<u32>;
@group(0) @binding(2) var<storage, read> next: array<u32>;

// region: chase
@compute @workgroup_size(32)
fn chase(@builtin(local_invocation_index) lane: u32) {
  var at = position[lane];
  for (var step = 0u; step < 16384u; step++) { at = next[at]; }
  position[lane] = at;
  if (lane == 0u) { answer[0] = f32(at / 32u); }  // the element, one in every 32 floats
}
// end region: chase
