// Neighboring lanes compute neighboring rows: their loads of A and stores of C are a row apart. C =
// A · B, row-major.

override m: u32;
override n: u32;
override k: u32;

@group(0) @binding(0) var<storage, read_write> c: array<f32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;

// region: strided
@compute @workgroup_size(16, 16)
fn strided(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  let column = id.y;
  if (row >= m || column >= n) { return; }
  var sum = 0f;
  for (var p = 0u; p < k; p++) {
    sum = fma(a[row * k + p], b[p * n + column], sum);
  }
  c[row * n + column] = sum;
}
// end region: strided
