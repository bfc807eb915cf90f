#include "generator/cli/book_skeleton.hpp"

#include <nlohmann/json.hpp>
#include <system_error>

#include "generator/base/text.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/host/directory.hpp"
#include "generator/skeleton/chapter_skeleton.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view folder = "new_book/";

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

std::error_code move_all(const Directory& from, const Directory& to) {
  for (const auto& name : from.names()) {
    if (const auto error = from.move(name, to, name)) return error;
  }
  return {};
}

// All files of a directory that is there and empty, or of one that is not there.
std::error_code write_all_or_none(const fs::path& directory, bool there,
                                  const std::map<std::string, std::string>& files) {
  const fs::path parent = directory.has_parent_path() ? directory.parent_path() : fs::path(".");
  const std::string name = directory.filename().string(), aside = (there ? "" : name) + ".new-book";
  std::error_code error;
  if (!there) fs::create_directories(parent, error);
  const Directory place(there ? directory : parent);
  error = place.get() < 0 ? last_error() : place.make(aside);
  if (error) return error;
  error = write_files(place.below(aside), files);
  // A directory that is there stays the same one: somebody may stand in it.
  if (!error) error = there ? move_all(place.below(aside), place) : place.move(aside, place, name);
  static_cast<void>(place.remove_all(aside));
  if (error && there) {
    for (const auto& [path, text] : files)
      static_cast<void>(place.remove_all(path.substr(0, path.find('/'))));
  }
  return error;
}

}  // namespace

std::optional<std::map<std::string, std::string>> new_book(const FileSystem& site,
                                                           const std::string& title,
                                                           const std::string& language,
                                                           Diagnostics& diagnostics) {
  // A JSON string is a YAML one too, whatever the directory is called.
  const std::string quoted =
      nlohmann::json(title).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::map<std::string, std::string> files;
  for (const auto& path : site.list("new_book")) {
    const std::string own = path.substr(folder.size());
    const auto text = site.read(path);
    if (!text && report_unreadable(site, path, diagnostics, "site/")) return std::nullopt;
    std::string filled = text.value_or("");
    for (const auto& [word, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"LANGUAGE", language},
             {"NAME_OF_PROGRAM", PRIMER_REPOSITORY},
             {"v0.0.0", "v" PRIMER_VERSION},
             {"TITLE", own.ends_with(".yaml") ? quoted : title}})
      filled = replace_all(std::move(filled), word, value);
    files[own] = std::move(filled);
  }
  if (files.empty()) {
    diagnostics.error(Rule::template_error, "site/new_book", "the files of a new book are missing");
    return std::nullopt;
  }
  const auto chapter = new_chapter(*in_memory(files), "memory", diagnostics);
  if (!chapter) return std::nullopt;
  for (const auto& [path, text] : *chapter) files[path] = text;
  return files;
}

void write_new_directory(const fs::path& directory, const std::map<std::string, std::string>& files,
                         Diagnostics& diagnostics) {
  const auto refuse = [&](std::string message) {
    diagnostics.error(Rule::output_error, directory.string(), std::move(message));
  };
  std::error_code error;
  const bool there = fs::exists(fs::symlink_status(directory, error));
  if (there && !fs::is_directory(directory, error)) return refuse("there is a file of that name");
  if (there && !fs::is_empty(directory, error)) {
    refuse(error ? "the directory cannot be read" : "the directory is not empty");
    return diagnostics.hint("a book begins in a directory that is empty or not there yet");
  }
  const fs::path aside =
      there ? directory / ".new-book" : fs::path(directory.string() + ".new-book");
  if (fs::exists(fs::symlink_status(aside, error))) {
    return refuse(in_quotes(aside.string()) + " is in the way");
  }
  if (const auto failed = write_all_or_none(directory, there, files)) {
    refuse("the directory cannot be written: " + failed.message());
  }
}

}  // namespace primer
