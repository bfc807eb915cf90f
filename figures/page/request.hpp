// Reads requests, for all modules of the page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "figures/page/reply.hpp"

namespace figures {

// Error: not a JSON object, or longer than 4 MiB.
Result<nlohmann::json> parse_request(std::string_view text);

// A member of `object`; null if there is no such member or `object` is not an object.
const nlohmann::json& member(const nlohmann::json& object, const char* name);
// The text of a member, or `fallback` if it is not a text.
std::string text(const nlohmann::json& object, const char* name, std::string_view fallback = "");
// The number of a member, or `fallback` if it is not a number.
double number(const nlohmann::json& object, const char* name, double fallback = 0);

// Reads {"width": "wide" | "column" | "narrow", "theme": "light", "lang"}; any other value keeps
// the default. `words` holds the translations of the request's member "words" and must outlive the
// answer.
Options read_options(const nlohmann::json& object, const Words* words);

// The answer as JSON text, or {"error": {"message", "suggestion"}}.
std::string reply_text(const Result<Reply>& answer);

}  // namespace figures
