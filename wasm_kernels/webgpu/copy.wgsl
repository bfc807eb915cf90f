// b = a, one vector per lane and iteration.

override vectors: u32;
override trips: u32;

@group(0) @binding(0) var<storage, read_write> b: array<vec4f>;
@group(0) @binding(1) var<storage, read> a: array<vec4f>;

// region: copy
@compute @workgroup_size(256)
fn copy(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var trip = 0u; trip < trips; trip++) {
    let i = trip * groups.x * 256u + id.x;
    if (i < vectors) { b[i] = a[i]; }
  }
}
// end region: copy
