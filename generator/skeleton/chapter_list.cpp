#include "generator/skeleton/chapter_list.hpp"

#include <algorithm>

#include "generator/base/text.hpp"
#include "generator/load/book.hpp"

namespace primer {
namespace {

// Of a list in brackets, from its "[" on.
struct Brackets {
  std::size_t end;  // of its "]"
  char last = '[';  // before it, but for spaces and comments
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

// What stands before the "-" of a list's last item.
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
  return parse_yaml(extract_lines(source, 1, source.line_count()), reported_by_check);
}

// The chapters of a book.yaml; none where it cannot be read.
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

}  // namespace

std::string with_chapter(const Source& source, const Yaml& book, const std::string& slug,
                         std::optional<int> number) {
  std::string text(source.text());
  if (!text.ends_with('\n')) text += '\n';
  const auto entry =
      std::ranges::find(book.entries, "chapters", [](const auto& one) { return one.key.text; });
  if (entry == book.entries.end()) return text + "chapters:\n" + in_lines("  ", slug, number);
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

}  // namespace primer
