// HTML in a chapter. Comments are dropped. A few inline elements that Markdown has no syntax for
// are allowed without attributes. Everything else is an error; if the book downgrades it, only the
// text inside is shown.
#include <algorithm>
#include <array>
#include <cctype>

#include "generator/core/base/text.hpp"
#include "generator/core/render/emitter.hpp"

namespace primer {
namespace {

constexpr std::array<std::string_view, 5> harmless = {"br", "kbd", "sub", "sup", "wbr"};

struct Replacement {
  std::string_view element, form;
};
constexpr Replacement replacements[] = {
    {"a", "link to a heading by its own id: [text](#the-heading)"},
    {"audio", "link to it: [text](https://…)"},
    {"b", "write **text**"},
    {"blockquote", "write > before each line"},
    {"center", "write it as plain text; pages do not center text"},
    {"cite", "write *text*"},
    {"code", "write `text`"},
    {"del", "write ~~text~~"},
    {"details", "write a callout: > [!DEEPER] on a line, the text below it after >"},
    {"div", "write plain text, or a callout: > [!NOTE]"},
    {"dl", "write a list whose items begin with a **term**"},
    {"em", "write *text*"},
    {"figcaption", "write it as a paragraph in *emphasis* below the image"},
    {"figure", "write ![what it shows](file.svg)"},
    {"hr", "write --- on a separate line"},
    {"i", "write *text*"},
    {"iframe", "link to it: [text](https://…)"},
    {"img", "write ![what it shows](file.svg)"},
    {"li", "write a list with - before each item"},
    {"mark", "write **text**"},
    {"ol", "write a list with 1. before each item"},
    {"p", "leave an empty line between paragraphs"},
    {"pre", "write a fenced code block"},
    {"s", "write ~~text~~"},
    {"span", "write plain text"},
    {"strong", "write **text**"},
    {"summary", "write a callout: > [!DEEPER] on a line, the text below it after >"},
    {"table", "write a table with bars"},
    {"u", "write *text*"},
    {"ul", "write a list with - before each item"},
    {"video", "link to it: [text](https://…)"},
};

// The element's name in "<kbd>", "</kbd>" and "<kbd class=…>": "kbd". Empty if this is not a tag.
std::string element_of(std::string_view html) {
  html.remove_prefix(std::min<std::size_t>(html.find_first_not_of("</ \t\n"), html.size()));
  std::string name;
  for (const char c : html) {
    if (!std::isalnum(static_cast<unsigned char>(c))) break;
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

enum class Tag { none, opens, closes, empty };

// Which kind of tag this is. `none` unless it is a harmless element without attributes.
Tag harmless_tag(std::string_view html) {
  const std::string name = element_of(html);
  if (std::ranges::find(harmless, name) == harmless.end()) return Tag::none;
  std::string plain;
  for (const char c : html) {
    if (c != ' ') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (name == "br" || name == "wbr")
    return plain == '<' + name + '>' || plain == '<' + name + "/>" ? Tag::empty : Tag::none;
  if (plain == '<' + name + '>') return Tag::opens;
  return plain == "</" + name + '>' ? Tag::closes : Tag::none;
}

std::string with_entities(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> entities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&nbsp;", "\u00A0"}, {"&amp;", "&"}};
  for (const auto& [entity, character] : entities)
    text = replace_all(std::move(text), entity, character);
  return text;
}

// The text of an HTML block, without tags, comments, scripts and styles.
std::string bare_words(std::string_view html) {
  std::string words;
  while (!html.empty()) {
    const auto open = html.find('<');
    words += html.substr(0, open);
    if (open == html.npos) break;
    html.remove_prefix(open);
    std::string_view end = ">";
    const std::string name = element_of(html);
    if (html.starts_with("<!--")) end = "-->";
    else if (html.starts_with("<script") || html.starts_with("<style")) end = "</";
    const auto close = html.find(end);
    if (close == html.npos) break;
    html.remove_prefix(close + end.size());
    if (end == "</") html.remove_prefix(std::min(html.find('>'), html.size() - 1) + 1);
  }
  return with_entities(std::string(trim(words)));
}

// What follows the comments at the beginning of a block.
std::string_view behind_comments(std::string_view html) {
  html = trim(html);
  while (html.starts_with("<!--")) {
    const auto end = html.find("-->");
    if (end == html.npos) break;
    html = trim(html.substr(end + 3));
  }
  return html;
}

bool is_comment(std::string_view html) {
  html = trim(html);
  return html.starts_with("<!--") && html.find("-->") + 3 == html.size();
}

}  // namespace

// Marks the harmless tags that are closed in the reverse order in which they were opened.
std::vector<bool> harmless_tags(const std::vector<Node>& siblings) {
  std::vector<bool> good(siblings.size(), false);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < siblings.size(); ++i) {
    if (siblings[i].kind != NodeKind::html) continue;
    const Tag tag = harmless_tag(siblings[i].text);
    if (tag == Tag::empty) good[i] = true;
    if (tag == Tag::opens) open.push_back(i);
    if (tag != Tag::closes || open.empty()) continue;
    if (element_of(siblings[open.back()].text) == element_of(siblings[i].text))
      good[i] = good[open.back()] = true;
    open.pop_back();
  }
  return good;
}

void Emitter::harmless_html(const Node& node) {
  const Tag tag = harmless_tag(node.text);
  if (tag == Tag::closes) out.close();
  else if (tag == Tag::empty) out.empty(element_of(node.text));
  else out.open(element_of(node.text));
}

void Emitter::raw_html(const Node& node, std::size_t length) {
  const std::string element = element_of(node.text);
  const auto found = std::ranges::find(replacements, element, &Replacement::element);
  const bool known = std::ranges::find(harmless, element) != harmless.end();
  error(Rule::raw_html, node.offset, length, "raw HTML is not allowed");
  if (known) {
    diagnostics.hint("<" + element + "> is allowed without attributes, closed in the same text");
  } else {
    diagnostics.hint(found == std::end(replacements) ? "write Markdown, or put code in backticks"
                                                     : std::string(found->form));
  }
}

void Emitter::html_block(const Node& node) {
  const std::string_view behind = behind_comments(node.text);
  if (behind.empty()) return;
  const bool is_text = trim(node.text).starts_with("<!--") && !behind.starts_with('<');
  if (is_text) {
    const std::string_view line = trim(split(behind, '\n').front());
    const auto comment = source.text().find("-->", node.offset);
    error(Rule::raw_html, source.text().find(line, comment), line.size(),
          "text after a comment at the start of a line is not shown");
    diagnostics.hint("put the comment on its own line");
  } else {
    raw_html(node, trim(split(node.text, '\n').front()).size());
  }
  const std::string words = bare_words(node.text);
  if (!words.empty()) out.element("p", {}, words).line();
}

void Emitter::inline_html(const Node& node) {
  if (!is_comment(node.text)) raw_html(node, node.length);
}

}  // namespace primer
