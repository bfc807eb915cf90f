// Powers of two with fractional exponents, for softmaxes whose scores were multiplied by log2(e).
#pragma once
#include "../vector_math.hpp"

namespace kernels::layers {

// region: exp2
// 2^x for x <= 0 with a relative error of 3e-7. Below -126 the result stays at the smallest normal
// number. 2^x = 2^n · 2^r with an integer n and |r| <= 1/2: a polynomial gives 2^r (minimax on that
// range), and n is added to the bits of the exponent.
inline f32x4 exp2(f32x4 x) {
  x = larger(x, splat(-126));
  const f32x4 shifted = x + splat(12582912);  // 1.5 · 2^23: adding it drops the fraction
  const f32x4 r = x - (shifted - splat(12582912));
  f32x4 p = splat(0.00132764727f);
  p = madd(p, r, splat(0.00967554209f));
  p = madd(p, r, splat(0.0555071328f));
  p = madd(p, r, splat(0.240221197f));
  p = madd(p, r, splat(0.693146967f));
  p = madd(p, r, splat(1.00000007f));
  return f32x4(i32x4(p) + (i32x4(shifted) << 23));
}
// end region: exp2

}  // namespace kernels::layers
