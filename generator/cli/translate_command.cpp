#include "generator/cli/translate_command.hpp"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/protection.hpp"
#include "generator/cli/written_files.hpp"
#include "generator/host/disk.hpp"
#include "generator/index/translation.hpp"
#include "generator/load/book.hpp"
#include "generator/load/messages.hpp"
#include "generator/load/references.hpp"
#include "generator/translate/stamp.hpp"
#include "generator/translate/translated_page.hpp"

namespace primer {
namespace {

void row(std::ostream& out, const std::string& name, const std::vector<std::string>& cells) {
  out << "  " << std::left << std::setw(28) << name << std::right;
  for (const auto& cell : cells) out << std::setw(10) << cell;
  out << '\n';
}

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
        const auto there = read_blocks(files, entry.original.empty() ? entry.file : entry.original,
                                       false, diagnostics);
        if (!there) return {};
        const std::string blocks = std::to_string(there->blocks.size());
        if (entry.original.empty()) {
          row(out, name, {blocks, "0", "0", blocks});
          continue;
        }
        const auto here = read_blocks(files, entry.file, true, diagnostics);
        if (!here) return {};
        const Pairing pairing = pair_blocks(here->blocks, there->blocks);
        const auto current = std::count(pairing.current.begin(), pairing.current.end(), true);
        const auto stale = static_cast<std::ptrdiff_t>(here->blocks.size()) - current;
        const auto missing = std::ranges::count_if(pairing.missing, [&](int block) {
          return has_words(there->blocks[static_cast<std::size_t>(block)]);
        });
        row(out, name,
            {blocks, std::to_string(current), std::to_string(stale), std::to_string(missing)});
      }
    }
    Diagnostics of_terms;  // their warnings are the numbers of the row
    terms_row(out, locale, files, of_terms);
  }
  if (book->locales.empty()) out << "the book has one language, " << book->language << '\n';
  return out.str();
}

int run(const BeginTranslationCommand& command) {
  Sandbox sandbox = reading({command.book});
  // Where one of its directories is missing, it is made.
  const std::filesystem::path book = command.book, site = book / "site";
  std::error_code error;
  const auto type = std::filesystem::symlink_status(site, error).type();
  sandbox.write = {type == std::filesystem::file_type::directory ? site : book};
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const auto files = disk(command.book);
  Diagnostics of_book;  // what else is wrong with it is no reason not to begin
  if (!load_book(*files, of_book)) return report(of_book, {command.book, {}, "text"});
  const auto list = begin_strings(*disk((program_home() / "site").string()), *files,
                                  command.language, diagnostics);
  if (list) write_and_name(command.book, {{list->path, list->text}}, diagnostics);
  if (list && !diagnostics.has_errors()) {
    std::cout << list->strings << " strings, " << list->translated
              << " of them translated; the pages have them with --trust\n";
  }
  return report(diagnostics, {command.book, {}, "text"});
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
