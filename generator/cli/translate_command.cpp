#include "generator/cli/translate_command.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/protection.hpp"
#include "generator/cli/written_files.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/host/disk.hpp"
#include "generator/index/translation.hpp"
#include "generator/load/book.hpp"
#include "generator/load/references.hpp"

namespace primer {
namespace {

struct Chapter {
  Source source;
  std::vector<TextBlock> blocks;
};

// Nothing when the chapter cannot be read, which `primer check` reports in full.
std::optional<Chapter> read_chapter(const FileSystem& files, const std::string& file,
                                    bool translation, Diagnostics& diagnostics) {
  auto text = files.read(file);
  if (!text) {
    if (report_unreadable(files, file, diagnostics)) return std::nullopt;
    diagnostics.error(Rule::file_unreadable, file, "the file cannot be read");
    return std::nullopt;
  }
  Source source(file, std::move(*text));
  const FrontMatter front = parse_front_matter(source, diagnostics);
  auto document =
      parse_markdown(extract_lines(source, front.body_line, source.line_count()), diagnostics);
  if (!document || diagnostics.has_errors()) return std::nullopt;
  auto blocks = translation ? take_blocks(*document, source, front, diagnostics)
                            : text_blocks(*document, source, front.body_line);
  return Chapter{std::move(source), std::move(blocks)};
}

const Entry* find_translation(const Book& book, const std::string& file) {
  for (const auto& locale : book.locales) {
    for (const auto* list : {&locale.chapters, &locale.pages}) {
      for (const auto& entry : *list) {
        if (entry.file == file && !entry.original.empty()) return &entry;
      }
    }
  }
  return nullptr;
}

std::vector<std::string> translations(const Book& book) {
  std::vector<std::string> all;
  for (const auto& locale : book.locales) {
    for (const auto* list : {&locale.chapters, &locale.pages}) {
      for (const auto& entry : *list) {
        if (!entry.original.empty()) all.push_back(entry.file);
      }
    }
  }
  return all;
}

void row(std::ostream& out, const std::string& name, const std::vector<std::string>& cells) {
  out << "  " << std::left << std::setw(28) << name << std::right;
  for (const auto& cell : cells) out << std::setw(10) << cell;
  out << '\n';
}

// By position; nothing, after a diagnostic at the first block that has no counterpart.
std::optional<std::vector<int>> pair_by_order(const Chapter& here, const Chapter& there,
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

namespace {

// Of the glossary in a language: as the rows of chapters, an entry counted as a block.
void terms_row(std::ostream& out, const Book& locale, const FileSystem& files,
               Diagnostics& diagnostics) {
  const Terms original = load_references(files, diagnostics).terms;
  if (original.empty()) return;
  const Terms terms = terms_in(locale, original, files, diagnostics, nullptr);
  std::size_t current = 0, stale = 0, missing = 0;
  for (const auto& [id, term] : terms) {
    if (term.language != locale.language) ++missing;
    else ++(term.from == source_hash(original.at(id)) ? current : stale);
  }
  row(out, "terms",
      {std::to_string(original.size()), std::to_string(current), std::to_string(stale),
       std::to_string(missing)});
}

}  // namespace

std::string translation_status(const FileSystem& files, Diagnostics& diagnostics) {
  const auto book = load_book(files, diagnostics);
  if (!book || diagnostics.has_errors()) return {};
  std::ostringstream out;
  for (const auto& locale : book->locales) {
    out << locale.language << '\n';
    row(out, "", {"blocks", "current", "stale", "missing"});
    for (const auto* list : {&locale.chapters, &locale.pages}) {
      for (const auto& entry : *list) {
        const std::string name = entry.slug;
        const auto there = read_chapter(files, entry.original.empty() ? entry.file : entry.original,
                                        false, diagnostics);
        if (!there) return {};
        const std::string blocks = std::to_string(there->blocks.size());
        if (entry.original.empty()) {
          row(out, name, {blocks, "0", "0", blocks});
          continue;
        }
        const auto here = read_chapter(files, entry.file, true, diagnostics);
        if (!here) return {};
        const Pairing pairing = pair_blocks(here->blocks, there->blocks);
        const auto current = std::count(pairing.current.begin(), pairing.current.end(), true);
        const auto stale = static_cast<std::ptrdiff_t>(here->blocks.size()) - current;
        row(out, name,
            {blocks, std::to_string(current), std::to_string(stale),
             std::to_string(pairing.missing.size())});
      }
    }
    Diagnostics of_terms;  // their warnings are the numbers of the row
    terms_row(out, locale, files, of_terms);
  }
  if (book->locales.empty()) out << "the book has one language, " << book->language << '\n';
  return out.str();
}

std::optional<std::string> stamped(const FileSystem& files, const std::string& file,
                                   std::optional<int> line, Diagnostics& diagnostics) {
  const auto book = load_book(files, diagnostics);
  if (!book) return std::nullopt;
  for (const auto& locale : book->locales) {
    if (file == "chapters/" + locale.language + "/glossary.json")
      return stamped_terms(files, file, diagnostics);
  }
  const Entry* entry = find_translation(*book, file);
  if (!entry) {
    diagnostics.error(Rule::orphaned_translation, file, "this is not a translation of the book")
        .suggestion = nearest(file, translations(*book));
    return std::nullopt;
  }
  const auto there = read_chapter(files, entry->original, false, diagnostics);
  const auto here = read_chapter(files, file, true, diagnostics);
  if (!here || !there) return std::nullopt;

  std::vector<int> pairs;
  std::size_t first = 0, end = here->blocks.size();
  if (line) {
    pairs = pair_blocks(here->blocks, there->blocks).original;
    while (first + 1 < end && here->blocks[first + 1].line <= *line) ++first;
    end = first + 1;
    if (pairs[first] < 0) {
      const TextBlock& block = here->blocks[first];
      diagnostics.error(Rule::bad_source_mark, here->source, here->source.line_start(block.line),
                        here->source.line(block.line).size(),
                        "no block of the original is free for this one");
      return std::nullopt;
    }
  } else {
    const auto all = pair_by_order(*here, *there, diagnostics);
    if (!all) return std::nullopt;
    pairs = *all;
  }
  std::vector<std::string> lines;
  for (const auto one : split_lines(here->source.text())) lines.emplace_back(one);
  for (std::size_t i = end; i-- > first;) {  // from below, so that lines above stay where they are
    mark(lines, here->blocks[i], there->blocks[static_cast<std::size_t>(pairs[i])].hash);
  }
  return join(lines, "\n") + '\n';
}

int run(const TranslationStatusCommand& command) {
  if (!enter(reading({command.book}), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  std::cout << translation_status(*disk(command.book), diagnostics);
  return report(diagnostics, {command.book, {}, "text"});
}

int run(const StampCommand& command) {
  if (!enter(changing(command.book), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const std::optional<int> line = command.line > 0 ? std::optional(command.line) : std::nullopt;
  const auto text = stamped(*disk(command.book), command.file, line, diagnostics);
  if (text) write_and_name(command.book, {{command.file, *text}}, diagnostics);
  return report(diagnostics, {command.book, {}, "text"});
}

}  // namespace primer
