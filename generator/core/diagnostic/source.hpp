// Maps between byte offsets and positions in a file, including for text that was extracted from the
// file and parsed again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

struct Position {
  int line = 0;    // 1-based; 0: the whole file
  int column = 0;  // 1-based, in code points; a tab counts as one
};

// The offset of each line. As in Markdown, a line ends with a line feed, a carriage return, or
// both. An empty last line does not count.
std::vector<std::size_t> line_starts(std::string_view text);

// The text of a file, with its line index. Immutable, so any number of threads may use it. The text
// includes a byte order mark, so that offsets are those of the file, but the first line starts
// after it.
class Source {
 public:
  Source(std::string path, std::string text);

  const std::string& path() const { return path_; }  // as printed: relative to the book's root
  std::string_view text() const { return text_; }

  int line_count() const { return static_cast<int>(line_starts_.size()); }
  // Lines are 1-based. An out-of-range line returns the nearest end of the text.
  std::size_t line_start(int line) const;
  std::string_view line(int line) const;  // without its line break
  int line_at(std::size_t offset) const;
  Position position(std::size_t offset) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

// Text taken from a file that maps each of its characters to the file: front matter, the body of a
// fenced block inside a quote, Markdown inside a YAML scalar.

struct Extract {
  // From `at` in the text to the next jump, text and file advance together, starting at `offset` in
  // the file.
  struct Jump {
    std::size_t at = 0;
    std::size_t offset = 0;
  };

  const Source* source = nullptr;
  std::string text;
  std::vector<Jump> jumps;         // ascending
  std::vector<std::size_t> lines;  // where each line starts in `text`
  std::size_t end = 0;             // file offset after the last line

  std::size_t begin() const { return jumps.empty() ? end : jumps.front().offset; }
  // The file offset of a position in `text`.
  std::size_t place(std::size_t at) const;
  // The first position after `at` whose file offset is not contiguous; the end of the text if there
  // is none.
  std::size_t next_jump(std::size_t at) const;
  // The file offset of a line and a column, both 0-based. For a line beyond the last one, uses the
  // last line.
  std::size_t offset(int line, int column) const;
  // Where a line (0-based) starts in `text`; the end of the text beyond the last line.
  std::size_t line_start(int line) const;
  // The line (0-based) of a position in `text`.
  int line_at(std::size_t at) const;
};

// Lines first to last (1-based, inclusive), unchanged.
Extract extract_lines(const Source& source, int first, int last);

// Finds `text`, lines of which each may follow a prefix ("> ", an indent) in the source, from line
// `first` on.
Extract extract_behind_prefix(const Source& source, int first, std::string text);

// Maps the value of a YAML scalar at `offset`: plain, quoted, folded (">") or literal ("|").
// Follows folds and escapes, so every position in the value has one in the file.
Extract extract_scalar(const Source& source, std::size_t offset, std::string value);

}  // namespace primer
