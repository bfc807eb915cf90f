// The chapters as an e-book: EPUB 3.3 (W3C), one XHTML file a chapter, formulas as MathML, figures
// as SVG in colours of their own. Same chapters, same bytes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/load/book.hpp"
#include "generator/load/messages.hpp"

namespace primer {

struct EpubChapter {
  const Entry* entry = nullptr;
  std::string title, summary;
  std::string body;                           // rendered, as on the page
  std::map<std::string, std::string> images;  // path from the site's root → its published bytes
};

// `changed` is the last change of any chapter ("2026-11-21T09:30:00Z"). Links between chapters
// stay inside; links to other pages go to `book.base_url`, which is not empty. An error says which
// chapter is not well-formed, or what libzip says.
figures::Result<std::string> make_epub(const Book& book, const Messages& words,
                                       const std::vector<EpubChapter>& chapters,
                                       const std::string& changed);

}  // namespace primer
