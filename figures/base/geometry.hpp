// Points, boxes and turned boxes on the page, and whether they touch. Units: SVG user units (px at
// 1:1).
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

// A convex quadrilateral, corners in order; a segment is one with repeated corners.
using Quad = std::array<Point, 4>;

Quad quad_of(const Box& box);
Quad quad_of(Point from, Point to);  // the segment

// Grown by `margin` on every side before any turning.
Box grown(const Box& box, double margin);

// `quad` turned around `pivot`. `cosine` and `sine` of the angle, clockwise on the page.
Quad turned(const Quad& quad, Point pivot, double cosine, double sine);

// The smallest box around it.
Box bounds_of(const Quad& quad);
// Have the interiors of two boxes nothing in common? What is far apart, as nearly all is, is told soonest by its box.
bool apart(const Box& one, const Box& other);

// Do the interiors overlap? Sharing an edge is not overlapping.
bool overlap(const Quad& a, const Quad& b);
bool inside(const Quad& quad, const Box& box);

}  // namespace figures
