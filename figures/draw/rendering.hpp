// The book's figures: a spec and data in, an SVG, its words and its table out.
//
// One renderer serves the static pages, EPUB, cards, and (compiled to WebAssembly) the page that
// redraws a figure with the reader's measurements. It is a pure function: same input, same bytes,
// in both builds.
//
// A spec is a JSON object, kept in figures/specs/<name>.json. docs/figure_specs.md lists every kind with
// its members, out of the table that a spec is held against (figures/kinds/shapes.cpp). Text that
// stands for a number is an expression (figures/quantities/expression.hpp) over facts: "1 TB/s",
// "h100-sxm.peak.bf16", "2 FLOP / (12 B)". A measurement is named like this, and matches results that
// have at least these parameters:
//   {"kernel": "matmul.packed", "variant": "", "params": {"n": 512, "w": "64 MiB"}, "threads": 1}
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "figures/draw/theme.hpp"
#include "figures/draw/words.hpp"
#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/facts.hpp"
#include "figures/quantities/profile.hpp"

namespace figures {

// 920, 640 and 358 px: a page's text with its notes, its text alone (models, whose controls stand
// beside them), a phone of 390.
enum class Layout { wide, column, narrow };

struct Inputs {
  const Facts* facts = nullptr;          // null: no facts
  const Profile* reference = nullptr;    // null: no reference machine
  const Profile* reader = nullptr;       // null: nothing measured here yet
  const Catalogue* catalogue = nullptr;  // null: no kernel can be named in an expression
};

struct Options {
  Layout width = Layout::wide;
  Theme theme = Theme::css;
  std::string lang = "en";       // of `words`
  const Words* words = nullptr;  // null: as the specs and models have them
};

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells each as there are columns

  // Out of line, and from views: every list of strings would be built and copied where it stands.
  void head(std::initializer_list<std::string_view> cells);
  void add(std::initializer_list<std::string_view> cells);
};

struct Rendering {
  std::string svg;
  double width = 0,
         height = 0;  // px; depend on spec and layout only, so that redrawing moves nothing
  std::string title;
  std::string description;  // the finding, in sentences, for who cannot see the picture
  Table table;              // the data, for the fold under the figure
  std::vector<std::string> omitted = {};  // labels that found no place; a test wants none
  std::vector<std::string> unsaid =
      {};                     // forms without a translation, of whoever gave `Options::words`
  bool shows_reader = false;  // a measurement of Inputs::reader is drawn
};

// The least font size in a picture, px; infinite where it has no words. Natively only.
double smallest_text(std::string_view svg);
// What can be read on a phone; a spec whose picture has smaller words is an error.
constexpr double least_text = 11.5;

// Error: the spec is wrong (its message starts with the place: "points[1].intensity: …"), a fact is
// missing, or the picture would exceed its budget. What a profile lacks is never an error: it is
// left out of the picture and "not measured" in the table.
Result<Rendering> render(const nlohmann::json& spec, const Inputs& inputs, const Options& options);

}  // namespace figures
