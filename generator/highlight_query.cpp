#include "generator/highlight_query.hpp"

#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <utility>

#include "generator/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

constexpr std::uint64_t parse_timeout_us = 5'000'000;

template <class T, void (*destroy)(T*)>
struct Delete {
  void operator()(T* object) const { destroy(object); }
};
using Parser = std::unique_ptr<TSParser, Delete<TSParser, ts_parser_delete>>;
using Tree = std::unique_ptr<TSTree, Delete<TSTree, ts_tree_delete>>;
using Cursor = std::unique_ptr<TSQueryCursor, Delete<TSQueryCursor, ts_query_cursor_delete>>;

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

struct Span {
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t pattern;
  Paint paint;

  // Outer before inner, and for the same span the query's order: what is painted last is seen.
  bool operator<(const Span& other) const {
    return std::tie(begin, other.end, pattern) < std::tie(other.begin, end, other.pattern);
  }
};

std::string_view text_of(TSNode node, std::string_view code) {
  return code.substr(ts_node_start_byte(node), ts_node_end_byte(node) - ts_node_start_byte(node));
}

}  // namespace

struct HighlightQuery::Match {
  std::span<const TSQueryCapture> captures;
};

void HighlightQuery::DeleteQuery::operator()(TSQuery* query) const { ts_query_delete(query); }

Result<HighlightQuery> HighlightQuery::compile(const Grammar& grammar) {
  std::uint32_t offset = 0;
  TSQueryError error = TSQueryErrorNone;
  HighlightQuery compiled;
  compiled.language_ = grammar.language();
  compiled.query_.reset(ts_query_new(compiled.language_, grammar.query.data(),
                                     static_cast<std::uint32_t>(grammar.query.size()), &offset,
                                     &error));
  if (!compiled.query_) {
    return Error{"the highlighting query of " + std::string(grammar.name) +
                     " does not fit the grammar",
                 offset, 1, {}};
  }
  const TSQuery* query = compiled.query_.get();
  for (std::uint32_t i = 0; i < ts_query_pattern_count(query); ++i) {
    compiled.patterns_.push_back(compiled.read_pattern(i));
  }
  for (std::uint32_t i = 0; i < ts_query_capture_count(query); ++i) {
    std::uint32_t length = 0;
    const char* name = ts_query_capture_name_for_id(query, i, &length);
    compiled.capture_paints_.push_back(paint_of({name, length}));
  }
  return compiled;
}

HighlightQuery::Pattern HighlightQuery::read_pattern(unsigned index) const {
  std::uint32_t count = 0;
  const TSQueryPredicateStep* steps =
      ts_query_predicates_for_pattern(query_.get(), index, &count);
  const auto string = [&](const TSQueryPredicateStep& step) {
    std::uint32_t length = 0;
    const char* text = ts_query_string_value_for_id(query_.get(), step.value_id, &length);
    return std::string(text, length);
  };
  Pattern pattern;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<TSQueryPredicateStep> words;
    for (; i < count && steps[i].type != TSQueryPredicateStepTypeDone; ++i) {
      words.push_back(steps[i]);
    }
    const std::string name = string(words.front());
    bool understood = words.size() > 2 && words[1].type == TSQueryPredicateStepTypeCapture &&
                      (name == "match?" || name == "eq?" || name == "any-of?");
    Condition condition{understood ? words[1].value_id : 0, {}, {}};
    for (std::size_t k = 2; understood && k < words.size(); ++k) {
      understood = words[k].type == TSQueryPredicateStepTypeString;
      if (!understood) break;
      if (name != "match?") {
        condition.values.push_back(string(words[k]));
      } else if (auto parsed = TextPattern::parse(string(words[k]))) {
        condition.patterns.push_back(std::move(*parsed));
      } else {
        understood = false;
      }
    }
    pattern.ignored |= !understood;
    pattern.conditions.push_back(std::move(condition));
  }
  return pattern;
}

bool HighlightQuery::holds(const Pattern& pattern, const Match& match,
                           std::string_view code) const {
  const auto holds_for_node = [&](const Condition& condition, TSNode node) {
    const std::string_view text = text_of(node, code);
    const auto found = [&](const TextPattern& wanted) { return wanted.found_in(text); };
    return std::any_of(condition.patterns.begin(), condition.patterns.end(), found) ||
           std::find(condition.values.begin(), condition.values.end(), text) !=
               condition.values.end();
  };
  for (const Condition& condition : pattern.conditions) {
    for (const TSQueryCapture& capture : match.captures) {
      if (capture.index == condition.capture && !holds_for_node(condition, capture.node)) {
        return false;
      }
    }
  }
  return true;
}

Result<Painting> HighlightQuery::paint(std::string_view code) const {
  const Parser parser(ts_parser_new());
  ts_parser_set_language(parser.get(), language_);
  ts_parser_set_timeout_micros(parser.get(), parse_timeout_us);
  const Tree tree(ts_parser_parse_string(parser.get(), nullptr, code.data(),
                                         static_cast<std::uint32_t>(code.size())));
  if (!tree) return Error{"the code takes too long to parse for highlighting", 0, code.size(), {}};

  std::vector<Span> spans;
  const Cursor cursor(ts_query_cursor_new());
  ts_query_cursor_exec(cursor.get(), query_.get(), ts_tree_root_node(tree.get()));
  for (TSQueryMatch found; ts_query_cursor_next_match(cursor.get(), &found);) {
    const Pattern& pattern = patterns_[found.pattern_index];
    const Match match{{found.captures, found.capture_count}};
    if (pattern.ignored || !holds(pattern, match, code)) continue;
    for (const TSQueryCapture& capture : match.captures) {
      spans.push_back({ts_node_start_byte(capture.node), ts_node_end_byte(capture.node),
                       found.pattern_index, capture_paints_[capture.index]});
    }
  }
  std::sort(spans.begin(), spans.end());

  Painting painting(code.size(), Paint::none);
  for (const Span& span : spans) {
    std::fill(painting.begin() + span.begin, painting.begin() + span.end, span.paint);
  }
  return painting;
}

int HighlightQuery::ignored_patterns() const {
  return static_cast<int>(std::count_if(patterns_.begin(), patterns_.end(),
                                        [](const Pattern& pattern) { return pattern.ignored; }));
}

}  // namespace primer
