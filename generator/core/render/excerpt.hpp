// The parts of a page that other pages show: its figures, its questions, the works it cites and the
// length of its core.
//
// An excerpt is taken once, when the page is rendered, and cached with it. The gallery, the list of
// references and the home page therefore need not read all pages again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pugi {
class xml_node;
}

namespace primer {

// Turns a drawing by figures/ into a thumbnail: drops text and grid, which nobody could read at
// that size, thickens lines and crops what is left.
void make_glyph(pugi::xml_node svg);

struct PageFigure {
  std::string id;
  std::string label;    // "Figure 1.2"
  std::string caption;  // HTML without links, notes and citations
  std::string finding;  // what the figure shows in sentences, for screen readers
  std::string picture;  // the thumbnail as SVG without ids and text, or the image as <img>
};

// A question as the page shows it, for a page one level deeper: links in `html` begin with "../".
struct PageQuestion {
  std::string section;  // id of the heading of level 2 above it, or empty
  std::string html;
};

// The visible part of a page while all of its folds are closed.
struct Core {
  std::uint64_t words = 0;  // without table cells, figures, tooltips and notes in the margin
  std::uint64_t questions = 0, measurements = 0;
};

// A block with other settings than on the page: the bill of one model (costs_block.cpp).
struct PagePreset {
  std::string id;     // "llama-3.1-8b"
  std::string title;  // its name
  std::string html;
};

struct Excerpt {
  std::vector<PageFigure> figures;      // in the page's order
  std::vector<std::string> cited;       // ids of references; reference 1 comes first
  std::vector<PageQuestion> questions;  // in the page's order
  Core core;
  std::vector<PagePreset> presets = {};  // set by the block

  const PageFigure* find(const std::string& id) const;
  // Time to read the core in minutes, at least 1, at 230 words per minute. (Adults read English nonfiction
  // silently at 238 on average: Brysbaert, Journal of Memory and Language 109, 2019.)
  std::uint64_t minutes() const { return core.words < 230 ? 1 : (core.words + 115) / 230; }
};

// `body` is the HTML of a rendered page and must be well formed.
Excerpt excerpt_of(const std::string& body, std::vector<std::string> cited);

}  // namespace primer
