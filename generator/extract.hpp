// Text that was cut out of a file and knows where each of its lines came from: a front matter, the
// body of a fenced block inside a quote, a text inside YAML that is Markdown again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/source.hpp"

namespace primer {

struct Extract {
  const Source* source = nullptr;
  std::string text;
  std::vector<std::size_t> line_offsets;  // file offset at which each line of text begins
  std::size_t end = 0;                    // file offset behind the last line

  std::size_t begin() const { return line_offsets.empty() ? end : line_offsets.front(); }
  // File offset of a place in the text, both 0-based; beyond the last line it is the last line's.
  std::size_t offset(int line, int column) const;
  // File offset behind a line (0-based).
  std::size_t line_end(int line) const;
};

// The source's lines first to last (1-based, inclusive) as they stand.
Extract extract_lines(const Source& source, int first, int last);

// Lines that stand in the source from line `first` on, each perhaps behind a prefix ("> ", indent).
Extract extract_behind_prefix(const Source& source, int first, std::string text);

// Text that YAML unescaped and unfolded from what begins at `offset`: each line is looked for, and
// one that cannot be found verbatim takes the place of the line before it.
Extract extract_scalar(const Source& source, std::size_t offset, std::string text);

}  // namespace primer
