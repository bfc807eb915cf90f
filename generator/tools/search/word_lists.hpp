// Splits Pagefind's word lists into smaller files.
//
// Pagefind 1.4 writes lists of 30 KB, and a search for two words loads two of them. The rest of a
// first search is 68,174 bytes (gzip, 579 sections), of which 55,664 are Pagefind's program, so two
// such lists would nearly double it. Lists of about 4 KB keep it below 100 KB.
//
// A file is CBOR after a mark, gzipped. Words are [[[word, pages], …]]. The list of word files is
// the third member of .pf_meta: [[first letters of its first word, those of its last word, name],
// …], with only as many letters as tell neighbors apart.
#pragma once

#include <string>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

struct SearchFile {
  std::string path, content;
};

// The files of an index with the words in lists of about `size` bytes before compression. An error
// if the files are not in Pagefind 1.4's format.
figures::Result<std::vector<SearchFile>> with_small_lists(std::vector<SearchFile> files,
                                                          std::size_t size = 4000);

}  // namespace primer
