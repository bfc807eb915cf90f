// Eight paths of equal length. Each is a separate loop whose length is not known at compile time,
// so that no compiler turns the paths into a select.

@group(0) @binding(0) var<storage, read_write> answer: array<f32>;
@group(0) @binding(1) var<storage, read> begin: array<f32>;
@group(0) @binding(2) var<storage, read> path: array<u32>;
@group(0) @binding(3) var<uniform> settings: vec4f;  // factor 1, trips

// region: branch
@compute @workgroup_size(256)
fn branch(@builtin(global_invocation_id) id: vec3u) {
  let a = settings.x;
  let trips = u32(settings.y);
  var x = begin[id.x];
  switch (path[id.x]) {
    case 0u: { for (var i = 0u; i < trips; i++) { x = fma(x, a, 1f); } }
    case 1u: { for (var i = 0u; i < trips; i++) { x = fma(x, a, 2f); } }
    case 2u: { for (var i = 0u; i < trips; i++) { x = fma(x, a, 3f); } }
    case 3u: { for (var i = 0u; i < trips; i++) { x = fma(x, a, 4f); } }
    case 4u: { for (var i = 0u; i < trips; i++) { x = fma(x, a, 5f); } }
    case 5u: { for (var i = 0u; i < trips; i++) { x = fma(x, a, 6f); } }
    case 6u: { for (var i = 0u; i < trips; i++) { x = fma(x, a, 7f); } }
    default: { for (var i = 0u; i < trips; i++) { x = fma(x, a, 8f); } }
  }
  answer[id.x] = x;
}
// end region: branch
