#include "generator/core/load/values.hpp"

#include "generator/core/base/calendar.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/load/gallery.hpp"
#include "generator/core/load/profile_validation.hpp"
#include "generator/core/load/references.hpp"

namespace primer {
namespace {

constexpr std::string_view profiles = "figures/profiles/";

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
  // A name like that of another profile is a typing error; any other has not been recorded yet.
  const std::string suggestion = nearest(name, names);
  if (suggestion.empty()) {
    diagnostics.warning(Rule::unknown_profile, source, at, name.size(),
                        "the reference profile " + in_quotes(path) + " is not recorded yet");
  } else {
    diagnostics.error(Rule::unknown_profile, source, at, name.size(),
                      "the reference profile " + in_quotes(path) + " does not exist", suggestion);
  }
  diagnostics.hint("to record this machine, run: primer measure");
}

// The profile that book.yaml names under `key`. Empty after a diagnostic, or in an unmeasured build
// without the file.
ReferenceProfile load_profile(const FileSystem& files, const std::string& key,
                              const std::string& name, const Values& values,
                              Diagnostics& diagnostics, Cache* cache) {
  const std::string path = std::string(profiles) + name + ".json";
  auto text = is_identifier(name) ? files.read(path) : std::nullopt;
  if (!text) {
    if (values.unmeasured || report_unreadable(files, path, diagnostics)) return {};
    report_missing_profile(files, key, name, diagnostics);
    return {};
  }
  std::optional<figures::Profile> loaded;
  const std::string valid = valid_profile_key(*text) + to_text(values.kernels->version());
  if (cache && cache->find(Cache::Kind::checked, valid)) {
    auto profile = figures::parse_profile(*text);
    if (profile) loaded = std::move(profile).value();
  } else {
    const auto file = read_json(files, path, diagnostics);
    if (!file) return {};
    loaded = validate_profile(*file, values.catalogue, diagnostics, values.latest);
    if (cache && diagnostics.empty()) cache->store(Cache::Kind::checked, valid, "");
  }
  if (!loaded) return {};
  return {path, std::move(*text), std::move(*loaded)};
}

void load_measured(const FileSystem& files, const Book& book, Values& values,
                   Diagnostics& diagnostics, Cache* cache) {
  values.latest = latest_day(book.as_of);
  if (!book.reference.empty()) {
    values.reference = load_profile(files, "reference", book.reference, values, diagnostics, cache);
  }
  if (!book.reference_gpu.empty()) {
    // separate, because mistakes in the other profile must not affect this one
    Diagnostics about_gpu;
    values.reference_gpu =
        load_profile(files, "reference_gpu", book.reference_gpu, values, about_gpu, cache);
    diagnostics.append(std::move(about_gpu));
  }
}

// Everything that a page can show of a fact. The other members are derived from its text.
auto members_of(const figures::Fact& fact) {
  const auto& [id, quantity, literal, text, unit, kind, sources, from, note, read, status, as_of,
               said, by] = fact;
  return std::tie(kind, sources, id, text, from, note, read, status, as_of, said, by);
}

auto members_of(const figures::Thing& thing) {
  const auto& [id, title, vendor] = thing;
  return std::tie(id, title, vendor);
}

Digest digest_of_all(const auto& entries) {
  Packer packer;
  for (const auto& entry : entries) packer.add(members_of(entry));
  return digest(packer.bytes);
}

Digest digest_of_one(const auto* entry) {
  return entry ? digest(pack(members_of(*entry))) : absent;
}

}  // namespace

ReferenceProfile::ReferenceProfile(std::string file, std::string text, figures::Profile profile) {
  const Digest version = digest(text);
  content_ = std::make_shared<const Content>(
      Content{std::move(file), std::move(text), std::move(profile), version});
}

std::shared_ptr<const ReferenceProfile::Content> ReferenceProfile::nothing() {
  static const auto none = std::make_shared<const Content>();
  return none;
}

const figures::Profile* ReferenceProfile::get() const {
  if (is_watched_) is_asked_for_ = true;
  return content_->profile ? &*content_->profile : nullptr;
}

ReferenceProfile ReferenceProfile::watched() const {
  ReferenceProfile view = *this;
  view.is_watched_ = true;
  return view;
}

// A missing profile needs no record, because whether there is one is part of the book's settings.
Dependencies ReferenceProfile::reads() const {
  if (!is_asked_for_ || !content_->profile) return {};
  return {{Dependency::file(content_->file), content_->version}};
}

Values Values::watched() const {
  Values view;
  view.lookups_ = std::make_shared<figures::FactLookups>();
  view.facts = facts.watched(*view.lookups_);
  view.catalogue = catalogue;
  view.kernels = kernels;
  view.reference = reference.watched();
  view.reference_gpu = reference_gpu.watched();
  view.unmeasured = unmeasured;
  view.latest = latest;
  return view;
}

Dependencies Values::reads() const {
  Dependencies reads = reference.reads();
  reads.merge(reference_gpu.reads());
  if (lookups_) reads.merge(reads_of(facts, *lookups_));
  return reads;
}

Digest digest_of(const figures::Facts& facts, const Dependency& asked) {
  const std::string& id = asked.what;
  if (asked.kind == Dependency::Kind::fact)
    return id.empty() ? digest_of_all(facts.all()) : digest_of_one(facts.find(id));
  return id.empty() ? digest_of_all(facts.things()) : digest_of_one(facts.thing_of(id));
}

Dependencies reads_of(const figures::Facts& facts, const figures::FactLookups& lookups) {
  Dependencies reads;
  const auto add = [&](Dependency::Kind kind, const auto& ids) {
    for (const auto& id : ids) {
      const Dependency asked{kind, id};
      reads.emplace(asked, digest_of(facts, asked));
    }
  };
  add(Dependency::Kind::fact, lookups.facts);
  add(Dependency::Kind::thing, lookups.things);
  return reads;
}

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
  // A derived fact may need a file that could not be read.
  const auto derived = diagnostics.has_errors() ? figures::ok() : facts.derive();
  if (derived) return;
  const std::string& path = derived.error().path;
  const std::string id = path.substr(0, path.rfind('.'));  // the part before the member's name
  for (const auto& file : loaded) {
    if (file.value.contains(id)) json_error(file, path, derived.error().message, diagnostics);
  }
}

void check_sources(const FileSystem& files, const figures::Facts& facts, const References& library,
                   Diagnostics& diagnostics) {
  constexpr std::size_t most_told = 100;  // the search for each scans the whole file
  std::vector<std::pair<std::string, std::string>> wrong;  // path to the source, and its id
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
                             : "references are listed in chapters/facts/references.json");
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
  values->kernels = BookKernels::load(files, book, diagnostics);
  auto catalogue = figures::Catalogue::from_json(values->kernels->descriptions());
  if (catalogue) {
    values->catalogue = std::move(catalogue).value();
  } else {
    diagnostics.error(Rule::bad_json, "wasm_kernels/registry.cpp", catalogue.error().message);
  }
  auto reference = tasks.start([&, values = values.get()] {
    Diagnostics about_reference;
    load_measured(files, book, *values, about_reference, cache);
    return about_reference;
  });
  load_facts(files, values->facts, diagnostics, cache);
  diagnostics.append(reference.get());
  // The missing profile was reported, so do not report every number that depends on it.
  if (!book.reference.empty() && !values->reference) values->unmeasured = true;
  return values;
}

}  // namespace primer
