// What kernels share: laying out the caller's memory, and filling it with harmless numbers.
#pragma once
#include <cstddef>
#include <cstdint>

#include "registry.hpp"

namespace kernels {

// Hands out pieces of one block, one after another. Begun at null, it only measures: the same
// layout code says how much memory a kernel needs and where everything lies.
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
  std::size_t used() const { return next_; }  // bytes, when begun at null

 private:
  // Three pages and five lines: arrays of a power-of-two size must not all start in the same cache
  // set.
  static constexpr std::uintptr_t gap = 3 * 4096 + 5 * 64;
  std::uintptr_t next_;
};

// Repeatable values out of {±0.5, ±1.5, ±2.5, ±3.5}: never zero, far from denormal, and products
// and sums of some hundred thousand of them are exact in a float, so results can be compared bit
// for bit.
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
// The larger one; a NaN among the errors compared stays, so that it fails every tolerance.
inline double larger(double a, double b) { return a >= b || a != a ? a : b; }
inline double distance(double a, double b) { return a > b ? a - b : b - a; }
inline int smaller(int a, int b) { return a < b ? a : b; }
inline int round_up(int x, int step) { return (x + step - 1) / step * step; }

}  // namespace kernels
