#include "generator/skeleton/book_skeleton.hpp"

#include <nlohmann/json.hpp>

#include "generator/base/text.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/skeleton/chapter_skeleton.hpp"

namespace primer {
namespace {

constexpr std::string_view folder = "new_book/";

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

}  // namespace primer
