#include "generator/library.hpp"

#include "generator/json_file.hpp"
#include "generator/text.hpp"

namespace primer {
namespace {

// One entry's members, with their types checked.
class Members {
 public:
  Members(const JsonFile& file, const std::string& id, const nlohmann::json& value,
          Diagnostics& diagnostics)
      : file_(file), id_(id), value_(value), diagnostics_(diagnostics) {}

  std::string text(const char* key, bool required = false) {
    const auto member = value_.find(key);
    if (member != value_.end() && member->is_string()) return member->get<std::string>();
    if (member != value_.end() || required) wrong(key, "text");
    return {};
  }

  int integer(const char* key) {
    const auto member = value_.find(key);
    if (member == value_.end()) return 0;
    if (member->is_number_integer()) return member->get<int>();
    wrong(key, "a whole number");
    return 0;
  }

  std::vector<std::string> texts(const char* key) {
    std::vector<std::string> all;
    const auto member = value_.find(key);
    if (member == value_.end()) return all;
    if (!member->is_array()) wrong(key, "a list of texts");
    for (const auto& item : *member) {
      if (item.is_string()) {
        all.push_back(item.get<std::string>());
      } else {
        wrong(key, "a list of texts");
      }
    }
    return all;
  }

 private:
  void wrong(const char* key, const char* type) {
    json_error(file_, id_, in_quotes(id_) + ": " + in_quotes(key) + " must be " + type,
               diagnostics_);
  }

  const JsonFile& file_;
  const std::string& id_;
  const nlohmann::json& value_;
  Diagnostics& diagnostics_;
};

template <class T, class Read>
std::map<std::string, T> load(const FileSystem& files, const char* name, Diagnostics& diagnostics,
                              Read read) {
  std::map<std::string, T> all;
  const auto file = read_json(files, facts_directory + std::string(name), diagnostics);
  if (!file) return all;
  if (!file->value.is_object()) {
    json_error(*file, "", "the file must be an object from id to entry", diagnostics);
    return all;
  }
  for (const auto& [id, value] : file->value.items()) {
    if (id.starts_with('$')) continue;
    if (!value.is_object()) {
      json_error(*file, id, in_quotes(id) + " must be an object", diagnostics);
      continue;
    }
    all.emplace(id, read(Members(*file, id, value, diagnostics)));
  }
  return all;
}

}  // namespace

Library load_library(const FileSystem& files, Diagnostics& diagnostics) {
  Library library;
  library.references = load<Reference>(files, "references.json", diagnostics, [](Members m) {
    return Reference{m.text("title", true), m.text("venue"),   m.text("url"),
                     m.text("accessed"),    m.texts("authors"), m.integer("year")};
  });
  library.terms = load<Term>(files, "glossary.json", diagnostics, [](Members m) {
    return Term{m.text("term", true), m.text("definition", true)};
  });
  library.claims = load<Claim>(files, "claims.json", diagnostics, [](Members m) {
    return Claim{m.text("value"), m.text("status"), m.text("as_of"), m.text("note"),
                 m.texts("sources")};
  });
  return library;
}

std::string short_authors(const Reference& reference) {
  const auto& all = reference.authors;
  if (all.empty()) return {};
  if (all.size() == 1) return all[0];
  if (all.size() == 2) return all[0] + " and " + all[1];
  return all[0] + " et al.";
}

}  // namespace primer
