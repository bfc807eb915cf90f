// A group computes a 16 × 16 tile of C: 16 lanes use each number that the group reads from memory.
// C = A · B, row-major.

override m: u32;
override n: u32;
override k: u32;

@group(0) @binding(0) var<storage, read_write> c: array<f32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;

var<workgroup> a_tile: array<array<f32, 16>, 16>;
var<workgroup> b_tile: array<array<f32, 16>, 16>;

// region: tiled
@compute @workgroup_size(16, 16)
fn tiled(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) lane: vec3u) {
  let row = id.y;
  let column = id.x;
  var sum = 0f;
  for (var begin = 0u; begin < k; begin += 16u) {
    let inner = begin + lane.x;
    let outer = begin + lane.y;
    a_tile[lane.y][lane.x] = select(0f, a[row * k + inner], row < m && inner < k);
    b_tile[lane.y][lane.x] = select(0f, b[outer * n + column], outer < k && column < n);
    workgroupBarrier();
    for (var p = 0u; p < 16u; p++) { sum = fma(a_tile[lane.y][p], b_tile[p][lane.x], sum); }
    workgroupBarrier();
  }
  if (row < m && column < n) { c[row * n + column] = sum; }
}
// end region: tiled
