#include "generator/load/values.hpp"

#include "generator/base/calendar.hpp"
#include "generator/base/pack.hpp"
#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/formats/json_file.hpp"
#include "generator/formats/schema.hpp"
#include "generator/load/gallery.hpp"
#include "generator/load/profile_validation.hpp"
#include "generator/load/references.hpp"

namespace primer {
namespace {

constexpr std::string_view profiles = "figures/profiles/";

struct LoadedProfile {
  std::optional<figures::Profile> profile;
  std::string text;  // its file
};

void report_missing_profile(const FileSystem& files, const std::string& key,
                            const std::string& name, Diagnostics& diagnostics) {
  const std::string path = std::string(profiles) + name + ".json";
  std::vector<std::string> names;
  for (const auto& file : files.list("figures/profiles")) {
    if (file.ends_with(".json")) {
      names.push_back(file.substr(profiles.size(), file.size() - profiles.size() - 5));
    }
  }
  const Source source(book_file, files.read(book_file).value_or(""));
  const auto at = source.text().find(name, source.text().find(key + ':'));
  auto& d = diagnostics.error(Rule::unknown_profile, source, at, name.size(),
                              "the reference profile " + in_quotes(path) + " does not exist",
                              nearest(name, names));
  d.notes.emplace_back("record one with scripts/measure, or build with --unmeasured");
}

// The profile that book.yaml names under `key`; empty after a diagnostic, or where nothing is measured yet.
LoadedProfile load_profile(const FileSystem& files, const std::string& key, const std::string& name,
                           const Values& values, Diagnostics& diagnostics, Cache* cache) {
  const std::string path = std::string(profiles) + name + ".json";
  auto text = is_identifier(name) ? files.read(path) : std::nullopt;
  if (!text) {
    if (values.unmeasured || report_unreadable(files, path, diagnostics)) return {};
    report_missing_profile(files, key, name, diagnostics);
    return {};
  }
  LoadedProfile loaded;
  const std::string valid = valid_profile_key(*text);
  if (cache && cache->find(Cache::Kind::checked, valid)) {
    auto profile = figures::parse_profile(*text);
    if (profile) loaded.profile = std::move(profile).value();
  } else {
    const auto file = read_json(files, path, diagnostics);
    if (!file) return {};
    loaded.profile = validate_profile(*file, values.catalogue, diagnostics, values.latest);
    if (cache && diagnostics.empty()) cache->store(Cache::Kind::checked, valid, "");
  }
  if (loaded.profile) loaded.text = std::move(*text);
  return loaded;
}

void load_measured(const FileSystem& files, const Book& book, Values& values,
                   Diagnostics& diagnostics, Cache* cache) {
  values.latest = latest_day(book.as_of);
  if (!book.reference.empty()) {
    auto loaded = load_profile(files, "reference", book.reference, values, diagnostics, cache);
    values.reference = std::move(loaded.profile);
    values.reference_text = std::move(loaded.text);
  }
  if (!book.reference_gpu.empty()) {
    Diagnostics about_gpu;  // by itself: a mistake in the other says nothing of this one
    auto loaded =
        load_profile(files, "reference_gpu", book.reference_gpu, values, about_gpu, cache);
    values.reference_gpu = std::move(loaded.profile);
    diagnostics.append(std::move(about_gpu));
  }
}

}  // namespace

void load_facts(const FileSystem& files, figures::Facts& facts, Diagnostics& diagnostics,
                Cache* cache) {
  std::vector<JsonFile> loaded;
  for (const std::string_view name : fact_files) {
    auto file = read_json(files, facts_directory + std::string(name), diagnostics);
    if (!file || !conforms("facts", "the fact", *file, diagnostics, cache)) continue;
    const auto status = facts.load(file->value);
    if (!status) {
      json_error(*file, status.error().path, status.error().message, diagnostics);
      if (status.error().code == figures::Code::unknown_unit)
        diagnostics.hint(std::string(usual_units));
    }
    loaded.push_back(std::move(*file));
  }
  // What a derived fact needs may be in a file that was not read.
  const auto derived = diagnostics.has_errors() ? figures::ok() : facts.derive();
  if (derived) return;
  const std::string& path = derived.error().path;
  const std::string id = path.substr(0, path.rfind('.'));  // a fact's member
  for (const auto& file : loaded) {
    if (file.value.contains(id)) json_error(file, path, derived.error().message, diagnostics);
  }
}

void check_sources(const FileSystem& files, const figures::Facts& facts, const References& library,
                   Diagnostics& diagnostics) {
  constexpr std::size_t most_told = 100;                   // each is looked for in the whole file
  std::vector<std::pair<std::string, std::string>> wrong;  // path to the source, its id
  for (const auto& fact : facts.all()) {
    for (std::size_t i = 0; i < fact.sources.size(); ++i) {
      const auto work = library.references.find(fact.sources[i]);
      const bool good = work != library.references.end() && work->second.compared;
      if (good || wrong.size() >= most_told) continue;
      wrong.emplace_back(fact.id + ".sources[" + std::to_string(i) + ']', fact.sources[i]);
    }
  }
  if (wrong.empty()) return;
  std::vector<std::string> known;
  for (const auto& [id, reference] : library.references) known.push_back(id);
  for (const std::string_view name : fact_files) {
    const auto file = read_json(files, facts_directory + std::string(name), diagnostics);
    for (const auto& [path, id] : wrong) {
      if (!file || !file->value.contains(path.substr(0, path.rfind(".sources")))) continue;
      const JsonPlace place = json_place(*file, path);
      const bool there = library.references.contains(id);
      diagnostics.error(Rule::unknown_citation, file->source, place.offset, place.length,
                        there ? not_compared(id) : "no reference has the id " + in_quotes(id),
                        there ? "" : nearest(id, known));
      diagnostics.hint(there ? std::string(how_to_compare)
                             : "works are entries of chapters/facts/references.json");
    }
  }
}

namespace {

struct Misdated {
  std::string path, why;  // "rubin-bandwidth.as_of"
};

void report_dates(const JsonFile& file, const std::vector<Misdated>& all,
                  Diagnostics& diagnostics) {
  for (const auto& [path, why] : all) {
    const std::size_t dot = path.rfind('.');
    const auto entry = file.value.find(path.substr(0, dot));
    if (entry == file.value.end() || !entry->contains(path.substr(dot + 1))) continue;
    const JsonPlace place = json_place(file, path);
    diagnostics.error(Rule::bad_value, file.source, place.offset, place.length, why);
  }
}

}  // namespace

void check_dates(const FileSystem& files, const figures::Facts& facts, const References& library,
                 const Book& book, Diagnostics& diagnostics) {
  constexpr std::size_t most_told = 100;
  const std::string latest = latest_day(book.as_of);
  std::vector<Misdated> of_facts, of_works;
  const auto note = [&](std::vector<Misdated>& all, const std::string& path,
                        const std::string& date, std::string_view until) {
    const auto fault = date.empty() ? std::nullopt : date_fault(date, until);
    if (fault && all.size() < most_told) all.push_back({path, *fault});
  };
  for (const auto& fact : facts.all()) {
    if (fact.status.empty()) continue;
    note(of_facts, fact.id + ".as_of", fact.as_of, book.as_of);
    note(of_facts, fact.id + ".said", fact.said, fact.as_of);
  }
  for (const auto& [id, reference] : library.references)
    note(of_works, id + ".accessed", reference.accessed, latest);
  if (of_facts.empty() && of_works.empty()) return;
  for (const std::string_view name : fact_files) {
    if (const auto file = read_json(files, facts_directory + std::string(name), diagnostics)) {
      report_dates(*file, of_facts, diagnostics);
    }
  }
  const auto works =
      read_json(files, facts_directory + std::string("references.json"), diagnostics);
  if (works) report_dates(*works, of_works, diagnostics);
}

std::unique_ptr<const Values> load_values(const FileSystem& files, const Book& book,
                                          bool unmeasured, Diagnostics& diagnostics, Cache* cache,
                                          const Tasks& tasks) {
  auto values = std::make_unique<Values>();
  values->unmeasured = unmeasured;
  const auto own_files = watched(files);  // whatever else is read beside
  auto catalogue = figures::Catalogue::from_json(kernel_descriptions());
  if (catalogue) {
    values->catalogue = std::move(catalogue).value();
  } else {
    diagnostics.error(Rule::bad_json, "wasm_kernels/registry.cpp", catalogue.error().message);
  }
  auto reference = tasks.start([&, values = values.get()] {
    Diagnostics about_reference;
    load_measured(*own_files, book, *values, about_reference, cache);
    return about_reference;
  });
  load_facts(*own_files, values->facts, diagnostics, cache);
  diagnostics.append(reference.get());
  // Said once; not again for every number that it would have held.
  if (!book.reference.empty() && !values->reference) values->unmeasured = true;
  Packer packer;
  packer.add(own_files->reads());
  values->version = digest(packer.bytes);
  return values;
}

}  // namespace primer
