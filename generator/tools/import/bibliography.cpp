#include "generator/tools/import/bibliography.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "generator/core/base/text.hpp"
#include "generator/core/base/web_address.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/json_entry.hpp"
#include "generator/tools/import/bibtex.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

// A work as either format says it, before it is one of ours.
struct Work {
  std::string key, type, title, year, venue, url, doi, arxiv;
  std::vector<std::string> authors;
  int line = 0;  // in the BibTeX file; 0: CSL-JSON
};

constexpr std::pair<std::string_view, std::string_view> types[] = {
    {"article", "article-journal"},
    {"inproceedings", "paper-conference"},
    {"conference", "paper-conference"},
    {"phdthesis", "thesis"},
    {"mastersthesis", "thesis"},
    {"techreport", "report"},
    {"online", "webpage"},
    {"incollection", "chapter"},
    {"inbook", "chapter"},
    {"misc", "document"}};

Work work_of(const BibEntry& entry) {
  const auto field = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) {
      const auto found = entry.fields.find(name);
      if (found != entry.fields.end()) return without_tex(found->second);
    }
    return std::string();
  };
  const auto type = std::ranges::find(types, entry.type, [](const auto& one) { return one.first; });
  Work work;
  work.key = entry.key;
  work.type = type == std::end(types) ? entry.type : type->second;
  work.title = field({"title"});
  work.year = field({"year", "date"});
  work.venue = field({"journal", "journaltitle", "booktitle", "publisher", "school", "institution",
                      "organization"});
  work.url = field({"url"});
  work.doi = field({"doi"});
  const std::string archive = field({"archiveprefix", "eprinttype"});
  if (archive == "arXiv" || archive == "arxiv") work.arxiv = field({"eprint"});
  if (const std::string how = field({"howpublished"}); work.url.empty() && how.starts_with("http"))
    work.url = how;
  const auto authors = entry.fields.find(entry.fields.contains("author") ? "author" : "editor");
  if (authors != entry.fields.end()) work.authors = names_in(authors->second);
  return work;
}

std::string text_in(const nlohmann::json& item, const char* key) {
  const auto found = item.find(key);
  if (found == item.end()) return {};
  return found->is_string() ? found->get<std::string>() : found->is_number() ? found->dump() : "";
}

// The year of {"date-parts": [[2017, 6]]}, or of {"raw": "2017"}.
std::string year_in(const nlohmann::json& item) {
  const auto date = item.find("issued");
  if (date == item.end() || !date->is_object()) return {};
  const nlohmann::json::json_pointer first("/date-parts/0/0");
  if (!date->contains(first)) return text_in(*date, date->contains("raw") ? "raw" : "literal");
  const auto& year = date->at(first);
  return year.is_string() ? year.get<std::string>() : year.dump();
}

Work work_of(const nlohmann::json& item) {
  Work work;
  work.key = text_in(item, "id");
  work.type = text_in(item, "type");
  work.title = text_in(item, "title");
  work.year = year_in(item);
  for (const char* key : {"container-title", "publisher"})
    if (work.venue.empty()) work.venue = text_in(item, key);
  work.url = text_in(item, "URL");
  work.doi = text_in(item, "DOI");
  const auto authors = item.find(item.contains("author") ? "author" : "editor");
  for (std::size_t i = 0; authors != item.end() && authors->is_array() && i < authors->size();
       ++i) {
    const auto& one = (*authors)[i];
    if (!one.is_object()) continue;
    std::string name = text_in(one, "literal");
    const bool in_parts = name.empty();
    for (const char* key :
         {"given", "dropping-particle", "non-dropping-particle", "family", "suffix"}) {
      const std::string part = in_parts ? text_in(one, key) : "";
      if (!part.empty()) name += (name.empty() ? "" : " ") + part;
    }
    if (!trim(name).empty()) work.authors.emplace_back(trim(name));
  }
  return work;
}

std::optional<std::vector<Work>> works_in(const Source& source, Diagnostics& diagnostics) {
  std::vector<Work> works;
  const std::string_view text = trim(source.text());
  if (!text.starts_with('[') && !text.starts_with('{')) {
    for (const auto& entry : read_bibtex(source, diagnostics)) {
      works.push_back(work_of(entry));
      works.back().line = source.line_at(entry.offset);
    }
    if (works.empty() && !diagnostics.has_errors())
      diagnostics.error(Rule::bad_value, source, 0, 1, "this file contains no works");
    return diagnostics.has_errors() ? std::nullopt : std::optional(std::move(works));
  }
  const auto file = parse_json(source.path(), std::string(source.text()), diagnostics);
  if (!file) return std::nullopt;
  const auto items = file->value.is_array() ? file->value : nlohmann::json::array({file->value});
  for (const auto& item : items)
    if (item.is_object()) works.push_back(work_of(item));
  return works;
}

// "10.1000/x" and "https://doi.org/10.1000/x" are the same.
std::string bare(std::string text, std::initializer_list<std::string_view> fronts) {
  for (const auto front : fronts)
    if (text.starts_with(front)) text.erase(0, front.size());
  return text;
}

// The first number of four digits from 1900 to 2100, as in "June 2017"; 0: none.
int year_of(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto digits = std::min(text.find_first_not_of("0123456789", at), text.size()) - at;
    const int year = digits == 4 ? std::atoi(std::string(text.substr(at, 4)).c_str()) : 0;
    if (year >= 1900 && year <= 2100) return year;
    at += std::max<std::size_t>(digits, 1);
  }
  return 0;
}

const std::vector<std::string> reference_members = {"type", "title", "authors", "year",   "venue",
                                                    "url",  "doi",   "arxiv",   "checked"};

// Why it cannot be a reference; "" where it is one.
std::string entry_of(Work work, bool checked, nlohmann::json& entry) {
  work.doi = bare(work.doi, {"https://", "http://", "dx.", "doi.org/", "doi:"});
  work.arxiv = bare(work.arxiv, {"arXiv:", "arxiv:"});
  if (work.url.empty() && !work.doi.empty()) work.url = "https://doi.org/" + work.doi;
  if (work.url.empty() && !work.arxiv.empty()) work.url = "https://arxiv.org/abs/" + work.arxiv;
  if (work.title.empty()) return "it has no title";
  if (work.url.empty()) return "it has no address, DOI or arXiv number";
  const bool web = work.url.starts_with("https://") || work.url.starts_with("http://");
  if (!web || address_fault(work.url) || work.url.size() > 1000)
    return "its address is not valid in the book: " + work.url;
  entry["type"] = work.type.empty() ? "document" : work.type;
  entry["title"] = work.title;
  if (work.authors.size() > 1 && work.authors.back() == "others") {
    work.authors.pop_back();
    work.authors.back() += work.authors.size() == 1 ? " et al." : "";
  }
  if (!work.authors.empty()) entry["authors"] = work.authors;
  if (const int year = year_of(work.year); year != 0) entry["year"] = year;
  if (!work.venue.empty()) entry["venue"] = work.venue;
  entry["url"] = work.url;
  if (!work.doi.empty()) entry["doi"] = work.doi;
  if (!work.arxiv.empty()) entry["arxiv"] = work.arxiv;
  entry["checked"] = checked;
  return {};
}

}  // namespace

std::optional<ImportedReferences> with_references(const Source& bibliography,
                                                  const std::string& old, bool checked,
                                                  Diagnostics& diagnostics) {
  const auto there = parse_json(references_file, old.empty() ? "{}" : old, diagnostics);
  const auto works = works_in(bibliography, diagnostics);
  if (!there || !there->value.is_object() || !works) return std::nullopt;
  ImportedReferences made;
  std::map<std::string, std::string> entries;
  for (const auto& work : *works) {
    const std::string id = as_id(work.key);
    nlohmann::json entry;
    if (there->value.contains(id)) {
      made.there.push_back(id);
    } else if (const std::string why = entry_of(work, checked, entry); !why.empty()) {
      made.left_out.push_back({id + ": " + why, work.line});
    } else if (!entries.emplace(id, written_entry(id, reference_members, entry, true)).second) {
      made.left_out.push_back({id + ": another work of the file has the same id", work.line});
    } else {
      made.added.push_back(id);
      if (!work.year.empty() && year_of(work.year) == 0)
        made.changed.push_back(
            {id + ": its year is left out, because it is no number: " + work.year, work.line});
    }
  }
  made.text = with_json_entries(std::string(there->source.text()), entries);
  return made;
}

}  // namespace primer
