// The visible differences after a change of facts, from two sites that differ in nothing else.
//
//   site with the old facts ──> lines of each page ──┐
//                                                    ├──> effects
//   site with the new facts ──> lines of each page ──┘
//
// A line is the text of one paragraph, list item, table cell, label of a drawing and so on. Formulas
// count as text, tooltips do not. A drawing also has a line for its shapes, so that one whose labels
// stay the same is reported, too. Pages that only one of the sites has are left out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/core/pipeline/site.hpp"

namespace primer {

struct PageLine {
  enum class Kind { sentence, answer, verdict, figure };
  Kind kind = Kind::sentence;
  std::string place;  // id of the figure, question or section; empty before the first section
  std::string text;
  bool operator==(const PageLine&) const = default;
};

std::vector<PageLine> page_lines(std::string_view html);

struct FactEffect {
  PageLine::Kind kind = PageLine::Kind::sentence;
  std::string page;           // its address: "gpu/#gpu-rare"
  std::string before, after;  // a sentence; both empty: only the shapes of a drawing change
  // Comparisons between two numbers of the sentence that come out the other way: "2 TB/s was less
  // than 3 TB/s, 4 TB/s is more than 3 TB/s".
  std::vector<std::string> reversals;
  bool operator==(const FactEffect&) const = default;
};

// In the order of pages and lines. The same effect on the same place is listed once.
std::vector<FactEffect> fact_effects(const SiteFiles& before, const SiteFiles& after);

// One paragraph per effect and a line with their numbers.
std::string to_text(const std::vector<FactEffect>& effects);

}  // namespace primer
