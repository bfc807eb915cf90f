#include "generator/tools/import/lowered.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "generator/core/base/text.hpp"

namespace primer {

void Lowered::add(const std::string& what, const std::string& fate, const std::string& file,
                  int line) {
  Kind& kind = kinds_[{what, fate}];
  if (kind.times++ == 0) kind.first_place = file + (line > 0 ? ':' + std::to_string(line) : "");
  if (kind.last_file != file) ++kind.files;
  kind.last_file = file;
}

std::size_t Lowered::count() const {
  std::size_t count = 0;
  for (const auto& [what, kind] : kinds_) count += kind.times;
  return count;
}

std::string Lowered::table() const {
  std::vector<std::pair<std::pair<std::string, std::string>, Kind>> sorted(kinds_.begin(),
                                                                           kinds_.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const auto& kind) { return kind.second.times; });
  const auto cell = [](std::string text) { return replace_all(std::move(text), "|", "\\|"); };
  std::string out =
      "| what | times | files | what became of it | first in |\n|---|---|---|---|---|\n";
  for (const auto& [what, kind] : sorted) {
    out += "| " + cell(what.first) + " | " + std::to_string(kind.times) + " | " +
           std::to_string(kind.files) + " | " + cell(what.second) + " | " + cell(kind.first_place) +
           " |\n";
  }
  return out;
}

}  // namespace primer
