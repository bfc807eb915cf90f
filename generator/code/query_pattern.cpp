#include "generator/code/query_pattern.hpp"

#include <tree_sitter/api.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace primer {
namespace {

using figures::Error;
using figures::Result;
using Choice = std::vector<QueryNode>;

// Recursive descent. After a failure everything is skipped and nothing more is read.
class QueryParser {
 public:
  explicit QueryParser(const Grammar& grammar)
      : grammar_(grammar), language_(grammar.language()), text_(grammar.query) {}

  Result<Query> parse() {
    for (skip_blanks(); good() && at_ < text_.size(); skip_blanks()) {
      query_.patterns.emplace_back();
      const std::size_t from = at_;
      auto alternatives = form();
      for (const auto& node : alternatives) {
        const bool one_symbol = node.wanted == QueryNode::Wanted::symbol;
        if (!one_symbol || node.symbol >= ts_language_symbol_count(language_)) fail(from);
      }
      query_.patterns.back().alternatives = std::move(alternatives);
    }
    if (good()) return std::move(query_);
    return Error{
        "the highlighting query of " + std::string(grammar_.name) + " does not fit the grammar",
        *failed_,
        1,
        {}};
  }

 private:
  bool good() const { return !failed_; }
  void fail(std::size_t at) {
    if (good()) failed_ = at;
    at_ = text_.size();
  }

  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char wanted) {
    if (next() != wanted) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  // White space and comments.
  void skip_blanks() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == ';') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      if (!std::isspace(static_cast<unsigned char>(text_[at_]))) break;
    }
  }

  std::string_view word() {
    const auto in_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.' ||
             c == '?' || c == '!';
    };
    const std::size_t from = at_;
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    const auto found = text_.substr(from, at_ - from);
    if (found.empty()) fail(from);
    skip_blanks();
    return found;
  }

  std::string quoted() {
    const std::size_t from = at_;
    std::string found;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      const bool escaped = text_[at_] == '\\';
      if (escaped) ++at_;
      if (escaped && std::isalnum(static_cast<unsigned char>(next()))) fail(at_);
      found += next();
    }
    if (!take('"')) fail(from);
    return found;
  }

  QueryNode node_of(std::string_view name, bool named, std::size_t at) {
    QueryNode node;
    node.symbol = ts_language_symbol_for_name(language_, name.data(),
                                              static_cast<std::uint32_t>(name.size()), named);
    const auto type = named ? TSSymbolTypeRegular : TSSymbolTypeAnonymous;
    if (node.symbol == 0 || ts_language_symbol_type(language_, node.symbol) != type) fail(at);
    return node;
  }

  // A node or several to choose from, with what captures them.
  Choice form() {
    Choice choice;
    const std::size_t from = at_;
    if (next() == '"') {
      const std::string name = quoted();
      choice.push_back(node_of(name, false, from + 1));
    } else if (take('[')) {
      while (good() && !take(']')) {
        for (auto& node : form()) choice.push_back(std::move(node));
      }
    } else if (take('(')) {
      const bool group = next() == '(' || next() == '[' || next() == '"';
      choice = group ? form() : Choice{named_node()};
      finish(choice, group);
    } else if (word() == "_") {
      choice.emplace_back().wanted = QueryNode::Wanted::any;
    } else {
      fail(from);
    }
    while (good() && take('@')) {
      const std::uint32_t id = capture(word());
      for (auto& node : choice) node.captures.push_back(id);
    }
    return choice;
  }

  QueryNode named_node() {
    const std::size_t from = at_;
    const auto name = word();
    if (name != "_") return node_of(name, true, from);
    QueryNode node;
    node.wanted = QueryNode::Wanted::named;
    return node;
  }

  // A node's children, or none of a group's, and conditions, up to the bracket that closes.
  void finish(Choice& choice, bool group) {
    while (good() && !take(')')) {
      const std::size_t from = at_;
      if (text_.substr(at_).starts_with("(#")) {
        condition();
        continue;
      }
      std::uint16_t field = 0;
      if (std::isalpha(static_cast<unsigned char>(next()))) {
        const auto name = word();
        field = ts_language_field_id_for_name(language_, name.data(),
                                              static_cast<std::uint32_t>(name.size()));
        if (field == 0 || !take(':')) fail(from);
      }
      Choice child = form();
      for (auto& node : child) node.field = field;
      if (group) fail(from);
      if (good()) choice.front().children.push_back(std::move(child));
    }
  }

  std::uint32_t capture(std::string_view name) {
    auto& names = query_.captures;
    const auto id = std::find(names.begin(), names.end(), name) - names.begin();
    if (id == std::ssize(names)) names.emplace_back(name);
    return static_cast<std::uint32_t>(id);
  }

  void condition() {
    at_ += 2;
    const auto name = word();
    QueryCondition condition;
    bool understood = name == "match?" || name == "eq?" || name == "any-of?";
    const bool of_capture = take('@');
    if (of_capture) condition.capture = capture(word());
    understood = understood && of_capture && next() == '"';
    while (good() && !take(')')) {
      if (next() != '"') {
        take('@');
        word();
        understood = false;
        continue;
      }
      const std::string value = quoted();
      if (name != "match?") {
        condition.values.push_back(value);
      } else if (auto parsed = TextPattern::parse(value)) {
        condition.patterns.push_back(std::move(*parsed));
      } else {
        understood = false;
      }
    }
    QueryPattern& pattern = query_.patterns.back();
    pattern.ignored |= !understood;
    pattern.conditions.push_back(std::move(condition));
  }

  const Grammar& grammar_;
  const TSLanguage* language_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::size_t> failed_;
  Query query_;
};

}  // namespace

Result<Query> parse_query(const Grammar& grammar) { return QueryParser(grammar).parse(); }

}  // namespace primer
