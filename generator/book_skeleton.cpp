#include "generator/book_skeleton.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "generator/chapter_skeleton.hpp"
#include "generator/text.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view folder = "new_book/";

std::string title_of(std::string name) {
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

// Throws a filesystem_error, or the stream's failure.
void write_files(const fs::path& directory, const std::map<std::string, std::string>& files) {
  for (const auto& [path, text] : files) {
    fs::create_directories((directory / path).parent_path());
    std::ofstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(directory / path, std::ios::binary);
    file << text;
    file.close();
  }
}

// A directory that is there stays the same one: somebody may stand in it.
void move_into(const fs::path& aside, const fs::path& directory) {
  for (const auto& entry : fs::directory_iterator(aside)) {
    fs::rename(entry.path(), directory / entry.path().filename());
  }
  fs::remove(aside);
}

}  // namespace

std::optional<std::map<std::string, std::string>> new_book(const FileSystem& site,
                                                           const std::string& name,
                                                           Diagnostics& diagnostics) {
  const std::string title = title_of(name);
  // A JSON string is a YAML one too, whatever the directory is called.
  const std::string quoted =
      nlohmann::json(title).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::map<std::string, std::string> files;
  for (const auto& path : site.list("new_book")) {
    const std::string own = path.substr(folder.size());
    files[own] = replace_all(site.read(path).value_or(""), "TITLE",
                             own.ends_with(".yaml") ? quoted : title);
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
  const fs::path aside = there ? directory / ".new-book" : fs::path(directory.string() + ".new-book");
  if (fs::exists(fs::symlink_status(aside, error))) {
    return refuse(in_quotes(aside.string()) + " is in the way");
  }
  try {
    write_files(aside, files);
    there ? move_into(aside, directory) : fs::rename(aside, directory);
  } catch (const std::system_error&) {  // both kinds of failure are one
    fs::remove_all(aside, error);
    for (const auto& [path, text] : files) {  // what was renamed already
      if (there) fs::remove_all(directory / *fs::path(path).begin(), error);
    }
    refuse("the directory cannot be written");
  }
}

}  // namespace primer
