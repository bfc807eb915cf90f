// Fences that other tools do not read as code: directives of MyST ("```{note} Title"), blocks of
// mdbook-admonish ("```admonish tip"), and cells of Quarto with their options. A directive becomes
// the HTML element that html_nodes.hpp reads, around its text, which is Markdown.
//
// One table says what each name becomes. A name that is not in it gives its text, and the report
// names it.
#include <algorithm>
#include <cctype>
#include <map>

#include "generator/core/base/html.hpp"
#include "generator/core/base/text.hpp"
#include "generator/tools/import/chapter.hpp"
#include "generator/tools/import/html_nodes.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

enum class Becomes { code, formula, figure, table, nothing };

struct DirectiveName {
  std::string_view name;
  Becomes becomes;
};
// Besides the names of callouts (callout_kind).
constexpr DirectiveName directive_names[] = {{"code", Becomes::code},
                                             {"code-block", Becomes::code},
                                             {"code-cell", Becomes::code},
                                             {"sourcecode", Becomes::code},
                                             {"math", Becomes::formula},
                                             {"figure", Becomes::figure},
                                             {"image", Becomes::figure},
                                             {"list-table", Becomes::table},
                                             {"toctree", Becomes::nothing},
                                             {"contents", Becomes::nothing},
                                             {"tableofcontents", Becomes::nothing},
                                             {"bibliography", Becomes::nothing},
                                             {"index", Becomes::nothing},
                                             {"raw", Becomes::nothing},
                                             {"solution-start", Becomes::nothing},
                                             {"solution-end", Becomes::nothing},
                                             {"exercise-start", Becomes::nothing},
                                             {"exercise-end", Becomes::nothing}};

struct Directive {
  std::string name, argument;
  std::map<std::string, std::string> options;
  std::string body;
};

// "{name} argument", then ":key: value" lines or YAML between "---", then the text.
Directive directive_in(std::string_view info, std::string_view text) {
  Directive directive;
  const auto close = std::min(info.find('}'), info.size());
  directive.name = trim(info.substr(1, close - 1));
  directive.argument = close < info.size() ? trim(info.substr(close + 1)) : std::string_view();
  auto lines = split_lines(text);
  std::size_t first = 0;
  const bool yaml = !lines.empty() && trim(lines[0]) == "---";
  if (yaml) ++first;
  for (; first < lines.size(); ++first) {
    std::string_view line = trim(lines[first]);
    if (yaml && line == "---") {
      ++first;
      break;
    }
    if (!yaml && !line.starts_with(':')) break;
    if (!yaml) line.remove_prefix(1);
    const auto colon = line.find(':');
    if (colon == line.npos || line.starts_with("::")) break;
    std::string_view value = trim(line.substr(colon + 1));
    const bool quoted = value.size() > 1 && (value[0] == '"' || value[0] == '\'');
    if (quoted && value.back() == value[0]) value = value.substr(1, value.size() - 2);
    directive.options[std::string(line.substr(0, colon))] = value;
  }
  for (; first < lines.size(); ++first) directive.body += std::string(lines[first]) + '\n';
  return directive;
}

// "note title=\"x\"" behind "admonish".
Directive admonition_in(std::string_view info, const std::string& text) {
  Directive directive{"note", "", {}, text};
  info = trim(info.substr(std::string_view("admonish").size()));
  const auto end = std::min(info.find_first_of(" ,"), info.size());
  if (end > 0 && info.substr(0, end).find('=') == info.npos) directive.name = info.substr(0, end);
  if (const auto title = info.find("title=\""); title != info.npos)
    directive.argument = info.substr(title + 7, info.find('"', title + 7) - title - 7);
  return directive;
}

Node html_node(std::string html, std::size_t offset) {
  Node node = parent_node(NodeKind::html_block, {});
  node.text = std::move(html);
  node.offset = offset;
  return node;
}

void move_to(Node& node, std::size_t offset) {
  node.offset = offset;
  for (auto& child : node.children) move_to(child, offset);
}

class DirectiveReader {
 public:
  DirectiveReader(const ChapterDraft& draft, const ForeignBook& book, ImportReport& report)
      : draft_(draft), book_(book), report_(report) {}

  void each(Node& parent, int depth = 0) {
    std::vector<Node> out;
    for (auto& node : parent.children) {
      if (node.kind == NodeKind::code_block && depth < deepest_include && is_directive(node)) {
        for (auto& one : replaced(node, depth)) out.push_back(std::move(one));
        continue;
      }
      if (book_.tool == Tool::myst && node.kind == NodeKind::paragraph && is_comment(node))
        continue;
      if (book_.tool == Tool::myst && node.kind == NodeKind::paragraph) name_formula(node);
      if (book_.tool == Tool::myst && node.kind == NodeKind::paragraph && is_target(node)) {
        out.push_back(html_node("<a id=\"" + escape(target_of(node)) + "\"></a>", node.offset));
        continue;
      }
      if (book_.tool == Tool::myst && node.kind != NodeKind::code_block) roles(node.children);
      each(node, depth);
      out.push_back(std::move(node));
    }
    parent.children = std::move(out);
  }

 private:
  bool is_directive(const Node& node) const {
    const bool myst = (book_.tool == Tool::myst || book_.tool == Tool::quarto) &&
                      node.info.starts_with('{') && node.info.find('}') != node.info.npos;
    return myst || (book_.tool == Tool::mdbook &&
                    (node.info == "admonish" || node.info.starts_with("admonish ")));
  }

  void changed(const Directive& directive, const char* now, const Node& node) {
    report_.changed("directive " + directive.name, now, draft_.chapter->file,
                    draft_.line_at(node.offset));
  }

  std::vector<Node> replaced(Node& node, int depth) {
    if (book_.tool == Tool::quarto) return cell(node);
    const Directive directive = node.info.starts_with('{') ? directive_in(node.info, node.text)
                                                           : admonition_in(node.info, node.text);
    const auto* known = std::ranges::find(directive_names, directive.name, &DirectiveName::name);
    const bool callout = !callout_kind(directive.name).marker.empty();
    if (is_one_of(directive.name, {"tab-set", "tab-item"})) {
      const bool whole = directive.name == "tab-set";
      const std::string name = whole ? "primer-tabs" : "primer-tab";
      if (whole) changed(directive, "tabs", node);
      return around('<' + name + " title=\"" + escape(directive.argument) + "\">",
                    body_of(directive, node, depth), "</" + name + '>', node);
    }
    if (directive.name == "raw" && directive.argument == "html")
      return {html_node(directive.body, node.offset)};
    if (known == std::end(directive_names)) return container(directive, callout, node, depth);
    if (known->becomes == Becomes::code) return code(directive, node);
    if (known->becomes == Becomes::formula) return formula(directive, node);
    if (known->becomes == Becomes::figure) return figure(directive, node, depth);
    if (known->becomes == Becomes::table) return table(directive, node, depth);
    changed(directive, "left out", node);
    // The argument of {raw} is a format, that of {exercise-start} a title.
    const bool is_title = directive.name.ends_with("-start") && !directive.argument.empty();
    if (directive.name == "raw" || (trim(directive.body).empty() && !is_title)) return {};
    return container(directive, false, node, depth);
  }

  // A cell with the caption of what it draws.
  std::vector<Node> code(const Directive& directive, const Node& node) {
    std::vector<Node> all{node};
    all[0].info = directive.argument.empty() ? "text" : directive.argument;
    all[0].text = directive.body;
    changed(directive, "a block of code", node);
    const auto caption = directive.options.find("caption");
    if (caption != directive.options.end() && !caption->second.empty())
      all.push_back(html_node("<p><em>" + escape(caption->second) + "</em></p>", node.offset));
    return all;
  }

  std::vector<Node> formula(const Directive& directive, const Node& node) {
    Node block = node;
    block.info = "math";
    if (const auto label = directive.options.find("label"); label != directive.options.end()) {
      block.title = label->second;
      block.url = label_id("eq", label->second);
      block.info += ' ' + block.url;
    }
    block.text = directive.body.empty() ? directive.argument : directive.body;
    changed(directive, "a formula", node);
    return {std::move(block)};
  }

  std::vector<Node> body_of(const Directive& directive, const Node& node, int depth) {
    const Source source(draft_.chapter->file, directive.body);
    Diagnostics ignored;
    auto tree = parse_markdown(extract_lines(source, 1, source.line_count()), ignored);
    if (!tree) {
      report_.lost(directive.body, draft_.chapter->file, draft_.line_at(node.offset));
      return {};
    }
    move_to(*tree, node.offset);
    each(*tree, depth + 1);
    return std::move(tree->children);
  }

  std::vector<Node> around(std::string open, std::vector<Node> body, std::string close,
                           const Node& node) {
    std::vector<Node> all;
    all.push_back(html_node(std::move(open), node.offset));
    std::ranges::move(body, std::back_inserter(all));
    all.push_back(html_node(std::move(close), node.offset));
    return all;
  }

  std::vector<Node> figure(const Directive& directive, const Node& node, int depth) {
    changed(directive, "an image", node);
    const auto option = [&](const char* key) {
      const auto found = directive.options.find(key);
      return found == directive.options.end() ? std::string() : escape(found->second);
    };
    std::string id = option("name");
    if (id.empty()) id = option("label");
    const std::string image = "<figure id=\"" + id + "\" width=\"" + option("width") +
                              "\"><img src=\"" + escape(directive.argument) + "\" alt=\"" +
                              option("alt") + "\">";
    std::vector<Node> body = body_of(directive, node, depth);
    if (body.empty()) return {html_node(image + "</figure>", node.offset)};
    // The first paragraph is the caption, and the rest follows the figure.
    std::vector<Node> rest(std::make_move_iterator(body.begin() + 1),
                           std::make_move_iterator(body.end()));
    body.erase(body.begin() + 1, body.end());
    auto all = around(image + "<figcaption>", std::move(body), "</figcaption></figure>", node);
    std::ranges::move(rest, std::back_inserter(all));
    return all;
  }

  // A list of rows, each a list of cells.
  std::vector<Node> table(const Directive& directive, const Node& node, int depth) {
    const auto head = directive.options.find("header-rows");
    std::vector<std::vector<HtmlCell>> rows;
    std::vector<Node> body = body_of(directive, node, depth), out;
    for (auto& list : body) {
      for (auto& row : list.children) {
        rows.emplace_back();
        for (auto& cells : row.children)
          for (auto& cell : cells.children)
            rows.back().push_back({std::move(cell.children), 1, 1,
                                   head != directive.options.end() && rows.size() == 1});
      }
    }
    if (rows.empty() || std::ranges::any_of(rows, &std::vector<HtmlCell>::empty))
      return container(directive, false, node, depth);
    changed(directive, "a table", node);
    if (!directive.argument.empty()) {
      const auto name = directive.options.find("name");
      const std::string id =
          label_id("tbl", name == directive.options.end() ? directive.argument : name->second);
      out.push_back(parent_node(
          NodeKind::paragraph,
          {text_node("Table " + id + ": ", InSource::verbatim), text_node(directive.argument)}));
      if (name != directive.options.end()) out[0].children.push_back(anchor_node(name->second, id));
    }
    out.push_back(table_node(rows));
    return out;
  }

  std::vector<Node> container(const Directive& directive, bool callout, const Node& node,
                              int depth) {
    changed(directive, callout ? "a callout" : "its text", node);
    std::vector<Node> body = body_of(directive, node, depth);
    std::string name = directive.name;
    if (name.starts_with("prf:")) name.erase(0, 4);
    const auto label = directive.options.find("label");
    std::string open = "<div class=\"" + (callout ? escape(name) : std::string()) + '"';
    if (callout && !directive.argument.empty()) {
      // A callout that begins with a heading has its words as title.
      Directive title;
      title.body = "# " + directive.argument + '\n';
      auto heading = body_of(title, node, depth);
      body.insert(body.begin(), std::make_move_iterator(heading.begin()),
                  std::make_move_iterator(heading.end()));
    }
    if (label != directive.options.end())
      open = "<a id=\"" + escape(label->second) + "\"></a>" + open;
    open += '>';
    if (!callout && !directive.argument.empty())
      open += "<p><strong>" + escape(directive.argument) + "</strong></p>";
    return around(std::move(open), std::move(body), "</div>", node);
  }

  // "```{r}" and "```{.python filename=x}" with "#| key: value" lines. What the code draws is not
  // there, so its caption and its description become text.
  std::vector<Node> cell(Node& node) {
    std::map<std::string, std::string> options;
    read_header(node.info, options);
    node.text = without_options(node.text, options);
    if (!options.empty())
      report_.changed("options of a cell", "read", draft_.chapter->file,
                      draft_.line_at(node.offset));
    const bool hidden =
        lower_case(options["echo"]) == "false" || lower_case(options["include"]) == "false";
    std::vector<Node> all;
    if (!hidden && !trim(node.text).empty()) all.push_back(node);
    if (hidden)
      report_.changed("cell whose code is hidden", "left out", draft_.chapter->file,
                      draft_.line_at(node.offset));
    const std::string caption = options["fig-cap"] + options["tbl-cap"], alt = options["fig-alt"];
    const auto call = node.text.find("include_graphics(\"");
    if (call != std::string::npos) {
      const auto from = call + std::string_view("include_graphics(\"").size();
      const std::string path = node.text.substr(from, node.text.find('"', from) - from);
      std::string html = "<figure id=\"" + escape(options["label"]) + "\"><img src=\"" +
                         escape(path) + "\" alt=\"" + escape(alt) + "\">";
      if (!caption.empty()) html += "<figcaption>" + escape(caption) + "</figcaption>";
      all.push_back(html_node(html + "</figure>", node.offset));
      return all;
    }
    for (const auto* one : {&caption, &alt}) {
      const std::string& text = *one;
      if (text.empty()) continue;
      report_.changed("caption of a figure that code draws", "a paragraph", draft_.chapter->file,
                      draft_.line_at(node.offset));
      const std::string id = one == &caption || caption.empty() ? options["label"] : "";
      all.push_back(
          html_node("<p id=\"" + escape(id) + "\"><em>" + escape(text) + "</em></p>", node.offset));
    }
    return all;
  }

  // "{r name, fig.cap='A plot', echo=FALSE}" of knitr.
  static void read_header(std::string_view info, std::map<std::string, std::string>& options) {
    info = info.substr(1, std::min(info.rfind('}'), info.size()) - 1);
    std::string part;
    char quote = 0;
    const auto add = [&] {
      const std::string_view option = trim(part);
      const auto equals = option.find('=');
      if (equals == option.npos && !option.empty() && options["label"].empty())
        options["label"] = option;
      const std::string_view value =
          equals == option.npos ? std::string_view() : trim(option.substr(equals + 1));
      const bool quoted = value.size() > 1 && (value[0] == '"' || value[0] == '\'');
      if (quoted || value == "FALSE" || value == "TRUE")
        options[replace_all(std::string(trim(option.substr(0, equals))), ".", "-")] =
            quoted ? std::string(value.substr(1, value.size() - 2)) : lower_case(value);
      part.clear();
    };
    for (const char c : info.substr(std::min(info.find_first_of(" ,"), info.size()))) {
      if (quote == 0 && c == ',') {
        add();
        continue;
      }
      if (quote == 0 && (c == '"' || c == '\'')) quote = c;
      else if (c == quote) quote = 0;
      part += c;
    }
    add();
  }

  // Options may go on in the next lines: "#| fig-alt: |", "#|   A plot."
  static std::string without_options(std::string_view text,
                                     std::map<std::string, std::string>& options) {
    std::string code, key;
    for (const auto line : split_lines(text)) {
      const std::string_view start = trim(line);
      if (!start.starts_with("#|") && !start.starts_with("//|")) {
        code += std::string(line) + '\n';
        continue;
      }
      const std::string_view inside = start.substr(start.find('|') + 1);
      const auto colon = inside.find(':');
      const bool goes_on = inside.starts_with("  ") && !key.empty();
      if (!goes_on && colon == inside.npos) continue;
      if (!goes_on) key = trim(inside.substr(0, colon));
      std::string_view value = trim(goes_on ? inside : inside.substr(colon + 1));
      if (value == "|" || value == ">" || value == ">-" || value == "|-") continue;
      if (value.size() > 1 && value.front() == '"' && value.back() == '"')
        value = value.substr(1, value.size() - 2);
      std::string& option = options[key];
      option += (option.empty() ? "" : " ") + std::string(value);
    }
    return code;
  }

  // "% words", and "+++", which ends a cell.
  bool is_comment(const Node& paragraph) {
    const std::string text = plain_text(paragraph);
    if (!text.starts_with("% ") && !text.starts_with("+++")) return false;
    report_.changed("comment: " + text, "left out", draft_.chapter->file,
                    draft_.line_at(paragraph.offset));
    return true;
  }

  // "$$ x $$ (label)".
  static void name_formula(Node& paragraph) {
    auto& nodes = paragraph.children;
    if (nodes.size() != 2 || nodes[0].kind != NodeKind::maths ||
        nodes[0].form != MathsForm::double_dollars)
      return;
    const std::string_view label = trim(nodes[1].text);
    if (!label.starts_with('(') || !label.ends_with(')') || label.find(' ') != label.npos) return;
    const std::size_t offset = paragraph.offset;
    Node block = parent_node(NodeKind::code_block, {});
    block.text = trim(nodes[0].text);
    block.title = label.substr(1, label.size() - 2);
    block.url = label_id("eq", block.title);
    block.info = "math " + block.url;
    paragraph = std::move(block);
    paragraph.offset = offset;
  }

  static bool is_target(const Node& paragraph) {
    const std::string text = plain_text(paragraph);
    return text.size() > 3 && text.starts_with('(') && text.ends_with(")=") &&
           text.find_first_of(" \n") == text.npos;
  }
  static std::string target_of(const Node& paragraph) {
    const std::string text = plain_text(paragraph);
    return text.substr(1, text.size() - 3);
  }

  // "{ref}`Title <target>`": a text that ends with a name in braces, then code.
  void roles(std::vector<Node>& nodes) {
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      std::string& text = nodes[i].text;
      if (nodes[i].kind != NodeKind::text || nodes[i + 1].kind != NodeKind::code ||
          !text.ends_with('}'))
        continue;
      const auto open = text.rfind('{');
      if (open == text.npos) continue;
      const std::string name = text.substr(open + 1, text.size() - open - 2);
      if (name.empty() || name.find(' ') != name.npos) continue;
      report_.changed("role {" + name + '}', "a link, a formula or its text", draft_.chapter->file,
                      draft_.line_at(nodes[i].offset));
      text.resize(open);
      nodes[i + 1] = role_node(name, nodes[i + 1]);
    }
  }

  const ChapterDraft& draft_;
  const ForeignBook& book_;
  ImportReport& report_;
};

}  // namespace

Node role_node(const std::string& name, const Node& code) {
  const std::string& text = code.text;
  const auto open = text.rfind('<');
  const bool titled = open != text.npos && text.ends_with('>');
  const std::string target = titled ? text.substr(open + 1, text.size() - open - 2) : text;
  Node node = text_node(titled ? std::string(trim(text.substr(0, open))) : text);
  node.offset = code.offset;
  if (name == "math") {
    node.kind = NodeKind::maths;
  } else if (name.starts_with("cite")) {
    node.kind = NodeKind::citation;
    node.text = "[@" + replace_all(replace_all(text, " ", ""), ",", "; @") + ']';
  } else if (is_reference_role(name)) {
    Node link = reference_node(target);
    if (name == "doc" || name == "download") link.url = target;
    link.offset = code.offset;
    if (titled) link.children.push_back(std::move(node));
    return link;
  } else if (is_one_of(name.substr(name.rfind(':') + 1),
                       {"code", "func", "class", "meth", "attr", "mod", "data", "exc", "obj", "kbd",
                        "file", "command", "samp", "option", "envvar", "literal"})) {
    node.kind = NodeKind::code;
  }
  return node;
}

bool is_reference_role(std::string_view name) {
  return is_one_of(name, {"doc", "ref", "numref", "eq", "prf:ref", "download", "any"});
}

void replace_directives(Node& document, const ChapterDraft& draft, const ForeignBook& book,
                        ImportReport& report) {
  DirectiveReader(draft, book, report).each(document);
}

std::optional<Fence> fence_of(std::string_view line) {
  const auto at = std::min(line.find_first_not_of(" \t>"), line.size());
  const std::string_view rest = line.substr(at);
  if (!rest.starts_with("```") && !rest.starts_with("~~~")) return std::nullopt;
  const auto length = std::min(rest.find_first_not_of(rest[0]), rest.size());
  const std::string_view info = trim(rest.substr(length));
  // The text behind backticks has no backtick, or this is inline code.
  if (rest[0] == '`' && info.find('`') != info.npos) return std::nullopt;
  return Fence{line.substr(0, at), rest.substr(0, length), info};
}

// ":::{name} Title" as a fence of backticks, which is longer the fewer fences are around it.
OldLines with_colon_fences(const OldLines& lines) {
  constexpr std::size_t longest_fence = 60;
  OldLines out;
  std::string open;                 // of a block of code
  std::vector<std::size_t> fences;  // lengths of those that are open
  for (const auto& line : lines) {
    const std::string_view text = trim(line.text);
    if (const auto fence = fence_of(line.text)) {
      if (open.empty()) open = fence->marks;
      else if (fence->marks.size() >= open.size() && fence->marks[0] == open[0] &&
               fence->info.empty())
        open.clear();
    }
    if (!open.empty() || !text.starts_with(":::")) {
      out.push_back(line);
      continue;
    }
    const auto colons = std::min(text.find_first_not_of(':'), text.size());
    const std::string_view name = trim(text.substr(colons));
    const auto indent = line.text.find(':');
    if (!name.empty()) fences.push_back(longest_fence - std::min(fences.size(), longest_fence - 3));
    if (fences.empty()) continue;
    out.push_back({line.text.substr(0, indent) + std::string(fences.back(), '`') +
                       (name.empty() || name.starts_with('{') ? std::string(name)
                                                              : '{' + std::string(name) + '}'),
                   line.number});
    if (name.empty()) fences.pop_back();
  }
  return out;
}

}  // namespace primer
