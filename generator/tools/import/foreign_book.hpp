// A book of another tool, as far as that tool says what it is: its chapters in their order.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/tools/import/lowered.hpp"

namespace primer {

enum class Tool { mdbook, hugo, quarto, myst, jekyll };

struct ForeignChapter {
  std::string file;   // from the book's root
  std::string title;  // that its list of contents gives it, or empty
  std::string
      address;  // it had, without slashes at its ends: "hpc/simd"; empty: of its file's name
  bool draft = false;
  std::string part = {};  // the title of the part that it begins, or empty
  bool appendix = false;  // so is that part's
  int depth = 0;          // 1: below the last chapter that has 0
  int number = 0;         // that its list gives it; 0: none
};

struct ForeignBook {
  Tool tool = Tool::mdbook;
  std::string title;
  std::string content;  // the directory that addresses begin at, with a slash, or ""
  std::vector<ForeignChapter> chapters = {};
};

// What a text says of itself above its first line, as its own tool reads it: "key: value" and lists. Of what is
// nested the keys at the beginning of a line are there, in TOML named by their table: "params.math".
struct OldFrontMatter {
  std::map<std::string, std::vector<std::string>> keys;
  std::size_t end = 0;  // bytes of the text
  std::string first(const std::string& key) const;
};
OldFrontMatter old_front_matter(std::string_view text);

// Nothing where the directory holds the book of none of these tools.
std::optional<ForeignBook> find_foreign_book(const FileSystem& files, Lowered& lowered);

}  // namespace primer
