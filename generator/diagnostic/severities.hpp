// How severe a book's own mistakes are to it: book.yaml's `severity` and `severity_of`. A book that
// moves here from another tool lowers what it will mend later.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "generator/diagnostic/rule.hpp"

namespace primer {

enum class Severity { error, warning };

// Whether a rule may be a warning: a page is left without what it is about, or with its bare text.
// All others are the floor. Past them a page would be unsafe, would say something false, or would not be.
bool can_be_lowered(Rule rule);

class Severities {
 public:
  // `place` is "" for the book, a file, or a directory with a slash at its end.
  void set(const std::string& place, Rule rule, Severity severity);
  // What the nearest place says of it; `usual` where none does.
  Severity of(Rule rule, std::string_view file, Severity usual) const;

 private:
  std::map<Rule, std::map<std::string, Severity>> places_;
};

}  // namespace primer
