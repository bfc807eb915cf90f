// What is kept of an author's work besides the pages: texts of files, as drafts.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "generator/workshop/edited_files.hpp"

namespace primer {

// By their paths; nothing: no draft any more.
using DraftTexts = std::map<std::string, std::optional<std::string>>;

// The draft of a file that shall have this text; none where it is published so.
std::optional<std::string> redraft(EditedFiles& files, const std::string& path, std::string text);

// Texts by paths, null of a file that is as published.
nlohmann::json json_of(const DraftTexts& drafts);

}  // namespace primer
