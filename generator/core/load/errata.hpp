// Reads chapters/errata.yaml: mistakes of the book and the dates of their corrections. It is a file
// of the book, so corrections are reviewed like chapters.
#pragma once

#include <string>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/book.hpp"

namespace primer {

struct Erratum {
  std::string date;  // "2026-11-21"
  std::string slug;  // of the chapter or page
  std::string text;
  std::string commit;  // or empty
};

inline constexpr const char* errata_file = "chapters/errata.yaml";

// In the order of the file; empty if there is no file. Reports entries that violate the schema or
// name a chapter that does not exist.
std::vector<Erratum> load_errata(const FileSystem& files, const Book& book,
                                 Diagnostics& diagnostics, Cache* cache = nullptr);

}  // namespace primer
