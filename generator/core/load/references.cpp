#include "generator/core/load/references.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "figures/base/ascii.hpp"
#include "generator/core/base/digest.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/base/web_address.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/schema.hpp"

namespace primer {
namespace {
using figures::is_digit;

constexpr const char* references_file = "chapters/facts/references.json";

bool ends_sentence(std::string_view text) {
  return !text.empty() && std::string_view(".?!").find(text.back()) != std::string_view::npos;
}

// "Dao et al." already ends with a period.
std::string sentence(std::string text) { return ends_sentence(text) ? text : text + '.'; }

// "NeurIPS 2017" contains 2017, "arXiv:20170.1" does not.
bool holds_number(std::string_view text, std::string_view number) {
  for (auto at = text.find(number); at != text.npos; at = text.find(number, at + 1)) {
    const auto end = at + number.size();
    const bool begins = at == 0 || !is_digit(text[at - 1]);
    if (begins && (end == text.size() || !is_digit(text[end]))) return true;
  }
  return false;
}

// Venue and year, as far as they are known.
std::string published(const Reference& reference) {
  const std::string year = reference.year == 0 ? "" : std::to_string(reference.year);
  if (year.empty() || holds_number(reference.venue, year)) return reference.venue;
  return reference.venue.empty() ? year : reference.venue + ", " + year;
}

// Typed access to the members of an entry, whose types the schema has checked.
class Members {
 public:
  explicit Members(const nlohmann::json& value) : value_(value) {}

  std::string text(const char* key) const { return value_.value(key, std::string()); }
  int integer(const char* key) const { return value_.value(key, 0); }
  bool flag(const char* key) const { return value_.value(key, false); }
  std::vector<std::string> texts(const char* key) const {
    return value_.value(key, std::vector<std::string>());
  }

 private:
  const nlohmann::json& value_;
};

template <class T, class Read>
std::map<std::string, T> load(const FileSystem& files, const std::string& path, const char* schema,
                              Diagnostics& diagnostics, Cache* cache, Read read) {
  std::map<std::string, T> all;
  const auto file = read_json(files, path, diagnostics);
  if (!file || !conforms(schema, "the file", *file, diagnostics, cache)) return all;
  for (const auto& [id, value] : file->value.items()) all.emplace(id, read(Members(value)));
  return all;
}

void check_addresses(const FileSystem& files, const std::map<std::string, Reference>& references,
                     Diagnostics& diagnostics) {
  for (const auto& [id, reference] : references) {
    auto fault = reference.url.empty() ? std::nullopt : address_fault(reference.url);
    const std::string named = host_named_by(reference.title), host = host_of(reference.url);
    if (!fault && !host.empty() && !named.empty() && !is_expected_host(named, host)) {
      fault = AddressFault{
          "the title names " + in_quotes(named) + ", but the address leads to " + in_quotes(host),
          "remove the host from the title, or write the one in the address"};
    }
    if (!fault) continue;
    Diagnostics again;
    const auto file = read_json(files, references_file, again);
    if (!file) return;
    const JsonPlace place = json_place(*file, JsonPath{id, "url"});
    diagnostics.error(Rule::misleading_link, file->source, place.offset, place.length,
                      fault->message);
    diagnostics.hint(fault->hint);
  }
}

Terms load_terms(const FileSystem& files, const std::string& path, Diagnostics& diagnostics,
                 Cache* cache) {
  return load<Term>(files, path, "glossary", diagnostics, cache, [](Members m) {
    Term term{m.text("term"), m.text("definition"), {}, m.text("from")};
    term.also = m.texts("also");
    return term;
  });
}

constexpr const char* original_terms = "chapters/facts/glossary.json";

// Warns about the entry `id` of the file at `path`.
void warn_of_term(Rule rule, const FileSystem& files, const std::string& path,
                  const std::string& id, std::string message, Diagnostics& diagnostics) {
  Diagnostics again;
  const auto file = read_json(files, path, again);
  if (!file) return;
  const JsonPlace place = json_place(*file, JsonPath{id});
  diagnostics.warning(rule, file->source, place.offset, place.length, std::move(message));
}

// Marks entries whose original has changed since, and warns about these and about untranslated
// entries.
void compare_terms(Terms& all, const std::string& path, const std::string& language,
                   const Terms& original, const FileSystem& files, Diagnostics& diagnostics) {
  const auto is_marked = [](const auto& entry) { return !entry.second.from.empty(); };
  if (std::ranges::none_of(all, is_marked)) return;
  for (auto& [id, term] : all) {
    if (term.language != language) {
      warn_of_term(Rule::missing_translation, files, original_terms, id,
                   "not translated in " + path, diagnostics);
    } else if (term.from != source_hash(original.at(id))) {
      term.stale = true;
      warn_of_term(Rule::stale_translation, files, path, id,
                   term.from.empty() ? "this entry has no hash of its original"
                                     : "the original of this entry has changed",
                   diagnostics);
    }
  }
}

void refuse_term(const FileSystem& files, const std::string& path, const std::string& id,
                 const Terms& original, Diagnostics& diagnostics) {
  Diagnostics again;
  const auto file = read_json(files, path, again);
  if (!file) return;
  std::vector<std::string> known;
  for (const auto& [other, term] : original) known.push_back(other);
  const JsonPlace place = json_place(*file, JsonPath{id});
  diagnostics.error(Rule::unknown_term, file->source, place.offset, place.length,
                    "chapters/facts/glossary.json has no " + in_quotes(id) + " to translate",
                    nearest(id, known));
}

}  // namespace

std::string not_compared(std::string_view id) {
  return in_quotes(id) + " has not been checked against the work itself";
}

References load_references(const FileSystem& files, Diagnostics& diagnostics, Cache* cache) {
  References library;
  const auto reference = [](Members m) {
    return Reference{m.text("title"),    m.text("venue"),   m.text("url"),    m.text("accessed"),
                     m.texts("authors"), m.integer("year"), m.flag("checked")};
  };
  library.references =
      load<Reference>(files, references_file, "references", diagnostics, cache, reference);
  check_addresses(files, library.references, diagnostics);
  library.terms = load_terms(files, original_terms, diagnostics, cache);
  return library;
}

auto packed_members(Is<Reference> auto& reference) {
  auto& [title, venue, url, accessed, authors, year, compared] = reference;
  return std::tie(title, venue, url, accessed, authors, year, compared);
}

auto packed_members(Is<Term> auto& one) {
  auto& [term, definition, language, from, stale, also] = one;
  return std::tie(term, definition, language, from, stale, also);
}

auto packed_members(Is<AvoidedWord> auto& avoided) {
  auto& [word, english, instead, why] = avoided;
  return std::tie(word, english, instead, why);
}

namespace {
template <class Entry>
const Entry* find_in(const std::map<std::string, Entry>& entries, const std::string& id) {
  const auto found = entries.find(id);
  return found == entries.end() ? nullptr : &found->second;
}

// Empty `asked`: all entries.
template <class Entry>
Digest digest_in(const std::map<std::string, Entry>& entries, const std::string& asked) {
  if (asked.empty()) return digest(pack(entries));
  const Entry* entry = find_in(entries, asked);
  return entry ? digest(pack(*entry)) : absent;
}

}  // namespace

void Library::note(Dependency::Kind kind, const std::string& id) const {
  const Dependency asked{kind, id};
  if (reads_ && !reads_->contains(asked)) reads_->emplace(asked, digest_of(asked));
}

const Reference* Library::reference(const std::string& id) const {
  note(Dependency::Kind::reference, id);
  return find_in(*references_, id);
}

const Term* Library::term(const std::string& id) const {
  note(terms_kind_, id);
  return find_in(*terms_, id);
}

const std::map<std::string, Reference>& Library::references() const {
  note(Dependency::Kind::reference, {});
  return *references_;
}

const Terms& Library::terms() const {
  note(terms_kind_, {});
  return *terms_;
}

Library Library::watched() const {
  Library view = *this;
  view.reads_ = std::make_shared<Dependencies>();
  return view;
}

Library Library::with_terms_of(const Library& original) const {
  Library view = *this;
  view.terms_ = original.terms_;
  view.terms_kind_ = Dependency::Kind::original_term;
  return view;
}

Digest Library::digest_of(const Dependency& asked) const {
  return asked.kind == Dependency::Kind::reference ? digest_in(*references_, asked.what)
                                                   : digest_in(*terms_, asked.what);
}

std::string source_hash(const Term& term) {
  return content_hash(term.term + '\n' + term.definition).substr(0, 8);
}

Terms terms_in(const Book& book, const Terms& original, const FileSystem& files,
               Diagnostics& diagnostics, Cache* cache) {
  Terms all = original;
  for (auto& [id, term] : all) term.language = book.source_language;
  if (book.language == book.source_language) return all;
  const std::string path = "chapters/" + book.language + "/glossary.json";
  for (auto& [id, term] : load_terms(files, path, diagnostics, cache)) {
    const auto found = all.find(id);
    if (found == all.end()) {
      refuse_term(files, path, id, original, diagnostics);
    } else {
      found->second = term;
      found->second.language = book.language;
    }
  }
  compare_terms(all, path, book.language, original, files, diagnostics);
  return all;
}

std::optional<std::string> stamped_terms(const FileSystem& files, const std::string& path,
                                         Diagnostics& diagnostics) {
  const Terms original = load_terms(files, original_terms, diagnostics, nullptr);
  const Terms terms = load_terms(files, path, diagnostics, nullptr);
  const auto file = read_json(files, path, diagnostics);
  if (!file || diagnostics.has_errors()) return std::nullopt;
  std::string text(file->source.text());
  std::map<std::size_t, std::pair<std::size_t, std::string>, std::greater<>> edits;
  for (const auto& [id, term] : terms) {
    const auto found = original.find(id);
    if (found == original.end()) {
      refuse_term(files, path, id, original, diagnostics);
      return std::nullopt;
    }
    const std::string mark = '"' + source_hash(found->second) + '"';
    const auto place = json_place(*file, JsonPath{id, term.from.empty() ? "definition" : "from"});
    if (term.from.empty()) edits[place.offset + place.length] = {0, ", \"from\": " + mark};
    else edits[place.offset] = {place.length, mark};
  }
  // The map is sorted from the last offset to the first, so no edit moves another.
  for (const auto& [offset, edit] : edits) text.replace(offset, edit.first, edit.second);
  return text;
}

std::string short_authors(const Reference& reference) {
  const auto& all = reference.authors;
  if (all.empty()) return {};
  if (all.size() == 1) return all[0];
  if (all.size() == 2) return all[0] + " and " + all[1];
  return all[0] + " et al.";
}

void write_reference(Html& out, const Reference& reference) {
  const std::string authors = short_authors(reference);
  if (!authors.empty()) out.text(sentence(authors) + ' ');
  const bool linked = reference.url.starts_with("https://") || reference.url.starts_with("http://");
  if (linked) {
    out.element("a", {{"href", reference.url}}, reference.title);
  } else {
    out.text(reference.title);
  }
  std::string rest = ends_sentence(reference.title) ? "" : ".";
  const std::string where_and_when = published(reference);
  if (!where_and_when.empty()) rest += ' ' + sentence(where_and_when);
  if (!reference.accessed.empty()) rest += " Read " + reference.accessed + '.';
  out.text(rest);
}

std::vector<AvoidedWord> avoided_words(const FileSystem& site, const std::string& language,
                                       Diagnostics& diagnostics) {
  const std::string path = "locales/" + language + ".terms.json";
  const auto file = read_json(site, path, diagnostics);
  if (!file) return {};
  const JsonFile placed{Source("site/" + path, std::string(file->source.text())), file->value,
                        file->tree};
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

Digest version_of(const std::vector<AvoidedWord>& words) { return digest(pack(words)); }

}  // namespace primer
