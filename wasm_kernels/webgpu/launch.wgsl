// The least work that shows that the kernel ran.

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;

// region: launch
@compute @workgroup_size(1)
fn launch() { answer[0] += 1; }
// end region: launch
