#include "generator/code/highlight_query.hpp"

#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>

namespace primer {
namespace {

using figures::Error;
using figures::Result;

constexpr std::uint64_t parse_timeout_us = 5'000'000;
constexpr std::uint16_t not_parsed = 0xffff;  // tree-sitter's symbol of code that is in error

template <class T, void (*destroy)(T*)>
struct Delete {
  void operator()(T* object) const { destroy(object); }
};
using Parser = std::unique_ptr<TSParser, Delete<TSParser, ts_parser_delete>>;
using Tree = std::unique_ptr<TSTree, Delete<TSTree, ts_tree_delete>>;

// A capture's name, or the whole words it begins with ("string.special" is "string"), to its
// colour. Names that are not here, like plain variables, stay uncoloured: every span costs bytes.
constexpr std::array<std::pair<std::string_view, Paint>, 13> paints{{
    {"keyword", Paint::keyword},
    {"variable.builtin", Paint::keyword},
    {"variable.parameter", Paint::variable},
    {"type", Paint::type},
    {"constructor", Paint::type},
    {"function", Paint::function},
    {"string", Paint::string},
    {"escape", Paint::string},
    {"number", Paint::number},
    {"constant", Paint::number},
    {"comment", Paint::comment},
    {"operator", Paint::op},
    {"preproc", Paint::preprocessor},
}};

Paint paint_of(std::string_view capture) {
  for (const auto& [name, paint] : paints) {
    if (capture == name || capture.starts_with(std::string(name) + '.')) return paint;
  }
  return Paint::none;
}

// A node of the code's tree. The tree is the list of its nodes, each before its children.
struct SyntaxNode {
  std::uint16_t symbol = 0, field = 0;
  bool named = false;
  std::uint32_t begin = 0, end = 0;  // bytes
  std::uint32_t after = 0;           // index of what follows it and all below it
};

class Walk {
 public:
  explicit Walk(const TSTree* tree) : cursor_(ts_tree_cursor_new(ts_tree_root_node(tree))) {}
  ~Walk() { ts_tree_cursor_delete(&cursor_); }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  // Without recursion: code can nest as deeply as it is long.
  std::vector<SyntaxNode> nodes() {
    std::vector<SyntaxNode> all;
    std::vector<std::uint32_t> open;  // the nodes above
    for (bool more = true; more;) {
      const TSNode node = ts_tree_cursor_current_node(&cursor_);
      open.push_back(static_cast<std::uint32_t>(all.size()));
      all.push_back({ts_node_symbol(node), ts_tree_cursor_current_field_id(&cursor_),
                     ts_node_is_named(node), ts_node_start_byte(node), ts_node_end_byte(node), 0});
      if (ts_tree_cursor_goto_first_child(&cursor_)) continue;
      for (more = false; !more && !open.empty();) {
        all[open.back()].after = static_cast<std::uint32_t>(all.size());
        open.pop_back();
        more = ts_tree_cursor_goto_next_sibling(&cursor_);
        if (!more) ts_tree_cursor_goto_parent(&cursor_);
      }
    }
    return all;
  }

 private:
  TSTreeCursor cursor_;
};

bool is(const SyntaxNode& node, const QueryNode& wanted) {
  if (wanted.field != 0 && wanted.field != node.field) return false;
  if (wanted.wanted == QueryNode::Wanted::symbol) return node.symbol == wanted.symbol;
  if (node.symbol == not_parsed) return false;
  return node.named || wanted.wanted == QueryNode::Wanted::any;
}

}  // namespace

// Finds every way in which patterns fit a tree.
class HighlightQuery::Matcher {
 public:
  Matcher(const Query& query, std::string_view code, const std::vector<SyntaxNode>& nodes)
      : query_(query), code_(code), nodes_(nodes) {}

  std::vector<Span> spans;

  void match(const Root& root, std::uint32_t at) {
    pattern_ = root.pattern;
    fit(*root.node, at, [this] { keep(); });
  }

 private:
  using Then = std::function<void()>;

  // Calls then() for each way in which a pattern's node and what it wants below it fit the tree's.
  void fit(const QueryNode& wanted, std::uint32_t at, const Then& then) {
    for (const auto capture : wanted.captures) captured_.push_back({capture, at});
    fit_children(wanted, 0, at + 1, nodes_[at].after, then);
    captured_.resize(captured_.size() - wanted.captures.size());
  }

  // The children from number `number` on, each after the one before it and before `end`.
  void fit_children(const QueryNode& parent, std::size_t number, std::uint32_t at,
                    std::uint32_t end, const Then& then) {
    if (number == parent.children.size()) return then();
    for (; at < end; at = nodes_[at].after) {
      for (const auto& wanted : parent.children[number]) {
        if (!is(nodes_[at], wanted)) continue;
        fit(wanted, at, [&] { fit_children(parent, number + 1, nodes_[at].after, end, then); });
      }
    }
  }

  void keep() {
    for (const auto& condition : query_.patterns[pattern_].conditions) {
      for (const auto& [capture, at] : captured_) {
        if (capture == condition.capture && !holds(condition, at)) return;
      }
    }
    for (const auto& [capture, at] : captured_) {
      if (nodes_[at].begin == nodes_[at].end) continue;  // the parser has put it there
      spans.push_back({nodes_[at].begin, nodes_[at].end, pattern_, capture});
    }
  }

  bool holds(const QueryCondition& condition, std::uint32_t at) const {
    const std::string_view text = code_.substr(nodes_[at].begin, nodes_[at].end - nodes_[at].begin);
    const auto found = [&](const TextPattern& wanted) { return wanted.found_in(text); };
    return std::any_of(condition.patterns.begin(), condition.patterns.end(), found) ||
           std::find(condition.values.begin(), condition.values.end(), text) !=
               condition.values.end();
  }

  const Query& query_;
  std::string_view code_;
  const std::vector<SyntaxNode>& nodes_;
  std::uint32_t pattern_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> captured_;  // capture, index of its node
};

Result<HighlightQuery> HighlightQuery::compile(const Grammar& grammar) {
  auto query = parse_query(grammar);
  if (!query) return query.error();
  HighlightQuery compiled;
  compiled.language_ = grammar.language();
  compiled.query_ = std::move(query).value();
  for (const auto& name : compiled.query_.captures) compiled.paints_.push_back(paint_of(name));
  compiled.roots_.resize(ts_language_symbol_count(compiled.language_));
  const auto& patterns = compiled.query_.patterns;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (const auto& node : patterns[i].alternatives) {
      if (patterns[i].ignored) continue;
      compiled.roots_[node.symbol].push_back({static_cast<std::uint32_t>(i), &node});
    }
  }
  return compiled;
}

Result<std::vector<HighlightQuery::Span>> HighlightQuery::spans(std::string_view code) const {
  thread_local const Parser parser(ts_parser_new());  // it keeps the memory of its last tree
  ts_parser_set_language(parser.get(), language_);
  ts_parser_set_timeout_micros(parser.get(), parse_timeout_us);
  const Tree tree(ts_parser_parse_string(parser.get(), nullptr, code.data(),
                                         static_cast<std::uint32_t>(code.size())));
  if (!tree) {
    ts_parser_reset(parser.get());  // else it would go on where it stopped
    return Error{"the code takes too long to parse for highlighting", 0, code.size(), {}};
  }
  const std::vector<SyntaxNode> nodes = Walk(tree.get()).nodes();
  Matcher matcher(query_, code, nodes);
  for (std::uint32_t at = 0; at < nodes.size(); ++at) {
    if (nodes[at].symbol == not_parsed) continue;
    for (const Root& root : roots_[nodes[at].symbol]) matcher.match(root, at);
  }
  return std::move(matcher.spans);
}

Result<Painting> HighlightQuery::paint(std::string_view code) const {
  auto spans = this->spans(code);
  if (!spans) return spans.error();
  // Outer before inner, and for the same span the query's order: what is painted last is seen.
  std::sort(spans->begin(), spans->end(), [](const Span& a, const Span& b) {
    return std::tie(a.begin, b.end, a.pattern, a.capture) <
           std::tie(b.begin, a.end, b.pattern, b.capture);
  });
  Painting painting(code.size(), Paint::none);
  for (const Span& span : *spans) {
    std::fill(painting.begin() + span.begin, painting.begin() + span.end, paints_[span.capture]);
  }
  return painting;
}

}  // namespace primer
