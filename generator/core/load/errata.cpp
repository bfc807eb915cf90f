#include "generator/core/load/errata.hpp"

#include <algorithm>

#include "generator/core/base/calendar.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/formats/yaml.hpp"

namespace primer {
namespace {

std::vector<std::string> slugs_of(const Book& book) {
  std::vector<std::string> slugs;
  for (const auto* list : {&book.chapters, &book.pages}) {
    for (const auto& entry : *list) slugs.push_back(entry.slug);
  }
  return slugs;
}

}  // namespace

std::vector<Erratum> load_errata(const FileSystem& files, const Book& book,
                                 Diagnostics& diagnostics, Cache* cache) {
  std::vector<Erratum> errata;
  auto text = files.read(errata_file);
  if (!text) report_unreadable(files, errata_file, diagnostics);
  if (!text) return errata;
  const Source source(errata_file, std::move(*text));
  if (!check_text(source, TextKind::prose, diagnostics)) return errata;
  const auto yaml = parse_yaml(source, diagnostics);
  if (!yaml || !conforms("errata", "the list", *yaml, source, diagnostics, cache)) return errata;
  const auto slugs = slugs_of(book);
  const std::string latest = latest_day(book.as_of);
  for (const auto& item : yaml->items) {
    Record record(item, source, diagnostics);
    Erratum one{record.required_text("date"), record.required_text("chapter"),
                record.required_text("text"), record.text("commit").value_or("")};
    const auto fault = date_fault(one.date, latest);
    if (fault) record.error(Rule::bad_value, record.at("date"), *fault);
    if (std::find(slugs.begin(), slugs.end(), one.slug) == slugs.end()) {
      record.error(Rule::dead_link, record.at("chapter"),
                   "the book has no chapter " + in_quotes(one.slug), nearest(one.slug, slugs));
    }
    errata.push_back(std::move(one));
  }
  return errata;
}

}  // namespace primer
