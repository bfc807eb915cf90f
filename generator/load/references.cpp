#include "generator/load/references.hpp"

#include "figures/base/ascii.hpp"
#include "generator/base/text.hpp"
#include "generator/base/web_address.hpp"
#include "generator/formats/json_file.hpp"
#include "generator/formats/schema.hpp"

namespace primer {
namespace {

using figures::is_digit;

bool ends_sentence(std::string_view text) {
  return !text.empty() && std::string_view(".?!").find(text.back()) != std::string_view::npos;
}

// "Dao et al." has its full stop already.
std::string sentence(std::string text) { return ends_sentence(text) ? text : text + '.'; }

// "NeurIPS 2017" holds 2017, "arXiv:20170.1" does not.
bool holds_number(std::string_view text, std::string_view number) {
  for (auto at = text.find(number); at != text.npos; at = text.find(number, at + 1)) {
    const auto end = at + number.size();
    const bool begins = at == 0 || !is_digit(text[at - 1]);
    if (begins && (end == text.size() || !is_digit(text[end]))) return true;
  }
  return false;
}

// Venue and year, or what there is of them.
std::string published(const Reference& reference) {
  const std::string year = reference.year == 0 ? "" : std::to_string(reference.year);
  if (year.empty() || holds_number(reference.venue, year)) return reference.venue;
  return reference.venue.empty() ? year : reference.venue + ", " + year;
}

// One entry's members; the schemas have seen to their types.
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
std::map<std::string, T> load(const FileSystem& files, const char* name, const char* schema,
                              Diagnostics& diagnostics, Cache* cache, Read read) {
  std::map<std::string, T> all;
  const std::string path = facts_directory + std::string(name);
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
          "the title names " + in_quotes(named) + ", the address leads to " + in_quotes(host),
          "a title names no host, or the one that its address has"};
    }
    if (!fault) continue;
    Diagnostics again;
    const auto file = read_json(files, facts_directory + std::string("references.json"), again);
    if (!file) return;
    const JsonPlace place = find_value(file->source.text(), {id, "url"});
    diagnostics.error(Rule::misleading_link, file->source, place.offset, place.length,
                      fault->message);
    diagnostics.hint(fault->hint);
  }
}

}  // namespace

References load_references(const FileSystem& files, Diagnostics& diagnostics, Cache* cache) {
  References library;
  const auto reference = [](Members m) {
    return Reference{m.text("title"),    m.text("venue"),   m.text("url"),    m.text("accessed"),
                     m.texts("authors"), m.integer("year"), m.flag("checked")};
  };
  library.references =
      load<Reference>(files, "references.json", "references", diagnostics, cache, reference);
  check_addresses(files, library.references, diagnostics);
  library.terms = load<Term>(files, "glossary.json", "glossary", diagnostics, cache,
                             [](Members m) { return Term{m.text("term"), m.text("definition")}; });
  return library;
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

}  // namespace primer
