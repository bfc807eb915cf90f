#include "generator/words.hpp"

#include "generator/json_file.hpp"
#include "generator/pack.hpp"
#include "generator/spelling.hpp"
#include "generator/text.hpp"

namespace primer {
namespace {

constexpr std::string_view folder = "words/", ending = ".json";

}  // namespace

std::optional<Words> Words::load(const FileSystem& site, const std::string& language,
                                 Diagnostics& diagnostics) {
  if (language == language_of_words) return Words();
  const std::string path = std::string(folder) + language + std::string(ending);
  const auto file = read_json(site, path, diagnostics);
  if (!file) return std::nullopt;
  Words words;
  for (const auto& [english, word] : file->value.items()) {
    if (word.is_string()) {
      words.words_.emplace(english, word.get<std::string>());
      continue;
    }
    diagnostics.error(Rule::bad_json, "site/" + path, "the word for " + in_quotes(english) +
                                                          " is no text");
    return std::nullopt;
  }
  return words;
}

std::string Words::operator()(std::string_view english) const {
  const auto found = words_.find(english);
  return found == words_.end() ? std::string(english) : found->second;
}

std::string Words::operator()(std::string_view english, const std::string& n) const {
  return replace_all((*this)(english), "{n}", n);
}

Digest Words::version() const {
  Packer packer;
  for (const auto& [english, word] : words_) {
    packer.add(english);
    packer.add(word);
  }
  return digest(packer.bytes);
}

std::vector<std::string> languages_with_words(const FileSystem& site) {
  std::vector<std::string> languages;
  for (const auto& path : site.list("words")) {
    if (!path.ends_with(ending)) continue;
    languages.push_back(path.substr(folder.size(), path.size() - folder.size() - ending.size()));
  }
  return languages;
}

std::vector<Words> words_of_all(const FileSystem& files, const FileSystem& site, const Book& book,
                                Diagnostics& diagnostics) {
  // A book in one language whose words are not there speaks English around its text.
  auto own = Words::load(site, book.language, diagnostics);
  std::vector<Words> all{own.value_or(Words())};
  for (const auto& edition : book.editions) {
    auto words = Words::load(site, edition.language, diagnostics);
    all.push_back(words.value_or(Words()));
    if (words) continue;
    auto known = languages_with_words(site);
    known.emplace_back(language_of_words);
    const Source source(book_file, files.read(book_file).value_or(""));
    const auto at = source.text().find(edition.language, source.text().find("languages:") + 10);
    diagnostics.error(Rule::unknown_language, source, at, edition.language.size(),
                      "there are no words for the language " + in_quotes(edition.language) +
                          ": site/words/" + edition.language + ".json",
                      nearest(edition.language, known));
  }
  return all;
}

}  // namespace primer
