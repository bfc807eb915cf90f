#include "generator/search/page_sections.hpp"

#include <algorithm>
#include <optional>

#include "generator/base/text.hpp"
#include "generator/search/indexed_text.hpp"

namespace primer {
namespace {

constexpr auto npos = std::string_view::npos;

bool starts_at(std::string_view text, std::size_t at, std::string_view what) {
  return text.substr(at, what.size()) == what;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The bytes of a space at this place, of whatever width; 0 when there is none.
std::size_t space_at(std::string_view text, std::size_t at) {
  if (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r')) return 1;
  for (const std::string_view space :
       {"\u00A0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006",
        "\u2007", "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000",
        "\uFEFF"}) {
    if (starts_at(text, at, space)) return space.size();
  }
  return 0;
}

// The text of HTML, each run of spaces as one, none at its ends.
std::string without_tags(std::string_view html) {
  std::string text;
  bool space = false;
  for (std::size_t at = 0; at < html.size();) {
    if (const auto end = html.find('>', at); html[at] == '<' && end != npos && end > at + 1) {
      at = end + 1;
    } else if (const std::size_t width = space_at(html, at)) {
      space = true;
      at += width;
    } else {
      if (space && !text.empty()) text += ' ';
      space = false;
      text += html[at++];
    }
  }
  return text;
}

// An element: from its opening tag to its closing one, which does not hold another of its name.
struct Element {
  std::size_t begin, inner, inner_end, end;
};

std::optional<Element> find_element(std::string_view html, std::string_view name,
                                    std::size_t from = 0) {
  const std::string opening = "<" + std::string(name), closing = "</" + std::string(name) + ">";
  for (std::size_t at = html.find(opening, from); at != npos; at = html.find(opening, at + 1)) {
    const std::size_t after = at + opening.size();
    if (after < html.size() && is_word(html[after])) continue;
    const std::size_t inner = html.find('>', after);
    if (inner == npos) return std::nullopt;
    const std::size_t inner_end = html.find(closing, inner + 1);
    if (inner_end == npos) continue;
    return Element{at, inner + 1, inner_end, inner_end + closing.size()};
  }
  return std::nullopt;
}

std::optional<std::string> inner_text(std::string_view html, std::string_view name) {
  const auto found = find_element(html, name);
  if (!found) return std::nullopt;
  return without_tags(html.substr(found->inner, found->inner_end - found->inner));
}

// As JavaScript counts them, in which pages search.
std::size_t letters_in(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0u) != 0x80u) count += byte >= 0xF0u ? 2 : 1;
  }
  return count;
}

// A formula's letters, if they read as a word in a sentence. A statement is none, nor has a word a prime.
std::string formula_words(std::string_view mathml) {
  constexpr std::size_t longest = 12;
  const std::string letters = replace_all(without_tags(mathml), " ", "");
  const bool states = std::ranges::any_of(
      std::initializer_list<std::string_view>{"=", "≠", "<", ">", "≤", "≥", "≈", "∼", "′"},
      [&](std::string_view sign) { return letters.find(sign) != letters.npos; });
  return states || letters_in(letters) > longest ? "…" : letters;
}

std::string with_formulas_as_words(std::string_view html) {
  constexpr std::string_view opening = "<math", closing = "</math>";
  std::string text;
  std::size_t from = 0;
  for (std::size_t at = html.find(opening); at != npos; at = html.find(opening, from)) {
    const auto end = html.find(closing, at);
    if (end == npos) break;
    text += html.substr(from, at - from);
    from = end + closing.size();
    text += formula_words(html.substr(at, from - at));
  }
  return text.append(html.substr(from));
}

struct SectionStart {
  std::string_view tag, id;
};

// A heading or a term with an id.
std::optional<SectionStart> section_start(std::string_view html, std::size_t at) {
  for (const std::string_view tag : {"h2", "h3", "dt"}) {
    if (html[at] != '<' || !starts_at(html, at + 1, tag)) continue;
    const std::size_t name_end = at + 1 + tag.size(), close = html.find('>', name_end);
    if (name_end >= html.size() || html[name_end] != ' ') continue;
    constexpr std::string_view id = "id=\"";
    const std::size_t begin = html.find(id, name_end + 1);
    if (begin == npos || begin > close) continue;
    const std::size_t from = begin + id.size(), end = html.find('"', from);
    if (end == npos || end == from) continue;
    return SectionStart{tag, html.substr(from, end - from)};
  }
  return std::nullopt;
}

std::string without_first_heading(std::string_view html) {
  std::optional<Element> first;
  for (const char* name : {"h1", "h2", "h3", "dt"}) {
    const auto found = find_element(html, name);
    if (found && (!first || found->begin < first->begin)) first = found;
  }
  if (!first) return std::string(html);
  return std::string(html.substr(0, first->begin)).append(html.substr(first->end));
}

struct Page {
  std::string_view url;
  std::string language, chapter;
};

PageSection section(const Page& page, std::string_view html) {
  const auto start = html.empty() ? std::nullopt : section_start(html, 0);
  const std::string title =
      start ? inner_text(html, start->tag).value_or(page.chapter) : page.chapter;
  // A definition is short, which Pagefind takes for relevance: the word itself is what counts there.
  const char* weight = start && start->tag == "dt" ? "0.3" : "1";
  std::string url(page.url);
  if (start) url.append("#").append(start->id);
  return {url, "<html lang=\"" + page.language + "\"><head><meta content=\"" + page.chapter +
                   "\" data-pagefind-meta=\"chapter[content]\"/></head><body><h1>" + title +
                   "</h1><div data-pagefind-weight=\"" + weight + "\">" +
                   without_first_heading(html) + "</div></body></html>"};
}

std::string language_of(std::string_view page) {
  const auto root = page.find("<html");
  constexpr std::string_view lang = " lang=\"";
  const auto at = root == npos ? npos : page.find(lang, root);
  if (at == npos || at > page.find('>', root)) return "en";
  const auto from = at + lang.size();
  return std::string(page.substr(from, page.find('"', from) - from));
}

// What is between the tags of <main>.
std::string_view text_of(std::string_view page) {
  const auto opening = page.find("<main"), end = page.rfind("</main>");
  const auto begin = opening == npos ? npos : page.find('>', opening);
  if (begin == npos || end == npos || end < begin) return {};
  return page.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::vector<PageSection> sections_of(std::string_view url, std::string_view page) {
  const std::string language = language_of(page);
  const std::string main =
      indexed_html(with_formulas_as_words(std::string(text_of(page))), language);
  const Page about{url, pagefind_language(language), inner_text(main, "h1").value_or("")};
  std::vector<PageSection> sections;
  std::size_t from = 0;
  for (std::size_t at = main.find('<', 1); at != main.npos; at = main.find('<', at + 1)) {
    if (!section_start(main, at)) continue;
    sections.push_back(section(about, std::string_view(main).substr(from, at - from)));
    from = at;
  }
  sections.push_back(section(about, std::string_view(main).substr(from)));
  return sections;
}

bool is_unlisted(std::string_view page) {
  return page.find("<meta name=\"robots\" content=\"noindex\"") != npos;
}

}  // namespace primer
