#include "generator/tools/skeleton/skeleton.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/formats/yaml.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/values.hpp"
#include "generator/core/publish/publication.hpp"

namespace primer {
namespace {
// A list in brackets.
struct Brackets {
  std::size_t end;  // offset of its "]"
  char last = '[';  // last character before it, except for spaces and comments
};

Brackets brackets_at(std::string_view text, std::size_t at) {
  Brackets found{text.size()};
  int depth = 0;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++at;
      else if (c == quote) quote = 0;
      continue;
    }
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == '#' && (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\n')) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && --depth == 0) {
      found.end = at;
      return found;
    }
    if (!blank) found.last = c;
  }
  return found;
}

std::string in_braces(const std::string& slug, std::optional<int> number) {
  return number ? "{slug: " + slug + ", number: " + std::to_string(*number) + '}' : slug;
}

std::string in_lines(const std::string& indent, const std::string& slug,
                     std::optional<int> number) {
  if (!number) return indent + "- " + slug + '\n';
  return indent + "- slug: " + slug + '\n' + indent + "  number: " + std::to_string(*number) + '\n';
}

// The text before the "-" of a list item.
std::string indent_of(const Source& source, const Yaml& item) {
  const std::size_t start = source.line_start(source.line_at(item.offset));
  const std::size_t dash = source.text().find_first_not_of(' ', start);
  return std::string(dash - start, ' ');
}

const Yaml& last_of(const Yaml& item) {
  return item.entries.empty() ? item : item.entries.back().value;
}

struct Listed {
  std::string slug;
  std::optional<int> number;
};

std::optional<Yaml> parsed(const Source& source) {
  Diagnostics reported_by_check;
  return parse_yaml(source, reported_by_check);
}

// The chapters of a book.yaml. Empty if it cannot be read.
std::vector<Listed> chapters_of(const std::string& text) {
  std::vector<Listed> all;
  const Source source(book_file, text);
  const auto book = parsed(source);
  const Yaml* list = book ? book->find("chapters") : nullptr;
  if (!list) return all;
  for (const Yaml& item : list->items) {
    const Yaml* slug = item.kind == Yaml::Kind::map ? item.find("slug") : &item;
    if (!slug || !is_identifier(slug->text)) continue;
    Diagnostics reported_by_check;
    std::optional<int> number;
    if (item.kind == Yaml::Kind::map)
      number = Record(item, source, reported_by_check).integer("number");
    all.push_back({slug->text, number});
  }
  return all;
}

// Adds an item to the list `key` of book.yaml.
std::string with_item(const Source& source, const Yaml& book, const std::string& key,
                      const std::string& slug, std::optional<int> number) {
  std::string text(source.text());
  if (!text.ends_with('\n')) text += '\n';
  const auto entry =
      std::ranges::find(book.entries, key, [](const auto& one) { return one.key.text; });
  if (entry == book.entries.end()) return text + key + ":\n" + in_lines("  ", slug, number);
  const Yaml& list = entry->value;
  if (text[list.offset] == '[') {
    const auto [end, last] = brackets_at(text, list.offset);
    const char* before = last == '[' ? "" : last == ',' ? " " : ", ";
    return text.insert(end, before + in_braces(slug, number));
  }
  const Yaml& last = list.items.back();
  return text.insert(text.find('\n', last_of(last).offset) + 1,
                     in_lines(indent_of(source, last), slug, number));
}

}  // namespace

std::string with_chapter(const Source& source, const Yaml& book, const std::string& slug,
                         std::optional<int> number) {
  return with_item(source, book, "chapters", slug, number);
}

std::string with_kernels(const Source& source, const Yaml& book, const std::string& directory) {
  return with_item(source, book, "kernels", directory, std::nullopt);
}

std::string with_chapters_of(std::string text, const std::string& other,
                             const std::string& left_out) {
  const auto known = chapters_of(text);
  for (const auto& [slug, number] : chapters_of(other)) {
    const Source source(book_file, text);
    const auto book = parsed(source);
    if (!book || slug == left_out || std::ranges::find(known, slug, &Listed::slug) != known.end())
      continue;
    text = with_chapter(source, *book, slug, number);
  }
  return text;
}

// A new chapter.

namespace {
constexpr std::string_view skeleton = R"(---
title: TITLE
summary: "TODO: say in one sentence what the reader will be able to do."
mental_model: "TODO: write one sentence to think with."
takeaway: "TODO: write one sentence to remember."
figure: fig-SLUG
---

TODO: answer the question of the chapter here, in the first sentence.

## What could be

FACT [Figure](#fig-SLUG) is drawn from `figures/specs/SLUG.json`.

```figure
id: fig-SLUG
spec: SLUG
caption: "TODO: say what is plotted against what, on which machine, and what to see."
alt: "TODO: say the finding to readers who cannot see the figure."
```

## What is

```predict
id: q-SLUG-guess
ask: How fast does one core of your machine read memory?
measured: B.out
unit: GB/s
then: "TODO: say why it is so."
```

```bench
id: b-SLUG
kernels: ["stream.read{w=64MiB}"]
try: Guess first, then measure.
```

```verdict
id: v-SLUG
on: B.out
cases:
  - when: empty
    say: Nothing has been measured yet.
  - when: untrusted
    say: The clock was not steady; measure again.
  - when: unavailable
    say: "This browser cannot measure it: {reason}."
  - when: otherwise
    say: One core reads {value | GB/s | 3}.
```

## What follows

```worked
id: q-SLUG
ask: >-
  A kernel does two operations for every eight bytes. What is its intensity?
given:
  flops: 2 FLOP
  bytes: 8 B
answer: flops / bytes
expect: 0.25 FLOP/B
why: >-
  Operations divided by bytes.
trap: >-
  If you got 4, you divided bytes by operations.
```
)";

constexpr std::string_view figure = R"json({
  "kind": "roofline",
  "title": TITLE,
  "machines": [{"label": "Example machine", "peak": "100 TFLOP/s", "bandwidth": "1 TB/s"}],
  "points": [{"label": "vector add", "intensity": "1 FLOP / (3 * 4 B)"}]
}
)json";

// A sentence with a fact of the book, preferably the bandwidth of an H100.
std::string fact_sentence(const FileSystem& files) {
  Diagnostics reported_by_check;
  figures::Facts facts;
  load_facts(files, facts, reported_by_check);
  const figures::Fact* shown = facts.find("h100-sxm.bandwidth");
  if (!shown && !facts.all().empty()) shown = &facts.all().front();
  if (!shown) return "A number is a link to its source, `[3.35 TB/s](fact:h100-sxm.bandwidth)`.";
  return "A number is a link to its source: [" + shown->text + "](fact:" + shown->id + ").";
}

// A book with additional files that are not written yet.
class Overlay : public FileSystem {
 public:
  Overlay(const FileSystem& below, const std::map<std::string, std::string>& added)
      : below_(below), added_(added) {}

 private:
  std::optional<std::string> load(const std::string& path) const override {
    const auto found = added_.find(path);
    return found == added_.end() ? below_.read(path) : found->second;
  }

  std::vector<std::string> walk(const std::string& directory) const override {
    auto all = below_.list(directory);
    for (const auto& [path, text] : added_) {
      if (path.starts_with(directory + '/')) all.push_back(path);
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  const FileSystem& below_;
  const std::map<std::string, std::string>& added_;
};

// Whether the book is valid with the new files and contains the chapter. Reports why not.
bool fits(const Overlay& files, const std::string& slug, std::size_t errors_before,
          Diagnostics& diagnostics) {
  Diagnostics found;
  const auto book = load_book(files, found);
  const std::string wish = "a chapter " + in_quotes(slug);
  const bool listed = book && std::ranges::any_of(book->chapters, [&](const auto& one) {
                        return one.slug == slug;
                      });
  if (!book || (!listed && found.count(Severity::error) <= errors_before)) {
    const std::string why = found.empty() ? std::string() : ": " + found.sorted().front().message;
    diagnostics.error(Rule::bad_value, book_file, wish + " cannot be added" + why);
    diagnostics.hint(
        "nothing was written; add it to the list of chapters yourself: \"- slug: " + slug + "\"");
    return false;
  }
  Addresses addresses;
  std::vector<std::string> roots{""};
  for (const auto& locale : book->locales) roots.push_back(locale.root);
  claim_usual(roots, addresses, found);
  addresses.claim(slug + "/index.html", {wish}, found);
  if (found.count(Severity::error) <= errors_before) return true;
  diagnostics.error(Rule::address_taken, "",
                    wish + " cannot be added: " + found.sorted().front().message);
  diagnostics.hint("nothing was written; choose another name");
  return false;
}

// Whether there is anything at the path, even an unreadable file, which would be replaced. Whoever
// writes refuses links.
bool is_there(const FileSystem& files, const std::string& path) {
  if (!files.link_in(path).empty()) return false;
  return files.read(path) || !files.why_unreadable(path).message.empty();
}

// Quotes a text so that it is valid in both YAML and JSON.
std::string in_both(const std::string& text) {
  using Json = nlohmann::json;
  return Json(trim(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Number of the next chapter.
struct NextNumber {
  std::optional<int> said, in_name;  // in the entry, and at the beginning of the file name
};

NextNumber next_number(const Book& book, Numbering numbering) {
  if (numbering == Numbering::none) return {};
  int next = numbering == Numbering::all ? 1 : 0;
  bool some = book.chapters.empty();
  for (const auto& chapter : book.chapters) {
    if (chapter.depth == 0 && !chapter.appendix && !chapter.number.empty())
      next = std::max(next, std::stoi(chapter.number) + 1);
    some = some || !chapter.number.empty();
  }
  // If no chapter has a number, the next one gets none.
  if (!some) return {};
  return {numbering == Numbering::given ? std::optional(next) : std::nullopt, next};
}

// Fills in a template. The title comes last, because it may contain any word.
std::string filled(std::string_view form, const std::string& slug, const std::string& title,
                   const std::string& fact = {}) {
  const std::string named = replace_all(std::string(form), "SLUG", slug);
  return replace_all(replace_all(named, "FACT", fact), "TITLE",
                     in_both(title.empty() ? title_of_slug(slug) : title));
}

}  // namespace

std::string spec_of_chapter(const std::string& slug) { return "figures/specs/" + slug + ".json"; }

std::optional<std::map<std::string, std::string>> new_chapter(const FileSystem& files,
                                                              const std::string& slug,
                                                              Diagnostics& diagnostics,
                                                              const std::string& title) {
  const auto refuse = [&](Rule rule, std::string message) {
    diagnostics.error(rule, "", std::move(message));
    return std::nullopt;
  };
  if (!is_identifier(slug)) {
    auto& d = diagnostics.error(
        Rule::bad_id, "",
        in_quotes(slug) +
            " is not a valid slug: expected lower-case letters, digits and hyphens, beginning "
            "with a letter");
    const std::string like = github_slug(replace_all(slug, "_", "-"));
    if (is_identifier(like)) d.suggestion = like;
    return std::nullopt;
  }
  const auto book = load_book(files, diagnostics);
  if (!book) return std::nullopt;
  for (const auto& chapter : book->chapters)
    if (chapter.slug == slug) return refuse(Rule::duplicate_id, "there is a chapter " + slug);
  const Source source(book_file, files.read(book_file).value_or(""));
  const auto yaml = parse_yaml(source, diagnostics);
  if (!yaml) return std::nullopt;

  const auto [number, in_name] = next_number(*book, book->numbering);
  std::string name = slug + ".md";
  if (in_name) name = (*in_name < 10 ? "0" : "") + std::to_string(*in_name) + '-' + name;
  const std::string path = "chapters/" + book->language + '/' + name;
  if (is_there(files, path)) {
    diagnostics.error(Rule::duplicate_id, path, "this file already exists");
    diagnostics.hint(
        "nothing was written; add it to the list of chapters yourself: \"- slug: " + slug + "\"");
    return std::nullopt;
  }
  const std::string spec = spec_of_chapter(slug);
  if (is_there(files, spec)) return refuse(Rule::duplicate_id, "there is a figure " + spec);
  std::map<std::string, std::string> added{
      {path, filled(skeleton, slug, title, fact_sentence(files))},
      {spec, filled(figure, slug, title)},
      {book_file, with_chapter(source, *yaml, slug, number)}};
  if (!fits(Overlay(files, added), slug, diagnostics.count(Severity::error), diagnostics))
    return std::nullopt;
  return added;
}

// A new book.

namespace {
constexpr std::string_view folder = "new_book/";

}  // namespace

std::optional<std::map<std::string, std::string>> new_book(const FileSystem& site,
                                                           const std::string& title,
                                                           const std::string& language,
                                                           Diagnostics& diagnostics) {
  // A JSON string is also a valid YAML string, whatever characters the title contains.
  const std::string quoted =
      nlohmann::json(title).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::map<std::string, std::string> files;
  for (const auto& path : site.list("new_book")) {
    const std::string own = path.substr(folder.size());
    const auto text = site.read(path);
    if (!text && report_unreadable(site, path, diagnostics, "site/")) return std::nullopt;
    std::string filled = text.value_or("");
    for (const auto& [word, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"LANGUAGE", language},
             {"NAME_OF_PROGRAM", PRIMER_REPOSITORY},
             {"v0.0.0", "v" PRIMER_VERSION},
             {"TITLE", own.ends_with(".yaml") ? quoted : title}})
      filled = replace_all(std::move(filled), word, value);
    files[own] = std::move(filled);
  }
  if (files.empty()) {
    diagnostics.error(Rule::template_error, "site/new_book", "the files of a new book are missing");
    return std::nullopt;
  }
  const auto chapter = new_chapter(*in_memory(files), "memory", diagnostics);
  if (!chapter) return std::nullopt;
  for (const auto& [path, text] : *chapter) files[path] = text;
  return files;
}

// A new kernel.

namespace {

constexpr std::string_view templates = "new_kernel/";

struct Filling {
  std::string name, source;  // "saxpy", "saxpy.c#saxpy"

  std::string of(std::string text) const {
    text = replace_all(std::move(text), "SOURCE", source);
    text = replace_all(std::move(text), "TITLE", title_of_slug(name));
    return replace_all(std::move(text), "NAME", name);
  }
};

// A filled-in template. Empty after a diagnostic.
std::string filled(const FileSystem& site, const std::string& path, const Filling& filling,
                   Diagnostics& diagnostics) {
  const auto text = site.read(path);
  if (text) return filling.of(*text);
  if (!report_unreadable(site, path, diagnostics, "site/"))
    diagnostics.error(Rule::template_error, "site/" + path, "this file of a new kernel is missing");
  return {};
}

}  // namespace

std::optional<std::map<std::string, std::string>> new_kernel(const FileSystem& site,
                                                             const FileSystem& files,
                                                             const std::string& name,
                                                             const std::string& language,
                                                             Diagnostics& diagnostics) {
  const std::string directory = "kernels/" + name;
  if (is_identifier(name) && !files.list(directory).empty()) {
    diagnostics.error(Rule::duplicate_id, directory, "this directory already exists");
    diagnostics.hint("nothing was written; choose another name");
    return std::nullopt;
  }
  auto added = new_chapter(files, name, diagnostics);
  if (!added) return std::nullopt;
  added->erase(spec_of_chapter(name));
  const std::string ending = language == "rust" ? "rs" : language == "c++" ? "cpp" : language;
  // WebAssembly text has other comments than the ones that mark regions.
  const Filling filling{name, name + '.' + ending + (language == "wat" ? "" : '#' + name)};
  for (auto& [path, text] : *added)
    if (path != book_file)
      text = filled(site, std::string(templates) + "chapter.md", filling, diagnostics);
  const std::string own = std::string(templates) + language + '/';
  const std::pair<std::string, std::string> all[] = {
      {own + "NAME." + ending, name + '.' + ending},
      {own + "build.sh", "build.sh"},
      {std::string(templates) + "kernels.json", "kernels.json"}};
  for (const auto& [from, to] : all)
    (*added)[directory + '/' + to] = filled(site, from, filling, diagnostics);
  const Source source(book_file, added->at(book_file));
  const auto yaml = parse_yaml(source, diagnostics);
  if (!yaml || diagnostics.has_errors()) return std::nullopt;
  added->at(book_file) = with_kernels(source, *yaml, directory);
  return added;
}

}  // namespace primer
