// Like matmul_regblock.wgsl, with four floats per load, and with a block per lane whose size a race
// may set by two constants. Rows of A and B must be whole vectors.

override m: u32;
override n: u32;
override k: u32;

@group(0) @binding(0) var<storage, read_write> c: array<vec4f>;
@group(0) @binding(1) var<storage, read> a: array<vec4f>;
@group(0) @binding(2) var<storage, read> b: array<vec4f>;

// region: vec4
const rows = 4u;     // of C per lane
const columns = 4u;  // a multiple of 4
const block_rows = 16u * rows;
const vectors = columns / 4u;
const block_vectors = 16u * vectors;

var<workgroup> a_tile: array<f32, 8u * block_rows>;  // eight columns of A, one after another
var<workgroup> b_tile: array<vec4f, 8u * block_vectors>;

@compute @workgroup_size(16, 16)
fn vec4(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) lane: vec3u,
        @builtin(local_invocation_index) index: u32) {
  let first_row = group.y * block_rows;
  let first_vector = group.x * block_vectors;
  var sum: array<array<vec4f, vectors>, rows>;
  for (var begin = 0u; begin < k; begin += 8u) {
    for (var i = index; i < 2u * block_rows; i += 256u) {
      let row = first_row + i / 2u;
      let inner = begin / 4u + i % 2u;
      let x = select(vec4f(0), a[row * (k / 4u) + inner], row < m && inner < k / 4u);
      for (var j = 0u; j < 4u; j++) { a_tile[(i % 2u * 4u + j) * block_rows + i / 2u] = x[j]; }
    }
    for (var i = index; i < 8u * block_vectors; i += 256u) {
      let outer = begin + i / block_vectors;
      let column = first_vector + i % block_vectors;
      b_tile[i] = select(vec4f(0), b[outer * (n / 4u) + column], outer < k && column < n / 4u);
    }
    workgroupBarrier();
    for (var p = 0u; p < 8u; p++) {
      for (var r = 0u; r < rows; r++) {
        let x = a_tile[p * block_rows + lane.y * rows + r];
        for (var q = 0u; q < vectors; q++) {
          sum[r][q] = fma(vec4f(x), b_tile[p * block_vectors + lane.x + 16u * q], sum[r][q]);
        }
      }
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < rows; r++) {
    for (var q = 0u; q < vectors; q++) {
      let row = first_row + lane.y * rows + r;
      let column = first_vector + lane.x + 16u * q;
      if (row < m && column < n / 4u) { c[row * (n / 4u) + column] = sum[r][q]; }
    }
  }
}
// end region: vec4
