#include "generator/core/code/grammar_painter.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "generator/core/code/highlight_query.hpp"

namespace primer {
namespace {

using figures::Result;

struct LazyQuery {
  std::once_flag once;
  std::optional<Result<HighlightQuery>> query;
};

}  // namespace

Result<Painting> paint_by_grammar(std::string_view name, std::string_view code) {
  // A compiled query never changes, but compiling all of them up front would be too expensive.
  static std::vector<LazyQuery> queries(grammars().size());
  const auto all = grammars();
  const auto named = [&](const Grammar& grammar) { return grammar.name == name; };
  const auto grammar = std::find_if(all.begin(), all.end(), named);
  LazyQuery& lazy = queries[static_cast<std::size_t>(grammar - all.begin())];
  std::call_once(lazy.once, [&] { lazy.query.emplace(HighlightQuery::compile(*grammar)); });
  if (!*lazy.query) return lazy.query->error();
  return lazy.query->value().paint(code);
}

}  // namespace primer
