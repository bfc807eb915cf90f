// Makes chapters, kernels and books: `primer new` and the browser editor.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/diagnostic/source.hpp"
#include "generator/core/formats/yaml.hpp"

namespace primer {

// Adds a chapter to book.yaml in the style of its lists and leaves the rest unchanged. `number` is
// that of the entry; nullopt: none.
std::string with_chapter(const Source& source, const Yaml& book, const std::string& slug,
                         std::optional<int> number);

// Likewise for a directory of kernels.
std::string with_kernels(const Source& source, const Yaml& book, const std::string& directory);

// Adds the chapters to `text` that another version of the book.yaml has in addition, each at the
// end, except for `left_out`.
std::string with_chapters_of(std::string text, const std::string& other,
                             const std::string& left_out = {});

// The files of a new chapter that builds and contains one of everything a chapter must have: the
// chapter, its figure specification, and book.yaml with an entry after the last chapter. No value
// after a diagnostic: an invalid or existing slug, or no book. Without a title, it is made from the
// slug.
std::optional<std::map<std::string, std::string>> new_chapter(const FileSystem& files,
                                                              const std::string& slug,
                                                              Diagnostics& diagnostics,
                                                              const std::string& title = {});
// Path of the chapter's figure specification.
std::string spec_of_chapter(const std::string& slug);

// The files of a new book that builds and measures: those of new_book/ in `site`, and a first
// chapter. No value after a diagnostic. title_of_slug() turns the name of a directory ("gpu-notes")
// into a title.
std::optional<std::map<std::string, std::string>> new_book(const FileSystem& site,
                                                           const std::string& title,
                                                           const std::string& language,
                                                           Diagnostics& diagnostics);

// The files of a new kernel: kernels/<name>/ with its source in `language` ("c", "c++", "rust" or "wat"),
// a script that builds it and its manifest; a chapter that shows and measures it; and book.yaml
// with both. The templates are in new_kernel/ of `site`. No value after a diagnostic: an invalid or
// existing name, or no book.
std::optional<std::map<std::string, std::string>> new_kernel(const FileSystem& site,
                                                             const FileSystem& files,
                                                             const std::string& name,
                                                             const std::string& language,
                                                             Diagnostics& diagnostics);

}  // namespace primer
