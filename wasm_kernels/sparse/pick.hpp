// Moves the lanes of a vector by a pattern that is known only at run time.
#pragma once
#include "../vector_math.hpp"

namespace kernels::sparse {

// For each byte of the result: the index of the source byte, or 128 for a zero.
struct alignas(16) Pattern {
  std::int8_t bytes[16];
};

inline constexpr int nothing = -1;

// A pattern from the source lane of each lane of the result.
inline Pattern pattern_of(const int (&from)[lanes]) {
  Pattern pattern{};
  for (int i = 0; i < 16; ++i)
    pattern.bytes[i] = std::int8_t(from[i / 4] == nothing ? -128 : from[i / 4] * 4 + i % 4);
  return pattern;
}

inline f32x4 pick(f32x4 x, const Pattern& pattern) {
#if defined(__wasm_relaxed_simd__)
  return f32x4(wasm_i8x16_relaxed_swizzle(v128_t(x), wasm_v128_load(pattern.bytes)));
#elif defined(__wasm_simd128__)
  return f32x4(wasm_i8x16_swizzle(v128_t(x), wasm_v128_load(pattern.bytes)));
#elif defined(__x86_64__) && defined(__SSSE3__)
  return f32x4(_mm_shuffle_epi8(__m128i(x), __m128i(load(pattern.bytes))));
#elif defined(__aarch64__)
  return f32x4(vqtbl1q_s8(int8x16_t(x), vreinterpretq_u8_s8(vld1q_s8(pattern.bytes))));
#else
  f32x4 picked{};
  for (int i = 0; i < lanes; ++i)
    if (pattern.bytes[4 * i] >= 0) picked[i] = x[pattern.bytes[4 * i] / 4];
  return picked;
#endif
}

}  // namespace kernels::sparse
