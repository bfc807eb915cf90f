// Reads the settings and the front matter of other tools: YAML, TOML or JSON as one JSON value.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/tools/import/report.hpp"

namespace primer {

// A file whose format its name tells (.toml, .json, otherwise YAML). Nothing if it is missing, and
// null, after an entry in the report, if it cannot be parsed.
std::optional<nlohmann::json> read_settings(std::string_view text, const std::string& file,
                                            ImportReport& report);

// The value at "a.b.c"; null if there is none.
nlohmann::json value_at(const nlohmann::json& settings, std::string_view path);
// Its text; "" if it is no scalar. Numbers and truth values become their text.
std::string text_at(const nlohmann::json& settings, std::string_view path);
// Its texts: those of a list, or the text itself.
std::vector<std::string> texts_at(const nlohmann::json& settings, std::string_view path);

// YAML between "---", TOML between "+++" or JSON between braces, above the first line of a text.
struct OldFrontMatter {
  nlohmann::json keys = nlohmann::json::object();
  std::size_t end = 0;  // bytes of the text; 0: there is none
};
OldFrontMatter old_front_matter(std::string_view text, const std::string& file,
                                ImportReport& report);

}  // namespace primer
