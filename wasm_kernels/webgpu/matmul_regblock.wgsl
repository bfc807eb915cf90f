// A group computes 64 × 64 of C, and each of its lanes 4 × 4 in registers: eight numbers from
// workgroup memory serve sixteen multiply-adds. C = A · B, row-major.

override m: u32;
override n: u32;
override k: u32;

@group(0) @binding(0) var<storage, read_write> c: array<f32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;

var<workgroup> a_tile: array<array<f32, 64>, 16>;  // A transposed: a column of A is a row here
var<workgroup> b_tile: array<array<f32, 64>, 16>;

// region: regblock
@compute @workgroup_size(16, 16)
fn regblock(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) lane: vec3u,
            @builtin(local_invocation_index) index: u32) {
  let first_row = group.y * 64u;
  let first_column = group.x * 64u;
  var sum: array<array<f32, 4>, 4>;
  for (var begin = 0u; begin < k; begin += 16u) {
    for (var i = index; i < 1024u; i += 256u) {
      let row = first_row + i / 16u;
      let inner = begin + i % 16u;
      a_tile[i % 16u][i / 16u] = select(0f, a[row * k + inner], row < m && inner < k);
      let outer = begin + i / 64u;
      let column = first_column + i % 64u;
      b_tile[i / 64u][i % 64u] = select(0f, b[outer * n + column], outer < k && column < n);
    }
    workgroupBarrier();
    for (var p = 0u; p < 16u; p++) {
      for (var r = 0u; r < 4u; r++) {
        let x = a_tile[p][lane.y * 4u + r];
        for (var q = 0u; q < 4u; q++) {
          sum[r][q] = fma(x, b_tile[p][lane.x + 16u * q], sum[r][q]);
        }
      }
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < 4u; r++) {
    for (var q = 0u; q < 4u; q++) {
      let row = first_row + lane.y * 4u + r;
      let column = first_column + lane.x + 16u * q;
      if (row < m && column < n) { c[row * n + column] = sum[r][q]; }
    }
  }
}
// end region: regblock
