// A book for the browser editor (/write/): its sources and what is already published. It is one
// file, plus one file per page text, which is fetched when the page is edited.
//
// The same book gives the same bytes. The web server compresses them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/digest.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/pipeline/site.hpp"
#include "generator/core/pipeline/stages.hpp"

namespace primer {

// In `site`: the code points that formulas can use (typesetting.hpp).
inline constexpr const char* repertoire_file = "fonts/repertoire.txt";

// A page with a source file.
struct PackedPage {
  std::string file, title, language;
  std::string address;   // from the site's root: "es/roofline/"
  std::string original;  // file of the original; empty: not a translation
  bool is_chapter = false;
};

struct BookPack {
  std::map<std::string, std::string> book;  // files that make_site() reads, by path
  std::map<std::string, Digest> apart;      // files among them whose texts are not in the pack
  std::map<std::string, std::string>
      indexes;                  // cached indexes by key; other pages need nothing else of a page
  std::set<std::string> named;  // files that were listed but not read
  std::map<std::string, std::string> site;  // templates and UI strings
  PublishedSite published;
  std::vector<PackedPage> pages;  // in the order of the book, the source language first
};

// No value after errors, because only a published book can be edited. `inputs` are those of
// make_site().
Made<BookPack> pack_book(const SiteInputs& inputs, const SiteOptions& options);

// Moves the page texts out of the pack and returns them as files by name.
std::map<std::string, std::string> take_apart(BookPack& pack);
// Name of the file for a page text.
std::string text_file(const Digest& text);

// The beginning of every pack, whatever its version.
inline constexpr std::string_view pack_mark = "a book for the workshop, ";
std::string to_bytes(const BookPack& pack);
// The error says that the bytes are no pack or have another version.
figures::Result<BookPack> book_pack_of(std::string_view bytes);

}  // namespace primer
