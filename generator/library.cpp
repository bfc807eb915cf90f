#include "generator/library.hpp"

#include "generator/json_file.hpp"
#include "generator/schema.hpp"

namespace primer {
namespace {

// One entry's members; the schemas have seen to their types.
class Members {
 public:
  explicit Members(const nlohmann::json& value) : value_(value) {}

  std::string text(const char* key) const { return value_.value(key, std::string()); }
  int integer(const char* key) const { return value_.value(key, 0); }
  std::vector<std::string> texts(const char* key) const {
    return value_.value(key, std::vector<std::string>());
  }

 private:
  const nlohmann::json& value_;
};

template <class T, class Read>
std::map<std::string, T> load(const FileSystem& files, const char* name, const char* schema,
                              Diagnostics& diagnostics, Read read) {
  std::map<std::string, T> all;
  const std::string path = facts_directory + std::string(name);
  const auto file = read_json(files, path, diagnostics);
  if (!file || !conforms(schema, "the file", *file, diagnostics)) return all;
  for (const auto& [id, value] : file->value.items()) all.emplace(id, read(Members(value)));
  return all;
}

}  // namespace

Library load_library(const FileSystem& files, Diagnostics& diagnostics) {
  Library library;
  const auto reference = [](Members m) {
    return Reference{m.text("title"),    m.text("venue"),    m.text("url"),
                     m.text("accessed"), m.texts("authors"), m.integer("year")};
  };
  library.references =
      load<Reference>(files, "references.json", "references", diagnostics, reference);
  library.terms = load<Term>(files, "glossary.json", "glossary", diagnostics, [](Members m) {
    return Term{m.text("term"), m.text("definition")};
  });
  library.claims = load<Claim>(files, "claims.json", "facts", diagnostics, [](Members m) {
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
