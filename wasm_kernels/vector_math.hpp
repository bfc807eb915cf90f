// Loads of integer vectors, and functions beyond + and *.
#pragma once
#include "simd.hpp"

namespace kernels {

namespace detail {
// A typedef for the reason given in simd.hpp.
typedef std::int32_t i32x4_in_memory __attribute__((vector_size(16), aligned(4), may_alias));
}  // namespace detail
inline i32x4 load(const std::int32_t* p) {
  return *reinterpret_cast<const detail::i32x4_in_memory*>(p);
}

// The larger of each pair of lanes; neither may be NaN.
inline f32x4 larger(f32x4 a, f32x4 b) {
#if defined(__wasm_simd128__)
  return f32x4(wasm_f32x4_pmax(v128_t(a), v128_t(b)));
#elif defined(__x86_64__)
  return f32x4(_mm_max_ps(__m128(a), __m128(b)));
#else
  return a < b ? b : a;
#endif
}

// region: exp
// e^x for x <= 0 with a relative error of 2e-7. Below e^-87, about the smallest normal number, the
// result stays there. e^x = 2^n · e^r with an integer n and |r| <= ln(2) / 2: a polynomial gives
// e^r, and n is added to the bits of the exponent. The coefficients are from Cephes' expf
// (Moshier).
inline f32x4 exp(f32x4 x) {
  x = larger(x, splat(-87));
  // Adding 1.5 · 2^23 drops the fraction of a number; the lowest bits of the sum are then the
  // integer.
  const f32x4 shifted = madd(x, splat(1.44269504f), splat(12582912));
  const f32x4 n = shifted - splat(12582912);
  const i32x4 exponent = i32x4(shifted) << 23;

  f32x4 r = madd(n, splat(-0.693359375f), x);
  r = madd(n, splat(2.12194440e-4f), r);
  f32x4 p = splat(1.9875691500e-4f);
  p = madd(p, r, splat(1.3981999507e-3f));
  p = madd(p, r, splat(8.3334519073e-3f));
  p = madd(p, r, splat(4.1665795894e-2f));
  p = madd(p, r, splat(1.6666665459e-1f));
  p = madd(p, r, splat(5.0000001201e-1f));
  p = madd(p, r * r, r + splat(1));
  return f32x4(i32x4(p) + exponent);
}
// end region: exp

}  // namespace kernels
