// Converts TeX formulas to MathML at build time.
//
// Temml does the conversion in one Node process that lives as long as this object and reads one
// formula per line (maths_helper.mjs). Results are cached (typesetting.hpp), so a build without new
// formulas never starts Node. With an empty cache, Node starts in parallel as soon as a formula is
// seen (expect()).
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/base/cache.hpp"
#include "generator/core/markdown/formula.hpp"
#include "generator/core/typeset/typesetting.hpp"
#include "generator/host/process.hpp"

namespace primer {

class Maths {
 public:
  using Formula = primer::Formula;

  struct Options {
    std::vector<std::string> command = {};                // empty: node with the helper in `root`
    std::chrono::milliseconds patience{10'000};           // per answer
    std::filesystem::path node = {};                      // empty: use find_program()
    std::chrono::milliseconds patience_for_all{120'000};  // for all answers to one render()
    std::size_t most_tex = primer::most_tex, most_mathml = primer::most_mathml;
  };

  // `root` contains generator/host/maths_helper.mjs, node_modules/ and site/fonts/repertoire.txt.
  // The cache must outlive this object.
  Maths(std::filesystem::path root, Cache& cache, Options options);
  Maths(std::filesystem::path root, Cache& cache) : Maths(std::move(root), cache, Options{}) {}

  // Identifies the converter and its version.
  const std::string& version() const { return typesetting_.version(); }

  // Announces formulas. Starts Node now if the cache is empty.
  void expect();

  // Returns one well-formed <math> element or error per formula, in the same order. Errors point
  // into the TeX. If the helper hangs or dies on a formula, that formula is an error, and another
  // helper converts the rest. Formulas beyond a bound are errors; except for the time limit, that
  // does not depend on the cache. Safe to call from several threads.
  std::vector<figures::Result<std::string>> render(const std::vector<Formula>& formulas);

  // Whether Node was started; for tests and statistics.
  bool helper_started() const;

 private:
  using Converted = figures::Result<std::string>;
  // The state of one convert() call.
  struct Batch {
    const std::vector<const Formula*>& formulas;
    std::chrono::steady_clock::time_point end;  // deadline for the whole batch
    std::vector<Converted> done = {};           // results so far, in order
    std::size_t mathml = 0;                     // bytes in `done`
    std::string spent = {};  // why the rest will not be converted; empty: it may be

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

  mutable std::mutex mutex_;  // protects the members below
  LineProcess helper_;
  bool helper_started_ = false;
  bool helper_ready_ = false;  // it has sent its first line
};

}  // namespace primer
