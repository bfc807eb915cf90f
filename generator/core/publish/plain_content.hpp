// The body of a page for places without our styles and scripts: feeds, e-books and the print page.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "figures/draw/theme.hpp"
#include "generator/core/assemble/page_record.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/messages.hpp"

namespace primer {

enum class Markup { html, xhtml };

// Simplifies the body of a rendered page, which must be well formed. It removes controls, hover
// texts, hidden parts and second layouts of figures, unfolds everything, and replaces the colors of
// drawings by those of `theme`. A model shows its frame for print. `address` converts each address
// and `name` each id; without `name`, ids stay unchanged. XHTML also declares the namespace of
// MathML and drops what e-book validators reject. Empty if `body` is not well formed.
using Renamed = std::function<std::string(const std::string&)>;
std::string plain_content(const std::string& body, figures::Theme theme, Markup markup,
                          const Renamed& address, const Renamed& name = {});

// Resolves `reference` against `page_url` ("https://host/path/"). Absolute addresses stay
// unchanged.
std::string absolute_url(const std::string& page_url, const std::string& reference);

// The id to which an absolute address leads within a chapter; empty for its beginning. No value if
// the address leads elsewhere.
std::optional<std::string> id_within(const std::string& chapter_url, const std::string& whole);

// /print/: the whole book on one page, for paper and for scripts/pdf.
//
// Chapters and pages follow each other without controls and with all folds open, in colors for
// print. Ids get the slug of their page as a prefix, so that links between parts stay inside the
// page.

inline constexpr const char* print_url = "print/";

// The whole HTML file. `parts` are in the order of the book, `assets` is the directory of shared
// files ("_/1a2b3c4d/"). Links to anything else go to `book.base_url`, which must not be empty.
std::string print_page(const Book& book, const Messages& words,
                       const std::vector<const RenderedPage*>& parts, const std::string& assets);

}  // namespace primer
