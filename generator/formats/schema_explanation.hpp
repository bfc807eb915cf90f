// Why a document does not conform to a schema, in a writer's words and at the place in the file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "generator/formats/yaml.hpp"

namespace primer {

// Adds a diagnostic for everything that is wrong; at least one, so only for what does not conform.
// `yaml`: every scalar may be a text there.
void explain(const nlohmann::json& schema, std::string_view what, const Yaml& document, bool yaml,
             const Source& source, Diagnostics& diagnostics);

// Whether YAML takes some of the author's words for a comment, as in `title: C# and #1 things`. A
// comment may follow numbers, keywords and values that have a pattern: they are not prose.
bool loses_words(const nlohmann::json& schema, const Yaml& document);

// The schema of one item of a list, of one member of a map; of several alternatives (oneOf) the one
// that fits the value best. An empty schema when nothing is said about it.
const nlohmann::json& item_schema(const nlohmann::json& schema, const Yaml& item);
const nlohmann::json& member_schema(const nlohmann::json& schema, std::string_view key,
                                    const Yaml& value);

}  // namespace primer
