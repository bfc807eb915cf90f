// What other pages show of a page: its figures, what it cites, how long it is.
//
// Taken once, when a page has been rendered, and kept with it: the gallery, the list of references
// and the home page then cost no reading of all pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace primer {

struct PageFigure {
  std::string id;
  std::string label;    // "Figure 1.2"
  std::string caption;  // HTML without links, notes and citations
  std::string finding;  // in sentences, for who cannot see the picture
  std::string picture;  // its glyph: SVG without ids and words
};

struct Excerpt {
  std::vector<PageFigure> figures;  // in the page's order
  std::vector<std::string> cited;   // ids of references, in the order of their numbers
  std::uint64_t words = 0;          // of the text, without code, data and what stands in pictures

  const PageFigure* find(const std::string& id) const;
  // At 230 words a minute (the mean of adults reading English non-fiction silently is 238: Brysbaert,
  // Journal of Memory and Language 109, 2019); one at least.
  std::uint64_t minutes() const { return words < 230 ? 1 : (words + 115) / 230; }
};

// `body` is a rendered page's, well-formed.
Excerpt excerpt_of(const std::string& body, std::vector<std::string> cited);

}  // namespace primer
