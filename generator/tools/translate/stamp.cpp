#include "generator/tools/translate/stamp.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "generator/core/base/text.hpp"
#include "generator/core/check/fix.hpp"
#include "generator/core/diagnostic/source.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/load/front_matter.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/markdown/markdown.hpp"

namespace primer {
namespace {
BlockPair::Lines lines_of(const BlockText& page, std::size_t block) {
  const Source& source = page.source;
  const int first = page.blocks[block].line;
  int end = source.line_count() + 1;
  if (block + 1 < page.blocks.size()) {
    const TextBlock& next = page.blocks[block + 1];
    end = next.mark_line > 0 ? next.mark_line : next.line;
  }
  while (end > first + 1 && trim(source.line(end - 1)).empty()) --end;
  const std::size_t begin = source.line_start(first);
  const std::size_t stop = source.line_start(end - 1) + source.line(end - 1).size();
  return {first, end, std::string(source.text().substr(begin, stop - begin))};
}

BlockPair::State state_of(const TextBlock& block, bool paired, bool current) {
  if (current) return BlockPair::State::current;
  if (!paired) return BlockPair::State::extra;
  return block.hash.empty() ? BlockPair::State::unmarked : BlockPair::State::stale;
}

}  // namespace

std::optional<std::vector<BlockPair>> block_pairs(const FileSystem& files, const std::string& file,
                                                  Diagnostics& diagnostics) {
  const auto book = load_book(files, diagnostics);
  if (!book) return std::nullopt;
  const auto page = read_translated_page(files, *book, file, diagnostics);
  if (!page) return std::nullopt;
  const auto& [here, there] = *page;
  const Pairing pairing = pair_blocks(here.blocks, there.blocks);
  std::vector<BlockPair> pairs;
  for (std::size_t i = 0; i < here.blocks.size(); ++i) {
    const int original = pairing.original[i];
    BlockPair pair{state_of(here.blocks[i], original >= 0, pairing.current[i]),
                   here.blocks[i].kind,
                   lines_of(here, i),
                   {}};
    if (original >= 0) pair.there = lines_of(there, static_cast<std::size_t>(original));
    pairs.push_back(std::move(pair));
  }
  // Insert it above the first block that translates a later one.
  for (const int index : pairing.missing) {
    const auto block = static_cast<std::size_t>(index);
    BlockPair pair{BlockPair::State::missing, there.blocks[block].kind, {}, lines_of(there, block)};
    auto at = pairs.begin();
    while (at != pairs.end() && at->there.first <= pair.there.first) ++at;
    pairs.insert(at, std::move(pair));
  }
  return pairs;
}

// Reading a translated page.

namespace {
// Files of translations with those of their originals.
std::map<std::string, std::string> translations(const Book& book) {
  std::map<std::string, std::string> all;
  for (const auto* list : {&book.chapters, &book.pages}) {
    for (const auto& entry : *list) {
      for (const auto& file : entry.pending) all[file] = entry.file;
    }
  }
  for (const auto& locale : book.locales) {
    for (const auto* list : {&locale.chapters, &locale.pages}) {
      for (const auto& entry : *list) {
        if (!entry.original.empty()) all[entry.file] = entry.original;
      }
    }
  }
  return all;
}

}  // namespace

std::optional<BlockText> read_blocks(const FileSystem& files, const std::string& file,
                                     bool translation, Diagnostics& diagnostics) {
  auto text = files.read(file);
  if (!text) {
    if (report_unreadable(files, file, diagnostics)) return std::nullopt;
    diagnostics.error(Rule::file_unreadable, file, "the file cannot be read");
    return std::nullopt;
  }
  Source source(file, std::move(*text));
  const FrontMatter front = parse_front_matter(source, diagnostics);
  auto document = parse_markdown(extract_lines(source, front.body_line, source.line_count()),
                                 diagnostics, translation ? Severity::warning : Severity::error);
  if (!document || diagnostics.has_errors()) return std::nullopt;
  auto blocks = translation ? take_blocks(*document, source, front, diagnostics)
                            : text_blocks(*document, source, front.body_line);
  return BlockText{std::move(source), std::move(blocks)};
}

std::optional<TranslatedPage> read_translated_page(const FileSystem& files, const Book& book,
                                                   const std::string& file,
                                                   Diagnostics& diagnostics) {
  const auto all = translations(book);
  const auto found = all.find(file);
  if (found == all.end()) {
    std::vector<std::string> names;
    for (const auto& [name, original] : all) names.push_back(name);
    diagnostics.error(Rule::orphaned_translation, file, "this is not a translation of the book")
        .suggestion = nearest(file, names);
    return std::nullopt;
  }
  auto there = read_blocks(files, found->second, false, diagnostics);
  auto here = read_blocks(files, file, true, diagnostics);
  if (!here || !there) return std::nullopt;
  return TranslatedPage{std::move(*here), std::move(*there)};
}

// Writing marks.

namespace {
// Pairs blocks by position. No value after a diagnostic at the first block without a counterpart.
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
        ends_here    ? "this is the last block, but the original has more"
        : ends_there ? "the original has no more blocks"
                     : "this is " + at.kind + ", and the original has " + there.blocks[i].kind);
    if (!ends_there) {
      diagnostics.hint("in the original it is " + there.source.path() + ':' +
                       std::to_string(there.blocks[i].line));
    }
    diagnostics.hint("if the texts differ in structure, primer translate stamp " +
                     here.source.path() + " --line N marks only the block at that line");
    return std::nullopt;
  }
  return pairs;
}

// The line break at the end of a line. "\n" for a last line without one.
std::string_view ending_of(const Source& source, int line) {
  const std::size_t end = source.line_start(line) + source.line(line).size();
  const std::size_t next =
      line < source.line_count() ? source.line_start(line + 1) : source.text().size();
  return next > end ? source.text().substr(end, next - end) : "\n";
}

// A range of the file and its replacement.
struct Stretch {
  std::size_t offset = 0, length = 0;
  std::string text;
};

// Replaces the mark in the front matter, the key "from". No value after a diagnostic if the front
// matter has no lines with keys.
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
                        "every block of the original has a translation already");
      return std::nullopt;
    }
  } else {
    const auto all = pair_by_order(here, there, diagnostics);
    if (!all) return std::nullopt;
    pairs = *all;
  }
  std::string text(here.source.text());
  for (std::size_t i = end; i-- > first;) {  // from the end, so that earlier offsets stay valid
    const auto change = mark(here.source, here.blocks[i],
                             there.blocks[static_cast<std::size_t>(pairs[i])].hash, diagnostics);
    if (!change) return std::nullopt;
    text.replace(change->offset, change->length, change->text);
  }
  return text;
}

namespace {
// The text of one translation with new marks. No value if no block needs one, or if the two
// versions do not have the same blocks.
std::optional<std::string> stamped_alike(const TranslatedPage& before,
                                         const TranslatedPage& after) {
  if (before.here.blocks.size() != after.here.blocks.size() ||
      before.there.blocks.size() != after.there.blocks.size())
    return std::nullopt;
  const Pairing pairing = pair_blocks(before.here.blocks, before.there.blocks);
  std::string text(after.here.source.text());
  bool is_changed = false;
  for (std::size_t i = after.here.blocks.size(); i-- > 0;) {
    if (!pairing.current[i] || pairing.original[i] < 0) continue;
    const auto original = static_cast<std::size_t>(pairing.original[i]);
    const std::string& hash = after.there.blocks[original].hash;
    const bool both = hash != before.there.blocks[original].hash &&
                      lines_of(before.here, i).text != lines_of(after.here, i).text;
    Diagnostics reported_by_check;
    const auto change = both
                            ? mark(after.here.source, after.here.blocks[i], hash, reported_by_check)
                            : std::nullopt;
    if (!change) continue;
    text.replace(change->offset, change->length, change->text);
    is_changed = true;
  }
  return is_changed ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace

std::map<std::string, std::string> stamped_alike(const FileSystem& before, const FileSystem& after,
                                                 const std::set<std::string>& changed) {
  std::map<std::string, std::string> made;
  Diagnostics reported_by_check;
  const auto book = load_book(after, reported_by_check);
  if (!book) return made;
  for (const auto& [file, original] : translations(*book)) {
    if (!changed.contains(file) || !changed.contains(original)) continue;
    Diagnostics of_page;
    const auto old_page = read_translated_page(before, *book, file, of_page);
    const auto new_page = read_translated_page(after, *book, file, of_page);
    auto text = old_page && new_page ? stamped_alike(*old_page, *new_page) : std::nullopt;
    if (text) made.emplace(file, std::move(*text));
  }
  return made;
}

std::map<std::string, std::string> fixed_alike(const FileSystem& before, const FileSystem& now,
                                               const std::vector<Diagnostic>& sorted,
                                               std::set<std::string>& changed) {
  auto made = fixed_files(now, sorted);
  for (const auto& [file, text] : made) changed.insert(file);
  const auto fixed = in_memory(made);
  const auto after = layered(*fixed, now);
  for (auto& [file, text] : stamped_alike(before, *after, changed)) made[file] = std::move(text);
  return made;
}

}  // namespace primer
