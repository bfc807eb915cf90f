#include "generator/tools/import/report.hpp"

#include <algorithm>
#include <functional>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {

std::string place_in(const std::string& file, int line) {
  return visible(file) + (line > 0 ? ':' + std::to_string(line) : "");
}

// Text of a cell of a Markdown table, as code so that nothing in it is markup.
std::string cell(const std::string& text) {
  return "`` " + replace_all(replace_all(visible(shortened(text)), "``", "`"), "|", "\\|") + " ``";
}

std::string plain_cell(const std::string& text) {
  return replace_all(visible(shortened(text)), "|", "\\|");
}

}  // namespace

void ImportReport::changed(const std::string& what, const std::string& now, const std::string& file,
                           int line) {
  changed_[{what, now}][file].push_back(line);
}

void ImportReport::lost(const std::string& text, const std::string& file, int line) {
  lost_.push_back({place_in(file, line), text});
}

void ImportReport::not_taken(const std::string& file, const std::string& why,
                             const std::string& list, int line) {
  not_taken_.push_back({place_in(list, line), file + ": " + why});
}

std::size_t ImportReport::changes() const {
  std::size_t count = 0;
  for (const auto& [what, places] : changed_)
    for (const auto& [file, lines] : places) count += lines.size();
  return count;
}

std::string ImportReport::markdown() const {
  std::string out;
  const auto list = [&](const char* heading, const std::vector<Loss>& all) {
    if (all.empty()) return;
    out += "## " + std::string(heading) + "\n\n| place | what |\n|---|---|\n";
    for (const auto& [place, text] : all)
      out += "| " + plain_cell(place) + " | " + cell(text) + " |\n";
    out += '\n';
  };
  list("Files that were not imported", not_taken_);
  list("Not in the new book", lost_);
  using Change = std::pair<std::pair<std::string, std::string>, const Places*>;
  std::vector<std::pair<std::size_t, Change>> sorted;
  for (const auto& [what, places] : changed_) {
    std::size_t times = 0;
    for (const auto& [file, lines] : places) times += lines.size();
    sorted.push_back({times, {what, &places}});
  }
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& one) { return one.first; });
  if (!sorted.empty()) out += "## Changed\n\n";
  for (const auto& [times, change] : sorted) {
    out += "- " + plain_cell(change.first.first) + ": " + plain_cell(change.first.second) + " (" +
           counted(times, "time") + ")\n";
    for (const auto& [file, lines] : *change.second) {
      std::vector<std::string> numbers;
      for (const int line : lines)
        if (line > 0) numbers.push_back(std::to_string(line));
      out += "  - `" + visible(file) + '`' + (numbers.empty() ? "" : ": " + join(numbers, ", ")) +
             '\n';
    }
  }
  return out;
}

}  // namespace primer
