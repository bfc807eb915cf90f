#include "generator/workshop/entered_entries.hpp"

#include "generator/formats/json_entry.hpp"
#include "generator/formats/json_file.hpp"
#include "generator/load/references.hpp"

namespace primer {
namespace {

// Null where it is no object.
nlohmann::json object_in(const std::string& text) {
  Diagnostics reported_by_check;
  const auto file = parse_json("", text, reported_by_check);
  return file && file->value.is_object() ? file->value : nlohmann::json();
}

}  // namespace

bool has_entries(const std::string& file) {
  return file.starts_with(facts_directory) && file.ends_with(".json");
}

std::vector<EnteredEntry> entered_entries(const EditedFiles& files) {
  std::vector<EnteredEntry> all;
  for (const auto& path : files.edited()) {
    if (!has_entries(path)) continue;
    const auto published = object_in(files.published(path).value_or("{}")),
               draft = object_in(files.read(path).value_or(""));
    for (const auto& [id, value] : draft.items())
      if (!published.contains(id)) all.push_back({path, id});
  }
  return all;
}

DraftTexts keep_entries_of(EditedFiles& files, const std::string& file, const std::string& draft,
                           const std::string& left_out) {
  if (!has_entries(file)) return {};
  const std::string published = files.published(file).value_or("{}\n");
  const bool can = object_in(published).is_object() && object_in(draft).is_object();
  return {
      {file, redraft(files, file, can ? with_entries_of(published, draft, left_out) : published)}};
}

}  // namespace primer
