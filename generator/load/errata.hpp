// chapters/errata.yaml: what the book said wrongly, and when that was corrected. A file, so that what is told to
// readers as a correction is reviewed as chapters are.
#pragma once

#include <string>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/book.hpp"

namespace primer {

struct Erratum {
  std::string date;  // "2026-11-21"
  std::string slug;  // of the chapter or page
  std::string text;
  std::string commit;  // or empty
};

inline constexpr const char* errata_file = "chapters/errata.yaml";

// In the order of the file; none when there is no file. What does not conform to its schema, and a chapter that
// the book does not have, is reported.
std::vector<Erratum> load_errata(const FileSystem& files, const Book& book,
                                 Diagnostics& diagnostics, Cache* cache = nullptr);

}  // namespace primer
