// Reads JSON with the position of every value, so that any later check can report a mistake at its
// place.
//
// nlohmann's SAX interface reports values but no positions. Between two values there is only white
// space, commas and colons, so the handler finds each position by skipping these after the previous
// value. The tree of positions has the type Yaml, so one schema validator (schema.hpp) works on
// JSON and YAML. Input is untrusted: depth, number of values and length of names are limited.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/formats/yaml.hpp"

namespace primer {

// Limits, far above anything in a book or a profile.
inline constexpr std::size_t deepest_json = 64;           // nested brackets
inline constexpr std::size_t most_json_values = 500'000;  // not counting names of members
inline constexpr std::size_t longest_json_name = 500;     // bytes, as written

struct JsonFile {
  Source source;
  nlohmann::json value;
  Yaml tree;  // the same value with positions; strings are scalars with plain == false
};

// Returns nothing if the file does not exist, or after one diagnostic if it is unreadable, invalid,
// over the limits or has a duplicate key. Never throws.
std::optional<JsonFile> read_json(const FileSystem& files, const std::string& path,
                                  Diagnostics& diagnostics);

// Parses text instead of a file; messages name it `path`.
std::optional<JsonFile> parse_json(const std::string& path, std::string text,
                                   Diagnostics& diagnostics);

// The position tree of valid JSON within the limits; a null node for any other text.
Yaml json_tree(std::string_view text);

struct JsonPlace {
  std::size_t offset = 0;      // of the first byte of the value
  std::size_t length = 1;      // of a scalar; 1 for an object or array: the bracket
  std::size_t key_offset = 0;  // of the member's name with its quotes; the value if it has none
  std::size_t key_length = 1;
};

// Finds a value by its path. If the path does not exist, returns the innermost value that does. A
// string path is written as in messages: "machines[0].label"; keys may contain periods
// ("h100-sxm.peak.bf16"). A JsonPath holds member names and decimal indices.
JsonPlace json_place(const JsonFile& file, std::string_view path);
using JsonPath = std::vector<std::string>;
JsonPlace json_place(const JsonFile& file, const JsonPath& path);

// Reports an error at the value that `path` names, or at its key if the value is an object or
// array.
Diagnostic& json_error(const JsonFile& file, std::string_view path, std::string message,
                       Diagnostics& diagnostics);

}  // namespace primer
