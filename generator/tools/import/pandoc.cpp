#include "generator/tools/import/pandoc.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "generator/core/base/html.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/source.hpp"
#include "generator/tools/import/chapter.hpp"
#include "generator/tools/import/html_nodes.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

using nlohmann::json;

constexpr int deepest_block = 40;  // the book allows 100 levels of nodes

struct Attributes {
  std::string id;
  std::vector<std::string> classes;
  std::map<std::string, std::string> keyed;

  explicit Attributes(const json& value)
      : id(value.at(0)), classes(value.at(1).get<std::vector<std::string>>()) {
    for (const auto& pair : value.at(2)) keyed[pair.at(0)] = pair.at(1);
  }
  bool has(std::string_view name) const {
    return std::ranges::find(classes, name) != classes.end();
  }
  std::string value(const std::string& key) const {
    const auto found = keyed.find(key);
    return found == keyed.end() ? "" : found->second;
  }
};

Node html_node(NodeKind kind, std::string html) {
  Node node = parent_node(kind, {});
  node.text = std::move(html);
  return node;
}

void append(std::vector<Node>& to, std::vector<Node> nodes) {
  std::ranges::move(nodes, std::back_inserter(to));
}

void add_text(std::vector<Node>& to, const std::string& text) {
  if (!to.empty() && to.back().kind == NodeKind::text) to.back().text += text;
  else to.push_back(text_node(text));
}

std::string attribute(const char* name, const std::string& value) {
  return value.empty() ? "" : ' ' + std::string(name) + "=\"" + escape(value) + '"';
}

class PandocReader {
 public:
  PandocReader(const PandocChapter& chapter, ImportReport& report)
      : chapter_(chapter), report_(report) {}

  Node document(const json& root) {
    Node node = parent_node(NodeKind::document, blocks(root.at("blocks"), 0));
    append(node.children, std::move(notes_));
    place_media(node);
    return node;
  }

 private:
  void changed(const std::string& what, const char* now) {
    report_.changed(what, now, chapter_.file, 0);
  }

  // Images in a notebook or a Word file become files of the new book.
  void place_media(Node& node) {
    for (auto& child : node.children) place_media(child);
    if (node.kind != NodeKind::image || chapter_.media.empty()) return;
    const std::string& url = node.url;
    const bool attached = url.starts_with("attachment:");
    const std::string ending = attached ? '/' + url.substr(url.find(':') + 1) : url;
    const auto media = std::ranges::find_if(chapter_.media, [&](const auto& one) {
      return attached ? one.first.ends_with(ending) : one.first == url;
    });
    if (media == chapter_.media.end()) return;
    const std::string name = media_name(chapter_.file, media->first);
    (*chapter_.new_files)["chapters/images/" + name] = media->second;
    node.url = "new-file:" + name;
  }

  std::vector<Node> blocks(const json& list, int depth) {
    std::vector<Node> out;
    for (const auto& one : list) append(out, block(one, depth));
    return out;
  }

  std::vector<Node> block(const json& one, int depth) {
    const std::string type = one.at("t");
    if (type == "HorizontalRule") return {parent_node(NodeKind::rule, {})};
    if (type == "Null") return {};
    const json& content = one.at("c");
    if (depth > deepest_block) {
      changed("block that is nested too deeply", "its words");
      return paragraph(json::array({{{"t", "Str"}, {"c", words_of(content)}}}));
    }
    if (type == "Plain" || type == "Para") return paragraph(content);
    if (type == "Header") return heading(content);
    if (type == "CodeBlock") return code(Attributes(content.at(0)), content.at(1));
    if (type == "RawBlock") return raw_block(content.at(0), content.at(1));
    if (type == "BlockQuote") return {parent_node(NodeKind::quote, blocks(content, depth + 1))};
    if (type == "BulletList") return list(content, 1, false, depth);
    if (type == "OrderedList") {
      const std::string style = content.at(0).at(1).at("t");
      if (style.ends_with("Alpha") || style.ends_with("Roman"))
        changed("list with letters or Roman numbers", "a list with numbers");
      return list(content.at(1), content.at(0).at(0), true, depth);
    }
    if (type == "DefinitionList") return definitions(content, depth);
    if (type == "LineBlock") return line_block(content);
    if (type == "Table") return table(content, Attributes(content.at(0)).id, depth);
    if (type == "Figure")
      return figure(Attributes(content.at(0)), blocks(content.at(2), depth + 1),
                    blocks(content.at(1).at(1), depth + 1));
    if (type == "Div") return division(Attributes(content.at(0)), content.at(1), depth);
    report_.lost("a block that Pandoc calls " + type + ": " + words_of(content), chapter_.file, 0);
    return {};
  }

  // All texts below a value. It does not recurse, because the value may be deep.
  static std::string words_of(const json& value) {
    std::string words;
    std::vector<const json*> waiting{&value};
    while (!waiting.empty()) {
      const json& one = *waiting.back();
      waiting.pop_back();
      if (one.is_object() && one.value("t", "") == "Str") words += ' ' + std::string(one.at("c"));
      else if (one.is_object() && one.contains("c")) waiting.push_back(&one.at("c"));
      else if (one.is_array())
        for (std::size_t i = one.size(); i > 0; --i) waiting.push_back(&one[i - 1]);
    }
    return words;
  }

  // Formulas on lines of their own are blocks in the book, so they split a paragraph.
  std::vector<Node> paragraph(const json& content) {
    if (content.size() == 1 && content[0].at("t") == "Image") {
      const json& image = content[0].at("c");
      if (std::string(image.at(2).at(1)).starts_with("fig:")) {
        const Attributes attributes(image.at(0));
        std::vector<Node> caption = inlines(image.at(1)), picture = inlines(content);
        return figure(attributes, as_blocks(std::move(picture)), as_blocks(std::move(caption)));
      }
    }
    std::vector<Node> out, line;
    for (auto& node : inlines(content)) {
      if (node.kind != NodeKind::code_block) {
        line.push_back(std::move(node));
        continue;
      }
      append(out, as_blocks(std::exchange(line, {})));
      out.push_back(std::move(node));
    }
    // "{#eq-one}" of Quarto follows its formula.
    if (!out.empty() && !line.empty() && out.back().kind == NodeKind::code_block) {
      std::string& text = line.front().text;
      const auto at = text.find("{#"), end = text.find('}');
      if (line.front().kind == NodeKind::text && trim(text).starts_with("{#") && end != text.npos) {
        name_formula(out.back(), text.substr(at + 2, end - at - 2));
        text.erase(0, end + 1);
      }
    }
    append(out, as_blocks(std::move(line)));
    return out;
  }

  std::vector<Node> heading(const json& content) {
    Node node = parent_node(NodeKind::heading, inlines(content.at(2)));
    node.level = content.at(0);
    if (const std::string id = Attributes(content.at(1)).id; !id.empty())
      node.children.push_back(anchor_node(id));
    if (plain_text(node).starts_with("(PART)")) return {};  // in the list of chapters
    return {std::move(node)};
  }

  std::vector<Node> code(const Attributes& attributes, std::string text) {
    std::vector<Node> out;
    for (const char* key : {"filename", "title", "caption"}) {
      if (attributes.value(key).empty()) continue;
      Node name = parent_node(NodeKind::code, {});
      name.text = attributes.value(key);
      out.push_back(parent_node(NodeKind::paragraph, {std::move(name)}));
    }
    Node node = parent_node(NodeKind::code_block, {});
    node.text = std::move(text);
    node.info = attributes.value(cell_attribute);
    if (node.info.empty() && !attributes.classes.empty()) node.info = attributes.classes.front();
    if (!attributes.value("language").empty()) node.info = attributes.value("language");
    out.push_back(std::move(node));
    return out;
  }

  std::vector<Node> raw_block(const std::string& format, const std::string& text) {
    if (format == "markdown") {
      const Source source(chapter_.file, text);
      Diagnostics ignored;
      auto tree = parse_markdown(extract_lines(source, 1, source.line_count()), ignored);
      if (tree) return std::move(tree->children);
    }
    if (format == "html" || format == "markdown") return {html_node(NodeKind::html_block, text)};
    if (auto formula = formula_environment(text)) return {std::move(*formula)};
    changed(format + ": " + text, "left out");
    return {};
  }

  std::vector<Node> list(const json& items, int start, bool ordered, int depth) {
    Node node = parent_node(NodeKind::list, {});
    node.ordered = ordered;
    node.start = start;
    node.tight = true;
    for (const auto& blocks_of_item : items) {
      Node item = parent_node(NodeKind::item, blocks(blocks_of_item, depth + 2));
      for (const auto& one : blocks_of_item) node.tight = node.tight && one.at("t") != "Para";
      if (!item.children.empty() && !item.children[0].children.empty()) {
        std::string& text = item.children[0].children[0].text;
        for (const auto& [box, checked] : {std::pair("☐ ", false), std::pair("☒ ", true)}) {
          if (!text.starts_with(box)) continue;
          text.erase(0, std::string_view(box).size());
          item.checked = checked;
        }
      }
      node.children.push_back(std::move(item));
    }
    return {std::move(node)};
  }

  std::vector<Node> definitions(const json& content, int depth) {
    changed("list of definitions", "paragraphs");
    std::vector<Node> out;
    for (const auto& entry : content) {
      Node term = parent_node(NodeKind::strong, inlines(entry.at(0)));
      out.push_back(parent_node(NodeKind::paragraph, {std::move(term)}));
      for (const auto& definition : entry.at(1)) append(out, blocks(definition, depth + 1));
    }
    return out;
  }

  std::vector<Node> line_block(const json& lines) {
    std::vector<Node> out;
    for (const auto& line : lines) {
      if (!out.empty()) out.push_back(parent_node(NodeKind::line_break, {}));
      append(out, inlines(line));
    }
    return as_blocks(std::move(out));
  }

  // Pandoc's head, bodies and foot as rows.
  std::vector<Node> table(const json& content, std::string id, int depth) {
    std::vector<std::vector<HtmlCell>> rows;
    const auto add = [&](const json& list, bool header) {
      for (const auto& row : list) {
        rows.emplace_back();
        for (const auto& cell : row.at(1))
          rows.back().push_back(
              {blocks(cell.at(4), depth + 3), cell.at(3), cell.at(2), header && rows.size() == 1});
      }
    };
    add(content.at(3).at(1), true);
    for (const auto& body : content.at(4)) {
      add(body.at(2), false);
      add(body.at(3), false);
    }
    add(content.at(5).at(1), false);
    if (rows.empty()) return {};
    Node node = table_node(rows);
    for (auto& row : node.children) {
      for (std::size_t i = 0; i < row.children.size() && i < content.at(2).size(); ++i) {
        const std::string to = content.at(2)[i].at(0).at("t");
        row.children[i].alignment = to == "AlignRight"    ? Alignment::right
                                    : to == "AlignCenter" ? Alignment::centre
                                    : to == "AlignLeft"   ? Alignment::left
                                                          : Alignment::none;
      }
    }
    std::vector<Node> caption = as_inlines(blocks(content.at(1).at(1), depth + 1)), out;
    take_label(caption, id);
    if (!caption.empty()) out.push_back(table_caption(std::move(caption), id));
    out.push_back(std::move(node));
    return out;
  }

  // "Caption {#tbl-y}" of Quarto and "(#tab:y) Caption" of bookdown.
  static void take_label(std::vector<Node>& caption, std::string& id) {
    if (caption.empty()) return;
    for (const auto& [open, close] : {std::pair("(#", ')'), std::pair("{#", '}')}) {
      std::string& text = open[0] == '(' ? caption.front().text : caption.back().text;
      const auto at = text.find(open), end = text.find(close, at);
      if (at == text.npos || end == text.npos) continue;
      id = text.substr(at + 2, std::min(end, text.find(' ', at)) - at - 2);
      text = std::string(trim(text.erase(at, end + 1 - at)));
    }
  }

  Node table_caption(std::vector<Node> caption, const std::string& id) {
    const std::string label = label_id("tbl", id.empty() ? std::to_string(++unnamed_tables_) : id);
    caption.insert(caption.begin(), text_node("Table " + label + ": ", InSource::verbatim));
    if (!id.empty()) caption.push_back(anchor_node(id, label));
    return parent_node(NodeKind::paragraph, std::move(caption));
  }

  static std::vector<Node> figure(const Attributes& attributes, std::vector<Node> picture,
                                  std::vector<Node> caption) {
    std::vector<Node> out;
    out.push_back(
        html_node(NodeKind::html_block, "<figure" + attribute("id", attributes.id) +
                                            attribute("width", attributes.value("width")) + '>'));
    append(out, std::move(picture));
    if (!caption.empty()) {
      out.push_back(html_node(NodeKind::html_block, "<figcaption>"));
      append(out, std::move(caption));
      out.push_back(html_node(NodeKind::html_block, "</figcaption>"));
    }
    out.push_back(html_node(NodeKind::html_block, "</figure>"));
    return out;
  }

  std::vector<Node> division(const Attributes& attributes, const json& content, int depth) {
    if (attributes.has("cell")) return cell(attributes, content, depth);
    if (attributes.has("output")) return output(content, depth);
    const auto when = attributes.value("when-format"), unless = attributes.value("unless-format");
    const bool here = (when.empty() || when.starts_with("html")) && !unless.starts_with("html");
    const bool for_others =
        (!when.empty() || !unless.empty()) && ((attributes.has("content-visible") && !here) ||
                                               (attributes.has("content-hidden") && here));
    if (for_others || attributes.has("toctree") || attributes.has("contents")) {
      changed(for_others ? "text for another format: " + words_of(content) : "list of chapters",
              "left out");
      return {};
    }
    if (content.size() == 1 && content[0].at("t") == "Table" && !attributes.id.empty())
      return table(content[0].at("c"), attributes.id, depth + 1);
    std::vector<Node> inner = blocks(content, depth + 1);
    if (attributes.id.starts_with("fig") && inner.size() > 1 &&
        inner.back().kind == NodeKind::paragraph) {
      std::vector<Node> caption{std::move(inner.back())};
      inner.pop_back();
      return figure(attributes, std::move(inner), std::move(caption));
    }
    if (attributes.has("panel-tabset") && !inner.empty() && inner[0].kind == NodeKind::heading)
      return tabs(std::move(inner));
    const auto name = std::ranges::find_if(
        attributes.classes, [](const auto& one) { return !callout_kind(one).marker.empty(); });
    if (name == attributes.classes.end()) {
      for (const auto& one : attributes.classes)
        changed("group of the class " + one, "its content");
      if (!attributes.id.empty())
        inner.insert(inner.begin(), parent_node(NodeKind::paragraph, {anchor_node(attributes.id)}));
      return inner;
    }
    // reStructuredText: the title is a group in the callout. That of a note is "Note".
    if (!content.empty() && content[0].at("t") == "Div" &&
        Attributes(content[0].at("c").at(0)).has("title") && !inner.empty()) {
      if (lower_case(plain_text(inner[0])) == lower_case(*name)) inner.erase(inner.begin());
      else inner[0].kind = NodeKind::heading;
    }
    inner.insert(inner.begin(),
                 html_node(NodeKind::html_block,
                           "<div" + attribute("class", *name) + attribute("id", attributes.id) +
                               attribute("title", attributes.value("title")) + '>'));
    inner.push_back(html_node(NodeKind::html_block, "</div>"));
    return inner;
  }

  // Tabs of Quarto: each heading of the first one's level is a label.
  static std::vector<Node> tabs(std::vector<Node> inner) {
    const int level = inner[0].level;
    std::vector<Node> out;
    out.push_back(html_node(NodeKind::html_block, "<primer-tabs>"));
    for (auto& node : inner) {
      const bool begins = node.kind == NodeKind::heading && node.level == level;
      if (begins && out.size() > 1) out.push_back(html_node(NodeKind::html_block, "</primer-tab>"));
      if (begins)
        out.push_back(html_node(NodeKind::html_block,
                                "<primer-tab" + attribute("title", plain_text(node)) + '>'));
      else out.push_back(std::move(node));
    }
    for (const char* end : {"</primer-tab>", "</primer-tabs>"})
      out.push_back(html_node(NodeKind::html_block, end));
    return out;
  }

  // A cell of a notebook. Its tags are JSON: ["remove-cell"].
  std::vector<Node> cell(const Attributes& attributes, const json& content, int depth) {
    if (!is_hidden_cell(attributes.value("tags"))) return blocks(content, depth + 1);
    changed("cell that is hidden", "left out");
    return {};
  }

  // Pandoc gives all forms of an output. An image says most, then a table.
  std::vector<Node> output(const json& content, int depth) {
    const auto is_image = [](const json& one) {
      return one.at("t") == "Para" && !one.at("c").empty() && one.at("c")[0].at("t") == "Image";
    };
    const auto is_table = [](const json& one) {
      return one.at("t") == "RawBlock" &&
             std::string(one.at("c").at(1)).find("<table") != std::string::npos;
    };
    auto best = std::ranges::find_if(content, is_image);
    if (best == content.end()) best = std::ranges::find_if(content, is_table);
    if (best == content.end())
      best =
          std::ranges::find_if(content, [](const json& one) { return one.at("t") != "RawBlock"; });
    if (best == content.end()) return {};
    std::vector<Node> out = block(*best, depth + 1);
    for (auto& node : out) {
      if (node.kind == NodeKind::code_block) {
        node.info = "text";
        node.text = without_colors(node.text);
      }
      if (node.kind == NodeKind::paragraph && node.children[0].children.empty())
        node.children[0].children.push_back(text_node("Output of the code"));
    }
    return out;
  }

  // Without the escapes that color a terminal.
  static std::string without_colors(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\x1b') at = std::min(text.find('m', at), text.size());
      else out += text[at];
    }
    return out;
  }

  // Inlines.

  std::vector<Node> inlines(const json& list) {
    std::vector<Node> out;
    for (const auto& one : list) inline_node(one, out);
    return out;
  }

  void inline_node(const json& one, std::vector<Node>& out) {
    const std::string type = one.at("t");
    if (type == "Space") return add_text(out, " ");
    if (type == "SoftBreak") return out.push_back(parent_node(NodeKind::soft_break, {}));
    if (type == "LineBreak") return out.push_back(parent_node(NodeKind::line_break, {}));
    const json& content = one.at("c");
    if (type == "Str") return text(content, out);
    if (++depth_ > deepest_block) add_text(out, words_of(content));
    else if (type == "Emph") marked(NodeKind::emphasis, content, out);
    else if (type == "Strong") marked(NodeKind::strong, content, out);
    else if (type == "Strikeout") marked(NodeKind::strike, content, out);
    else if (type == "Superscript") tagged("sup", content, out);
    else if (type == "Subscript") tagged("sub", content, out);
    else if (type == "Underline" || type == "SmallCaps") append(out, inlines(content));
    else if (type == "Quoted") quoted(content, out);
    else if (type == "Cite") cite(content, out);
    else if (type == "Code") inline_code(content, out);
    else if (type == "Math") maths(content, out);
    else if (type == "RawInline") raw_inline(content.at(0), content.at(1), out);
    else if (type == "Link") link(content, out);
    else if (type == "Image") image(content, out);
    else if (type == "Note") note(content, out);
    else if (type == "Span") span(content, out);
    else report_.lost("what Pandoc calls " + type + ": " + words_of(content), chapter_.file, 0);
    --depth_;
  }

  // "\@ref(fig:x)" of bookdown is a text to Pandoc.
  static void text(const std::string& words, std::vector<Node>& out) {
    const auto at = words.find("@ref("), end = words.find(')', at);
    if (at == words.npos || end == words.npos) return add_text(out, words);
    if (at > 0) add_text(out, words.substr(0, at));
    std::string id = words.substr(at + 5, end - at - 5);
    for (const auto& [kind, now] : {std::pair("fig:", "fig"), std::pair("tab:", "tbl")})
      if (id.starts_with(kind)) id = label_id(now, id);
    out.push_back(reference_node(id));
    if (end + 1 < words.size()) text(words.substr(end + 1), out);
  }

  // `escaped`: the marks may touch letters, as in "**s**tructured".
  void marked(NodeKind kind, const json& content, std::vector<Node>& out) {
    Node node = parent_node(kind, inlines(content));
    node.in_source = InSource::escaped;
    out.push_back(std::move(node));
  }

  void tagged(const std::string& name, const json& content, std::vector<Node>& out) {
    out.push_back(html_node(NodeKind::html, '<' + name + '>'));
    append(out, inlines(content));
    out.push_back(html_node(NodeKind::html, "</" + name + '>'));
  }

  void quoted(const json& content, std::vector<Node>& out) {
    const char* mark = content.at(0).at("t") == "SingleQuote" ? "'" : "\"";
    add_text(out, mark);
    for (const auto& one : content.at(1)) inline_node(one, out);
    add_text(out, mark);
  }

  void cite(const json& content, std::vector<Node>& out) {
    std::string keys;
    const auto flush = [&] {
      if (keys.empty()) return;
      Node node = parent_node(NodeKind::citation, {});
      node.text = '[' + std::exchange(keys, {}) + ']';
      out.push_back(std::move(node));
    };
    for (const auto& one : content.at(0)) {
      const std::string key = one.at("citationId");
      const auto end = key.find('-');
      if (end != key.npos && is_one_of(key.substr(0, end), {"fig", "tbl", "eq", "sec", "lst", "thm",
                                                            "exr", "exm", "def", "lem", "cor"})) {
        flush();
        out.push_back(reference_node(key));
        continue;
      }
      if (!one.at("citationPrefix").empty()) {
        flush();
        append(out, inlines(one.at("citationPrefix")));
        add_text(out, " ");
      }
      keys += (keys.empty() ? "@" : "; @") + key;
      if (one.at("citationSuffix").empty()) continue;
      flush();
      append(out, inlines(one.at("citationSuffix")));
    }
    flush();
  }

  void inline_code(const json& content, std::vector<Node>& out) {
    Node node = parent_node(NodeKind::code, {});
    node.text = content.at(1);
    const std::string role = Attributes(content.at(0)).value("role");
    out.push_back(role.empty() ? std::move(node) : role_node(role, node));
  }

  // The names of a formula: "\label{x}" of LaTeX and "(\#eq:x)" of bookdown.
  static void name_formula(Node& block, std::string id) {
    for (const auto& [open, close] : {std::pair("\\label{", '}'), std::pair("(\\#", ')')}) {
      const auto at = block.text.find(open), end = block.text.find(close, at);
      if (at == std::string::npos || end == std::string::npos) continue;
      const auto from = at + std::string_view(open).size();
      if (id.empty()) id = block.text.substr(from, end - from);
      block.text.erase(at, end + 1 - at);
    }
    block.text = trim(block.text);
    if (id.empty()) return;
    block.title = id;
    block.url = label_id("eq", id);
    block.info = "math " + block.url;
  }

  static Node formula_block(std::string tex) {
    Node block = parent_node(NodeKind::code_block, {});
    block.info = "math";
    block.text = std::move(tex);
    name_formula(block, "");
    return block;
  }

  static void maths(const json& content, std::vector<Node>& out) {
    const std::string tex = content.at(1);
    if (content.at(0).at("t") == "DisplayMath") return out.push_back(formula_block(tex));
    Node node = parent_node(NodeKind::maths, {});
    node.text = trim(tex);
    out.push_back(std::move(node));
  }

  // "\begin{align} … \end{align}" in Markdown.
  static std::optional<Node> formula_environment(const std::string& tex) {
    const std::string_view text = trim(tex);
    const auto close = text.find('}');
    if (!text.starts_with("\\begin{") || close == text.npos) return std::nullopt;
    std::string name(text.substr(7, close - 7));
    const std::string end = "\\end{" + name + '}';
    if (!text.ends_with(end)) return std::nullopt;
    if (name.ends_with('*')) name.pop_back();
    if (!is_one_of(name, {"equation", "align", "gather", "multline", "eqnarray", "alignat"}))
      return std::nullopt;
    std::string inner(text.substr(close + 1, text.size() - end.size() - close - 1));
    const char* as = name == "align" || name == "eqnarray" || name == "alignat" ? "aligned"
                     : name == "gather" || name == "multline"                   ? "gathered"
                                                                                : nullptr;
    Node block = formula_block(std::move(inner));
    if (as) block.text = "\\begin{" + std::string(as) + "}\n" + block.text + "\n\\end{" + as + '}';
    return block;
  }

  void raw_inline(const std::string& format, const std::string& text, std::vector<Node>& out) {
    if (format == "html") return out.push_back(html_node(NodeKind::html, text));
    if (auto formula = formula_environment(text)) return out.push_back(std::move(*formula));
    changed(format + ": " + text, "left out");
  }

  // A reference of LaTeX, such as "Figure~\ref{x}", loses the word in front: the book writes it.
  void link(const json& content, std::vector<Node>& out) {
    const Attributes attributes(content.at(0));
    if (const std::string to = attributes.value("reference"); !to.empty()) {
      if (!out.empty() && out.back().kind == NodeKind::text) drop_kind(out.back().text);
      return out.push_back(reference_node(to));
    }
    Node node = parent_node(NodeKind::link, inlines(content.at(1)));
    node.url = content.at(2).at(0);
    node.title = content.at(2).at(1);
    out.push_back(std::move(node));
  }

  static void drop_kind(std::string& text) {
    for (const char* word : {"Figure", "Fig.", "Table", "Equation", "Eq."}) {
      for (const char* space : {"\u00A0", " "}) {
        const std::string end = std::string(word) + space;
        if (text.ends_with(end)) return text.resize(text.size() - end.size());
      }
    }
  }

  void image(const json& content, std::vector<Node>& out) {
    const Attributes attributes(content.at(0));
    Node node = parent_node(NodeKind::image, inlines(content.at(1)));
    const std::string alt = attributes.value("fig-alt");
    if (!alt.empty()) node.children = {text_node(alt)};
    std::erase_if(node.children,
                  [](const Node& one) { return one.kind == NodeKind::note_reference; });
    node.url = content.at(2).at(0);
    node.title = content.at(2).at(1);
    if (node.title.starts_with("fig:")) node.title.erase(0, 4);
    out.push_back(std::move(node));
  }

  void note(const json& content, std::vector<Node>& out) {
    Node reference = parent_node(NodeKind::note_reference, {});
    reference.text = "note-" + std::to_string(++count_of_notes_);
    reference.info = "[^" + reference.text + ']';
    Node definition = parent_node(NodeKind::note_definition, {});
    definition.text = reference.text;
    out.push_back(std::move(reference));
    definition.children = blocks(content, depth_);
    notes_.push_back(std::move(definition));
  }

  void span(const json& content, std::vector<Node>& out) {
    const Attributes attributes(content.at(0));
    if (!attributes.id.empty()) out.push_back(anchor_node(attributes.id));
    for (const auto& one : content.at(1)) inline_node(one, out);
  }

  const PandocChapter& chapter_;
  ImportReport& report_;
  std::vector<Node> notes_;
  int count_of_notes_ = 0, unnamed_tables_ = 0;
  int depth_ = 0;  // of inlines
};

}  // namespace

std::optional<Node> pandoc_tree(const std::string& text, const PandocChapter& chapter,
                                ImportReport& report) {
  const json root = json::parse(text, nullptr, false);
  try {
    return PandocReader(chapter, report).document(root);
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

std::string media_name(const std::string& file, const std::string& path) {
  const std::filesystem::path media(path);
  constexpr std::size_t longest = 20;  // names of images in notebooks are digests
  return as_id(file.substr(0, file.rfind('.'))) + '-' +
         as_id(media.stem().string()).substr(0, longest) + media.extension().string();
}

bool is_hidden_cell(std::string_view tag) {
  return tag.find("remove_cell") != tag.npos || tag.find("remove-cell") != tag.npos;
}

void report_skipped(const std::string& log, int lines_above, const std::string& file,
                    ImportReport& report) {
  const json messages = json::parse(log, nullptr, false);
  if (!messages.is_array()) return;
  for (const auto& one : messages) {
    if (!one.is_object() || one.value("type", "") != "SkippedContent") continue;
    const int line = one.value("line", 0) - lines_above;
    if (line > 0)
      report.changed("passed over by Pandoc: " + one.value("contents", ""),
                     "see below if a word is lost", file, line);
  }
}

}  // namespace primer
