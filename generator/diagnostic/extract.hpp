// Text that was cut out of a file and knows where each of its characters came from: a front matter,
// the body of a fenced block inside a quote, a text inside YAML that is Markdown again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/diagnostic/source.hpp"

namespace primer {

struct Extract {
  // From this place of the text on, it stands in the file at `offset` and on, up to the next jump.
  struct Jump {
    std::size_t at = 0;
    std::size_t offset = 0;
  };

  const Source* source = nullptr;
  std::string text;
  std::vector<Jump> jumps;         // ascending
  std::vector<std::size_t> lines;  // where in the text each line begins
  std::size_t end = 0;             // file offset after the last line

  std::size_t begin() const { return jumps.empty() ? end : jumps.front().offset; }
  // File offset of a place in the text.
  std::size_t place(std::size_t at) const;
  // The first place after `at` that does not follow in the file; the text's end when all do.
  std::size_t next_jump(std::size_t at) const;
  // File offset of a line and a column, both 0-based; beyond the last line it is the last line's.
  std::size_t offset(int line, int column) const;
  // Where in the text a line (0-based) begins; the text's end beyond the last.
  std::size_t line_start(int line) const;
  // The line (0-based) of a place in the text.
  int line_at(std::size_t at) const;
};

// The source's lines first to last (1-based, inclusive) as they stand.
Extract extract_lines(const Source& source, int first, int last);

// Lines that stand in the source from line `first` on, each perhaps after a prefix ("> ", indent).
Extract extract_behind_prefix(const Source& source, int first, std::string text);

// The value of a YAML scalar that is written at `offset`: plain, quoted, folded ("> ") or literal.
// Its folds and escapes are followed, so that every place in the value has its place in the file.
Extract extract_scalar(const Source& source, std::size_t offset, std::string value);

}  // namespace primer
