#include "generator/translate/stamp.hpp"

#include <algorithm>
#include <utility>
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

// The characters that end a line: "\n" for the last one where it has none.
std::string_view ending_of(const Source& source, int line) {
  const std::size_t end = source.line_start(line) + source.line(line).size();
  const std::size_t next =
      line < source.line_count() ? source.line_start(line + 1) : source.text().size();
  return next > end ? source.text().substr(end, next - end) : "\n";
}

// A stretch of the file and what takes its place.
struct Stretch {
  std::size_t offset = 0, length = 0;
  std::string text;
};

// The front matter's mark is its key "from". Nothing, after a diagnostic, where it has no lines of keys.
std::optional<Stretch> front_mark(const Source& source, const std::string& hash,
                                  Diagnostics& diagnostics) {
  std::string_view indent;
  bool is_first = true;
  for (int n = 2;; ++n) {
    const std::string_view line = source.line(n), key = trim(line);
    if (line == "---" || n > source.line_count()) {
      return Stretch{
          source.line_start(n), 0,
          std::string(indent) + "from: \"" + hash + '"' + std::string(ending_of(source, 1))};
    }
    if (key.empty() || key.starts_with('#')) continue;
    if (std::exchange(is_first, false)) indent = line.substr(0, line.find_first_not_of(' '));
    if (key.starts_with('{')) {
      diagnostics.error(Rule::bad_source_mark, source, source.line_start(n), line.size(),
                        "the front matter is in braces, so the mark cannot be written");
      diagnostics.hint("write each key on its own line, title: The title");
      return std::nullopt;
    }
    const bool is_key =
        line.size() > indent.size() && line.substr(indent.size()).starts_with("from:");
    if (is_key)
      return Stretch{source.line_start(n), line.size(),
                     std::string(indent) + "from: \"" + hash + '"'};
  }
}

std::optional<Stretch> mark(const Source& source, const TextBlock& block, const std::string& hash,
                            Diagnostics& diagnostics) {
  if (block.line == 1) return front_mark(source, hash, diagnostics);
  if (block.mark_line > 0)
    return Stretch{source.line_start(block.mark_line), source.line(block.mark_line).size(),
                   source_mark(hash)};
  return Stretch{source.line_start(block.line), 0,
                 source_mark(hash) + std::string(ending_of(source, block.line - 1))};
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
  if (line && *line > here.source.line_count()) {
    const int last = here.source.line_count();
    diagnostics.error(Rule::bad_source_mark, here.source, here.source.line_start(last),
                      here.source.line(last).size(),
                      "this is the last line, so there is no line " + std::to_string(*line));
    return std::nullopt;
  }
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
  std::string text(here.source.text());
  for (std::size_t i = end; i-- > first;) {  // from below, so that offsets above stay right
    const auto change = mark(here.source, here.blocks[i],
                             there.blocks[static_cast<std::size_t>(pairs[i])].hash, diagnostics);
    if (!change) return std::nullopt;
    text.replace(change->offset, change->length, change->text);
  }
  return text;
}

}  // namespace primer
