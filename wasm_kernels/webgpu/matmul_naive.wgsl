// Neighboring lanes compute neighboring columns: they load neighbors in B and store neighbors in C.
// C = A · B, row-major.

override m: u32;
override n: u32;
override k: u32;

@group(0) @binding(0) var<storage, read_write> c: array<f32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;

// region: naive
@compute @workgroup_size(16, 16)
fn naive(@builtin(global_invocation_id) id: vec3u) {
  let row = id.y;
  let column = id.x;
  if (row >= m || column >= n) { return; }
  var sum = 0f;
  for (var p = 0u; p < k; p++) {
    sum = fma(a[row * k + p], b[p * n + column], sum);
  }
  c[row * n + column] = sum;
}
// end region: naive
