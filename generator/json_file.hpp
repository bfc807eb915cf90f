// JSON files of the book, read with diagnostics instead of exceptions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "generator/diagnostic.hpp"
#include "generator/file_system.hpp"

namespace primer {

struct JsonFile {
  Source source;
  nlohmann::json value;
};

// Nothing when there is no such file, or after a diagnostic when it is no JSON or nests too deeply.
std::optional<JsonFile> read_json(const FileSystem& files, const std::string& path,
                                  Diagnostics& diagnostics);

// An error at the first place where the file has the text "key" in quotes.
Diagnostic& json_error(const JsonFile& file, std::string_view key, std::string message,
                       Diagnostics& diagnostics);

}  // namespace primer
