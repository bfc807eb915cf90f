#include "generator/markdown/markdown_limits.hpp"

#include <algorithm>

#include "generator/base/text.hpp"

namespace primer {
namespace {

constexpr std::string_view markers = ">-+*.)0123456789 \t";

bool is_blank(std::string_view line) { return line.find_first_not_of("> \t\r") == line.npos; }

// "|---|:-:|", perhaps after quote or list markers.
bool is_delimiter_row(std::string_view line) {
  const bool drawn = line.find('-') != line.npos && line.find_first_of("|:") != line.npos;
  return drawn && line.find_first_not_of("|: \t\r>-+*.)0123456789") == line.npos;
}

// Quote and list markers at the beginning of a line: each may open a block inside the one before.
int opened_blocks(std::string_view line) {
  const auto lead = line.substr(0, line.find_first_not_of(markers));
  return static_cast<int>(
      std::count_if(lead.begin(), lead.end(), [](char c) { return c != ' ' && c != '\t'; }));
}

// A thematic break or a setext underline is a run of one character, not a hundred lists.
bool is_rule(std::string_view line) {
  const std::string_view bare = trim(line);
  return !bare.empty() && bare.find_first_not_of(std::string{bare[0], ' '}) == bare.npos &&
         bare[0] != '>' && bare.find("- -") == bare.npos && bare.find("+ +") == bare.npos &&
         bare.find("* *") == bare.npos;
}

}  // namespace

bool within_limits(const Extract& extract, const Limits& limits, Diagnostics& diagnostics) {
  const Source& source = *extract.source;
  const auto refuse = [&](Rule rule, std::size_t offset, std::string message) {
    diagnostics.error(rule, source, offset, 1, std::move(message));
    return false;
  };
  if (extract.text.size() > limits.file_size) {
    return refuse(Rule::file_too_large, extract.begin(),
                  "the text has " + std::to_string(extract.text.size()) + " bytes; at most " +
                      std::to_string(limits.file_size) + " are allowed");
  }
  std::size_t rows = 0, columns = 0;
  bool table = false;
  const auto lines = split_lines(extract.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = lines[i];
    const std::size_t place = extract.offset(static_cast<int>(i), 0);
    if (!is_rule(line) && opened_blocks(line) > limits.depth) {
      return refuse(Rule::nesting_too_deep, place,
                    "more than " + std::to_string(limits.depth) + " blocks inside each other");
    }
    if (is_blank(line)) {
      rows = columns = 0;
      table = false;
      continue;
    }
    ++rows;
    const auto pipes = static_cast<std::size_t>(std::count(line.begin(), line.end(), '|'));
    columns = std::max(columns, pipes + 1);
    table = table || is_delimiter_row(line);
    // A short row is filled up to the header's width, so columns times rows is what it costs.
    if (table && rows * columns > limits.table_cells) {
      return refuse(Rule::table_too_large, place,
                    "the table has more than " + std::to_string(limits.table_cells) + " cells");
    }
  }
  return true;
}

}  // namespace primer
