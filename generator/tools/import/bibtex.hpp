// BibTeX's files: entries with their fields, as text. What its strings and "#" put together is put together.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

struct BibEntry {
  std::string type, key;                      // "article", "Vaswani2017"; the type in small letters
  std::map<std::string, std::string> fields;  // names in small letters; values still in TeX
  std::size_t offset = 0;                     // of its "@"
};

// Reports an entry that is never closed or has no key; what is between entries is a comment.
std::vector<BibEntry> read_bibtex(const Source& source, Diagnostics& diagnostics);

// "{\"U}ber {GPU}s \& co" → "Über GPUs & co".
std::string without_tex(std::string_view text);

// "Last, First and {NVIDIA} and others" → "First Last", "NVIDIA", "others".
std::vector<std::string> names_in(std::string_view field);

}  // namespace primer
