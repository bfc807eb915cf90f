// Stub of make_epub(). A page never asks for an e-book (SiteOptions::renditions).
#include "generator/core/publish/epub.hpp"

namespace primer {

figures::Result<std::string> make_epub(const Book&, const Messages&,
                                       const std::vector<EpubChapter>&, const std::string&) {
  return figures::Error("this program cannot write e-books");
}

}  // namespace primer
