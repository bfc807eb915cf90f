#include "generator/core/code/highlight_query.hpp"

#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

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

// Colors by capture name. A name also matches if it starts with an entry followed by a period
// ("string.special" is "string"). Other names, such as plain variables, get no color, because every
// span costs bytes.
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

std::uint32_t size_of(std::string_view text) { return static_cast<std::uint32_t>(text.size()); }

using Name = const char* (*)(const TSQuery*, std::uint32_t id, std::uint32_t* length);

// A string or the name of a capture.
std::string_view name_of(Name name, const TSQuery* query, std::uint32_t id) {
  std::uint32_t length = 0;
  const char* text = name(query, id, &length);
  return {text, length};
}

Result<Tree> parse(const TSLanguage* language, std::string_view code) {
  thread_local const Parser parser(ts_parser_new());  // reused, because it keeps its memory
  ts_parser_set_language(parser.get(), language);
  ts_parser_set_timeout_micros(parser.get(), parse_timeout_us);
  Tree tree(ts_parser_parse_string(parser.get(), nullptr, code.data(), size_of(code)));
  if (tree) return Result<Tree>(std::move(tree));
  ts_parser_reset(parser.get());  // otherwise the next parse would resume this one
  return Error{"the code takes too long to parse for highlighting", 0, code.size(), {}};
}

// What a match captured.
struct Span {
  std::uint32_t begin = 0, end = 0;  // bytes of the code
  std::uint32_t pattern = 0, capture = 0;
};

}  // namespace

bool HighlightQuery::Condition::holds(std::string_view text) const {
  const auto found = [&](const TextPattern& wanted) { return wanted.found_in(text); };
  return std::ranges::any_of(patterns, found) || std::ranges::find(values, text) != values.end();
}

// A condition is its name, its operands and an end mark.
bool HighlightQuery::read_conditions(std::uint32_t pattern,
                                     std::vector<Condition>& conditions) const {
  std::uint32_t count = 0;
  const auto* first = ts_query_predicates_for_pattern(query_.get(), pattern, &count);
  const std::span steps(first, count);
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    const auto name = name_of(ts_query_string_value_for_id, query_.get(), step->value_id);
    const bool is_match = name == "match?";
    if (!is_match && name != "eq?" && name != "any-of?") return false;
    if ((++step)->type != TSQueryPredicateStepTypeCapture) return false;
    Condition& condition = conditions.emplace_back();
    condition.capture = step->value_id;
    while ((++step)->type != TSQueryPredicateStepTypeDone) {
      if (step->type != TSQueryPredicateStepTypeString) return false;
      const auto value = name_of(ts_query_string_value_for_id, query_.get(), step->value_id);
      if (!is_match) {
        condition.values.emplace_back(value);
        continue;
      }
      auto parsed = TextPattern::parse(value);
      if (!parsed) return false;
      condition.patterns.push_back(std::move(*parsed));
    }
  }
  return true;
}

Result<HighlightQuery> HighlightQuery::compile(const Grammar& grammar) {
  HighlightQuery compiled;
  compiled.language_ = grammar.language();
  std::uint32_t offset = 0;
  TSQueryError error = TSQueryErrorNone;
  compiled.query_.reset(ts_query_new(compiled.language_, grammar.query.data(),
                                     size_of(grammar.query), &offset, &error),
                        [](TSQuery* query) { ts_query_delete(query); });
  TSQuery* query = compiled.query_.get();
  if (!query) {
    return Error{
        "the highlighting query of " + std::string(grammar.name) + " does not fit the grammar",
        offset,
        1,
        {}};
  }
  compiled.conditions_.resize(ts_query_pattern_count(query));
  for (std::uint32_t i = 0; i < compiled.conditions_.size(); ++i) {
    if (compiled.read_conditions(i, compiled.conditions_[i])) continue;
    ts_query_disable_pattern(query, i);
    ++compiled.disabled_;
  }
  for (std::uint32_t i = 0; i < ts_query_capture_count(query); ++i)
    compiled.paints_.push_back(paint_of(name_of(ts_query_capture_name_for_id, query, i)));
  return compiled;
}

Result<Painting> HighlightQuery::paint(std::string_view code) const {
  const auto tree = parse(language_, code);
  if (!tree) return tree.error();
  const Cursor cursor(ts_query_cursor_new());
  ts_query_cursor_exec(cursor.get(), query_.get(), ts_tree_root_node(tree->get()));
  std::vector<Span> spans;
  for (TSQueryMatch match; ts_query_cursor_next_match(cursor.get(), &match);) {
    const std::span captures(match.captures, match.capture_count);
    const auto span_of = [&](const TSQueryCapture& one) {
      return Span{ts_node_start_byte(one.node), ts_node_end_byte(one.node), match.pattern_index,
                  one.index};
    };
    const bool holds =
        std::ranges::all_of(conditions_[match.pattern_index], [&](const auto& wanted) {
          return std::ranges::all_of(captures, [&](const TSQueryCapture& one) {
            const auto [begin, end, pattern, capture] = span_of(one);
            return capture != wanted.capture || wanted.holds(code.substr(begin, end - begin));
          });
        });
    if (!holds) continue;
    for (const auto& one : captures) spans.push_back(span_of(one));
  }
  // Paint outer spans before inner ones, and equal spans in the order of the query, because the
  // last color wins.
  std::ranges::sort(spans, [](const Span& a, const Span& b) {
    return std::tie(a.begin, b.end, a.pattern, a.capture) <
           std::tie(b.begin, a.end, b.pattern, b.capture);
  });
  Painting painting(code.size(), Paint::none);
  for (const Span& span : spans)
    std::fill(painting.begin() + span.begin, painting.begin() + span.end, paints_[span.capture]);
  return painting;
}

namespace {
struct LazyQuery {
  std::once_flag once;
  std::optional<Result<HighlightQuery>> query;
};

}  // namespace

Result<Painting> paint_by_grammar(std::string_view name, std::string_view code) {
  // A compiled query never changes, but compiling all of them up front would be too expensive.
  static std::vector<LazyQuery> queries(grammars().size());
  const auto all = grammars();
  const auto grammar = std::ranges::find(all, name, &Grammar::name);
  LazyQuery& lazy = queries[static_cast<std::size_t>(grammar - all.begin())];
  std::call_once(lazy.once, [&] { lazy.query.emplace(HighlightQuery::compile(*grammar)); });
  if (!*lazy.query) return lazy.query->error();
  return lazy.query->value().paint(code);
}

}  // namespace primer
