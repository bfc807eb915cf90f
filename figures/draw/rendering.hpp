// Draws the book's figures: a spec and data in; an SVG, its text and its data table out.
//
// One renderer serves the static pages, the e-book and the cards and, compiled to WebAssembly, the
// page that redraws a figure with the reader's measurements. It is a pure function: the same input
// gives the same bytes in both builds.
//
// A spec is a JSON object in figures/specs/<name>.json. docs/reference/figure-specs.md lists each
// kind and its members; it is generated from the schemas in figures/kinds/shapes.cpp, which also
// validate specs. A number in a spec is an expression over facts
// (figures/quantities/expression.hpp): "1 TB/s", "h100-sxm.peak.bf16", "2 FLOP / (12 B)". A
// reference to a measurement matches results that have at least these parameters:
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

// 920, 640 and 358 px: the text of a page with its notes, the text alone (for models, which have
// their controls next to them), and a phone that is 390 px wide.
enum class Layout { wide, column, narrow };

struct Inputs {
  const Facts* facts = nullptr;          // null: no facts
  const Profile* reference = nullptr;    // null: no reference machine
  const Profile* reader = nullptr;       // null: the reader has measured nothing
  const Catalogue* catalogue = nullptr;  // null: no kernel can be named in an expression
};

struct Options {
  Layout width = Layout::wide;
  Theme theme = Theme::css;
  std::string lang = "en";       // of `words`
  const Words* words = nullptr;  // translations; null: the English text of the specs and models
};

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // one cell per column in each row

  // Out of line and with views, because otherwise every caller would build and copy a list of
  // strings.
  void head(std::initializer_list<std::string_view> cells);
  void add(std::initializer_list<std::string_view> cells);
};

struct Rendering {
  std::string svg;
  double width = 0,
         height = 0;  // px; depend on spec and layout only, so redrawing moves nothing
  std::string title;
  std::string description;  // the finding in sentences, for readers who cannot see the figure
  Table table;              // the data, for the fold under the figure
  std::vector<std::string> omitted = {};  // labels without a place; a test requires none
  std::vector<std::string> unsaid = {};   // forms that `Options::words` does not translate
  bool shows_reader = false;              // the figure contains a measurement of Inputs::reader
};

// The smallest font size in a figure, in px; infinite if the figure has no text. Native builds
// only.
double smallest_text(std::string_view svg);
// The smallest text that is legible on a phone. A spec whose figure has smaller text is an error.
constexpr double least_text = 11.5;

// Error: the spec is wrong (the message starts with the place: "points[1].intensity: …"), a fact is
// missing, or the SVG exceeds its budget. A result missing from a profile is no error: the figure
// leaves it out, and the table has "not measured".
Result<Rendering> render(const nlohmann::json& spec, const Inputs& inputs, const Options& options);

}  // namespace figures
