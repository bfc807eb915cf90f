// make_epub() of a program that writes no e-book: nothing in a page asks for one (SiteOptions::renditions).
#include "generator/publish/epub.hpp"

namespace primer {

figures::Result<std::string> make_epub(const Book&, const Messages&,
                                       const std::vector<EpubChapter>&, const std::string&) {
  return figures::Error("this program writes no e-books");
}

}  // namespace primer
