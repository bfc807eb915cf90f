// What the workshop answers about forms, as JSON (workshop_call.hpp).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "generator/forms/schema_fields.hpp"

namespace primer {

nlohmann::json as_json(const FormField& field);
nlohmann::json form_at(const std::string& text, int line);
nlohmann::json edit_of(const std::string& text, int line, const std::string& name,
                       const std::vector<std::string>& value);

}  // namespace primer
