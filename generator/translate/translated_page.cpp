#include "generator/translate/translated_page.hpp"

#include <map>
#include <utility>

#include "generator/base/spelling.hpp"
#include "generator/diagnostic/extract.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/load/front_matter.hpp"
#include "generator/markdown/markdown.hpp"

namespace primer {
namespace {

// The files of translations, each with its original's.
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

}  // namespace primer
