#include "generator/tools/skeleton/kernel_skeleton.hpp"

#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/formats/yaml.hpp"
#include "generator/core/load/book.hpp"
#include "generator/tools/skeleton/skeleton.hpp"

namespace primer {
namespace {

constexpr std::string_view templates = "new_kernel/";

struct Filling {
  std::string name, source;  // "saxpy", "saxpy.c#saxpy"

  std::string of(std::string text) const {
    text = replace_all(std::move(text), "SOURCE", source);
    text = replace_all(std::move(text), "TITLE", title_of_slug(name));
    return replace_all(std::move(text), "NAME", name);
  }
};

// A filled-in template. Empty after a diagnostic.
std::string filled(const FileSystem& site, const std::string& path, const Filling& filling,
                   Diagnostics& diagnostics) {
  const auto text = site.read(path);
  if (text) return filling.of(*text);
  if (!report_unreadable(site, path, diagnostics, "site/"))
    diagnostics.error(Rule::template_error, "site/" + path, "this file of a new kernel is missing");
  return {};
}

}  // namespace

std::optional<std::map<std::string, std::string>> new_kernel(const FileSystem& site,
                                                             const FileSystem& files,
                                                             const std::string& name,
                                                             const std::string& language,
                                                             Diagnostics& diagnostics) {
  const std::string directory = "kernels/" + name;
  if (is_identifier(name) && !files.list(directory).empty()) {
    diagnostics.error(Rule::duplicate_id, directory, "this directory already exists");
    diagnostics.hint("nothing was written; choose another name");
    return std::nullopt;
  }
  auto added = new_chapter(files, name, diagnostics);
  if (!added) return std::nullopt;
  added->erase(spec_of_chapter(name));
  const std::string ending = language == "rust" ? "rs" : language;
  // WebAssembly text has other comments than the ones that mark regions.
  const Filling filling{name, name + '.' + ending + (language == "wat" ? "" : '#' + name)};
  for (auto& [path, text] : *added)
    if (path != book_file)
      text = filled(site, std::string(templates) + "chapter.md", filling, diagnostics);
  const std::string own = std::string(templates) + language + '/';
  const std::pair<std::string, std::string> all[] = {
      {own + "NAME." + ending, name + '.' + ending},
      {own + "build.sh", "build.sh"},
      {std::string(templates) + "kernels.json", "kernels.json"}};
  for (const auto& [from, to] : all)
    (*added)[directory + '/' + to] = filled(site, from, filling, diagnostics);
  const Source source(book_file, added->at(book_file));
  const auto yaml = parse_yaml(extract_lines(source, 1, source.line_count()), diagnostics);
  if (!yaml || diagnostics.has_errors()) return std::nullopt;
  added->at(book_file) = with_kernels(source, *yaml, directory);
  return added;
}

}  // namespace primer
