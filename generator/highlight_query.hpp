// A grammar's highlighting query, compiled: which syntax nodes get which colour.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "figures/result.hpp"
#include "generator/grammar.hpp"
#include "generator/paint.hpp"
#include "generator/text_pattern.hpp"

struct TSQuery;

namespace primer {

// Safe to use from several threads at once.
class HighlightQuery {
 public:
  // Fails when the query does not fit the grammar (Error::offset: where in the query).
  static figures::Result<HighlightQuery> compile(const Grammar& grammar);

  // Fails only when parsing takes more than some seconds: the text is made to be slow.
  figures::Result<Painting> paint(std::string_view code) const;

  // How many of the query's patterns are left out, since they have conditions that are not
  // understood (of `#match?`, `#eq?` and `#any-of?` only those that compare with a constant are).
  int ignored_patterns() const;

 private:
  struct Condition {
    unsigned capture;
    std::vector<TextPattern> patterns;  // one of these is found in the node's text …
    std::vector<std::string> values;    // … or it is one of these
  };
  struct Pattern {
    bool ignored = false;
    std::vector<Condition> conditions;
  };
  struct Match;
  struct DeleteQuery {
    void operator()(TSQuery* query) const;
  };

  Pattern read_pattern(unsigned index) const;
  bool holds(const Pattern& pattern, const Match& match, std::string_view code) const;

  const TSLanguage* language_ = nullptr;
  std::unique_ptr<TSQuery, DeleteQuery> query_;
  std::vector<Pattern> patterns_;
  std::vector<Paint> capture_paints_;
};

}  // namespace primer
