#include "generator/load/messages.hpp"

#include <algorithm>
#include <set>

#include "generator/base/pack.hpp"
#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/formats/json_file.hpp"

namespace primer {
namespace {

constexpr std::string_view messages_folder = "locales/", messages_ending = ".json";
// The member of the file with the words that no script says.
constexpr std::string_view pages_alone = "said by pages alone";
constexpr std::string_view at_first = "said at first";
// Those with the forms of drawings.
constexpr std::string_view by_drawings = "said by drawings",
                           beside_drawings = "said beside drawings";
// Under it stands what sets thousands apart.
constexpr std::string_view thousands = ",";

// "{n}", "{min}" of a text, in the order of the alphabet.
std::multiset<std::string> placeholders(std::string_view text) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  std::multiset<std::string> all;
  for (auto at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const auto end = text.find_first_not_of(letters, at + 1);
    if (end != text.npos && end > at + 1 && text[end] == '}')
      all.emplace(text.substr(at, end + 1 - at));
  }
  return all;
}

using Words = std::map<std::string, std::string, std::less<>>;

// The words of an object of the file, the one at `path`; reports those that are none.
enum class Holds { words, forms };
Words words_in(const JsonFile& file, const nlohmann::json& object, const JsonPath& path, Holds what,
               Diagnostics& diagnostics) {
  Words words;
  for (const auto& [english, word] : object.items()) {
    const auto fail = [&, key = english](std::string message) {
      JsonPath at = path;
      at.push_back(key);
      const JsonPlace place = find_value(file.source.text(), at);
      diagnostics.error(Rule::bad_json, file.source, place.offset, place.length,
                        std::move(message));
    };
    if (!word.is_string()) {
      fail("the word for " + in_quotes(english) + " is not text");
    } else if (placeholders(word.get<std::string>()) != placeholders(english)) {
      fail("a word has the placeholders of its English, " + in_quotes(english));
    } else if (what == Holds::forms && std::ranges::count(word.get<std::string>(), '#') !=
                                           std::ranges::count(english, '#')) {
      fail("a form's translation has as many '#' as its English, " + in_quotes(english));
    } else {
      words.emplace(english, word.get<std::string>());
    }
  }
  return words;
}

}  // namespace

std::optional<Messages> Messages::load(const FileSystem& site, const std::string& language,
                                       Diagnostics& diagnostics) {
  if (language == language_of_messages) return Messages();
  const std::string path = std::string(messages_folder) + language + std::string(messages_ending);
  const auto file = read_json(site, path, diagnostics);
  if (!file) return std::nullopt;
  const JsonFile placed{Source("site/" + path, std::string(file->source.text())), file->value};
  if (!file->value.is_object()) {
    diagnostics.error(Rule::bad_json, placed.source, 0, 1, "the words are not an object of texts");
    return std::nullopt;
  }
  const auto errors = diagnostics.count(Severity::error);
  Messages words;
  nlohmann::json said_by_all = file->value;
  for (const auto& [member, some] :
       {std::pair(pages_alone, &words.of_pages_), std::pair(at_first, &words.first_)}) {
    const auto found = said_by_all.find(member);
    if (found == said_by_all.end() || !found->is_object()) continue;
    *some = words_in(placed, *found, {std::string(member)}, Holds::words, diagnostics);
    said_by_all.erase(found);
  }
  for (const auto& [member, forms] :
       {std::pair(by_drawings, &words.drawings_), std::pair(beside_drawings, &words.beside_)}) {
    const auto found = said_by_all.find(member);
    if (found == said_by_all.end() || !found->is_object()) continue;
    *forms = words_in(placed, *found, {std::string(member)}, Holds::forms, diagnostics);
    said_by_all.erase(found);
  }
  words.words_ = words_in(placed, said_by_all, {}, Holds::words, diagnostics);
  words.words_.insert(words.first_.begin(), words.first_.end());
  words.note_drawings();
  if (diagnostics.count(Severity::error) > errors) return std::nullopt;
  return words;
}

void Messages::add_drawings(const FileSystem& files, const std::string& language,
                            Diagnostics& diagnostics) {
  const std::string path = "figures/locales/" + language + std::string(messages_ending);
  if (!files.read(path)) return;
  const auto file = read_json(files, path, diagnostics);
  if (!file) return;
  for (const auto& [form, word] : words_in(*file, file->value, {}, Holds::forms, diagnostics))
    drawings_[form] = word;
  note_drawings();
}

void Messages::note_drawings() {
  const auto comma = words_.find(thousands);
  if (drawings_.is_object() && comma != words_.end()) drawings_[comma->first] = comma->second;
  drawings_version_ = digest(drawings_.dump() + beside_.dump());
}

std::string Messages::operator()(std::string_view english) const {
  for (const auto* words : {&words_, &of_pages_})
    if (const auto found = words->find(english); found != words->end()) return found->second;
  return std::string(english);
}

std::string Messages::operator()(std::string_view english, const std::string& n) const {
  return replace_all((*this)(english), "{n}", n);
}

Digest Messages::version() const {
  Packer packer;
  for (const auto* words : {&words_, &of_pages_})
    for (const auto& [english, word] : *words) {
      packer.add(english);
      packer.add(word);
    }
  packer.add(drawings_.dump());
  packer.add(beside_.dump());
  return digest(packer.bytes);
}

std::string Messages::script() const {
  return "export default " + nlohmann::json(words_).dump() + ";\n";
}

std::string Messages::first_script() const {
  return "export default " + nlohmann::json(first_).dump() + ";\n";
}

std::string Messages::drawings_script() const {
  const auto object = [](const nlohmann::json& forms) {
    return forms.is_object() ? forms.dump() : std::string("{}");
  };
  return "export default " + object(drawings_) + ";\nexport const beside = " + object(beside_) +
         ";\n";
}

std::string word_of_mark(const SectionNote& section, const Messages& words) {
  return section.mark == "lab" ? words("lab") : words("deep");
}

std::vector<std::string> languages_with_words(const FileSystem& site) {
  std::vector<std::string> languages;
  for (const auto& path : site.list("locales")) {
    if (!path.ends_with(messages_ending)) continue;
    const auto language = path.substr(
        messages_folder.size(), path.size() - messages_folder.size() - messages_ending.size());
    // "es.terms" holds terms of a language, and is none.
    if (language.find('.') == language.npos) languages.push_back(language);
  }
  return languages;
}

namespace {

// A book in one language whose words are not there speaks English around its text.
std::optional<Messages> words_of_original(const FileSystem& files, const FileSystem& site,
                                          const Book& book, Diagnostics& diagnostics) {
  const std::string& language = book.language;
  auto words = Messages::load(site, language, diagnostics);
  const std::string path = std::string(messages_folder) + language + std::string(messages_ending);
  if (!words && !site.read(path) && site.why_unreadable(path).message.empty()) {
    const Source source(book_file, files.read(book_file).value_or(""));
    const auto at = source.text().find(language, source.text().find("language"));
    diagnostics.warning(Rule::unknown_language, source, at, language.size(),
                        "the words around the text are English: there are none for the language " +
                            in_quotes(language));
    diagnostics.hint("site/locales/" + language +
                     ".json beside chapters/ can hold them, and is used with --trust");
  }
  return words;
}

}  // namespace

std::vector<Messages> messages_of_all(const FileSystem& files, const FileSystem& site,
                                      const Book& book, Diagnostics& diagnostics) {
  auto own = words_of_original(files, site, book, diagnostics);
  std::vector<Messages> all{own.value_or(Messages())};
  for (const auto& locale : book.locales) {
    auto words = Messages::load(site, locale.language, diagnostics);
    if (words) words->add_drawings(files, locale.language, diagnostics);
    all.push_back(words.value_or(Messages()));
    if (words) continue;
    auto known = languages_with_words(site);
    known.emplace_back(language_of_messages);
    const Source source(book_file, files.read(book_file).value_or(""));
    const auto at = source.text().find(locale.language, source.text().find("languages:") + 10);
    diagnostics.error(Rule::unknown_language, source, at, locale.language.size(),
                      "there are no words for the language " + in_quotes(locale.language) +
                          ": site/locales/" + locale.language + ".json",
                      nearest(locale.language, known));
  }
  return all;
}

}  // namespace primer
