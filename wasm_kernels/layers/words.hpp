// Small integers packed into 32-bit words, and their dot products. The words of a vector are four
// columns; the integers in a word are neighbors along the depth.
#pragma once

#include "../vector_math.hpp"

namespace kernels::words {

using Word = std::int32_t;
using i16x8 = std::int16_t __attribute__((vector_size(16)));

namespace detail {
typedef std::int8_t i8x8_in_memory __attribute__((vector_size(8), aligned(1), may_alias));
typedef std::int32_t i32x4_anywhere __attribute__((vector_size(16), aligned(1), may_alias));
}  // namespace detail

inline i32x4 load_anywhere(const void* p) { return *static_cast<const detail::i32x4_anywhere*>(p); }
inline void store(Word* p, i32x4 x) { *reinterpret_cast<detail::i32x4_anywhere*>(p) = x; }
inline i32x4 splat(Word x) { return i32x4{x, x, x, x}; }
// Loads eight bytes as 16-bit integers.
inline i16x8 widen(const std::int8_t* p) {
  return __builtin_convertvector(*reinterpret_cast<const detail::i8x8_in_memory*>(p), i16x8);
}

// Transposes a 4 × 4 matrix.
inline void transpose(i32x4 (&m)[4]) {
  f32x4 square[4] = {f32x4(m[0]), f32x4(m[1]), f32x4(m[2]), f32x4(m[3])};
  kernels::transpose(square);
  for (int i = 0; i < 4; ++i) m[i] = i32x4(square[i]);
}

// Adds the products of two neighboring 16-bit integers to each lane of c.
inline i32x4 dot_add(i16x8 a, i16x8 b, i32x4 c) {
#if defined(__wasm_simd128__)
  return c + i32x4(wasm_i32x4_dot_i16x8(v128_t(a), v128_t(b)));
#elif defined(__x86_64__)
  return c + i32x4(_mm_madd_epi16(__m128i(a), __m128i(b)));
#else
  for (int i = 0; i < 8; ++i) c[i / 2] += a[i] * b[i];
  return c;
#endif
}

// True if kernels::dot_add is one instruction of the target.
#if defined(__wasm_simd128__) && !defined(__wasm_relaxed_simd__)
inline constexpr bool relaxed_dot = false;
#else
inline constexpr bool relaxed_dot = true;
#endif

// Adds the products of four bytes of a and b to each lane of c. The bytes of b must be in 0 … 127.
inline i32x4 dot_add_bytes(i32x4 a, i32x4 b, i32x4 c) {
  if constexpr (relaxed_dot) return kernels::dot_add(i8x16(a), i8x16(b), c);
  const i16x8 odd_a = i16x8(a) >> 8, odd_b = i16x8(b) >> 8;
  const i16x8 even_a = i16x8(a) << 8 >> 8, even_b = i16x8(b) & (i16x8{} + 255);
  return dot_add(odd_a, odd_b, dot_add(even_a, even_b, c));
}

// How the dot product of bytes treats bytes of its second factor outside 0 … 127. The standard
// leaves this to the engine, so we test it.
enum class Meaning { neither, as_unsigned, as_signed };
inline Meaning meaning_of_dot() {
  i8x16 least{}, ones{};
  for (int i = 0; i < 16; ++i) least[i] = -128, ones[i] = -1;
  const i32x4 found = kernels::dot_add(least, ones, i32x4{});
  if (found[0] == 4 * -128 * 255) return Meaning::as_unsigned;
  return found[0] == 4 * 128 ? Meaning::as_signed : Meaning::neither;
}

}  // namespace kernels::words
