#include "generator/translate/translated_page.hpp"

#include <utility>

#include "generator/base/spelling.hpp"
#include "generator/diagnostic/extract.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/load/front_matter.hpp"
#include "generator/markdown/markdown.hpp"

namespace primer {
namespace {

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
  auto document =
      parse_markdown(extract_lines(source, front.body_line, source.line_count()), diagnostics);
  if (!document || diagnostics.has_errors()) return std::nullopt;
  auto blocks = translation ? take_blocks(*document, source, front, diagnostics)
                            : text_blocks(*document, source, front.body_line);
  return BlockText{std::move(source), std::move(blocks)};
}

std::optional<TranslatedPage> read_translated_page(const FileSystem& files, const Book& book,
                                                   const std::string& file,
                                                   Diagnostics& diagnostics) {
  const Entry* entry = find_translation(book, file);
  if (!entry) {
    diagnostics.error(Rule::orphaned_translation, file, "this is not a translation of the book")
        .suggestion = nearest(file, translations(book));
    return std::nullopt;
  }
  auto there = read_blocks(files, entry->original, false, diagnostics);
  auto here = read_blocks(files, file, true, diagnostics);
  if (!here || !there) return std::nullopt;
  return TranslatedPage{std::move(*here), std::move(*there)};
}

}  // namespace primer
