// What the workshop answers about entries of the book's files of facts and references, as JSON (workshop_call.hpp).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "generator/workshop/edited_files.hpp"

namespace primer {

nlohmann::json entry_of(const EditedFiles& files, const std::string& kind, const std::string& id);
nlohmann::json enter(EditedFiles& files, const nlohmann::json& request);
nlohmann::json entered_in(const EditedFiles& files);

}  // namespace primer
