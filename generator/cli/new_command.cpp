#include "generator/cli/new_command.hpp"

#include <filesystem>
#include <iostream>

#include "generator/base/characters.hpp"
#include "generator/base/slug.hpp"
#include "generator/base/text.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/new_directory.hpp"
#include "generator/cli/protection.hpp"
#include "generator/cli/written_files.hpp"
#include "generator/host/disk.hpp"
#include "generator/skeleton/book_skeleton.hpp"
#include "generator/skeleton/chapter_skeleton.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

// The nearest directory of a path that is there.
fs::path existing(fs::path path) {
  std::error_code error;
  while (!fs::is_directory(path, error) && path.has_relative_path()) path = path.parent_path();
  return path;
}

// As a shell takes it for one word.
std::string for_a_shell(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+,:@%";
  const bool whole = !text.starts_with('-') && text.find_first_not_of(plain) == text.npos;
  return whole ? text : "'" + replace_all(text, "'", "'\\''") + "'";
}

}  // namespace

int run(const NewChapterCommand& command) {
  if (!enter(changing(command.book), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const auto files = new_chapter(*disk(command.book), command.slug, diagnostics);
  if (files) write_and_name(command.book, *files, diagnostics);
  return report(diagnostics, {command.book, {}, "text"});
}

int run(const NewBookCommand& command) {
  Diagnostics diagnostics;
  fs::path directory = fs::path(command.directory + '/').lexically_normal().parent_path();
  if (directory.empty()) directory = ".";
  std::error_code error;
  // What cannot be looked at cannot be written either, which is said there.
  fs::path whole = fs::weakly_canonical(directory, error);
  if (error) whole = directory;
  const std::string name = whole.filename().string();
  Sandbox sandbox;
  sandbox.write.push_back(existing(fs::absolute(directory).lexically_normal().parent_path()));
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto files = new_book(*disk((program_home() / "site").string()),
                              command.title.empty() ? title_of_slug(name) : command.title,
                              command.language, diagnostics);
  if (files) write_new_directory(directory, *files, diagnostics);
  if (!diagnostics.has_errors()) {
    std::cout << "a new book; to see it: cd " << visible(for_a_shell(command.directory))
              << " && primer serve\n";
  }
  return report(diagnostics, {});
}

}  // namespace primer
