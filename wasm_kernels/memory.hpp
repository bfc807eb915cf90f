// Shared by all kernels: an allocator for the caller's memory, and harmless numbers to fill it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "registry.hpp"

namespace kernels {

// Allocates consecutive pieces of one block. An arena that starts at null only measures, so the
// same layout code computes how much memory a kernel needs and where its arrays are.
class Arena {
 public:
  explicit Arena(void* base) : next_(reinterpret_cast<std::uintptr_t>(base)) {}

  template <class T>
  T* take(std::size_t count) {
    T* piece = reinterpret_cast<T*>(next_);
    const std::uintptr_t end = next_ + count * sizeof(T);
    next_ = (end + 63) / 64 * 64 + gap;
    return piece;
  }
  std::size_t used() const { return next_; }  // bytes, if it started at null

 private:
  // Three pages and five lines between arrays, because arrays of a power-of-two size must not all
  // start in the same cache set.
  static constexpr std::uintptr_t gap = 3 * 4096 + 5 * 64;
  std::uintptr_t next_;
};

// Pseudo-random values from {±0.5, ±1.5, ±2.5, ±3.5}: never zero and far from denormals. Products
// of them, and sums of some hundred thousand products, are exact in a float, so results can be
// compared bit for bit.
class Values {
 public:
  float next() {
    state_ = state_ * 1664525u + 1013904223u;
    return float(state_ >> 29) - 3.5f;
  }

 private:
  std::uint32_t state_ = 12345;
};

inline void fill(float* p, std::size_t count) {
  Values values;
  for (std::size_t i = 0; i < count; ++i) p[i] = values.next();
}
inline void clear(float* p, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) p[i] = 0;
}

inline double no_operations(const Args&) { return 0; }
// The larger number, or a if it is NaN, so that a NaN error fails every tolerance.
inline double larger(double a, double b) { return a >= b || a != a ? a : b; }
inline double distance(double a, double b) { return a > b ? a - b : b - a; }
inline int smaller(int a, int b) { return a < b ? a : b; }
inline int round_up(int x, int step) { return (x + step - 1) / step * step; }

}  // namespace kernels
