#include "generator/core/pipeline/build_stats.hpp"

#include <iomanip>
#include <sstream>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {

const char* name_of(Cache::Kind kind) {
  switch (kind) {
    case Cache::Kind::page: return "pages";
    case Cache::Kind::index: return "indexes of chapters";
    case Cache::Kind::aligned: return "indexes of translations";
    case Cache::Kind::code: return "blocks of code";
    case Cache::Kind::figure: return "figures";
    case Cache::Kind::formula: return "formulas";
    case Cache::Kind::checked: return "checks of files";
    case Cache::Kind::history: return "answers of git";
    case Cache::Kind::feed_item: return "items of feeds";
    case Cache::Kind::build: break;
  }
  return "records of builds";
}

}  // namespace

std::string explanation(const BuildReport& report) {
  if (report.unchanged) return "nothing that the last build read or wrote has changed\n";
  std::string out;
  for (const auto& page : report.pages) {
    out += visible(page.file) + ": " + (page.rendered ? "rendered" : "from the cache");
    out += page.changes.empty() ? "" : "; " + visible(join(page.changes, ", "));
    out += '\n';
  }
  return out;
}

std::string statistics(const BuildReport& report) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(1);
  double total = 0;
  for (const auto& [stage, milliseconds] : report.stages) {
    out << std::setw(9) << milliseconds << " ms  " << stage << '\n';
    total += milliseconds;
  }
  out << std::setw(9) << total << " ms  in all\n";
  for (const auto& [kind, tally] : report.cache) {
    out << std::setw(9) << tally.found << " of " << tally.found + tally.missed << ' '
        << name_of(kind) << " were in the cache\n";
  }
  return std::move(out).str();
}

}  // namespace primer
