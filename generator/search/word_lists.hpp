// Pagefind 1.4 cuts its list of words into files of thirty kilobytes, of which a search for two words loads two: too much
// beside the rest of a first search. Here the same list is cut into smaller ones. A file is CBOR after a mark, gzipped:
// the words are [[[word, pages], …]], and the index of files is the third member of the .pf_meta,
// [[the first letters of its first word, those of its last, name], …], as few letters as tell neighbours apart.
#pragma once

#include <string>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

struct SearchFile {
  std::string path, content;
};

// The files of an index with the words cut into lists of about `size` bytes each, before compression. An error when
// they are not what Pagefind 1.4 writes.
figures::Result<std::vector<SearchFile>> with_small_lists(std::vector<SearchFile> files,
                                                          std::size_t size = 4000);

}  // namespace primer
