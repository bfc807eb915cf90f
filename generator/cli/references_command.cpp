#include "generator/cli/references_command.hpp"

#include <filesystem>
#include <iostream>

#include "generator/base/characters.hpp"
#include "generator/base/text.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/protection.hpp"
#include "generator/cli/written_files.hpp"
#include "generator/diagnostic/text_check.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/host/disk.hpp"
#include "generator/import/bibliography.hpp"
#include "generator/load/book.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

void print(const ImportedReferences& made, bool checked) {
  std::cout << made.added.size() << (made.added.size() == 1 ? " work" : " works") << " added\n";
  if (!made.there.empty())
    std::cout << "left as they are, because they were there: " << visible(join(made.there, ", "))
              << '\n';
  for (const auto& one : made.left_out) std::cout << "left out: " << visible(one) << '\n';
  if (checked || made.added.empty()) return;
  std::cout
      << "a chapter can cite one when its entry says \"checked\": true: title, authors and address were "
         "compared with the work\n";
}

}  // namespace

int run(const ImportReferencesCommand& command) {
  const fs::path file = fs::absolute(command.file).lexically_normal();
  Sandbox sandbox = changing(command.book);
  sandbox.read.push_back(file.parent_path());
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const Reporting reporting{command.book, {}, "text"};
  const auto text = disk(file.parent_path().string())->read(file.filename().string());
  if (!text) {
    diagnostics.error(Rule::file_unreadable, command.file, "this file cannot be read");
    return report(diagnostics, reporting);
  }
  const Source source(command.file, *text);
  if (!check_text(source, TextKind::prose, diagnostics)) return report(diagnostics, reporting);
  const auto book = disk(command.book);
  Diagnostics of_book;
  if (!load_book(*book, of_book)) return report(of_book, reporting);
  // One that is there and cannot be read would be replaced by what is added.
  const auto old = book->read(references_file);
  if (!old && report_unreadable(*book, references_file, diagnostics))
    return report(diagnostics, reporting);
  const auto made = with_references(source, old.value_or(""), command.checked, diagnostics);
  if (made && !made->added.empty())
    write_and_name(command.book, {{references_file, made->text}}, diagnostics);
  if (made && !diagnostics.has_errors()) print(*made, command.checked);
  return report(diagnostics, reporting);
}

}  // namespace primer
