// TeX formulas → MathML, at build time.
//
// Temml converts, in one Node process that lives as long as this object and is spoken to in lines
// (maths_helper.mjs). Converted formulas are cached (typesetting.hpp), so a build in which no formula is new
// never starts Node; with an empty cache it starts as soon as a formula is seen (expect()), beside
// whatever else is going on.
// What comes back is checked and cleaned by mathml.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/base/cache.hpp"
#include "generator/host/line_process.hpp"
#include "generator/markdown/formula.hpp"
#include "generator/typeset/typesetting.hpp"

namespace primer {

class Maths {
 public:
  using Formula = primer::Formula;

  struct Options {
    std::vector<std::string> command = {};                // empty: node with root's helper
    std::chrono::milliseconds patience{10'000};           // for each answer
    std::filesystem::path node = {};                      // empty: what find_program() finds
    std::chrono::milliseconds patience_for_all{120'000};  // for all answers to one render()
    std::size_t most_tex = primer::most_tex, most_mathml = primer::most_mathml;
  };

  // `root` holds generator/host/maths_helper.mjs, node_modules/ and site/fonts/repertoire.txt.
  // The cache outlives this object.
  Maths(std::filesystem::path root, Cache& cache, Options options);
  Maths(std::filesystem::path root, Cache& cache) : Maths(std::move(root), cache, Options{}) {}

  // Names what turns TeX into MathML: another version may give other results.
  const std::string& version() const { return typesetting_.version(); }

  // Formulas will come. Starts Node now if some of them must be new.
  void expect();

  // One well-formed <math> element or error for each formula, in their order. Errors point into the
  // formula's TeX. A formula that the helper hangs or dies on is an error of its own; the others
  // are converted by a new helper. What comes after one of the bounds on all of them is an error each, and
  // does not depend on the cache but for the time. Safe to call from several threads.
  std::vector<figures::Result<std::string>> render(const std::vector<Formula>& formulas);

  // Whether Node has been started; for tests and statistics.
  bool helper_started() const;

 private:
  using Converted = figures::Result<std::string>;
  // What is converted, in order, and when there is no more of it.
  struct Batch {
    const std::vector<const Formula*>& formulas;
    std::chrono::steady_clock::time_point end;
    std::vector<Converted> done = {};
    std::size_t mathml = 0;  // bytes
    std::string spent = {};  // why what is not done will not be

    bool whole() const { return done.size() == formulas.size(); }
    const Formula& next() const { return *formulas[done.size()]; }
  };

  std::vector<Converted> convert(const std::vector<const Formula*>& formulas);
  LineProcess::Event converse(Batch& batch);
  LineProcess::Event answer(Batch& batch);
  bool start_helper();

  Cache& cache_;
  Options options_;
  Typesetting typesetting_;

  mutable std::mutex mutex_;  // of what follows
  LineProcess helper_;
  bool helper_started_ = false;
  bool helper_ready_ = false;  // it has greeted
};

}  // namespace primer
