#include "generator/load/term_table.hpp"

#include "generator/base/pack.hpp"
#include "generator/formats/json_file.hpp"
#include "generator/formats/schema.hpp"

namespace primer {

std::vector<AvoidedWord> avoided_words(const FileSystem& site, const std::string& language,
                                       Diagnostics& diagnostics) {
  const std::string path = "locales/" + language + ".terms.json";
  const auto file = read_json(site, path, diagnostics);
  if (!file) return {};
  const JsonFile placed{Source("site/" + path, std::string(file->source.text())), file->value};
  if (!conforms("terms", "the file", placed, diagnostics)) return {};
  std::vector<AvoidedWord> all;
  for (const auto& row : placed.value) {
    const auto english = row.at("english").get<std::string>();
    const auto word = row.at("word").get<std::string>();
    for (const auto& avoided : row.value("avoid", std::vector<std::string>())) {
      all.push_back({avoided, english, word == "=" ? english : word, row.value("why", "")});
    }
  }
  return all;
}

Digest version_of(const std::vector<AvoidedWord>& words) {
  Packer packer;
  for (const auto& [word, english, instead, why] : words)
    for (const auto& text : {word, english, instead, why}) packer.add(text);
  return digest(packer.bytes);
}

}  // namespace primer
