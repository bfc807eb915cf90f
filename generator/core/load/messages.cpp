#include "generator/core/load/messages.hpp"

#include <algorithm>
#include <set>

#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/formats/json.hpp"

namespace primer {
namespace {

constexpr std::string_view messages_folder = "locales/", messages_ending = ".json";
// Names of sections in a locale file (messages.hpp).
constexpr std::string_view pages_alone = "said by pages alone";
constexpr std::string_view at_first = "said at first";
constexpr std::string_view by_drawings = "said by drawings",
                           beside_drawings = "said beside drawings";
// The language whose translation is always complete. Its keys are the list of all strings.
constexpr std::string_view complete_language = "es";
// The key of the thousands separator.
constexpr std::string_view thousands = ",";

// The placeholders of a text, sorted: "{n}", "{min}".
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

// Below a site's directory, and below a book's.
std::string file_of(const std::string& language) {
  return std::string(messages_folder) + language + std::string(messages_ending);
}
std::string drawings_of(const std::string& language) { return "figures/" + file_of(language); }

using Words = std::map<std::string, std::string, std::less<>>;

// The strings of an object in the file, which is at `path`. Reports members that are not strings.
enum class Holds { words, forms };
Words words_in(const JsonFile& file, const nlohmann::json& object, const JsonPath& path, Holds what,
               Diagnostics& diagnostics) {
  Words words;
  for (const auto& [english, word] : object.items()) {
    const auto fail = [&, key = english](std::string message) {
      JsonPath at = path;
      at.push_back(key);
      const JsonPlace place = json_place(file, at);
      diagnostics.error(Rule::bad_json, file.source, place.offset, place.length,
                        std::move(message));
    };
    if (!word.is_string()) {
      fail("the translation of " + in_quotes(english) + " must be text");
    } else if (word.get_ref<const std::string&>().empty()) {
      continue;  // not translated yet
    } else if (placeholders(word.get<std::string>()) != placeholders(english)) {
      fail("the translation must have the same placeholders as " + in_quotes(english));
    } else if (what == Holds::forms && std::ranges::count(word.get<std::string>(), '#') !=
                                           std::ranges::count(english, '#')) {
      fail("the translation must have as many '#' as " + in_quotes(english));
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
  const std::string path = file_of(language);
  const auto file = read_json(site, path, diagnostics);
  if (!file) return std::nullopt;
  const JsonFile placed{Source("site/" + path, std::string(file->source.text())), file->value,
                        file->tree};
  if (!file->value.is_object()) {
    diagnostics.error(Rule::bad_json, placed.source, 0, 1,
                      "expected a JSON object whose values are strings");
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
  const std::string path = drawings_of(language);
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
  const std::string forms = drawings_.dump() + beside_.dump();
  drawings_version_ = digest(forms);
  version_ = digest(pack(words_, of_pages_, forms));
}

std::optional<Messages> Messages::load_with_drawings(const FileSystem& site,
                                                     const FileSystem* files,
                                                     const std::string& language,
                                                     Diagnostics& diagnostics) {
  auto words = load(site, language, diagnostics);
  if (words && files) words->add_drawings(*files, language, diagnostics);
  return words;
}

std::string Messages::operator()(std::string_view english) const {
  for (const auto* words : {&words_, &of_pages_})
    if (const auto found = words->find(english); found != words->end()) return found->second;
  return std::string(english);
}

std::string Messages::operator()(std::string_view english, const std::string& n) const {
  return replace_all((*this)(english), "{n}", n);
}

std::size_t Messages::lacks(const Messages& other) const {
  std::size_t count = 0;
  for (const auto& [theirs, own] :
       {std::pair(&other.words_, &words_), std::pair(&other.of_pages_, &of_pages_)}) {
    for (const auto& [english, word] : *theirs) count += own->contains(english) ? 0 : 1;
  }
  return count;
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
    // "es.terms.json" is a table of terms, not a language.
    if (language.find('.') == language.npos) languages.push_back(language);
  }
  return languages;
}

namespace {

// In a language without a locale file, the text around a chapter is English.
void warn_of_missing(const FileSystem& files, const FileSystem& site, const std::string& language,
                     Diagnostics& diagnostics) {
  auto known = languages_with_words(site);
  known.emplace_back(language_of_messages);
  const Source source(book_file, files.read(book_file).value_or(""));
  const std::string_view text = source.text();
  const std::size_t key = text.starts_with("language") ? 0 : text.find("\nlanguage");
  const std::size_t at = text.find(language, text.find(':', key));
  diagnostics
      .warning(Rule::unknown_language, source, at, language.size(),
               "missing locale file for " + in_quotes(language) +
                   ": the text around the chapters is English")
      .suggestion = nearest(language, known);
  diagnostics.hint("primer translate begin " + language + " creates site/locales/" + language +
                   ".json; build with --trust to use it");
}

void warn_of_incomplete(const FileSystem& site, const std::string& language, std::size_t missing,
                        std::size_t all, Diagnostics& diagnostics) {
  const std::string path = file_of(language);
  const Source source("site/" + path, site.read(path).value_or(""));
  diagnostics.warning(Rule::missing_translation, source, 0, 1,
                      std::to_string(missing) + " of " + std::to_string(all) +
                          " strings are not translated; the pages show them in English");
  diagnostics.hint("primer translate begin " + language + " adds the missing strings to the file");
}

}  // namespace

std::vector<Messages> messages_of_all(const FileSystem& files, const FileSystem& site,
                                      const Book& book, Diagnostics& diagnostics) {
  std::optional<Messages> list;  // the list of strings to translate
  const auto words_of = [&](const std::string& language, const FileSystem* drawings) {
    auto words = Messages::load_with_drawings(site, drawings, language, diagnostics);
    const std::string path = file_of(language);
    if (!words && !site.read(path) && site.why_unreadable(path).message.empty())
      warn_of_missing(files, site, language, diagnostics);
    if (!words || language == language_of_messages || language == complete_language)
      return words.value_or(Messages());
    Diagnostics of_list;
    if (!list)
      list = Messages::load_with_drawings(site, nullptr, std::string(complete_language), of_list)
                 .value_or(Messages());
    const std::size_t missing = words->lacks(*list);
    if (missing > 0) warn_of_incomplete(site, language, missing, list->strings(), diagnostics);
    return *words;
  };
  std::vector<Messages> all{words_of(book.language, nullptr)};
  for (const auto& locale : book.locales) all.push_back(words_of(locale.language, &files));
  return all;
}

namespace {

using OrderedJson = nlohmann::ordered_json;

// The members of `list` in its order, with the translations in `own`. Members that only `own` has
// come last.
OrderedJson begun(const OrderedJson& list, const OrderedJson& own, std::size_t& translated) {
  OrderedJson made = OrderedJson::object();
  for (const auto& [english, word] : list.items()) {
    const auto found = own.is_object() ? own.find(english) : own.end();
    const bool is_there = own.is_object() && found != own.end();
    if (word.is_object()) {
      made[english] = begun(word, is_there ? *found : OrderedJson(), translated);
    } else {
      made[english] = is_there ? *found : OrderedJson("");
      translated += made[english] != "" ? 1 : 0;
    }
  }
  for (const auto& [english, word] : own.items()) {
    if (!made.contains(english)) made[english] = word;
  }
  return made;
}

std::size_t strings_in(const OrderedJson& list) {
  std::size_t count = 0;
  for (const auto& [english, word] : list.items()) count += word.is_object() ? strings_in(word) : 1;
  return count;
}

}  // namespace

std::optional<StringList> begin_strings(const FileSystem& site, const FileSystem& files,
                                        const std::string& language, Diagnostics& diagnostics) {
  StringList made{"site/" + file_of(language)};
  if (language == language_of_messages || language == complete_language ||
      !is_identifier(language)) {
    diagnostics.error(Rule::unknown_language, made.path,
                      is_identifier(language)
                          ? "primer already has all strings in " + in_quotes(language)
                          : in_quotes(language) + " is not a language code");
    diagnostics.hint("expected a code such as fr or pt-br");
    return std::nullopt;
  }
  const auto own = read_json(files, made.path, diagnostics);
  const auto list = read_json(site, file_of(std::string(complete_language)), diagnostics);
  if (!list || diagnostics.has_errors()) return std::nullopt;
  const auto ordered = [](const JsonFile& file) { return OrderedJson::parse(file.source.text()); };
  const OrderedJson all = ordered(*list);
  const OrderedJson whole =
      begun(all, own ? ordered(*own) : OrderedJson::object(), made.translated);
  made.text = whole.dump(2) + '\n';
  made.strings = strings_in(all);
  return made;
}

}  // namespace primer
