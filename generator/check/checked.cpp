#include "generator/check/checked.hpp"

#include "generator/base/text.hpp"
#include "generator/load/values.hpp"

namespace primer {
namespace {

std::string counted(std::size_t n, const char* what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

}  // namespace

std::string checked(std::size_t pages, const FileSystem& book, bool prose) {
  Diagnostics reported_already;
  figures::Facts facts;
  load_facts(book, facts, reported_already);
  return "checked " + counted(pages, "page") + " against " + counted(facts.all().size(), "fact") +
         (prose ? ", and their prose" : "") + ": no errors\n";
}

std::vector<std::string> narrow(const std::set<std::string>& files, const Looked& looked,
                                Diagnostics& found) {
  std::vector<std::string> unchecked;
  const bool loaded = !looked.pages.empty();
  for (const auto& file : files) {
    if (!loaded) {
      unchecked.push_back(in_quotes(file) + " was not checked, because of errors in the book");
    } else if (!looked.pages.contains(file) && !looked.was_read(file)) {
      unchecked.push_back(in_quotes(file) +
                          " was not checked: no page of the book is made of it or uses it");
    }
  }
  if (!loaded) return unchecked;
  const auto all = found.count(Severity::error);
  found.keep_only(files);
  const auto others = all - found.count(Severity::error);
  if (others > 0) {
    unchecked.push_back(
        "what needs the whole site, such as addresses and images, was not checked, because of " +
        counted(others, "error") + " in other files: primer check lists them");
  }
  return unchecked;
}

}  // namespace primer
