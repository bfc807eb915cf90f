// Vectors of sixteen signed bytes, and their dot products.
#pragma once
#include "vector_math.hpp"

namespace kernels {

#if defined(__wasm_simd128__) && !defined(__wasm_relaxed_simd__)

// Baseline SIMD multiplies nothing smaller than 16 bits, so bytes are widened when they are loaded.
struct Bytes {
  v128_t low, high;
};
inline Bytes load_bytes(const std::int8_t* p) {
  return {wasm_i16x8_load8x8(p), wasm_i16x8_load8x8(p + 8)};
}
inline Bytes to_bytes(i8x16 x) {
  return {wasm_i16x8_extend_low_i8x16(v128_t(x)), wasm_i16x8_extend_high_i8x16(v128_t(x))};
}
inline i32x4 dot_add_somewhere(Bytes a, Bytes b, i32x4 c) {
  c += i32x4(wasm_i32x4_dot_i16x8(a.low, b.low));
  return c + i32x4(wasm_i32x4_dot_i16x8(a.high, b.high));
}
inline constexpr const char* byte_class = "simd";

#else

using Bytes = i8x16;
inline Bytes load_bytes(const std::int8_t* p) { return load(p); }
inline Bytes to_bytes(i8x16 x) { return x; }
// Adds sixteen products to the lanes of c. The target decides which product is added to which lane;
// only the sum of all lanes is defined. As in dot_add, every byte of b must be in 0 … 127.
inline i32x4 dot_add_somewhere(Bytes a, Bytes b, i32x4 c) { return dot_add(a, b, c); }
inline constexpr const char* byte_class = "i8dot";

#endif

inline int sum(i32x4 x) { return (x[0] + x[1]) + (x[2] + x[3]); }

// Pseudo-random bytes from 0 … 255; the same sequence in every run.
class RandomBytes {
 public:
  std::uint8_t next() {
    state_ = state_ * 1664525u + 1013904223u;
    return std::uint8_t(state_ >> 24);
  }

 private:
  std::uint32_t state_ = 12345;
};

}  // namespace kernels
