#include "generator/tools/facts/fact_edit.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "figures/quantities/expression.hpp"
#include "figures/quantities/facts.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/json_entry.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/load/values.hpp"
#include "generator/tools/forms/entry_form.hpp"

namespace primer {
namespace {
using figures::Fact;
using nlohmann::json;

// Values of facts by id, for derived facts.
class ValuesOfFacts : public figures::Scope {
 public:
  explicit ValuesOfFacts(const figures::Facts& facts) : facts_(facts) {}
  figures::Result<figures::Quantity> lookup(const figures::Name& name) override {
    const Fact* fact = name.function.empty() ? facts_.find(name.id) : nullptr;
    if (fact) return fact->quantity;
    return figures::Error{"no fact has the id " + in_quotes(name.id)};
  }

 private:
  const figures::Facts& facts_;
};

// The file with the value of one fact replaced, and nothing else.
std::string with_value(const JsonFile& file, const std::string& id, const std::string& value) {
  const JsonPlace place = json_place(file, JsonPath{id, "value"});
  std::string text(file.source.text());
  return text.replace(place.offset, place.length, json(value).dump());
}

std::string with_edit(const JsonFile& file, const FactEdit& edit) {
  json members = file.value.at(edit.id);
  members["value"] = edit.value;
  const json before = members;
  const auto set = [&](const char* name, const auto& value) {
    if (!value.empty()) members[name] = value;
    else if (edit.is_whole) members.erase(name);
  };
  set("sources", edit.sources);
  set("note", edit.note);
  set("read", edit.read);
  if (members == before) return with_value(file, edit.id, edit.value);
  return with_entry_replaced(std::string(file.source.text()), edit.id,
                             written_fact(edit.id, members));
}

// The files of facts, some of them edited.
class FactFiles {
 public:
  explicit FactFiles(const FileSystem& files) : files_(files) {}

  // The file that has the fact. No value if there is none.
  std::optional<JsonFile> file_of(const std::string& id) const {
    Diagnostics reported_by_check;
    for (const std::string_view name : fact_files) {
      auto file = read(std::string(name), reported_by_check);
      if (file && file->value.is_object() && file->value.contains(id)) return file;
    }
    return std::nullopt;
  }

  void replace(const std::string& path, std::string text) { edited_[path] = std::move(text); }

  // All facts, without a check of those that are derived.
  figures::Facts facts() const {
    Diagnostics reported_by_check;
    figures::Facts facts;
    for (const std::string_view name : fact_files) {
      const auto file = read(std::string(name), reported_by_check);
      if (file && file->value.is_object()) static_cast<void>(facts.load(file->value));
    }
    return facts;
  }

  const std::map<std::string, std::string>& edited() const { return edited_; }

 private:
  std::optional<JsonFile> read(const std::string& name, Diagnostics& diagnostics) const {
    const std::string path = facts_directory + name;
    const auto found = edited_.find(path);
    if (found != edited_.end()) return parse_json(path, found->second, diagnostics);
    return read_json(files_, path, diagnostics);
  }

  const FileSystem& files_;
  std::map<std::string, std::string> edited_;
};

// Rewrites the derived facts that no longer agree with their expressions. Returns false if none is
// left.
bool follow(FactFiles& files, std::vector<EditedFacts::Change>& changes) {
  const figures::Facts facts = files.facts();
  ValuesOfFacts values(facts);
  bool is_changed = false;
  for (const Fact& fact : facts.all()) {
    if (fact.kind != Fact::Kind::derived) continue;
    const auto expression = figures::Expression::parse(fact.from);
    const auto value = expression ? expression->evaluate(values) : expression.error();
    if (!value || value->dimension != fact.quantity.dimension ||
        figures::agrees(fact.literal, *value))
      continue;
    const auto file = files.file_of(fact.id);
    const std::string text = figures::rewrite(fact.literal, *value);
    if (!file || text == fact.text) continue;
    files.replace(file->source.path(), with_value(*file, fact.id, text));
    changes.push_back({fact.id, fact.text, text});
    is_changed = true;
  }
  return is_changed;
}

// Whether the fact can be set. Reports why not.
bool can_be_set(const Fact* fact, const FactEdit& edit, const figures::Facts& facts,
                Diagnostics& diagnostics) {
  if (!fact) {
    auto& d = diagnostics.error(Rule::unknown_fact, "", "no fact has the id " + in_quotes(edit.id));
    d.suggestion = facts.nearest(edit.id);
    return false;
  }
  if (fact->kind != Fact::Kind::derived) return true;
  diagnostics.error(Rule::bad_value, "",
                    in_quotes(edit.id) + " is derived: expected a fact with its own value");
  diagnostics.hint("it is " + fact->from + "; set one of these facts");
  return false;
}

std::string kind_of(figures::Dimension dimension) {
  return dimension.is_number() ? "a number without a unit"
                               : "a value in " + figures::describe(dimension);
}

// Whether the new value measures the same thing. Otherwise reports an error at the value in `file`.
// Leaves a value that is no quantity to load_facts().
bool has_its_dimension(const Fact& fact, const FactEdit& edit, const JsonFile& file,
                       Diagnostics& diagnostics) {
  const auto value = figures::parse_literal(edit.value);
  if (!value || value->quantity.dimension == fact.quantity.dimension) return true;
  const JsonPlace place = json_place(file, JsonPath{edit.id, "value"});
  diagnostics.error(Rule::bad_value, file.source, place.offset, place.length,
                    in_quotes(edit.value) + " is " + kind_of(value->quantity.dimension) +
                        ": expected " + kind_of(fact.quantity.dimension) + ", like " +
                        in_quotes(fact.text));
  return false;
}

}  // namespace

std::optional<EditedFacts> edit_fact(const FileSystem& files, const FactEdit& edit,
                                     Diagnostics& diagnostics) {
  FactFiles facts(files);
  const figures::Facts before = facts.facts();
  const Fact* fact = before.find(edit.id);
  if (!can_be_set(fact, edit, before, diagnostics)) return std::nullopt;
  const auto file = facts.file_of(edit.id);
  if (!has_its_dimension(*fact, edit, *file, diagnostics)) return std::nullopt;
  EditedFacts made;
  made.changes.push_back({edit.id, fact->text, edit.value});
  facts.replace(file->source.path(), with_edit(*file, edit));
  // A chain of derivations is at most as long as there are facts.
  for (std::size_t i = 0; i < before.all().size() && follow(facts, made.changes); ++i) {
  }
  made.files = facts.edited();
  const auto edited = in_memory(made.files);
  const auto all = layered(*edited, files);
  const auto errors = diagnostics.count(Severity::error);
  figures::Facts checked;
  load_facts(*all, checked, diagnostics);
  const References library = load_references(*all, diagnostics);
  if (diagnostics.count(Severity::error) == errors)
    check_sources(*all, checked, library, diagnostics);
  if (diagnostics.count(Severity::error) > errors) return std::nullopt;
  return made;
}

}  // namespace primer
