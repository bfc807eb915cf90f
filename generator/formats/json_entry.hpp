// Entries of the object that a JSON file is: further ones are written among them, and all else stays as it is.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace primer {

// `text` is a valid JSON object; each of `more` is `"id": value`, by its id. It stands after the last of the entries that come before it in
// the alphabet, in lines of its own where they do.
std::string with_json_entries(const std::string& text,
                              const std::map<std::string, std::string>& more);

// The entries that `other`, an edition of the text, has besides; but not `left_out`. Both are valid JSON objects.
std::string with_entries_of(const std::string& text, const std::string& other,
                            const std::string& left_out = {});

// `"id": {…}` as the book writes its own: the members that there are in this order, in one line, or each in a line.
std::string written_entry(const std::string& id, const std::vector<std::string>& order,
                          const nlohmann::json& members, bool in_lines);

}  // namespace primer
