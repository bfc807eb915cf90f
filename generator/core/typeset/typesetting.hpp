// Converts TeX to MathML, whichever converter is used: a Node process (host/maths.hpp) or the page
// itself (host/browser/page_calls.hpp).
//
// Equal formulas are converted once, and results are cached. The total size of a book's formulas is
// limited. Results are checked and cleaned by mathml.hpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/base/cache.hpp"
#include "generator/core/markdown/formula.hpp"
#include "generator/core/typeset/mathml.hpp"

namespace primer {

class Typesetting {
 public:
  using Converted = figures::Result<std::string>;
  // Returns one result per formula, in the same order.
  using Convert = std::function<std::vector<Converted>(const std::vector<const Formula*>&)>;
  struct Bounds {
    // Bytes of all formulas of a book.
    std::size_t most_tex = primer::most_tex, most_mathml = primer::most_mathml;
  };

  // `converter` identifies the converter and its version. `repertoire` is the text of
  // site/fonts/repertoire.txt. The cache must outlive this object.
  Typesetting(std::string converter, const std::string& repertoire, Cache& cache, Bounds bounds);

  // Identifies everything that the results depend on.
  const std::string& version() const { return version_; }
  const Bounds& bounds() const { return bounds_; }

  // Returns one well-formed <math> element or error per formula, in the same order. Errors point
  // into the TeX. Formulas beyond one of the bounds are errors. Safe to call from several threads
  // if `convert` is.
  std::vector<Converted> render(const std::vector<Formula>& formulas, const Convert& convert) const;

 private:
  std::string key(const Formula& formula) const;
  Converted clean(const Formula& formula, const Converted& converted) const;

  std::string converter_, version_;
  MathsRepertoire repertoire_;
  Cache& cache_;
  Bounds bounds_;
};

// An error about the whole formula.
figures::Error about_formula(const Formula& formula, std::string message);
// The message for formulas beyond the limit of `most` bytes of `what` ("TeX", "MathML").
std::string beyond_bound(std::size_t most, std::string_view what);

// Parses what maths_conversion.mjs answers for formula `id`: {id, mathml} or {id, message, offset,
// length} in JSON. No value if the answer has another form or another id.
std::optional<figures::Result<std::string>> converted_formula(std::string_view answer,
                                                              std::size_t id);
// The request for it.
std::string formula_request(const Formula& formula, std::size_t id);

}  // namespace primer
