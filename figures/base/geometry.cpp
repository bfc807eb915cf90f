#include "figures/base/geometry.hpp"

#include <algorithm>

namespace figures {

Box bounds_of(const Quad& quad) {
  Box box{quad[0].x, quad[0].y, quad[0].x, quad[0].y};
  for (const Point p : quad) {
    box.left = std::min(box.left, p.x);
    box.top = std::min(box.top, p.y);
    box.right = std::max(box.right, p.x);
    box.bottom = std::max(box.bottom, p.y);
  }
  return box;
}

bool apart(const Box& one, const Box& other) {
  return one.right <= other.left || other.right <= one.left || one.bottom <= other.top ||
         other.bottom <= one.top;
}

namespace {

// Whether the normal of an edge of `a` separates the two (separating axis theorem).
bool separated_by(const Quad& a, const Quad& b) {
  for (std::size_t i = 0; i < 4; ++i) {
    const Point from = a[i], to = a[(i + 1) % 4];
    const Point normal{to.y - from.y, from.x - to.x};
    if (normal.x == 0 && normal.y == 0) continue;
    double a_low = 1e300, a_high = -1e300, b_low = 1e300, b_high = -1e300;
    for (std::size_t k = 0; k < 4; ++k) {
      const double on_a = a[k].x * normal.x + a[k].y * normal.y;
      const double on_b = b[k].x * normal.x + b[k].y * normal.y;
      a_low = std::min(a_low, on_a);
      a_high = std::max(a_high, on_a);
      b_low = std::min(b_low, on_b);
      b_high = std::max(b_high, on_b);
    }
    if (a_high <= b_low || b_high <= a_low) return true;
  }
  return false;
}

}  // namespace

Quad quad_of(const Box& b) {
  return {{{b.left, b.top}, {b.right, b.top}, {b.right, b.bottom}, {b.left, b.bottom}}};
}

Quad quad_of(Point from, Point to) { return {{from, to, to, from}}; }

Box grown(const Box& b, double margin) {
  return {b.left - margin, b.top - margin, b.right + margin, b.bottom + margin};
}

Quad turned(const Quad& quad, Point pivot, double cosine, double sine) {
  Quad out;
  for (std::size_t i = 0; i < 4; ++i) {
    const double x = quad[i].x - pivot.x, y = quad[i].y - pivot.y;
    out[i] = {pivot.x + x * cosine - y * sine, pivot.y + x * sine + y * cosine};
  }
  return out;
}

bool overlap(const Quad& a, const Quad& b) {
  return !apart(bounds_of(a), bounds_of(b)) && !separated_by(a, b) && !separated_by(b, a);
}

bool inside(const Quad& quad, const Box& box) {
  return std::all_of(quad.begin(), quad.end(), [&](Point p) { return box.contains(p); });
}

}  // namespace figures
