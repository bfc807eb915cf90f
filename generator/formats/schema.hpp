// The JSON Schemas of site/static/schemas: published with the site for editors, and what primer
// itself holds front matter, block bodies, book.yaml, facts, references, the glossary, terms and profiles
// against.
//
// valijson decides whether a document conforms. What it says about one that does not is for
// programmers and has no place in the file, so explain() walks schema and document once more, side
// by side, and says what is wrong where, with the nearest valid name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/formats/json_file.hpp"
#include "generator/formats/yaml.hpp"

namespace primer {

// Names of the schemas, sorted: "block-figure", "book", "facts", …
std::vector<std::string> schema_names();
bool has_schema(std::string_view name);
// The schema's own text; `name` must be one of schema_names().
const nlohmann::json& schema(std::string_view name);
std::string_view schema_text(std::string_view name);

// Whether a YAML document, all of its source, conforms; everything that does not is reported. `what` names the
// whole in messages: "figure block". With a cache, a text that did is not looked at again.
bool conforms(std::string_view name, std::string_view what, const Yaml& document,
              const Source& source, Diagnostics& diagnostics, Cache* cache = nullptr);
// The same of a JSON file.
bool conforms(std::string_view name, std::string_view what, const JsonFile& file,
              Diagnostics& diagnostics, Cache* cache = nullptr);

}  // namespace primer
