#include "generator/tools/import/loss.hpp"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/markdown/markdown.hpp"
#include "generator/tools/import/chapter.hpp"
#include "generator/tools/import/html_tags.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

struct Item {
  std::string key;  // "word x", "code x", …; what is compared
  std::string text;
  std::size_t offset = 0;
  bool in_code = false;  // a word of a line of code, which is an item itself
};

bool is_punctuation(std::string_view character) {
  return character.starts_with("\xC2") || character.starts_with("\xE2\x80") ||
         character.starts_with("\xE2\x81") || character.starts_with("\xEF\xB8");
}

// The import removes the characters that the book refuses.
std::string without_hidden_characters(std::string text) {
  for (auto hidden = first_hidden_character(text, TextKind::code); hidden;
       hidden = first_hidden_character(text, TextKind::code, hidden->offset))
    text.erase(hidden->offset, hidden->length);
  return text;
}

class Items {
 public:
  Items(Tool tool, std::string_view format, bool is_old)
      : tool_(tool), format_(format), is_old_(is_old) {}

  // Words of a text that is not Markdown.
  std::vector<Item> of_words(const std::string& text) {
    for (const auto line : split_lines(text)) {
      offset_ = static_cast<std::size_t>(line.data() - text.data());
      words(line);
    }
    return std::move(items_);
  }

  std::vector<Item> of(const std::string& text) {
    const Source source("chapter.md", text);
    Diagnostics ignored;
    const auto tree = parse_markdown(extract_lines(source, 1, source.line_count()), ignored);
    if (tree) node(*tree);
    return std::move(items_);
  }

 private:
  void add(std::string_view kind, std::string key, std::string_view text) {
    if (!key.empty())
      items_.push_back({std::string(kind) + ' ' + key, std::string(text), offset_, in_code_});
  }

  // Runs of ASCII letters and digits, and each other letter by itself.
  void words(std::string_view text) {
    std::string word;
    const auto end = [&] {
      add("word", lower_case(word), word);
      word.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      if (static_cast<unsigned char>(c) < 0x80) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) word += c;
        else end();
        ++at;
        continue;
      }
      std::size_t length = 1;
      while (at + length < text.size() &&
             (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80)
        ++length;
      end();
      const std::string_view character = text.substr(at, length);
      if (!is_punctuation(character)) add("word", std::string(character), character);
      at += length;
    }
    end();
  }

  static std::string without_spaces(std::string_view text) {
    std::string out;
    for (const char c : text)
      if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
    return out;
  }

  void link(const std::string& url) {
    const bool web =
        url.starts_with("http://") || url.starts_with("https://") || url.starts_with("mailto:");
    if (web) add("link", percent_decoded(url), url);
  }

  void image(const std::string& url) {
    if (url.empty() || url.starts_with("http")) return link(url);
    std::string file = url.substr(0, url.find_first_of("?#"));
    if (file.starts_with("new-file:")) file.erase(0, std::string_view("new-file:").size());
    add("image", as_id(percent_decoded(file.substr(file.rfind('/') + 1))), url);
  }

  void html(std::string_view raw) {
    std::string text;
    for (std::size_t at = 0; at < raw.size();) {
      const std::string_view rest = raw.substr(at);
      const auto comment = rest.starts_with("<!--") ? rest.find("-->") : rest.npos;
      const auto length = rest[0] == '<' ? tag_length(rest) : rest.npos;
      if (comment != rest.npos) {
        at += comment + 3;
      } else if (length != rest.npos) {
        words(with_entities_decoded(std::exchange(text, {})));
        const HtmlTag tag = html_tag(rest.substr(0, length));
        if (!is_html_element(tag.name) && tag.name.find('-') == tag.name.npos) words(tag.whole);
        for (const char* key : {"alt", "title", "caption"})
          if (!tag.closes) words(tag.attribute(key));
        if (tag.name == "a") link(tag.attribute("href"));
        if (tag.name == "img") image(tag.attribute("src"));
        at += length;
        const bool hidden = !tag.closes && (tag.name == "script" || tag.name == "style");
        const auto end = hidden ? rest.find("</" + tag.name, length) : rest.npos;
        if (end != rest.npos) at += end - length;
      } else {
        text += raw[at++];
      }
    }
    words(with_entities_decoded(text));
  }

  void code_block(const Node& node) {
    const bool is_cell = node.info.starts_with('{') && tool_ == Tool::quarto;
    if (is_old_ && (node.info.starts_with('{') || node.info.starts_with("admonish")) && !is_cell)
      return directive(node);
    if (is_cell && node.info == "{=html}") return html(node.text);
    if (node.info.starts_with("math")) return formula(node.text);
    const bool rust = is_old_ && tool_ == Tool::mdbook &&
                      (node.info.starts_with("rust") || node.info.starts_with("edition") ||
                       is_one_of(node.info, {"ignore", "no_run", "should_panic", "compile_fail"}));
    const bool hidden = is_old_ && is_cell && is_hidden(node);
    for (const auto line : split_lines(node.text)) {
      std::string code(trim(line));
      if (node.body)
        offset_ = node.body->place(static_cast<std::size_t>(line.data() - node.text.data()));
      if (is_old_ && is_cell && (code.starts_with("#|") || code.starts_with("//|"))) {
        option(code.substr(code.find('|') + 1));
        continue;
      }
      if (hidden) continue;
      // Pandoc and our parser do not always agree on what is indented code.
      if (is_old_ && !format_.empty() && node.fence == 0) {
        if (code.starts_with("#|")) option(code.substr(2));
        else if (!code.starts_with("```")) words(code);
        continue;
      }
      if (rust && (code == "#" || code.starts_with("# "))) continue;  // hidden from readers
      if (rust && code.starts_with("##")) code.erase(0, 1);
      if (is_old_) code = replace_all(std::move(code), "\\{{#", "{{#");
      add("code", without_spaces(without_hidden_characters(code)), code);
      in_code_ = true;
      words(code);
      in_code_ = false;
    }
  }

  // Whether readers do not see a cell's code.
  static bool is_hidden(const Node& cell) {
    std::string text = lower_case(cell.info + '\n' + cell.text);
    std::erase(text, ' ');
    return std::ranges::any_of(std::initializer_list<const char*>{"|echo:false", "|include:false",
                                                                  "echo=false", "include=false"},
                               [&](const char* option) { return text.find(option) != text.npos; });
  }

  // "```{name} argument", ":key: value" lines, and Markdown.
  void directive(const Node& node) {
    const auto close = std::min(node.info.find('}'), node.info.size() - 1);
    const std::string_view name = std::string_view(node.info).substr(1, close - 1);
    const bool is_code = name.starts_with("code") || name == "sourcecode";
    const std::string_view argument = std::string_view(node.info).substr(close + 1);
    if (name == "raw") {
      if (trim(argument) == "html") html(node.text);
      return;
    }
    if (is_one_of(name, {"index", "contents", "toctree", "tableofcontents", "bibliography"}))
      return;
    if (name == "figure" || name == "image") image(std::string(trim(argument)));
    else if (!is_code && !name.starts_with("solution") && node.info.starts_with('{'))
      words(argument);
    bool begun = false, yaml = false;
    for (const auto line : split_lines(node.text)) {
      std::string_view text = trim(line);
      const bool fence = !begun && text == "---";
      const bool is_option = !begun && (fence || yaml || text.starts_with(':'));
      if (fence) begun = std::exchange(yaml, !yaml);
      else begun = begun || !is_option;
      // Directives in this one.
      const bool nested = text.starts_with("```") || text.starts_with(":::");
      if (nested) text.remove_prefix(std::min(text.find('}'), text.size() - 1) + 1);
      const auto colon = begun && text.starts_with(':') ? text.find(':', 1) : text.npos;
      if (colon != text.npos && text.find(' ') > colon && !is_code) continue;
      while (is_option && text.starts_with(':')) text.remove_prefix(1);
      if (is_option && (text.starts_with("alt:") || text.starts_with("caption:")))
        words(text.substr(text.find(':')));
      if (is_option) continue;
      if (is_code) add("code", without_spaces(without_hidden_characters(std::string(text))), text);
      else words(text);
    }
  }

  // Of the options of a cell, the words that readers see.
  void option(std::string_view text) {
    const std::string_view trimmed = trim(text);
    if (!text.starts_with("  "))
      is_shown_ = trimmed.starts_with("fig-cap:") || trimmed.starts_with("fig-alt:") ||
                  trimmed.starts_with("tbl-cap:");
    const auto colon = text.starts_with("  ") ? 0 : std::min(trimmed.find(':'), trimmed.size());
    if (is_shown_) words(trimmed.substr(colon));
  }

  void formula(const std::string& tex) {
    std::string key = without_spaces(tex);
    key = replace_all(replace_all(std::move(key), "\\vert", "|"), "\\Vert", "\\|");
    add("formula", key, tex);
    in_code_ = true;
    words(tex);
    in_code_ = false;
  }

  void node(const Node& one) {
    if (one.offset > 0) offset_ = one.offset;
    switch (one.kind) {
      case NodeKind::text:
      case NodeKind::code:
      case NodeKind::citation: text_ += one.text; return;
      case NodeKind::emphasis:
      case NodeKind::strong:
      case NodeKind::strike: break;  // may be inside a word
      default: flush(); break;
    }
    if (one.kind == NodeKind::maths) return formula(one.text);
    if (one.kind == NodeKind::html || one.kind == NodeKind::html_block) {
      if (is_old_ || one.kind == NodeKind::html_block) html(one.text);
      return;
    }
    if (one.kind == NodeKind::code_block) return code_block(one);
    if (one.kind == NodeKind::link) link(one.url);
    if (one.kind == NodeKind::image) image(one.url);
    words(one.title);
    for (const auto& child : one.children) node(child);
    // Attributes of a heading are no words of it.
    if (one.kind == NodeKind::heading && is_old_ && text_.ends_with('}') && text_.find('{') != 0)
      text_.resize(std::min(text_.rfind('{'), text_.size()));
    if (one.kind < NodeKind::text || one.kind == NodeKind::link) flush();
  }

  void flush() {
    std::string text = std::exchange(text_, {});
    // "{: .no_toc }" of kramdown.
    for (auto at = text.find("{:"); is_old_ && at != text.npos; at = text.find("{:", at)) {
      const auto end = text.find('}', at);
      if (end == text.npos) break;
      text.erase(at, end + 1 - at);
    }
    words(text);
  }

  const Tool tool_;
  const std::string_view format_;  // Pandoc's, of the old text
  const bool is_old_;
  std::vector<Item> items_;
  std::string text_;  // texts next to each other, because a word may be split between them
  std::size_t offset_ = 0;
  bool in_code_ = false;
  bool is_shown_ = false;  // whether readers see the last option of a cell
};

// The values of shortcodes without their names and keys: {{< figure src="a" >}} gives "a".
std::string without_shortcode_names(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool hugo = text.starts_with("{{<") || text.starts_with("{{%");
    const bool liquid = text.starts_with("{%");
    const auto end = hugo ? text.find("}}", 3) : liquid ? text.find("%}", 2) : text.npos;
    if (end == text.npos) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::string_view name = trim(text.substr(hugo ? 3 : 2));
    const bool is_path =
        name.starts_with("include ") || name.starts_with("ref ") || name.starts_with("relref ");
    char quote = 0;
    for (const char c : is_path ? std::string_view() : text.substr(0, end)) {
      const bool ends = quote != 0 && c == quote;
      if (c == '\n' || (quote != 0 && !ends)) out += c;
      if (ends) quote = 0, out += ' ';
      else if (quote == 0 && c == '"') quote = c;
    }
    text.remove_prefix(end + 2);
  }
  return out;
}

// Texts with periods in place of what is no word that readers see. Nothing moves, so that the places
// stay right. (Spaces at the start of a line would make it a block of code.)
class Mask {
 public:
  explicit Mask(std::string text) : text_(std::move(text)) {}

  std::string latex() {
    accents();
    for (const auto& [name, argument, at] : tex_commands(std::string(text_))) {
      const std::size_t end = at + 1 + name.size();
      blank(at, end);
      if (name == "begin" || name == "end")
        groups(end, is_one_of(argument, {"tabular", "tabularx", "longtable", "array", "figure",
                                         "table", "minipage", "wrapfigure", "lstlisting", "minted"})
                        ? 9
                        : 1);
      else if (is_one_of(name, {"label",          "ref",
                                "eqref",          "pageref",
                                "autoref",        "cref",
                                "Cref",           "cite",
                                "citep",          "citet",
                                "include",        "input",
                                "subfile",        "usepackage",
                                "documentclass",  "includegraphics",
                                "bibliography",   "bibliographystyle",
                                "addbibresource", "printbibliography",
                                "href",           "vspace",
                                "hspace",         "setcounter",
                                "addtocounter",   "pagestyle",
                                "thispagestyle",  "index",
                                "setlength",      "pagenumbering"}))
        groups(end, 2);
      else if (is_one_of(name, {"newcommand", "renewcommand", "newtheorem", "newenvironment"}))
        groups(end, 9);
    }
    for (std::size_t at = 0; at < text_.size(); ++at)
      if (text_[at] == '%' && (at == 0 || text_[at - 1] != '\\'))
        blank(at, std::min(text_.find('\n', at), text_.size()));
    return std::move(text_);
  }

  // Directives and their options, comments, roles and targets.
  std::string rst() {
    const std::string text = text_;  // blank() changes text_ in between
    for (const auto line : split_lines(text)) rst_line(line);
    roles(':', ':');
    return std::move(text_);
  }

  // Comments, targets, roles, and names of formulas.
  std::string myst() {
    const std::string text = text_;
    for (const auto line : split_lines(text)) {
      const std::size_t begin = offset_;
      offset_ += line.size() + 1;
      const std::string_view words = trim(line);
      const bool target = words.starts_with('(') && words.ends_with(")=");
      const bool label = words.starts_with("$$ (") && words.ends_with(')');
      if (target || label || words.starts_with("% ") || words.starts_with("+++"))
        blank(begin + (label ? 2 : 0), begin + line.size());
    }
    roles('{', '}');
    return std::move(text_);
  }

  // Attributes in braces, marks of groups and references of Pandoc's Markdown.
  std::string markdown() {
    std::string fence;
    const std::string text = text_;
    for (const auto line : split_lines(text)) {
      const std::size_t begin = static_cast<std::size_t>(line.data() - text.data());
      if (const auto found = fence_of(line)) {
        if (fence.empty()) fence = found->marks;
        else if (found->info.empty() && found->marks.starts_with(fence)) fence.clear();
        continue;
      }
      if (!fence.empty()) continue;
      if (trim(line).starts_with(":::")) attributes(begin, begin + line.size());
      for (auto at = line.find('{'); at != line.npos; at = line.find('{', at + 1)) {
        const auto end = line.find('}', at);
        const std::string_view inside = line.substr(at + 1, std::min(end, line.size()) - at - 1);
        const bool named = inside.starts_with('#') || inside.starts_with('.') || inside == "-" ||
                           inside.find('=') != inside.npos;
        // "x_{i=1}" is a formula.
        const char before = at > 0 ? line[at - 1] : ' ';
        const bool formula = std::isalpha(static_cast<unsigned char>(before)) != 0 ||
                             before == '_' || before == '^' || before == '\\';
        if (end != line.npos && named && !formula) attributes(begin + at, begin + end + 1);
      }
      for (const std::string_view mark :
           {"@fig-", "@tbl-", "@sec-", "@eq-", "@lst-", "@ref(", "(\\#", "\\begin{equation",
            "\\end{equation", "\\begin{align", "\\end{align", "(PART)"}) {
        for (auto at = line.find(mark); at != line.npos; at = line.find(mark, at + 1)) {
          std::size_t end = at + mark.size();
          while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 ||
                                       line[end] == '-' || line[end] == '_' || line[end] == ':'))
            ++end;
          blank(begin + at, begin + (mark == "(PART)" ? at + mark.size() : end));
        }
      }
      // "a." of a list is a number in the new book.
      const auto first = std::min(line.find_first_not_of(' '), line.size());
      if (first + 2 < line.size() && std::isalpha(static_cast<unsigned char>(line[first])) != 0 &&
          (line[first + 1] == '.' || line[first + 1] == ')') && line[first + 2] == ' ')
        blank(begin + first, begin + first + 1);
      // "H~2~O" and "x^2^" are words to our parser.
      for (const char mark : {'^', '~'}) {
        for (auto at = line.find(mark); at != line.npos; at = line.find(mark, at + 1)) {
          std::size_t end = at + 1;
          while (end < line.size() && std::isalnum(static_cast<unsigned char>(line[end])) != 0)
            ++end;
          if (end == at + 1 || end == line.size() || line[end] != mark) continue;
          blank(begin + at, begin + at + 1);
          blank(begin + end, begin + end + 1);
          at = end;
        }
      }
      for (auto at = line.find("\\index{"); at != line.npos; at = line.find("\\index{", at + 1)) {
        groups(begin + at + 6, 1);
        blank(begin + at, begin + at + 6);
      }
    }
    return std::move(text_);
  }

 private:
  void blank(std::size_t from, std::size_t to) {
    for (; from < to && from < text_.size(); ++from)
      if (text_[from] != '\n') text_[from] = '.';
  }

  // Up to `most` groups in brackets or braces.
  void groups(std::size_t at, int most) {
    for (int i = 0; at < text_.size() && (text_[at] == '[' || text_[at] == '{' || text_[at] == '*');
         ++i) {
      if (text_[at] == '*') {
        ++at;
        continue;
      }
      if (text_[at] == '{' && i >= most) return;
      const char open = text_[at], close = open == '[' ? ']' : '}';
      int depth = 0;
      const std::size_t from = at;
      for (; at < text_.size(); ++at) {
        if (text_[at] == open) ++depth;
        if (text_[at] == close && --depth == 0) break;
      }
      blank(from, ++at);
      if (open == '{' && most == 2) return;
    }
  }

  // Words with "\"u" and the like, which are other letters in the new text.
  void accents() {
    const auto is_part = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             std::string_view("\\\"'`^~={}").find(c) != std::string_view::npos;
    };
    for (std::size_t at = 0; at + 1 < text_.size(); ++at) {
      if (text_[at] != '\\' ||
          std::string_view("\"'`^~=").find(text_[at + 1]) == std::string_view::npos)
        continue;
      std::size_t from = at, to = at;
      while (from > 0 && is_part(text_[from - 1])) --from;
      while (to < text_.size() && is_part(text_[to])) ++to;
      blank(from, to);
      at = to;
    }
  }

  void rst_line(std::string_view line) {
    const std::size_t begin = offset_;
    offset_ += line.size() + 1;
    const std::string_view text = trim(line);
    if (text.starts_with(".. ")) {
      const auto name = line.find("::");
      in_list_ = text.starts_with(".. toctree::");
      blank(begin, begin + (name == line.npos || in_list_ ? line.size() : name));
      if (text.find("image::") != text.npos || text.find("figure::") != text.npos ||
          text.find("include::") != text.npos || text.find("code") != text.npos)
        blank(begin, begin + line.size());
    } else if (in_list_ && (line.starts_with(' ') || text.empty())) {
      blank(begin, begin + line.size());
    } else if (const auto end = text.find(": ");
               text.starts_with(':') && end != text.npos && text.find(' ') > end) {
      const auto key = static_cast<std::size_t>(text.data() - line.data()) + end;
      const bool words = text.starts_with(":alt:") || text.starts_with(":caption:");
      blank(begin, begin + (words ? key : line.size()));
    } else {
      in_list_ = false;
    }
  }

  // ":ref:`Title <target>`" or "{ref}`Title <target>`", and "`text <address>`_".
  void roles(char open_mark, char close_mark) {
    for (auto at = text_.find('`'); at != text_.npos; at = text_.find('`', at + 1)) {
      const auto marks = std::min(text_.find_first_not_of('`', at), text_.size()) - at;
      if (marks > 2) {  // a fence, around text or code
        at += marks - 1;
        continue;
      }
      const auto end = text_.find('`', at + 1);
      if (end == text_.npos) return;
      if (end == at + 1) {  // ``code``
        at = text_.find("``", at + 2);
        if (at == text_.npos) return;
        ++at;
        continue;
      }
      const auto name =
          at > 1 && text_[at - 1] == close_mark ? text_.rfind(open_mark, at - 2) : text_.npos;
      const bool role = name != text_.npos && text_.find_first_of(" \n", name) > at;
      if (!role && open_mark == '{') continue;
      const auto open = text_.rfind('<', end);
      const bool titled = open != text_.npos && open > at;
      if (role && !titled && is_reference_role(text_.substr(name + 1, at - name - 2)))
        blank(at, end);
      if (role) blank(name, at);
      if (titled) blank(open, end);
      at = end;
    }
  }

  // Of attributes, readers see titles and alternative texts.
  void attributes(std::size_t from, std::size_t to) {
    for (const std::string_view key : {"title=\"", "fig-alt=\"", "fig-cap=\""}) {
      const auto at = text_.find(key, from);
      if (at == text_.npos || at >= to) continue;
      const auto value = at + key.size(), end = std::min(text_.find('"', value), to);
      blank(from, value);
      from = end;
    }
    blank(from, to);
  }

  std::string text_;
  std::size_t offset_ = 0;
  bool in_list_ = false;  // of documents, in a toctree
};

std::string neighbors(const std::vector<Item>& items, std::size_t at) {
  return (at > 0 ? items[at - 1].key : "") + '\n' + items[at].key + '\n' +
         (at + 1 < items.size() ? items[at + 1].key : "");
}

// Per item of the old text, whether the new one lacks it.
std::vector<bool> missing(const std::vector<Item>& old_items, const std::vector<Item>& new_items) {
  std::unordered_map<std::string, int> left, contexts;
  for (std::size_t i = 0; i < new_items.size(); ++i) {
    ++left[new_items[i].key];
    ++contexts[neighbors(new_items, i)];
  }
  for (const auto& item : old_items) --left[item.key];
  std::vector<bool> lost(old_items.size(), false);
  for (const bool any_place : {false, true}) {
    for (std::size_t i = 0; i < old_items.size(); ++i) {
      int& balance = left[old_items[i].key];
      if (balance >= 0 || lost[i]) continue;
      if (!any_place && --contexts[neighbors(old_items, i)] >= 0) continue;
      lost[i] = true;
      ++balance;
    }
  }
  return lost;
}

}  // namespace

void report_losses(const std::string& file, const OldLines& old_text, const std::string& format,
                   Tool tool, const std::string& new_text, ImportReport& report) {
  const OldLines lines = tool == Tool::myst ? with_colon_fences(old_text) : old_text;
  std::string text;
  for (const auto& line : lines) text += line.text + '\n';
  if (tool == Tool::hugo || tool == Tool::jekyll || tool == Tool::quarto)
    text = without_shortcode_names(text);
  const auto starts = line_starts(text);
  const auto number_at = [&](std::size_t offset) {
    const auto next = std::ranges::upper_bound(starts, offset);
    const auto index =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - starts.begin(), 1)) - 1;
    return index < lines.size() ? lines[index].number : 0;
  };
  const bool marked = format != "latex" && format != "rst";
  if (tool == Tool::myst) text = Mask(std::move(text)).myst();
  if (format == "markdown") text = Mask(std::move(text)).markdown();
  if (format == "latex") text = Mask(std::move(text)).latex();
  if (format == "rst") text = Mask(std::move(text)).rst();
  Items items(tool, format, true);
  const auto old_items = marked ? items.of(text) : items.of_words(text);
  const auto lost = missing(old_items, Items(tool, "", false).of(new_text));
  for (std::size_t i = 0; i < old_items.size(); ++i) {
    if (!lost[i] || old_items[i].in_code) continue;
    const int line = number_at(old_items[i].offset);
    std::string phrase = old_items[i].text;
    for (; i + 1 < old_items.size() && lost[i + 1]; ++i) {
      const Item& next = old_items[i + 1];
      if (number_at(next.offset) != line) break;
      if (!next.in_code) phrase += ' ' + next.text;
    }
    report.lost(phrase, file, line);
  }
}

}  // namespace primer
