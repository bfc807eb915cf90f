// Validates YAML and JSON against the JSON Schemas of site/static/schemas: front matter, block
// bodies, book.yaml, facts, references, the glossary, terms and profiles. The site publishes the
// same schemas for editors.
//
//   schema, document --> Explainer walks both in parallel --> diagnostics with places
//                                                             (none: the document conforms)
//
// The validator supports the part of draft 7 that our schemas use (listed in schema_test.cpp), and
// it reports mistakes in a writer's words, with the nearest valid name. It is weaker than the draft
// in two ways. For "oneOf", it takes the best alternative and does not check whether another one
// fits too. A "not" must be a constant or a list of required members.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/yaml.hpp"

namespace primer {

// Sorted: "block-figure", "book", "facts", …
std::vector<std::string> schema_names();
bool has_schema(std::string_view name);
// The text of a schema; `name` must be one of schema_names().
const nlohmann::json& schema(std::string_view name);
std::string_view schema_text(std::string_view name);

// Whether a YAML document, which must be the whole source, conforms to a schema. Reports everything
// that does not. `what` names the document in messages: "figure block". With a cache, a text that
// has conformed before is not checked again.
bool conforms(std::string_view name, std::string_view what, const Yaml& document,
              const Source& source, Diagnostics& diagnostics, Cache* cache = nullptr);
// Checks a JSON file.
bool conforms(std::string_view name, std::string_view what, const JsonFile& file,
              Diagnostics& diagnostics, Cache* cache = nullptr);

// Checks against any schema. `yaml`: unquoted scalars may be strings, and a comment that swallows
// part of a text (`title: C# and #1 things`) is an error.
bool explain(const nlohmann::json& schema, std::string_view what, const Yaml& document, bool yaml,
             const Source& source, Diagnostics& diagnostics);

}  // namespace primer
