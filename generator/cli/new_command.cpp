#include "generator/cli/new_command.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <vector>

#include "generator/cli/console.hpp"
#include "generator/cli/install_prefix.hpp"
#include "generator/cli/run_pandoc.hpp"
#include "generator/cli/site_command.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/host/book_files.hpp"
#include "generator/host/build/build.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/process.hpp"
#include "generator/tools/import/import.hpp"
#include "generator/tools/skeleton/skeleton.hpp"

namespace primer {
namespace fs = std::filesystem;

namespace {
std::error_code write_files(const Directory& directory,
                            const std::map<std::string, std::string>& files) {
  std::error_code error;
  for (const auto& [path, text] : files) {
    const auto slash = path.rfind('/');
    if (slash != path.npos) error = directory.make(path.substr(0, slash));
    if (!error) error = directory.write(path, text);
    if (error) return error;
  }
  return error;
}

// Moves everything or nothing. Does not replace what has appeared in the meantime.
std::error_code move_all(const Directory& from, const Directory& to) {
  std::vector<std::string> moved;
  for (const auto& name : from.names()) {
    const auto error = from.move_new(name, to, name);
    if (error) {
      for (const auto& one : moved) static_cast<void>(to.move_new(one, from, one));
      return error;
    }
    moved.push_back(name);
  }
  return {};
}

// Writes all files or none, into an empty directory (`there`) or one that does not exist.
std::error_code write_all_or_none(const fs::path& directory, bool there,
                                  const std::map<std::string, std::string>& files) {
  const fs::path parent = directory.has_parent_path() ? directory.parent_path() : fs::path(".");
  const std::string name = directory.filename().string(),
                    aside = aside_name(there ? ".new-book" : name);
  std::error_code error;
  if (!there) fs::create_directories(parent, error);
  const Directory place(there ? directory : parent);
  error = place.get() < 0 ? last_error() : place.make_new(aside);
  if (error) return error;
  error = write_files(place.below(aside), files);
  // An existing directory is filled, not replaced, because it may be somebody's working directory.
  if (!error)
    error = there ? move_all(place.below(aside), place) : place.move_new(aside, place, name);
  static_cast<void>(place.remove_all(aside));
  return error;
}

}  // namespace

void write_new_directory(const fs::path& directory, const std::map<std::string, std::string>& files,
                         Diagnostics& diagnostics) {
  const auto refuse = [&](std::string message) {
    diagnostics.error(Rule::output_error, directory.string(), std::move(message));
  };
  std::error_code error;
  const bool there = fs::exists(fs::symlink_status(directory, error));
  if (there && !fs::is_directory(directory, error)) return refuse("a file has that name");
  if (there && !fs::is_empty(directory, error)) {
    refuse(error ? "the directory cannot be read" : "the directory is not empty");
    return diagnostics.hint("choose a directory that is empty or does not exist yet");
  }
  if (const auto failed = write_all_or_none(directory, there, files)) {
    refuse("the directory cannot be written: " + failed.message());
  }
}

namespace {
// The nearest existing directory above a path.
fs::path existing(fs::path path) {
  std::error_code error;
  while (!fs::is_directory(path, error) && path.has_relative_path()) path = path.parent_path();
  return path;
}

// Quotes a text as one shell word.
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

int run(const NewKernelCommand& command) {
  Sandbox sandbox = changing(command.book);
  sandbox.write = {command.book};  // kernels/ may not exist yet
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  Diagnostics diagnostics;
  const auto files = new_kernel(*disk((program_home() / "site").string()), *disk(command.book),
                                command.name, command.source, diagnostics);
  if (files) write_and_name(command.book, *files, diagnostics);
  if (!diagnostics.has_errors())
    std::cout << "to measure it: sh kernels/" << command.name << "/build.sh && primer serve\n";
  return report(diagnostics, {command.book, {}, "text"});
}

int run(const NewBookCommand& command) {
  Diagnostics diagnostics;
  fs::path directory = fs::path(command.directory + '/').lexically_normal().parent_path();
  if (directory.empty()) directory = ".";
  std::error_code error;
  // If the path cannot be resolved, writing fails too and reports why.
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

void write_and_name(const std::string& book, const std::map<std::string, std::string>& files,
                    Diagnostics& diagnostics) {
  for (const auto& path : write_book_files(book, files, diagnostics))
    std::cout << visible(path) << '\n';
}

namespace {

// Checks the new book in memory with the program's own templates, as `primer check` will.
CheckBook checking(const BuildOptions& options, Cache& cache) {
  return [&options, &cache](const std::map<std::string, std::string>& files) {
    const auto book = in_memory(files);
    BuildOptions one = options;
    one.unsaved = book.get();
    Diagnostics diagnostics;
    static_cast<void>(make_site(one, cache, diagnostics));
    return diagnostics;
  };
}

// Prints what was imported, and reports chapters that were not.
int imported(const ImportCommand& command, const ImportedBook& book) {
  std::cout
      << counted(book.chapters, "chapter") << "; IMPORTED.md lists "
      << counted(book.changed, "change") << " and " << counted(book.lost, "passage")
      << " that the new book lacks\ncheck whether the license of the text lets you publish it\n"
      << "to see the book: cd " << visible(for_a_shell(command.directory)) << " && primer serve\n";
  if (book.not_taken > 0)
    return failed({counted(book.not_taken, "listed file") +
                   " could not be imported; IMPORTED.md names each"});
  if (!book.builds)
    return failed({"the new book has errors; to see them: primer check --book " +
                   for_a_shell(command.directory)});
  return 0;
}

}  // namespace

int run(const ImportCommand& command) {
  Diagnostics diagnostics;
  std::error_code error;
  const fs::path old = fs::weakly_canonical(command.from, error);
  const fs::path directory = fs::absolute(command.directory + '/').lexically_normal().parent_path();
  SiteCommand site;
  site.book = directory.string();
  const BuildOptions options = build_options(site);
  const fs::path beside = existing(directory.parent_path()),
                 scratch = beside / aside_name(".pandoc"), pandoc = find_program("pandoc", old);
  Sandbox sandbox = site_sandbox(options, {beside});
  sandbox.read.push_back(old);
  sandbox.run.push_back(pandoc);
  if (!enter(std::move(sandbox), command.no_sandbox)) return 1;
  const auto cache = open_cache({}, program_identity(), DiskCache::Use::read);
  const auto book =
      import_book(*disk(old.string()), old.filename().string(), checking(options, *cache),
                  run_pandoc(pandoc, scratch), diagnostics);
  fs::remove_all(scratch, error);
  if (book) write_new_directory(directory, book->files, diagnostics);
  const int status = book && !diagnostics.has_errors() ? imported(command, *book) : 0;
  return std::max(status, report(diagnostics, {}));
}

}  // namespace primer
