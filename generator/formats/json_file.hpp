// JSON files of the book, read with diagnostics instead of exceptions, every value with its place.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/formats/json_place.hpp"

namespace primer {

struct JsonFile {
  Source source;
  nlohmann::json value;
};

// The one reader of JSON that comes with a book or is given by hand. Nothing when there is no such file,
// or after a diagnostic when it cannot be read, is no JSON, goes beyond the limits of json_limits.hpp or
// has a key twice. Never throws.
std::optional<JsonFile> read_json(const FileSystem& files, const std::string& path,
                                  Diagnostics& diagnostics);

// The same of a file's text; `path` names it in messages.
std::optional<JsonFile> parse_json(const std::string& path, std::string text,
                                   Diagnostics& diagnostics);

// Where in the file a value stands. `path` is written as in messages: "machines[0].label"; a key may
// itself hold dots ("h100-sxm.peak.bf16"). What follows the last part that exists is passed over.
JsonPlace json_place(const JsonFile& file, std::string_view path);

// An error at the value at the end of a path; at its key when the value is an object or a list.
Diagnostic& json_error(const JsonFile& file, std::string_view path, std::string message,
                       Diagnostics& diagnostics);

}  // namespace primer
