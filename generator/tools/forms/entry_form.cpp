#include "generator/tools/forms/entry_form.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "generator/core/base/text.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/json_entry.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/values.hpp"

namespace primer {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

constexpr std::string_view claim_files[] = {"claims.json"}, work_files[] = {"references.json"};
constexpr std::string_view news[] = {"status", "as_of", "said", "by"};

struct EntryKind {
  std::string_view name, schema;
  std::span<const std::string_view> files;  // relative to facts_directory
  std::string_view member;  // a member that tells this kind from others in the schema
  std::span<const std::string_view> left_out, required;  // members, in addition to the schema
  bool in_lines;                                         // layout in the file (json_entry.hpp)
};

constexpr EntryKind kinds[] = {
    {"fact", "facts", fact_files, "value", news, {}, false},
    {"claim", "facts", claim_files, "value", {}, std::span(news).first(2), false},
    {"reference", "references", work_files, "title", {}, {}, true}};

const EntryKind* kind_named(std::string_view name) {
  const auto found = std::ranges::find(kinds, name, &EntryKind::name);
  return found == std::end(kinds) ? nullptr : found;
}

bool holds(const auto& all, std::string_view one) {
  return std::ranges::find(all, one) != all.end();
}

// The variants of such an entry in the schema. The first is the usual one.
json forms_of(const EntryKind& kind) {
  const json& entry = schema(kind.schema).at("additionalProperties");
  json forms = json::array();
  for (const auto& form : entry.contains("oneOf") ? entry["oneOf"] : json::array({entry})) {
    if (form.at("properties").contains(std::string(kind.member))) forms.push_back(form);
  }
  return forms;
}

// Adds the names of all members in a schema that are missing, each after its predecessor.
void add_members(const Yaml& schema, Strings& names) {
  for (const auto& [key, value] : schema.entries) {
    auto place = names.begin();
    for (const auto& [name, member] : value.entries) {
      if (key.text != "properties") break;
      const auto found = std::ranges::find(names, name.text);
      place = 1 + (found == names.end() ? names.insert(place, name.text) : found);
    }
    add_members(value, names);
  }
  for (const auto& item : schema.items) add_members(item, names);
}

// The schema's members in the order of its text, in which the book writes them. nlohmann::json does
// not keep that order.
Strings members_in_order(const EntryKind& kind) {
  Strings names;
  add_members(json_tree(schema_text(kind.schema)), names);
  return names;
}

// The fields in that order.
std::vector<SchemaField> members_of(const EntryKind& kind, const json& forms) {
  auto all = schema_fields(json::object({{"oneOf", forms}}));
  std::vector<SchemaField> members;
  for (const auto& name : members_in_order(kind)) {
    const auto found = std::ranges::find(all, name, &SchemaField::name);
    if (found == all.end() || holds(kind.left_out, name)) continue;
    found->required = found->required || holds(kind.required, name);
    members.push_back(std::move(*found));
  }
  return members;
}

// The file with the entry whose id has the longest common prefix with this id, if it reaches a dot.
// "" if there is none.
std::string likely_file(const FileSystem& files, const EntryKind& kind, const std::string& id) {
  Diagnostics reported_by_check;
  std::string likely;
  std::size_t most = 0;
  for (const std::string_view name : kind.files) {
    const auto file = read_json(files, facts_directory + std::string(name), reported_by_check);
    if (!file) continue;
    for (const auto& [known, value] : file->value.items()) {
      std::size_t same = 0;
      while (same < id.size() && same < known.size() && id[same] == known[same]) ++same;
      const std::size_t dot = id.substr(0, same).rfind('.');
      if (dot == id.npos || dot <= most) continue;
      most = dot;
      likely = name;
    }
  }
  return likely;
}

// The members of the entry with this id. An empty object if the book has none.
json entry_in(const FileSystem& files, const EntryKind& kind, const std::string& id) {
  Diagnostics reported_by_check;
  for (const std::string_view name : kind.files) {
    const auto file = read_json(files, facts_directory + std::string(name), reported_by_check);
    if (file && file->value.is_object() && file->value.contains(id)) return file->value.at(id);
  }
  return json::object();
}

// A text member, or a list of texts, as the texts of a field.
Strings texts_of(const json& entry, const std::string& name) {
  const auto found = entry.find(name);
  if (found == entry.end()) return {};
  if (found->is_array()) return found->get<Strings>();
  return {found->get<std::string>()};
}

// The texts given for a field.
Strings given(const json& values, std::string_view name) {
  Strings all;
  const auto found = values.find(std::string(name));
  if (found == values.end()) return all;
  for (const auto& one : *found)
    if (one.is_string()) all.push_back(one.get<std::string>());
  return all;
}

// The variant that the values belong to: the first one whose constants they match.
const json& form_of(const json& forms, const json& values) {
  for (const auto& form : forms) {
    bool agrees = true;
    for (const auto& [name, member] : form.at("properties").items()) {
      if (!member.contains("const")) continue;
      const Strings said = given(values, name);
      const bool needed = holds(form.at("required").get<Strings>(), name);
      if (said.empty() ? needed : said.front() != member["const"]) agrees = false;
    }
    if (agrees) return form;
  }
  return forms.front();
}

// Replaces runs of white space by one space.
std::string in_a_line(std::string_view text) {
  std::string line;
  for (const char c : trim(text)) {
    const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!blank) line += c;
    else if (!line.ends_with(' ')) line += ' ';
  }
  return line;
}

// The value of a field in JSON. A missing one is empty, so that the schema reports it.
json value_of(const SchemaField& field, const Strings& all) {
  const std::string first = all.empty() ? "" : in_a_line(all.front());
  switch (field.kind) {
    case SchemaField::Kind::flag: return first == "true";
    case SchemaField::Kind::texts: {
      json list = json::array();
      for (const auto& one : all) list.push_back(in_a_line(one));
      return list;
    }
    case SchemaField::Kind::number: {
      const auto number = json::parse(first, nullptr, false);
      return number.is_number() ? number : json(first);
    }
    default: return first;
  }
}

std::string written(const EntryKind& kind, const std::string& id, const json& values) {
  const json forms = forms_of(kind);
  const Strings needed = form_of(forms, values).at("required").get<Strings>();
  json members = json::object();
  for (const auto& field : members_of(kind, forms)) {
    const Strings value = given(values, field.name);
    if (!value.empty() || field.required || holds(needed, field.name))
      members[field.name] = value_of(field, value);
  }
  return written_entry(id, members_in_order(kind), members, kind.in_lines);
}

FieldFault fault_of(std::string field, Rule rule, const std::string& path, std::string message) {
  Diagnostic diagnostic;
  diagnostic.rule = rule;
  diagnostic.file = path;
  diagnostic.message = std::move(message);
  return {std::move(field), std::move(diagnostic)};
}

std::string first_of(const json& values, std::string_view name) {
  const Strings all = given(values, name);
  return all.empty() ? "" : in_a_line(all.front());
}

// Path of the chosen file. After a fault, of the first one.
std::string file_of(const EntryKind& kind, const json& values, std::vector<FieldFault>& faults) {
  const Strings names(kind.files.begin(), kind.files.end());
  const std::string chosen = first_of(values, "file");
  const std::string path = facts_directory + (holds(names, chosen) ? chosen : names.front());
  if (names.size() > 1 && !holds(names, chosen)) {
    faults.push_back(
        fault_of("file", Rule::bad_value, path, "\"file\" must be one of " + join(names, ", ")));
  }
  return path;
}

// Whether all files of the kind can be read and none has the id.
bool is_free(const FileSystem& files, const EntryKind& kind, const std::string& id,
             std::vector<FieldFault>& faults) {
  const std::size_t before = faults.size();
  for (const std::string_view name : kind.files) {
    const std::string path = facts_directory + std::string(name);
    Diagnostics wrong;
    const auto there = read_json(files, path, wrong);
    if (there && !there->value.is_object()) conforms(kind.schema, "the file", *there, wrong);
    for (auto& one : wrong.sorted()) faults.push_back({"", std::move(one)});
    if (there && there->value.contains(id)) {
      faults.push_back(
          fault_of("id", Rule::bad_id, path, in_quotes(id) + " already exists in " + path));
    }
  }
  return faults.size() == before;
}

// Whether a diagnostic is at this offset or after it.
bool is_from(const Diagnostic& diagnostic, const Source& source, std::size_t offset) {
  const Position place = source.position(offset);
  return std::pair(diagnostic.line, diagnostic.column) >= std::pair(place.line, place.column);
}

// The field that a diagnostic is about. No value if it is about something else.
std::optional<std::string> field_at(const Source& source, const Yaml& tree, const std::string& id,
                                    const Diagnostic& found) {
  const auto entry =
      std::ranges::find(tree.entries, id, [](const auto& one) { return one.key.text; });
  const auto next = std::next(entry);
  if (found.file != source.path() || !is_from(found, source, entry->key.offset)) return {};
  if (next != tree.entries.end() && is_from(found, source, next->key.offset)) return {};
  if (!is_from(found, source, entry->value.offset)) return "id";
  std::string field;
  for (const auto& [key, value] : entry->value.entries)
    if (is_from(found, source, key.offset)) field = key.text;
  return field;
}

// Checks a file that contains the entry `id` and adds what is wrong with the entry.
void check(const FileSystem& files, const EntryKind& kind, const std::string& id,
           const EnteredFile& file, std::vector<FieldFault>& faults) {
  Diagnostics unreadable;
  const auto read = parse_json(file.path, file.text, unreadable);
  for (auto& one : unreadable.sorted()) faults.push_back({"", std::move(one)});
  if (!read) return;
  const auto upper = in_memory({{file.path, file.text}});
  const auto all = layered(*upper, files);
  Diagnostics found, reported_by_check;
  const auto book = load_book(*all, reported_by_check);
  if (book) found.judge_by(book->severities);
  figures::Facts facts;
  load_facts(*all, facts, found);
  const References library = load_references(*all, found);
  check_sources(*all, facts, library, found);
  if (book) check_dates(*all, facts, library, *book, found);
  for (auto& one : found.sorted()) {
    if (one.severity != Severity::error) continue;
    auto field = field_at(read->source, read->tree, id, one);
    if (field) faults.push_back({std::move(*field), std::move(one)});
  }
  if (kind.schema == "references" && !read->value.at(id).at("checked").get<bool>())
    faults.push_back(fault_of("checked", Rule::unknown_citation, file.path, not_compared(id)));
}

}  // namespace

std::vector<FormField> entry_form(const FileSystem& files, std::string_view kind_name,
                                  const std::string& id) {
  const EntryKind* kind = kind_named(kind_name);
  if (!kind) return {};
  using Kind = SchemaField::Kind;
  const json names = schema(kind->schema).at("propertyNames");
  std::vector<FormField> fields;
  fields.push_back({{"id", names.at("description").get<std::string>(), Kind::text, true, {}}});
  if (!id.empty()) fields[0].value = {id};
  if (kind->files.size() > 1) {
    fields.push_back({{"file", "the file that gets the new entry", Kind::choice, true, {}}});
    for (const auto name : kind->files) fields[1].schema.options.emplace_back(name);
    if (auto file = likely_file(files, *kind, id); !file.empty()) fields[1].value = {file};
  }
  const json forms = forms_of(*kind);
  const Strings usual = forms.front().at("required").get<Strings>();
  const auto members = members_of(*kind, forms);
  for (const bool needed : {true, false}) {
    for (const auto& member : members)
      if (needed == (member.required || holds(usual, member.name))) fields.push_back({member});
  }
  return fields;
}

std::vector<FormField> fact_form(const FileSystem& files, const std::string& id) {
  const json entry = entry_in(files, kinds[0], id);
  if (!entry.contains("value")) return {};
  std::vector<FormField> fields;
  for (auto& member : members_of(kinds[0], forms_of(kinds[0]))) {
    const bool of_source = member.name == "sources" || member.name == "read";
    if (member.name != "value" && member.name != "note" && !of_source) continue;
    if (of_source && entry.contains("kind")) continue;
    auto value = texts_of(entry, member.name);
    fields.push_back({std::move(member), {}, std::move(value)});
  }
  return fields;
}

std::string written_fact(const std::string& id, const json& members) {
  const EntryKind& kind = kinds[0];
  return written_entry(id, members_in_order(kind), members, kind.in_lines);
}

std::optional<EnteredFile> enter_entry(const FileSystem& files, std::string_view kind_name,
                                       const json& values, std::vector<FieldFault>& faults) {
  const EntryKind* kind = kind_named(kind_name);
  if (!kind) return std::nullopt;
  const std::string id = first_of(values, "id");
  EnteredFile file{file_of(*kind, values, faults), {}};
  if (!is_free(files, *kind, id, faults)) return std::nullopt;
  file.text =
      with_json_entries(files.read(file.path).value_or("{}\n"), {{id, written(*kind, id, values)}});
  check(files, *kind, id, file, faults);
  return faults.empty() ? std::optional(std::move(file)) : std::nullopt;
}

}  // namespace primer
