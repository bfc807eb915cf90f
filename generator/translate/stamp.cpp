#include "generator/translate/stamp.hpp"

#include <algorithm>
#include <vector>

#include "generator/base/text.hpp"
#include "generator/load/references.hpp"
#include "generator/translate/translated_page.hpp"

namespace primer {
namespace {

// By position; nothing, after a diagnostic at the first block that has no counterpart.
std::optional<std::vector<int>> pair_by_order(const BlockText& here, const BlockText& there,
                                              Diagnostics& diagnostics) {
  std::vector<int> pairs;
  for (std::size_t i = 0; i < std::max(here.blocks.size(), there.blocks.size()); ++i) {
    const bool ends_here = i >= here.blocks.size(), ends_there = i >= there.blocks.size();
    if (!ends_here && !ends_there && here.blocks[i].kind == there.blocks[i].kind) {
      pairs.push_back(static_cast<int>(i));
      continue;
    }
    const TextBlock& at = ends_here ? here.blocks.back() : here.blocks[i];
    diagnostics.error(
        Rule::bad_source_mark, here.source, here.source.line_start(at.line),
        here.source.line(at.line).size(),
        ends_here    ? "this is the last block, and the original goes on"
        : ends_there ? "the original has no block any more"
                     : "this is " + at.kind + ", and the original has " + there.blocks[i].kind);
    if (!ends_there) {
      diagnostics.hint("in the original it is " + there.source.path() + ':' +
                       std::to_string(there.blocks[i].line));
    }
    diagnostics.hint("where the texts differ in shape, primer translate stamp " +
                     here.source.path() + " --line N marks the one block in that line");
    return std::nullopt;
  }
  return pairs;
}

// Writes one block's mark into the lines of the file.
void mark(std::vector<std::string>& lines, const TextBlock& block, const std::string& hash) {
  const auto at = [&](int line) { return lines.begin() + (line - 1); };
  if (block.line == 1) {  // the front matter
    const std::string key = "from: ";
    const auto end = std::find(at(2), lines.end(), "---");
    const auto old =
        std::find_if(at(2), end, [&](const auto& l) { return l.starts_with("from:"); });
    if (old != end) {
      *old = key + '"' + hash + '"';
    } else {
      lines.insert(end, key + '"' + hash + '"');
    }
  } else if (block.mark_line > 0) {
    *at(block.mark_line) = source_mark(hash);
  } else {
    lines.insert(at(block.line), source_mark(hash));
  }
}

}  // namespace

std::optional<std::string> stamped(const FileSystem& files, const std::string& file,
                                   std::optional<int> line, Diagnostics& diagnostics) {
  const auto book = load_book(files, diagnostics);
  if (!book) return std::nullopt;
  for (const auto& locale : book->locales) {
    if (file == "chapters/" + locale.language + "/glossary.json")
      return stamped_terms(files, file, diagnostics);
  }
  const auto page = read_translated_page(files, *book, file, diagnostics);
  if (!page) return std::nullopt;
  const auto& [here, there] = *page;

  std::vector<int> pairs;
  std::size_t first = 0, end = here.blocks.size();
  if (line) {
    pairs = pair_blocks(here.blocks, there.blocks).original;
    while (first + 1 < end && here.blocks[first + 1].line <= *line) ++first;
    end = first + 1;
    if (pairs[first] < 0) {
      const TextBlock& block = here.blocks[first];
      diagnostics.error(Rule::bad_source_mark, here.source, here.source.line_start(block.line),
                        here.source.line(block.line).size(),
                        "no block of the original is free for this one");
      return std::nullopt;
    }
  } else {
    const auto all = pair_by_order(here, there, diagnostics);
    if (!all) return std::nullopt;
    pairs = *all;
  }
  std::vector<std::string> lines;
  for (const auto one : split_lines(here.source.text())) lines.emplace_back(one);
  for (std::size_t i = end; i-- > first;) {  // from below, so that lines above stay where they are
    mark(lines, here.blocks[i], there.blocks[static_cast<std::size_t>(pairs[i])].hash);
  }
  return join(lines, "\n") + '\n';
}

}  // namespace primer
