#include "generator/check/checked.hpp"

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

}  // namespace primer
