#include "generator/values.hpp"

#include "generator/json_file.hpp"
#include "generator/library.hpp"
#include "generator/pack.hpp"
#include "generator/spelling.hpp"
#include "generator/text.hpp"

namespace primer {
namespace {

constexpr const char* fact_files[] = {"assumptions.json", "chips.json", "claims.json",
                                      "energy.json",      "links.json", "models.json",
                                      "runs.json"};
constexpr std::string_view profiles = "figures/profiles/";

// The message of an error about a fact starts with its id.
std::string fact_id(const figures::Error& error) {
  return error.message.substr(0, error.message.find_first_of(": "));
}

void load_facts(const FileSystem& files, figures::Facts& facts, Diagnostics& diagnostics) {
  for (const char* name : fact_files) {
    const auto file = read_json(files, facts_directory + std::string(name), diagnostics);
    if (!file) continue;
    const auto loaded = facts.load(file->value);
    if (!loaded) json_error(*file, fact_id(loaded.error()), loaded.error().message, diagnostics);
  }
  const auto derived = facts.check_derived();
  if (derived) return;
  for (const char* name : fact_files) {
    const auto file = read_json(files, facts_directory + std::string(name), diagnostics);
    const std::string id = fact_id(derived.error());
    if (file && file->value.contains(id)) {
      json_error(*file, id, derived.error().message, diagnostics);
    }
  }
}

void load_reference(const FileSystem& files, const Book& book, Values& values,
                    Diagnostics& diagnostics) {
  const std::string path = std::string(profiles) + book.reference + ".json";
  auto text = is_identifier(book.reference) ? files.read(path) : std::nullopt;
  if (!text) {
    if (values.unmeasured) return;
    std::vector<std::string> names;
    for (const auto& file : files.list("figures/profiles")) {
      if (file.ends_with(".json")) {
        names.push_back(file.substr(profiles.size(), file.size() - profiles.size() - 5));
      }
    }
    auto& d = diagnostics.error(Rule::unknown_profile, book_file,
                                "the reference profile " + in_quotes(path) + " does not exist");
    d.suggestion = nearest(book.reference, names);
    d.notes.emplace_back("record one with scripts/measure, or build with --unmeasured");
    return;
  }
  auto profile = figures::parse_profile(*text);
  if (!profile) {
    diagnostics.error(Rule::bad_json, path, profile.error().message);
    return;
  }
  values.reference = std::move(profile).value();
  values.reference_text = std::move(*text);
}

}  // namespace

std::unique_ptr<const Values> load_values(const FileSystem& files, const Book& book,
                                          bool unmeasured, Diagnostics& diagnostics) {
  auto values = std::make_unique<Values>();
  values->unmeasured = unmeasured;
  auto catalogue = figures::Catalogue::from_json(kernel_descriptions());
  if (catalogue) {
    values->catalogue = std::move(catalogue).value();
  } else {
    diagnostics.error(Rule::bad_json, "wasm_kernels/registry.cpp", catalogue.error().message);
  }
  load_facts(files, values->facts, diagnostics);
  if (!book.reference.empty()) load_reference(files, book, *values, diagnostics);
  // Said once; not again for every number that it would have held.
  if (!book.reference.empty() && !values->reference) values->unmeasured = true;
  Packer packer;
  packer.add(files.reads());
  values->version = digest(packer.bytes);
  return values;
}

}  // namespace primer
