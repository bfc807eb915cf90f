#include "generator/core/load/unlisted_files.hpp"

#include <algorithm>

#include "generator/core/base/text.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/load/values.hpp"

namespace primer {
namespace {

// File endings of chapters in other tools.
constexpr std::string_view foreign_endings[] = {".markdown", ".mdown", ".mkd", ".mdx", ".qmd"};

class Check {
 public:
  Check(const Book& book, Diagnostics& diagnostics) : book_(book), diagnostics_(diagnostics) {}

  void file(const std::string& path) {
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    const std::string ending = lower_case(name.substr(std::min(name.rfind('.'), name.size())));
    const bool is_loose = path.find('/') + 1 == path.size() - name.size();
    const bool is_foreign =
        std::ranges::find(foreign_endings, ending) != std::end(foreign_endings) ||
        (ending == ".md" && !name.ends_with(".md"));
    if (path.starts_with(facts_directory)) {
      if (ending == ".json") facts(path, name);
    } else if (is_foreign) {
      report(path, "the name of a chapter must end in .md", "rename it, and list it in book.yaml");
    } else if (ending == ".md") {
      chapter(path, name, is_loose);
    } else if (is_loose && (name == "book.yml" || name == "errata.yml")) {
      report(path, "its name must end in .yaml", "rename it");
    }
  }

  void spec(const std::string& path) {
    const std::string lower = lower_case(path);
    const bool is_meant =
        lower.ends_with(".json") || lower.ends_with(".yaml") || lower.ends_with(".yml");
    if (is_meant && !path.ends_with(".json"))
      report(path, "the name of a figure specification must end in .json",
             "write it as JSON, and rename it");
  }

 private:
  void chapter(const std::string& path, std::string_view name, bool is_loose) {
    const std::string own = "chapters/" + book_.language + '/';
    if (is_loose && lower_case(name) != "readme.md")
      report(path, "chapters must be in " + own, "move it there, and list it in book.yaml");
    const bool is_page = path.starts_with(own + "pages/");
    if (is_page && std::ranges::find(book_.pages, path, &Entry::file) == book_.pages.end())
      report(path, "book.yaml does not list it under pages",
             "add \"- " + std::string(name.substr(0, name.size() - 3)) + "\" to pages");
  }

  void facts(const std::string& path, std::string_view name) {
    std::vector<std::string> known{"configs.json", "glossary.json", "references.json"};
    known.insert(known.end(), std::begin(fact_files), std::end(fact_files));
    if (std::ranges::find(known, name) == known.end())
      report(path, "facts must be in " + join(known, ", "),
             "move its entries to one of these files");
  }

  void report(const std::string& path, const std::string& why, std::string hint) {
    diagnostics_.error(Rule::unlisted_chapter, path, "this file is ignored: " + why);
    diagnostics_.hint(std::move(hint));
  }

  const Book& book_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_unlisted(const FileSystem& files, const Book& book, Diagnostics& diagnostics) {
  Check check(book, diagnostics);
  for (const auto& path : files.list("chapters")) check.file(path);
  for (const auto& path : files.list("figures/specs")) check.spec(path);
}

}  // namespace primer
