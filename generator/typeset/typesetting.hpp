// TeX → MathML, whatever converts it: a program of its own (host/maths.hpp) or the page (browser/page_maths.hpp).
//
// Each formula is converted once, and found again in the cache; the book's formulas together have bounds. What comes
// back is checked and cleaned by mathml.hpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/base/cache.hpp"
#include "generator/markdown/formula.hpp"
#include "generator/typeset/maths_repertoire.hpp"

namespace primer {

class Typesetting {
 public:
  using Converted = figures::Result<std::string>;
  // One result for each formula, in their order.
  using Convert = std::function<std::vector<Converted>(const std::vector<const Formula*>&)>;
  struct Bounds {
    std::size_t most_tex = primer::most_tex, most_mathml = primer::most_mathml;
  };

  // `converter` names what converts: another version may give other results. `repertoire` is the text of
  // site/fonts/repertoire.txt. The cache outlives this object.
  Typesetting(std::string converter, const std::string& repertoire, Cache& cache, Bounds bounds);

  // Of all that decides about the results.
  const std::string& version() const { return version_; }
  const Bounds& bounds() const { return bounds_; }

  // One well-formed <math> element or error for each formula, in their order. Errors point into the formula's TeX. What
  // comes after one of the bounds is an error each. Safe to call from several threads if `convert` is.
  std::vector<Converted> render(const std::vector<Formula>& formulas, const Convert& convert) const;

 private:
  std::string key(const Formula& formula) const;
  Converted clean(const Formula& formula, const Converted& converted) const;

  std::string converter_, version_;
  MathsRepertoire repertoire_;
  Cache& cache_;
  Bounds bounds_;
};

// About the formula as a whole.
figures::Error about_formula(const Formula& formula, std::string message);
// Why formulas after this many bytes "of TeX" are not converted.
std::string beyond_bound(std::size_t most, std::string_view what);

// What maths_conversion.mjs answers to formula `id`, as JSON: {id, mathml} or {id, message, offset, length}. Nothing when it is no
// such answer.
std::optional<figures::Result<std::string>> converted_formula(std::string_view answer,
                                                              std::size_t id);
// The question.
std::string formula_request(const Formula& formula, std::size_t id);

}  // namespace primer
