#include "generator/skeleton/chapter_skeleton.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/base/slug.hpp"
#include "generator/base/text.hpp"
#include "generator/formats/yaml.hpp"
#include "generator/load/book.hpp"
#include "generator/load/values.hpp"
#include "generator/publish/usual_addresses.hpp"
#include "generator/skeleton/chapter_list.hpp"

namespace primer {
namespace {

constexpr std::string_view skeleton = R"(---
title: TITLE
summary: One sentence that says what the reader will be able to do.
mental_model: One sentence to think with.
takeaway: One sentence to keep.
figure: fig-SLUG
---

Answer the chapter's question here, in the first sentence.

## What could be

FACT [Figure](#fig-SLUG) is drawn from `figures/specs/SLUG.json`.

```figure
id: fig-SLUG
spec: SLUG
caption: Say what the figure shows.
alt: Say the finding to who cannot see the figure.
```

## What is

```predict
id: q-SLUG-guess
ask: How fast does one core of your machine read memory?
measured: B.out
unit: GB/s
then: Say why it is so.
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
  Arithmetic over bytes.
trap: >-
  4 is bytes over arithmetic.
```
)";

constexpr std::string_view figure = R"json({
  "kind": "roofline",
  "title": TITLE,
  "machines": [{"label": "A round machine", "peak": "100 TFLOP/s", "bandwidth": "1 TB/s"}],
  "points": [{"label": "vector add", "intensity": "1 FLOP / (3 * 4 B)"}]
}
)json";

// A sentence with a fact of the book: the bandwidth of a chip, if it has one.
std::string fact_sentence(const FileSystem& files) {
  Diagnostics reported_by_check;
  figures::Facts facts;
  load_facts(files, facts, reported_by_check);
  const figures::Fact* shown = facts.find("h100-sxm.bandwidth");
  if (!shown && !facts.all().empty()) shown = &facts.all().front();
  if (!shown) return "A number is a link to its source, `[3.35 TB/s](fact:h100-sxm.bandwidth)`.";
  return "A number is a link to its source: [" + shown->text + "](fact:" + shown->id + ").";
}

// A book with files that are not written yet.
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

// Whether the book is one with the new files, and has the chapter; else says why not.
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
  diagnostics.hint("nothing was written; take another name");
  return false;
}

// Whatever it is: what cannot be read would be replaced, too. Links are refused by who writes.
bool is_there(const FileSystem& files, const std::string& path) {
  if (!files.link_in(path).empty()) return false;
  return files.read(path) || !files.why_unreadable(path).message.empty();
}

// In quotes, as YAML and JSON both read it.
std::string in_both(const std::string& text) {
  using Json = nlohmann::json;
  return Json(trim(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The next chapter's number: what its entry says, and what its file's name begins with.
struct NextNumber {
  std::optional<int> said, in_name;
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
  // Who numbers no chapter wants none.
  if (!some) return {};
  return {numbering == Numbering::given ? std::optional(next) : std::nullopt, next};
}

// The title comes last, for it may hold any word.
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
    auto& d = diagnostics.error(Rule::bad_id, "",
                                in_quotes(slug) +
                                    " is not a slug: lower-case "
                                    "letters, digits and hyphens, beginning with a letter");
    const std::string like = github_slug(replace_all(slug, "_", "-"));
    if (is_identifier(like)) d.suggestion = like;
    return std::nullopt;
  }
  const auto book = load_book(files, diagnostics);
  if (!book) return std::nullopt;
  for (const auto& chapter : book->chapters)
    if (chapter.slug == slug) return refuse(Rule::duplicate_id, "there is a chapter " + slug);
  const Source source(book_file, files.read(book_file).value_or(""));
  const auto yaml = parse_yaml(extract_lines(source, 1, source.line_count()), diagnostics);
  if (!yaml) return std::nullopt;

  const auto [number, in_name] = next_number(*book, book->numbering);
  std::string name = slug + ".md";
  if (in_name) name = (*in_name < 10 ? "0" : "") + std::to_string(*in_name) + '-' + name;
  const std::string path = "chapters/" + book->language + '/' + name;
  if (is_there(files, path)) {
    diagnostics.error(Rule::duplicate_id, path, "this file is there already");
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

}  // namespace primer
