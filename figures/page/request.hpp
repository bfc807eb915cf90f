// What the page's modules share about a request: one JSON object in, one out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "figures/page/reply.hpp"

namespace figures {

// Error: not a JSON object, or longer than 4 MiB.
Result<nlohmann::json> parse_request(std::string_view text);

// A member of `object`; null when it is not there or `object` is none.
const nlohmann::json& member(const nlohmann::json& object, const char* name);
// A member that is text, else `fallback`.
std::string text(const nlohmann::json& object, const char* name, std::string_view fallback = "");
// A member that is a number, else `fallback`.
double number(const nlohmann::json& object, const char* name, double fallback = 0);

// {"width": "wide" | "column" | "narrow", "theme": "light", "lang"}; anything else keeps its default. `words` are
// those of the request's member of that name, and outlive the answer.
Options read_options(const nlohmann::json& object, const Words* words);

// The answer, or {"error": {"message", "suggestion"}}.
std::string reply_text(const Result<Reply>& answer);

}  // namespace figures
