#include "generator/chapter_skeleton.hpp"

#include <algorithm>

#include "generator/book.hpp"
#include "generator/slug.hpp"
#include "generator/text.hpp"
#include "generator/yaml.hpp"

namespace primer {
namespace {

constexpr std::string_view skeleton = R"(---
title: "TITLE"
summary: One sentence that says what the reader will be able to do.
mental_model: One sentence to think with.
takeaway: One sentence to keep.
---

Answer the chapter's question here, in the first sentence.

## A first section

A number never stands alone: `[989 TFLOP/s](fact:h100-sxm.peak.bf16)` holds it against its source,
`[36×](<live: matmul.packed / matmul.naive>)` against a measurement.

```worked
id: q-SLUG
ask: >-
  A kernel does 2 FLOP for every 8 bytes. What is its intensity?
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

std::string title_of(std::string slug) {
  std::replace(slug.begin(), slug.end(), '-', ' ');
  slug[0] = static_cast<char>(slug[0] - 'a' + 'A');
  return slug;
}

// Where in book.yaml the next chapter goes: behind the line on which the last one ends.
std::size_t insertion_point(const Source& source, const Yaml& book) {
  const Yaml* chapters = book.find("chapters");
  if (!chapters || chapters->items.empty()) return source.text().size();
  const Yaml& last = chapters->items.back();
  const std::size_t offset = last.entries.empty() ? last.offset : last.entries.back().value.offset;
  return source.line_start(source.line_at(offset) + 1);
}

}  // namespace

std::optional<std::map<std::string, std::string>> new_chapter(const FileSystem& files,
                                                              const std::string& slug,
                                                              Diagnostics& diagnostics) {
  const auto refuse = [&](Rule rule, std::string message) {
    diagnostics.error(rule, "", std::move(message));
    return std::nullopt;
  };
  if (!is_identifier(slug)) {
    auto& d = diagnostics.error(Rule::bad_id, "", in_quotes(slug) + " is no slug: lower-case "
                                "letters, digits and hyphens, beginning with a letter");
    const std::string like = github_slug(replace_all(slug, "_", "-"));
    if (is_identifier(like)) d.suggestion = like;
    return std::nullopt;
  }
  const auto book = load_book(files, diagnostics);
  if (!book) return std::nullopt;
  int number = 0;
  for (const auto& chapter : book->chapters) {
    if (chapter.slug == slug) return refuse(Rule::duplicate_id, "there is a chapter " + slug);
    number = std::max(number, chapter.number.value_or(-1) + 1);
  }
  const Source source(book_file, files.read(book_file).value_or(""));
  const auto yaml = parse_yaml(extract_lines(source, 1, source.line_count()), diagnostics);
  if (!yaml) return std::nullopt;

  std::string list(source.text());
  if (!list.ends_with('\n')) list += '\n';
  const bool first = book->chapters.empty();
  list.insert(std::min(insertion_point(source, *yaml), list.size()),
              (first ? "chapters:\n" : "") + ("  - slug: " + slug) +
                  "\n    number: " + std::to_string(number) + '\n');
  const std::string digits = (number < 10 ? "0" : "") + std::to_string(number);
  const std::string path = "chapters/" + book->language + '/' + digits + '-' + slug + ".md";
  std::string text(skeleton);
  text = replace_all(replace_all(std::move(text), "TITLE", title_of(slug)), "SLUG", slug);
  return std::map<std::string, std::string>{{path, text}, {book_file, list}};
}

}  // namespace primer
