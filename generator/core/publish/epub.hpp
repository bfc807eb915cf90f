// Makes the chapters into an e-book: EPUB 3.3 (W3C) with one XHTML file per chapter, MathML and SVG
// in fixed colors. The same chapters give the same bytes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/messages.hpp"

namespace primer {

struct EpubChapter {
  const Entry* entry = nullptr;
  std::string title, summary;
  std::string body;                           // HTML of the rendered page
  std::map<std::string, std::string> images;  // published bytes by path from the site's root
};

// `changed` is the last change of any chapter ("2026-11-21T09:30:00Z"). Links between chapters stay
// inside the e-book; other links go to `book.base_url`, which must not be empty. Errors: a chapter
// that is not well formed, or a failure of libzip.
figures::Result<std::string> make_epub(const Book& book, const Messages& words,
                                       const std::vector<EpubChapter>& chapters,
                                       const std::string& changed);

}  // namespace primer
