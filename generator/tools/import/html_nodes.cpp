#include "generator/tools/import/html_nodes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/html_tags.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

struct Element {
  HtmlTag tag;
  std::vector<Node> children;
  std::vector<std::vector<HtmlCell>> rows;  // of a table
};

// Marks of other tools for tabs become these elements: <primer-tab title="Label">.
constexpr std::string_view tabs_name = "primer-tabs", tab_name = "primer-tab";
constexpr std::size_t deepest_element = 50;
constexpr std::string_view paragraph_frame = "#paragraph", root_frame = "#root";

class HtmlReplacer {
 public:
  HtmlReplacer(const OldPlace& place, ImportReport& report) : place_(place), report_(report) {}

  void document(Node& root) {
    root.children = container(std::move(root.children));
    for (auto& note : notes_) root.children.push_back(std::move(note));
  }

 private:
  // Children of a document, a quote or an item. Elements end with their container.
  std::vector<Node> container(std::vector<Node> nodes) {
    std::vector<Element> outer = std::exchange(stack_, {});
    open_frame(root_frame);
    for (auto& node : nodes) {
      offset_ = node.offset > 0 || node.kind != NodeKind::text ? node.offset : offset_;
      if (node.kind == NodeKind::html_block) {
        scan(node.text);
      } else if (is_inline(node)) {
        inline_child(std::move(node));
      } else if (node.kind == NodeKind::paragraph) {
        open_frame(paragraph_frame);
        for (auto& child : node.children) inline_child(std::move(child));
        close_paragraph();
      } else {
        const bool quote = node.kind == NodeKind::quote;
        depth_ += quote ? 1 : 0;
        if (node.kind == NodeKind::heading || node.kind == NodeKind::table_cell)
          node.children = inlines_within(std::move(node.children));
        else node.children = container(std::move(node.children));
        depth_ -= quote ? 1 : 0;
        top().children.push_back(std::move(node));
      }
    }
    while (stack_.size() > 1) close_top();
    std::vector<Node> children = std::move(top().children);
    stack_ = std::move(outer);
    return as_blocks(std::move(children));
  }

  Element& top() { return stack_.back(); }
  void open_frame(std::string_view name) {
    stack_.push_back({});
    top().tag.name = name;
  }

  void inline_child(Node child) {
    if (child.offset > 0) offset_ = child.offset;
    if (child.kind == NodeKind::html && !is_anchor(child)) return scan(child.text);
    if (child.kind == NodeKind::emphasis || child.kind == NodeKind::strong ||
        child.kind == NodeKind::strike || child.kind == NodeKind::link)
      child.children = inlines_within(std::move(child.children));
    top().children.push_back(std::move(child));
  }

  std::vector<Node> inlines_within(std::vector<Node> nodes) {
    std::vector<Element> outer = std::exchange(stack_, {});
    open_frame(root_frame);
    for (auto& node : nodes) inline_child(std::move(node));
    while (stack_.size() > 1) close_top();
    std::vector<Node> children = std::move(top().children);
    stack_ = std::move(outer);
    return std::ranges::all_of(children, is_inline) ? children : as_inlines(std::move(children));
  }

  // Elements that are open in a paragraph end with it.
  void close_paragraph() {
    const auto open =
        std::ranges::find(stack_, paragraph_frame, [](const Element& one) { return one.tag.name; });
    if (open == stack_.end()) return;
    while (top().tag.name != paragraph_frame) close_top();
    close_top();
  }

  void changed(std::string_view name, const char* now) {
    report_.changed("HTML <" + std::string(name) + ">", now, place_.file, place_.line_at(offset_));
  }
  void lost(const std::string& what) { report_.lost(what, place_.file, place_.line_at(offset_)); }

  void scan(std::string_view html) {
    while (!html.empty()) {
      const std::string_view rest = html;
      if (rest.starts_with("<!--")) {
        const auto end = std::min(rest.find("-->"), rest.size() - 3) + 3;
        comment(std::string(rest.substr(0, end)));
        html.remove_prefix(end);
      } else if (const auto length = rest[0] == '<' ? tag_length(rest) : rest.npos;
                 length != rest.npos) {
        html.remove_prefix(length + tag(html_tag(rest.substr(0, length)), rest.substr(length)));
      } else if (rest.starts_with("<!") || rest.starts_with("<?")) {
        html.remove_prefix(std::min(rest.find('>'), rest.size() - 1) + 1);
      } else {
        const auto end = std::min(rest.find('<', 1), rest.size());
        text(rest.substr(0, end));
        html.remove_prefix(end);
      }
    }
  }

  bool in_paragraph() const {
    return std::ranges::any_of(stack_,
                               [](const Element& one) { return one.tag.name == paragraph_frame; });
  }

  void comment(std::string whole) {
    Node node = parent_node(in_paragraph() ? NodeKind::html : NodeKind::html_block, {});
    node.text = std::move(whole);
    top().children.push_back(std::move(node));
  }

  void text(std::string_view raw) {
    std::string words;
    for (const char c : with_entities_decoded(raw)) {
      const bool space = c == '\n' || c == ' ' || c == '\t';
      if (!space) words += c;
      else if (!words.ends_with(' ')) words += ' ';
    }
    if (!words.empty()) top().children.push_back(text_node(std::move(words)));
  }

  // Handles a tag and returns how many bytes of the text behind it belong to the element too.
  std::size_t tag(const HtmlTag& tag, std::string_view behind) {
    const bool known = is_html_element(tag.name) || tag.name.find('-') != tag.name.npos ||
                       tag.whole.find('=') != tag.whole.npos || is_open(tag.name);
    const bool is_type = std::isupper(static_cast<unsigned char>(tag.whole[1])) != 0 &&
                         tag.whole.size() == 3;  // <T>
    if (!known || is_type) {
      report_.changed("a name in angle brackets that is no element of HTML", "text", place_.file,
                      place_.line_at(offset_));
      top().children.push_back(text_node(std::string(tag.whole)));
      return 0;
    }
    if (tag.closes) {
      close(tag.name);
      return 0;
    }
    const bool raw = is_one_of(tag.name, {"script", "style", "svg", "pre", "code", "d-math",
                                          "d-code", "math", "textarea", "canvas"});
    const auto end = raw ? lower_case(behind).find("</" + tag.name) : behind.npos;
    if (end != behind.npos) {
      raw_element(tag, behind.substr(0, end));
      return std::min(behind.find('>', end), behind.size() - 1) + 1;
    }
    // The book allows 100 levels, and recursion over the tree must end.
    if (stack_.size() > deepest_element) {
      changed(tag.name, "left out, because it is nested too deeply; its content is there");
      return 0;
    }
    open(tag);
    if (tag.closes_itself) close_top();
    return 0;
  }

  bool is_open(std::string_view name) const {
    return std::ranges::any_of(stack_, [&](const Element& one) { return one.tag.name == name; });
  }

  // Elements whose content is not HTML, or whose spaces count.
  void raw_element(const HtmlTag& tag, std::string_view inner) {
    if (is_one_of(tag.name, {"script", "style", "canvas"})) return changed(tag.name, "left out");
    if (tag.name == "svg" || tag.name == "math")
      return lost("drawing or formula in <" + tag.name + ">: " + text_of_html(inner));
    changed(tag.name, "written in Markdown");
    Node node = parent_node(NodeKind::code, {});
    node.text = text_of_html(inner);
    if (tag.name == "d-math") node.kind = NodeKind::maths;
    const bool block =
        tag.name == "pre" || (tag.name == "d-code" && tag.whole.find("block") != tag.whole.npos);
    if (block) {
      node.kind = NodeKind::code_block;
      if (node.text.starts_with('\n')) node.text.erase(0, 1);
      const auto language = inner.find("language-");
      if (language != inner.npos && language < inner.find('>'))
        node.info =
            inner.substr(language + 9, inner.find_first_of("\" '>", language) - language - 9);
      if (!tag.attribute("language").empty()) node.info = tag.attribute("language");
    }
    top().children.push_back(std::move(node));
  }

  void open(const HtmlTag& tag) {
    const std::string& name = tag.name;
    const auto ends = [&](Names names, Names within) {
      for (std::size_t i = stack_.size(); i-- > 1;) {
        if (is_one_of(stack_[i].tag.name, within)) return;
        if (!is_one_of(stack_[i].tag.name, names)) continue;
        while (stack_.size() > i) close_top();
        return;
      }
    };
    if (name == "li") ends({"li"}, {"ul", "ol"});
    if (name == "dt" || name == "dd") ends({"dt", "dd"}, {"dl"});
    if (name == "tr") ends({"tr"}, {"table"});
    if (name == "td" || name == "th") ends({"td", "th"}, {"tr", "table"});
    const bool block =
        is_one_of(name, {"p", "div", "table", "ul", "ol", "pre", "details", "h1", "h2", "h3", "h4",
                         "h5", "h6", "blockquote", "figure", "hr"});
    if (block) ends({"p"}, {"div", "td", "th", "li", "details", "figure", "section", "blockquote"});
    if (name == "details" || !callout_of(tag).marker.empty()) ++depth_;
    if (name == tabs_name) ++tabs_;
    stack_.push_back({tag, {}, {}});
  }

  void close(const std::string& name) {
    if (!is_open(name)) return;
    // An element that began before this paragraph ends the paragraph.
    while (top().tag.name != name) close_top();
    close_top();
  }

  // Takes the innermost element off the stack and gives what it becomes to its parent.
  void close_top() {
    Element element = std::move(stack_.back());
    stack_.pop_back();
    std::vector<Node> nodes;
    if (element.tag.name == paragraph_frame) nodes = as_blocks(std::move(element.children));
    else nodes = converted(element);
    std::ranges::move(nodes, std::back_inserter(top().children));
  }

  static CalloutKind callout_of(const HtmlTag& tag) {
    if (!is_one_of(tag.name, {"div", "aside", "blockquote"})) return {};
    const std::string classes = tag.attribute("class");
    for (const auto one : split(classes, ' ')) {
      const CalloutKind kind = callout_kind(one);
      if (!kind.marker.empty() && one != "summary" && one != "example") return kind;
    }
    return {};
  }

  std::vector<Node> converted(Element& element) {
    const std::string& name = element.tag.name;
    if (auto marked = as_mark(element)) return std::move(*marked);
    if (name == "a") return anchor(element);
    if (name == "img") return image(element);
    if (name == "hr") return {parent_node(NodeKind::rule, {})};
    if (is_one_of(name, {"iframe", "video", "audio", "object", "embed"})) return media(element);
    if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6') {
      changed(name, "written in Markdown");
      Node heading = parent_node(NodeKind::heading, as_inlines(std::move(element.children)));
      heading.level = name[1] - '0';
      std::vector<Node> all;
      if (const auto id = element.tag.attribute("id"); !id.empty()) all.push_back(anchor_node(id));
      all.push_back(std::move(heading));
      return all;
    }
    if (auto blocks = as_structure(element)) return std::move(*blocks);
    return other(element);
  }

  // Elements that are marks in Markdown. The rest of the inline elements become their text.
  std::optional<std::vector<Node>> as_mark(Element& element) {
    const std::string& name = element.tag.name;
    const auto all_inline = std::ranges::all_of(element.children, is_inline);
    if (is_one_of(name, {"br", "wbr", "kbd", "sub", "sup"})) {
      Node tag = parent_node(name == "br" ? NodeKind::line_break : NodeKind::html, {});
      tag.text = '<' + name + '>';
      std::vector<Node> nodes{tag};
      if (name == "br" || name == "wbr") return nodes;
      std::ranges::move(element.children, std::back_inserter(nodes));
      tag.text = "</" + name + '>';
      nodes.push_back(tag);
      return nodes;
    }
    const NodeKind kind = is_one_of(name, {"b", "strong"})                     ? NodeKind::strong
                          : is_one_of(name, {"s", "del", "strike"})            ? NodeKind::strike
                          : is_one_of(name, {"tt", "samp", "code"})            ? NodeKind::code
                          : is_one_of(name, {"i", "em", "cite", "var", "dfn"}) ? NodeKind::emphasis
                                                                               : NodeKind::document;
    if (kind == NodeKind::document || !all_inline) return std::nullopt;
    changed(name, "written in Markdown");
    Node node = parent_node(NodeKind::document, std::move(element.children));
    if (kind == NodeKind::code) {
      node.text = plain_text(node);
      node.children.clear();
    }
    node.kind = kind;
    return std::vector<Node>{std::move(node)};
  }

  std::vector<Node> anchor(Element& element) {
    std::vector<Node> nodes;
    for (const char* key : {"id", "name"}) {
      const std::string id = element.tag.attribute(key);
      if (id.empty() || !nodes.empty()) continue;
      nodes.push_back(anchor_node(id));
      changed("a id", "a former id of the section");
    }
    Node link = parent_node(NodeKind::link, {});
    link.url = element.tag.attribute("href");
    link.title = element.tag.attribute("title");
    const bool inlines = std::ranges::all_of(element.children, is_inline);
    if (link.url.empty()) {
      std::ranges::move(element.children, std::back_inserter(nodes));
      return nodes;
    }
    changed("a href", "written in Markdown");
    link.children = inlines ? std::move(element.children) : as_inlines(std::move(element.children));
    nodes.push_back(std::move(link));
    return nodes;
  }

  std::vector<Node> image(const Element& element) {
    changed("img", "written in Markdown");
    Node node = parent_node(NodeKind::image, {});
    node.url = element.tag.attribute("src");
    if (node.url.empty()) node.url = element.tag.attribute("data-src");
    node.title = element.tag.attribute("title");
    if (const auto alt = element.tag.attribute("alt"); !alt.empty())
      node.children.push_back(text_node(alt));
    return {std::move(node)};
  }

  std::vector<Node> media(Element& element) {
    const std::string& name = element.tag.name;
    std::string source = element.tag.attribute(name == "object" ? "data" : "src");
    std::vector<Node> nodes;
    if (source.empty()) source = std::exchange(media_source_, {});
    if (!source.empty()) {
      changed(name, "a link");
      Node link = parent_node(NodeKind::link, {});
      const std::string title = element.tag.attribute("title");
      link.url = source;
      link.children.push_back(text_node(title.empty() ? source : title));
      nodes.push_back(std::move(link));
    } else {
      lost('<' + name + '>');
    }
    std::ranges::move(element.children, std::back_inserter(nodes));
    return nodes;
  }

  std::optional<std::vector<Node>> as_structure(Element& element) {
    const std::string& name = element.tag.name;
    if (name == "td" || name == "th") return cell(element);
    if (name == "tr" || name == "thead" || name == "tbody" || name == "tfoot") return rows(element);
    if (name == "table") return table(element);
    if (name == "ul" || name == "ol") return list(element);
    if (name == "details") return details(element);
    if (name == tab_name) return tab(element);
    if (name == tabs_name) return tabs(element);
    if (name == "figure") return figure(element);
    if (name == "d-footnote") return note(element);
    if (name == "d-cite") return citation(element);
    if (is_one_of(name, {"summary", "figcaption", "caption", "li"})) {
      Node node = parent_node(name == "li" ? NodeKind::item : NodeKind::paragraph,
                              name == "li" ? as_blocks(std::move(element.children))
                                           : as_inlines(std::move(element.children)));
      node.info = name;
      return std::vector<Node>{std::move(node)};
    }
    if (name == "dt") {
      Node term = parent_node(NodeKind::strong, as_inlines(std::move(element.children)));
      return std::vector<Node>{parent_node(NodeKind::paragraph, {std::move(term)})};
    }
    const CalloutKind kind = callout_of(element.tag);
    if (!kind.marker.empty()) return callout(element, kind);
    if (name == "blockquote") {
      changed(name, "written in Markdown");
      return std::vector<Node>{
          parent_node(NodeKind::quote, as_blocks(std::move(element.children)))};
    }
    return std::nullopt;
  }

  std::vector<Node> cell(Element& element) {
    HtmlCell cell{std::move(element.children), 1, 1, element.tag.name == "th"};
    cell.columns = std::atoi(element.tag.attribute("colspan").c_str());
    cell.rows = std::atoi(element.tag.attribute("rowspan").c_str());
    if (top().rows.empty()) top().rows.emplace_back();
    top().rows.back().push_back(std::move(cell));
    return {};
  }

  // A row gives its cells to the table, and groups of rows give their rows.
  std::vector<Node> rows(Element& element) {
    for (auto& row : element.rows) top().rows.push_back(std::move(row));
    return std::move(element.children);
  }

  std::vector<Node> table(Element& element) {
    changed("table", "written in Markdown");
    std::erase_if(element.rows, [](const auto& row) { return row.empty(); });
    std::vector<Node> nodes = as_blocks(std::move(element.children));
    if (!element.rows.empty()) nodes.push_back(table_node(element.rows));
    return nodes;
  }

  std::vector<Node> list(Element& element) {
    changed(element.tag.name, "written in Markdown");
    Node list = parent_node(NodeKind::list, {});
    list.ordered = element.tag.name == "ol";
    list.start = std::max(1, std::atoi(element.tag.attribute("start").c_str()));
    list.tight = true;
    for (auto& child : as_blocks(std::move(element.children))) {
      if (child.kind == NodeKind::item) list.children.push_back(std::move(child));
      else list.children.push_back(parent_node(NodeKind::item, {std::move(child)}));
    }
    for (auto& item : list.children) item.info.clear();
    return list.children.empty() ? std::vector<Node>() : std::vector<Node>{std::move(list)};
  }

  std::vector<Node> titled(const std::string& marker, std::vector<Node> title,
                           std::vector<Node> blocks) {
    if (--depth_ == 0) return {callout_node(marker, std::move(title), std::move(blocks))};
    // Callouts do not nest.
    if (!title.empty()) {
      Node words = parent_node(NodeKind::strong, std::move(title));
      blocks.insert(blocks.begin(), parent_node(NodeKind::paragraph, {std::move(words)}));
    }
    return blocks;
  }

  std::vector<Node> tab(Element& element) {
    const std::string label = element.tag.attribute("title");
    return {tab_node({text_node(label)}, as_blocks(std::move(element.children)))};
  }

  std::vector<Node> tabs(Element& element) {
    changed(tabs_name, "tabs");
    std::vector<Node> items, rest;
    for (auto& node : as_blocks(std::move(element.children)))
      (node.info == "tab" ? items : rest).push_back(std::move(node));
    auto nodes = tabs_nodes(std::move(items), --tabs_ == 0);
    std::ranges::move(rest, std::back_inserter(nodes));
    return nodes;
  }

  std::vector<Node> details(Element& element) {
    changed("details", "a callout");
    std::vector<Node> title, blocks;
    for (auto& node : as_blocks(std::move(element.children))) {
      if (node.info == "summary" && node.kind == NodeKind::paragraph) title = node.children;
      else blocks.push_back(std::move(node));
    }
    return titled("DEEPER", std::move(title), std::move(blocks));
  }

  std::vector<Node> callout(Element& element, const CalloutKind& kind) {
    changed("div", "a callout");
    std::vector<Node> blocks = as_blocks(std::move(element.children)), title;
    if (const auto given = element.tag.attribute("title"); !given.empty()) {
      title.push_back(text_node(given));
    } else if (!blocks.empty() && blocks[0].kind == NodeKind::heading) {
      title = std::move(blocks[0].children);
      blocks.erase(blocks.begin());
    } else if (!kind.title.empty()) {
      title.push_back(text_node(kind.title));
    }
    return titled(kind.marker, std::move(title), std::move(blocks));
  }

  // The nearest of the widths that the book has, for a width in percent.
  static std::string width_of(const HtmlTag& tag) {
    const std::string width = tag.attribute("width");
    if (!width.ends_with('%')) return {};
    const int percent = std::atoi(width.c_str());
    constexpr std::array widths{25, 33, 50, 67, 75, 100};
    const int nearest =
        std::ranges::min(widths, {}, [&](int one) { return std::abs(one - percent); });
    return nearest == 100 ? "" : " width=" + std::to_string(nearest) + '%';
  }

  std::vector<Node> figure(Element& element) {
    changed("figure", "an image with its caption");
    std::vector<Node> caption, blocks;
    std::size_t images = 0;
    for (auto& node : as_blocks(std::move(element.children))) {
      if (node.info == "figcaption") {
        caption = std::move(node.children);
        continue;
      }
      images +=
          static_cast<std::size_t>(std::ranges::count(node.children, NodeKind::image, &Node::kind));
      blocks.push_back(std::move(node));
    }
    if (caption.empty()) return blocks;
    if (images != 1 || blocks.size() != 1 || blocks[0].children.size() != 1) {
      blocks.push_back(parent_node(NodeKind::paragraph, std::move(caption)));
      return blocks;
    }
    std::string id = element.tag.attribute("id");
    const std::string& url = blocks[0].children[0].url;
    if (id.empty()) id = url.substr(url.rfind('/') + 1, url.rfind('.') - url.rfind('/') - 1);
    const std::string old = std::exchange(id, label_id("fig", id));
    while (!figure_ids_.insert(id).second) id += "-2";
    caption.insert(caption.begin(),
                   text_node("Figure " + id + width_of(element.tag) + ": ", InSource::verbatim));
    caption.push_back(anchor_node(old, id));
    return {parent_node(NodeKind::paragraph, std::move(caption)), std::move(blocks[0])};
  }

  std::vector<Node> note(Element& element) {
    changed("d-footnote", "a side note");
    const std::string label = "footnote-" + std::to_string(notes_.size() + 1);
    Node reference = parent_node(NodeKind::note_reference, {});
    reference.info = "[^" + label + ']';
    reference.text = label;
    Node definition =
        parent_node(NodeKind::note_definition, as_blocks(std::move(element.children)));
    definition.text = label;
    notes_.push_back(std::move(definition));
    return {std::move(reference)};
  }

  std::vector<Node> citation(const Element& element) {
    changed("d-cite", "a citation");
    std::vector<std::string> keys;
    for (const auto key : split(element.tag.attribute("key"), ','))
      keys.push_back('@' + std::string(trim(key)));
    Node node = parent_node(NodeKind::citation, {});
    node.text = '[' + join(keys, "; ") + ']';
    return {std::move(node)};
  }

  // Elements that only group their children, and elements of one site's own.
  std::vector<Node> other(Element& element) {
    const std::string& name = element.tag.name;
    if (name == "source") {
      if (media_source_.empty()) media_source_ = element.tag.attribute("src");
      return {};
    }
    if (!is_one_of(name, {"p", "span", "div"}) || !element.tag.attribute("id").empty())
      changed(name, "left out; its content is there");
    std::vector<Node> nodes;
    if (const auto id = element.tag.attribute("id"); !id.empty()) nodes.push_back(anchor_node(id));
    // The rest of a listing of "The Rust Programming Language", and the title of an abbreviation.
    std::string words;
    for (const char* key : {"number", "file-name", "caption", "title"}) {
      const std::string value = element.tag.attribute(key);
      if (value.empty() || is_html_element(name) != (std::string_view(key) == "title")) continue;
      if (!words.empty()) words += ": ";
      words += (std::string_view(key) == "number" ? "Listing " : "") + value;
    }
    const bool inlines = std::ranges::all_of(element.children, is_inline) &&
                         is_one_of(name, {"span", "abbr", "font", "u", "mark", "small", "big", "q",
                                          "ins", "time", "label", "button", "ruby", "rt", "rp"});
    if (inlines) {
      std::ranges::move(element.children, std::back_inserter(nodes));
      if (!words.empty()) nodes.push_back(text_node(" (" + words + ')'));
      return nodes;
    }
    if (!words.empty())
      nodes.push_back(
          parent_node(NodeKind::paragraph, {parent_node(NodeKind::strong, {text_node(words)})}));
    const bool only_inline = !element.children.empty() &&
                             std::ranges::all_of(element.children, is_inline) && in_paragraph();
    auto children =
        only_inline ? std::move(element.children) : as_blocks(std::move(element.children));
    std::ranges::move(children, std::back_inserter(nodes));
    return nodes;
  }

  const OldPlace& place_;
  ImportReport& report_;
  std::vector<Element> stack_;
  std::vector<Node> notes_;
  std::set<std::string> figure_ids_;
  std::string media_source_;  // of the <source> elements of a <video>
  std::size_t offset_ = 0;    // of the node that is being read
  int depth_ = 0;             // of callouts and quotes
  int tabs_ = 0;              // groups of tabs that are open
};

}  // namespace

void replace_html(Node& document, const OldPlace& place, ImportReport& report) {
  HtmlReplacer(place, report).document(document);
}

}  // namespace primer
