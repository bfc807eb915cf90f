// The marker that makes a quote a callout or tabs:
//
//   > [!NOTE] Title
//   > Text.
//
// The rest of the marker's line is the title. GitHub shows a callout with a title as a quote, and
// takes the kind in lower case, too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/core/markdown/markdown.hpp"

namespace primer {

struct QuoteMarker {
  std::string name;                    // in capitals: "NOTE"; empty: the marker is not closed
  std::size_t offset = 0, length = 0;  // of "[!NOTE]" in the file
  std::vector<Node> title;             // rest of the line; empty: no title
  std::size_t inlines = 0;             // in the marker's line, with its break
};

// The marker at the start of a quote's first paragraph.
std::optional<QuoteMarker> quote_marker(const Node& paragraph);

// The same for a whole quote.
std::optional<QuoteMarker> marker_of_quote(const Node& quote);

// The paragraph without the marker's line. It may have no children then.
Node without_marker_line(Node paragraph, const QuoteMarker& marker);

}  // namespace primer
