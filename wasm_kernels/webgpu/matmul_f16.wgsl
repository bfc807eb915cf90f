enable f16;

// Like matmul_vec4.wgsl with A and B in FP16. Sixteen products at a time are summed in FP16, the
// rest in FP32. FP16 represents integers up to 2048 exactly, so the result is exact, too.

override m: u32;
override n: u32;
override k: u32;

@group(0) @binding(0) var<storage, read_write> c: array<vec4f>;
@group(0) @binding(1) var<storage, read> a: array<vec4<f16>>;
@group(0) @binding(2) var<storage, read> b: array<vec4<f16>>;

var<workgroup> a_tile: array<f16, 1024>;       // sixteen columns of A, one after another
var<workgroup> b_tile: array<vec4<f16>, 256>;  // sixteen rows of B

// region: f16
@compute @workgroup_size(16, 16)
fn f16_product(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) lane: vec3u,
               @builtin(local_invocation_index) index: u32) {
  let first_row = group.y * 64u;
  let first_vector = group.x * 16u;
  var sum: array<vec4f, 4>;
  for (var begin = 0u; begin < k; begin += 16u) {
    let row = first_row + index / 4u;
    let inner = begin / 4u + index % 4u;
    let x = select(vec4<f16>(0), a[row * (k / 4u) + inner], row < m && inner < k / 4u);
    for (var j = 0u; j < 4u; j++) { a_tile[(index % 4u * 4u + j) * 64u + index / 4u] = x[j]; }
    let outer = begin + index / 16u;
    let column = first_vector + index % 16u;
    let inside = outer < k && column < n / 4u;
    b_tile[index] = select(vec4<f16>(0), b[outer * (n / 4u) + column], inside);
    workgroupBarrier();
    var part = array<vec4<f16>, 4>();
    for (var p = 0u; p < 16u; p++) {
      for (var r = 0u; r < 4u; r++) {
        let y = vec4<f16>(a_tile[p * 64u + lane.y * 4u + r]);
        part[r] = fma(y, b_tile[p * 16u + lane.x], part[r]);
      }
    }
    for (var r = 0u; r < 4u; r++) { sum[r] += vec4f(part[r]); }
    workgroupBarrier();
  }
  for (var r = 0u; r < 4u; r++) {
    let row = first_row + lane.y * 4u + r;
    let column = first_vector + lane.x;
    if (row < m && column < n / 4u) { c[row * (n / 4u) + column] = sum[r]; }
  }
}
// end region: f16
