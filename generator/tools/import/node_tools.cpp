#include "generator/tools/import/node_tools.hpp"

#include <algorithm>
#include <set>

#include "generator/core/base/text.hpp"
#include "generator/core/index/index.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

constexpr std::string_view anchor_mark = "anchor";

struct CalloutName {
  std::string_view name, marker;
};
constexpr CalloutName callout_names[] = {
    {"note", "NOTE"},         {"tip", "TIP"},          {"important", "IMPORTANT"},
    {"warning", "WARNING"},   {"caution", "CAUTION"},  {"danger", "CAUTION"},
    {"error", "CAUTION"},     {"hint", "TIP"},         {"success", "TIP"},
    {"attention", "WARNING"}, {"info", "NOTE"},        {"seealso", "NOTE"},
    {"example", "NOTE"},      {"question", "NOTE"},    {"abstract", "NOTE"},
    {"summary", "NOTE"},      {"bug", "WARNING"},      {"failure", "CAUTION"},
    {"todo", "NOTE"},         {"admonition", "NOTE"},  {"exercise", "NOTE"},
    {"solution", "NOTE"},     {"theorem", "NOTE"},     {"proof", "NOTE"},
    {"lemma", "NOTE"},        {"definition", "NOTE"},  {"algorithm", "NOTE"},
    {"corollary", "NOTE"},    {"proposition", "NOTE"}, {"remark", "NOTE"},
    {"topic", "NOTE"},        {"sidebar", "NOTE"},     {"dropdown", "DEEPER"}};

bool is_break(const Node& node) {
  return node.kind == NodeKind::soft_break || node.kind == NodeKind::line_break;
}

Node on_one_line(Node node) {
  if (is_break(node)) return text_node(" ");
  for (auto& child : node.children) child = on_one_line(std::move(child));
  return node;
}

bool is_space_only(const Node& node) {
  return is_break(node) || (node.kind == NodeKind::text && trim(node.text).empty());
}

}  // namespace

Node text_node(std::string text, InSource in_source) {
  Node node;
  node.kind = NodeKind::text;
  node.text = std::move(text);
  node.in_source = in_source;
  return node;
}

Node parent_node(NodeKind kind, std::vector<Node> children) {
  Node node;
  node.kind = kind;
  node.children = std::move(children);
  return node;
}

bool is_inline(const Node& node) { return node.kind >= NodeKind::text; }

bool is_anchor(const Node& node) { return node.kind == NodeKind::html && node.info == anchor_mark; }

Node anchor_node(const std::string& id, const std::string& now) {
  Node node;
  node.url = now;
  node.kind = NodeKind::html;
  node.info = anchor_mark;
  node.title = id;
  return node;
}

std::string label_id(std::string_view kind, std::string_view old) {
  for (const std::string_view front : {"fig", "tbl", "tab", "table", "eq", "eqn"}) {
    if (old.size() > front.size() + 1 && old.starts_with(front) &&
        (old[front.size()] == ':' || old[front.size()] == '-')) {
      old.remove_prefix(front.size() + 1);
      break;
    }
  }
  return std::string(kind) + '-' + as_id(old);
}

Node reference_node(const std::string& id) {
  Node node;
  node.kind = NodeKind::link;
  node.url = '#' + id;
  return node;
}

std::vector<Node> as_blocks(std::vector<Node> mixed) {
  std::vector<Node> out, line;
  const auto end_paragraph = [&] {
    while (!line.empty() && is_space_only(line.front())) line.erase(line.begin());
    while (!line.empty() && is_space_only(line.back())) line.pop_back();
    if (!line.empty()) out.push_back(parent_node(NodeKind::paragraph, std::exchange(line, {})));
  };
  for (auto& node : mixed) {
    if (is_inline(node)) {
      line.push_back(std::move(node));
    } else {
      end_paragraph();
      out.push_back(std::move(node));
    }
  }
  end_paragraph();
  return out;
}

std::vector<Node> as_inlines(std::vector<Node> mixed) {
  std::vector<Node> out;
  const auto begin_line = [&] {
    while (!out.empty() && is_space_only(out.back())) out.pop_back();
    if (!out.empty()) out.push_back(parent_node(NodeKind::line_break, {}));
  };
  for (auto& node : as_blocks(std::move(mixed))) {
    if (node.kind == NodeKind::html_block) continue;
    begin_line();
    if (node.kind == NodeKind::code_block) {
      for (const auto code : split_lines(node.text)) {
        begin_line();
        Node span = parent_node(NodeKind::code, {});
        span.text = code;
        out.push_back(std::move(span));
      }
    } else if (node.kind == NodeKind::paragraph || node.kind == NodeKind::heading) {
      std::ranges::move(node.children, std::back_inserter(out));
    } else {
      std::ranges::move(as_inlines(std::move(node.children)), std::back_inserter(out));
    }
  }
  return out;
}

Node callout_node(const std::string& marker, std::vector<Node> title, std::vector<Node> blocks) {
  std::vector<Node> all{
      parent_node(NodeKind::paragraph, {text_node("[!" + marker + "]", InSource::verbatim)})};
  auto& line = all[0].children;
  if (!title.empty()) line.push_back(text_node(" ", InSource::verbatim));
  for (auto& node : title) line.push_back(on_one_line(std::move(node)));
  if (!blocks.empty() && blocks[0].kind == NodeKind::paragraph && !caption_of(blocks[0])) {
    line.push_back(parent_node(NodeKind::soft_break, {}));
    std::ranges::move(blocks[0].children, std::back_inserter(line));
    blocks.erase(blocks.begin());
  }
  std::ranges::move(blocks, std::back_inserter(all));
  return parent_node(NodeKind::quote, std::move(all));
}

Node tab_node(std::vector<Node> label, std::vector<Node> blocks) {
  blocks.insert(blocks.begin(), parent_node(NodeKind::paragraph, std::move(label)));
  Node item = parent_node(NodeKind::item, std::move(blocks));
  item.info = "tab";
  return item;
}

std::vector<Node> tabs_nodes(std::vector<Node> items, bool possible) {
  std::set<std::string> labels;
  bool fit = possible && items.size() > 1;
  for (auto& item : items) {
    const std::string label(trim(plain_text(item.children[0])));
    fit = fit && !label.empty() && item.children.size() > 1 && labels.insert(label).second;
    item.children[0].children = {text_node(label)};
    item.info.clear();
  }
  if (fit) {
    std::vector<Node> all{
        parent_node(NodeKind::paragraph, {text_node("[!TABS]", InSource::verbatim)}),
        parent_node(NodeKind::list, std::move(items))};
    return {parent_node(NodeKind::quote, std::move(all))};
  }
  std::vector<Node> blocks;
  for (auto& item : items) {
    auto& label = item.children[0].children;
    if (label[0].text.empty()) item.children.erase(item.children.begin());
    else label = {parent_node(NodeKind::strong, std::move(label))};
    std::ranges::move(item.children, std::back_inserter(blocks));
  }
  return blocks;
}

CalloutKind callout_kind(std::string_view name) {
  for (const std::string_view front : {"callout-", "admonition-", "admonish-", "alert-", "prf:"})
    if (name.starts_with(front)) name.remove_prefix(front.size());
  const std::string lower = lower_case(name);
  const auto* known = std::ranges::find(callout_names, lower, &CalloutName::name);
  if (known == std::end(callout_names)) return {};
  const bool same =
      lower_case(known->marker) == lower || lower == "admonition" || known->marker == "DEEPER";
  return {std::string(known->marker), same ? "" : title_of_slug(lower)};
}

}  // namespace primer
