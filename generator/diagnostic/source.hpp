// A file's text, and where in it something stands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

struct Position {
  int line = 0;    // 1-based; 0 when the position is the file as a whole
  int column = 0;  // 1-based, in characters (code points), a tab counts as one
};

// Where each line of a text begins. A line ends as in Markdown: with a line feed, a carriage return,
// or both. A last line that is empty is none.
std::vector<std::size_t> line_starts(std::string_view text);

// Immutable after construction, so any number of threads may ask. The first line begins after a byte
// order mark, which is in the text, so that offsets are those of the file.
class Source {
 public:
  Source(std::string path, std::string text);

  const std::string& path() const { return path_; }  // as printed: relative to the book root
  std::string_view text() const { return text_; }

  int line_count() const { return static_cast<int>(line_starts_.size()); }
  // Lines are 1-based; out-of-range lines give the nearest end of the text.
  std::size_t line_start(int line) const;
  std::string_view line(int line) const;  // without its line break
  int line_at(std::size_t offset) const;
  Position position(std::size_t offset) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

}  // namespace primer
