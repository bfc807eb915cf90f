// Points, boxes and rotated boxes on the page, and tests whether they overlap. Units: SVG user
// units (px at 1:1).
#pragma once

#include <array>

namespace figures {

struct Point {
  double x = 0, y = 0;
};

struct Size {
  double width = 0, height = 0;
};

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool contains(Point p) const {
    return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom;
  }
};

// A convex quadrilateral with its corners in order. A segment repeats its corners.
using Quad = std::array<Point, 4>;

Quad quad_of(const Box& box);
Quad quad_of(Point from, Point to);  // the segment

// `box` with `margin` added on every side.
Box grown(const Box& box, double margin);

// `quad` rotated around `pivot`. `cosine` and `sine` are those of the angle, clockwise on the page.
Quad turned(const Quad& quad, Point pivot, double cosine, double sine);

// The smallest axis-aligned box around `quad`.
Box bounds_of(const Quad& quad);
// Whether the interiors of two boxes are disjoint. Test this before overlap(), because it is
// cheaper and nearly all pairs are far apart.
bool apart(const Box& one, const Box& other);

// Whether the interiors overlap. A shared edge is no overlap.
bool overlap(const Quad& a, const Quad& b);
bool inside(const Quad& quad, const Box& box);

}  // namespace figures
