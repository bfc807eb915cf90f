// A book for the page /write/: what its pages are made of, and what is published already. It is one file, and beside it one for
// the text of each page, which is fetched when that page is worked on.
//
// The same book gives the same bytes. They are compressed where they are served.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generator/base/digest.hpp"
#include "generator/diagnostic/made.hpp"
#include "generator/pipeline/published_site.hpp"
#include "generator/pipeline/site.hpp"

namespace primer {

// Of `site`: what formulas may hold (typesetting.hpp).
inline constexpr const char* repertoire_file = "fonts/repertoire.txt";

// A page that has a file.
struct PackedPage {
  std::string file, title, language;
  std::string address;   // from the site's root: "es/roofline/"
  std::string original;  // of a translation: the file that it translates
  bool is_chapter = false;
};

struct BookPack {
  std::map<std::string, std::string> book;  // files that making the site reads, by their paths
  std::map<std::string, Digest> apart;      // others of these, whose texts are not in the pack
  std::map<std::string, std::string>
      indexes;  // as a cache keeps them: of a page nothing else is asked for by others
  std::set<std::string> named;              // files that are listed on the way and not read
  std::map<std::string, std::string> site;  // templates and words
  PublishedSite published;
  std::vector<PackedPage> pages;  // in the book's order, the original's first
};

// Nothing after errors: what is not published cannot be worked on. `inputs` as for make_site().
Made<BookPack> pack_book(const SiteInputs& inputs, const SiteOptions& options);

// Takes the texts of the pages out of a pack: the files that lie beside it, by their names.
std::map<std::string, std::string> take_apart(BookPack& pack);
// The name of such a file.
std::string text_file(const Digest& text);

// Every pack begins with this, whatever its version.
inline constexpr std::string_view pack_mark = "a book for the workshop, ";
std::string to_bytes(const BookPack& pack);
// Bytes that are no pack, or one of another version, are refused in words.
figures::Result<BookPack> book_pack_of(std::string_view bytes);

}  // namespace primer
