#include "generator/cli/new_directory.hpp"

#include <system_error>
#include <vector>

#include "generator/base/text.hpp"
#include "generator/host/directory.hpp"

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

// Everything or nothing, and nothing in place of what has come meanwhile.
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

// All files of a directory that is there and empty, or of one that is not there.
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
  // A directory that is there stays the same one: somebody may stand in it.
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
  if (there && !fs::is_directory(directory, error)) return refuse("there is a file of that name");
  if (there && !fs::is_empty(directory, error)) {
    refuse(error ? "the directory cannot be read" : "the directory is not empty");
    return diagnostics.hint("a book begins in a directory that is empty or not there yet");
  }
  if (const auto failed = write_all_or_none(directory, there, files)) {
    refuse("the directory cannot be written: " + failed.message());
  }
}

}  // namespace primer
