// a = b + 3 c (McCalpin's triad).

override vectors: u32;
override trips: u32;

@group(0) @binding(0) var<storage, read_write> a: array<vec4f>;
@group(0) @binding(1) var<storage, read> b: array<vec4f>;
@group(0) @binding(2) var<storage, read> c: array<vec4f>;

// region: triad
@compute @workgroup_size(256)
fn triad(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var trip = 0u; trip < trips; trip++) {
    let i = trip * groups.x * 256u + id.x;
    if (i < vectors) { a[i] = b[i] + 3 * c[i]; }
  }
}
// end region: triad
