#include "generator/core/check/plain_markdown.hpp"

#include <algorithm>
#include <utility>

#include "figures/quantities/counting.hpp"
#include "figures/quantities/notation.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/markdown/markdown.hpp"

namespace primer {
namespace {
using figures::Quantity;

class PlainCheck {
 public:
  PlainCheck(const Source& source, const figures::Facts& facts, Diagnostics& diagnostics)
      : source_(source), facts_(facts), diagnostics_(diagnostics) {}

  void look(const Node& node) {
    if (is_number_link(node)) check(node);
    for (const auto& child : node.children) look(child);
  }

  std::size_t count() const { return count_; }

 private:
  void error(Rule rule, const Node& node, std::string message, const std::string& right = {}) {
    const std::size_t length = node.end > node.offset ? node.end - node.offset : 1;
    diagnostics_.error(rule, source_, node.offset, length, std::move(message)).suggestion = right;
  }

  void check(const Node& node) {
    ++count_;
    const auto colon = node.url.find(':');
    const std::string scheme = node.url.substr(0, colon);
    const std::string name(trim(std::string_view(node.url).substr(colon + 1)));
    if (scheme == "fact") return check_fact(node, name);
    if (scheme == "calc") return check_computed(node, name);
    error(Rule::bad_expression, node,
          "outside the chapters a number can be a \"fact:\" or \"calc:\", found " +
              in_quotes(scheme + ':'));
  }

  void check_fact(const Node& node, const std::string& id) {
    const figures::Fact* fact = facts_.find(id);
    if (!fact) {
      return error(Rule::unknown_fact, node, "no fact has the id " + in_quotes(id),
                   facts_.nearest(id));
    }
    compare(node, fact->quantity, fact->text, figures::counting_of_unit(fact->unit), false);
  }

  void check_computed(const Node& node, const std::string& text) {
    const auto expression = figures::Expression::parse(text);
    figures::Names names(figures::Sources{&facts_});
    const auto value = expression ? expression->evaluate(names) : expression.error();
    if (!value) {
      return error(Rule::bad_expression, node, value.error().message, value.error().suggestion);
    }
    const auto counting = figures::counting_of(*expression, [&](const figures::Name& name) {
      const figures::Fact* fact = name.function.empty() ? facts_.find(name.id) : nullptr;
      return fact ? figures::counting_of_unit(fact->unit) : figures::Counting();
    });
    if (!counting) return error(Rule::bad_expression, node, counting.error().message);
    compare(node, *value, figures::format(*value), *counting, expression->steps().size() > 1);
  }

  // `text` is the value as its source writes it.
  void compare(const Node& node, const Quantity& exact, const std::string& text,
               const figures::Counting& counting, bool is_computed) {
    const std::string said(trim(plain_text(node)));
    const auto literal = figures::parse_literal(said);
    const bool is_same = literal && literal->quantity.dimension == exact.dimension;
    if (literal && figures::agrees(*literal, exact)) {
      if (const auto wrong = figures::miscount(*literal, counting, is_computed))
        error(Rule::wrong_literal, node, "the text says " + said + ", but " + *wrong);
      return;
    }
    const std::string right = is_same ? figures::rewrite(*literal, exact) : text;
    error(Rule::wrong_literal, node, "the text says " + said + ", but the value is " + right,
          right);
  }

  const Source& source_;
  const figures::Facts& facts_;
  Diagnostics& diagnostics_;
  std::size_t count_ = 0;
};

}  // namespace

bool is_plain_markdown(std::string_view file) {
  return file.ends_with(".md") && !file.starts_with("chapters/");
}

std::size_t check_plain_markdown(const Source& source, const figures::Facts& facts,
                                 Diagnostics& diagnostics) {
  Diagnostics of_chapters;  // rules that hold in a book only
  const auto tree =
      parse_markdown(extract_lines(source, 1, source.line_count()), of_chapters, Severity::warning);
  if (!tree) {
    diagnostics.append(std::move(of_chapters));
    return 0;
  }
  PlainCheck check(source, facts, diagnostics);
  check.look(*tree);
  return check.count();
}

}  // namespace primer
