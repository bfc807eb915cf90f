// Inserts entries into the text of a JSON object and leaves the rest of the text unchanged, so that
// formatting and order survive.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace primer {

// Inserts `more` (by id, each written as `"id": value`) into `text`, a valid JSON object. Each
// entry is inserted after the last entry with a smaller id, and on separate lines if that entry
// is.
std::string with_json_entries(const std::string& text,
                              const std::map<std::string, std::string>& more);

// The text with the entry of `id` replaced by `entry`, written in the same way. Unchanged if there is
// no such entry.
std::string with_entry_replaced(const std::string& text, const std::string& id,
                                const std::string& entry);

// Inserts the entries of `other`, another version of the text, that `text` lacks, except
// `left_out`, and replaces those that differ between `before` and `other`. All texts are valid JSON
// objects.
std::string with_entries_of(const std::string& text, const std::string& other,
                            const std::string& left_out = {}, const std::string& before = "{}");

// `"id": {…}` in the book's format: the members that exist, in the given order, on one line or one
// per line.
std::string written_entry(const std::string& id, const std::vector<std::string>& order,
                          const nlohmann::json& members, bool in_lines);

}  // namespace primer
