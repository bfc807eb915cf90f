// One vector of four floats for every target, so that each kernel is written once.
//
// The type is the compilers' vector extension: + and * become one instruction each, in WebAssembly
// (v128) and in native code (SSE or NEON). Operations that the extension lacks, a fused
// multiply-add and a dot product of bytes, are functions below with one body per target. Kernels
// are compiled with -ffp-contract=off, so a * b + c rounds twice, and only madd can fuse.
#pragma once
#include <cstddef>
#include <cstdint>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace kernels {

inline constexpr int lanes = 4;

using f32x4 = float __attribute__((vector_size(16)));
using i32x4 = std::int32_t __attribute__((vector_size(16)));
using i8x16 = std::int8_t __attribute__((vector_size(16)));

namespace detail {
// The same vectors in memory, at any address and over objects of any type. (Clang accepts a smaller
// alignment only from a typedef; with `using` it stays 16.)
typedef float f32x4_in_memory __attribute__((vector_size(16), aligned(4), may_alias));
typedef std::int8_t i8x16_in_memory __attribute__((vector_size(16), aligned(1), may_alias));
}  // namespace detail

inline f32x4 load(const float* p) { return *reinterpret_cast<const detail::f32x4_in_memory*>(p); }
inline void store(float* p, f32x4 x) { *reinterpret_cast<detail::f32x4_in_memory*>(p) = x; }
inline f32x4 splat(float x) { return f32x4{x, x, x, x}; }
inline float sum(f32x4 x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// Transposes a 4 × 4 matrix.
inline void transpose(f32x4 (&m)[4]) {
  const f32x4 a = __builtin_shufflevector(m[0], m[1], 0, 4, 1, 5);
  const f32x4 b = __builtin_shufflevector(m[2], m[3], 0, 4, 1, 5);
  const f32x4 c = __builtin_shufflevector(m[0], m[1], 2, 6, 3, 7);
  const f32x4 d = __builtin_shufflevector(m[2], m[3], 2, 6, 3, 7);
  m[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  m[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  m[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  m[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

inline i8x16 load(const std::int8_t* p) {
  return *reinterpret_cast<const detail::i8x16_in_memory*>(p);
}

// True if madd is one fused instruction: in the relaxed module, and in native code for processors
// with FMA.
#if defined(__wasm_relaxed_simd__) || defined(__FMA__) || defined(__aarch64__)
inline constexpr bool fused = true;
#else
inline constexpr bool fused = false;
#endif

// The roof of kernels that compute with madd.
inline constexpr const char* vector_class = fused ? "fma" : "simd";

// a * b + c. Rounds once if `fused`, otherwise twice; relaxed SIMD leaves the choice to the engine.
inline f32x4 madd(f32x4 a, f32x4 b, f32x4 c) {
#if defined(__wasm_relaxed_simd__)
  return f32x4(wasm_f32x4_relaxed_madd(v128_t(a), v128_t(b), v128_t(c)));
#elif defined(__x86_64__) && defined(__FMA__)
  return f32x4(_mm_fmadd_ps(__m128(a), __m128(b), __m128(c)));
#elif defined(__aarch64__)
  return f32x4(vfmaq_f32(float32x4_t(c), float32x4_t(a), float32x4_t(b)));
#else
  return a * b + c;
#endif
}

// Adds the dot product of four neighboring bytes of a and b to each lane of c. Every byte of b must
// be in 0 … 127, because processors disagree on the sign of larger ones (relaxed SIMD, "i7x16").
inline i32x4 dot_add(i8x16 a, i8x16 b, i32x4 c) {
#if defined(__wasm_relaxed_simd__)
  return i32x4(wasm_i32x4_relaxed_dot_i8x16_i7x16_add(v128_t(a), v128_t(b), v128_t(c)));
#elif defined(__x86_64__) && defined(__SSSE3__)
  __m128i pairs = _mm_maddubs_epi16(__m128i(b), __m128i(a));
  // One instruction in WebAssembly, so do not hoist a part of it out of a loop
  asm volatile("" : "+x"(pairs));
  return i32x4(_mm_add_epi32(_mm_madd_epi16(pairs, _mm_set1_epi16(1)), __m128i(c)));
#else
  for (int i = 0; i < 16; ++i) c[i / 4] += a[i] * b[i];
  return c;
#endif
}

}  // namespace kernels
