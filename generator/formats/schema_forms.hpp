// The forms that a schema asks of texts and of the names of members ("pattern"). They are tried here, by
// a matcher whose time is in proportion to the text; valijson never sees them, for it would try them
// with std::regex, which goes one call deeper for each character.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace primer {

// A longer text, in bytes, has no form: what has one is a name or an address.
inline constexpr std::size_t longest_form = 1000;

// Whether a text has a form of some schema. `pattern` is one that TextPattern understands.
bool has_form(const std::string& pattern, std::string_view text);

// The schema without its forms.
nlohmann::json without_forms(const nlohmann::json& schema);

// Whether a document that conforms to the schema without its forms has these too.
// `fits` says whether a part of the document conforms, but for its forms, to one of several
// alternatives, or to the condition of an "if".
using Fits = std::function<bool(const nlohmann::json& alternative, const nlohmann::json& document)>;
bool forms_hold(const nlohmann::json& schema, const nlohmann::json& document, const Fits& fits);

// Calls for each schema that decides between others: the members of "oneOf" and "anyOf", and "if".
void for_each_choice(const nlohmann::json& schema,
                     const std::function<void(const nlohmann::json& choice)>& call);

}  // namespace primer
