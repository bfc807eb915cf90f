// An interactive model: a small simulation that runs step by step and counts, next to a formula
// that predicts its counts. (It is not a machine-learning model.)
//
// Every model is a class with parameters (control.hpp), a state, step(), invariants, counts and a
// closed formula. It is compiled natively, where the tests compare counts with the closed formulas
// over random parameters, and into a WebAssembly module, where sliders and a scrubber drive it.
// Both builds give the same bytes, so a model uses portable_math.hpp where libraries differ (pow,
// log) and integers where it can.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figures/draw/rendering.hpp"
#include "figures/models/control.hpp"

namespace figures::models {

// Something counted, and its value by the closed formula: the same number, or a range that contains
// it.
struct Count {
  std::string name, unit;
  double counted = 0;
  double low = 0, high = 0;
};
inline Count exact(std::string name, std::string unit, double counted, double closed) {
  return {std::move(name), std::move(unit), counted, closed, closed};
}
inline Count between(std::string name, std::string unit, double counted, double low, double high) {
  return {std::move(name), std::move(unit), counted, low, high};
}

// The measured machine. Together with facts in base units, these are the numbers that a model gets
// from outside.
struct Machine {
  std::string label;               // "reference machine", "your machine"; empty: nothing measured
  double peak = 0, bandwidth = 0;  // FLOP/s and B/s of one core; 0: not measured
  double l1 = 0, l2 = 0;           // bytes; 0: not known
  bool operator==(const Machine&) const = default;
};
struct Numbers {
  std::map<std::string, double, std::less<>> facts;
  Machine machine;

  double fact(std::string_view id) const {  // 0: no such fact
    const auto found = facts.find(id);
    return found == facts.end() ? 0 : found->second;
  }
  bool operator==(const Numbers&) const = default;
};

class Model {
 public:
  virtual ~Model() = default;

  virtual std::string_view name() const = 0;   // "cache-tiling", as in chapters
  virtual std::string_view title() const = 0;  // of the figure
  virtual std::span<const Control> controls() const = 0;
  // The facts that at least one setting needs; render_model() returns an error if one is missing.
  virtual std::vector<std::string> facts() const { return {}; }

  // Starts again with one value per control, each within its range. Combinations that make no sense
  // are changed to the nearest valid one. Returns sentences that report these changes.
  virtual std::vector<std::string> reset(std::span<const double> values, const Numbers&) = 0;
  virtual int length() const = 0;  // number of steps until the end; at most a million
  virtual void step() = 0;         // called at most length() times
  // Runs `steps` steps. A model that can jump overrides this.
  virtual void advance(int steps) {
    for (int i = 0; i < steps; ++i) step();
  }
  // The step that a page shows first, and the step that is printed on paper.
  virtual int first() const { return 0; }
  virtual int on_paper() const { return length() * 2 / 5; }

  // The text after "12 of 40" next to the scrubber: " multiply-adds".
  virtual std::string step_words() const { return length() == 1 ? " step" : " steps"; }
  // The ids of controls without effect under the settings of the last reset().
  virtual std::vector<std::string_view> unused() const { return {}; }

  // A violated invariant in words; empty if there is none. Tests call this after each step.
  virtual std::string broken() const = 0;
  // Valid after the last step.
  virtual std::vector<Count> counts() const = 0;

  // The current state: figure, sentences, table.
  virtual Rendering draw(const Options& options) const = 0;
};

// The value of a control by its index, for controls whose values are integers.
inline int whole(std::span<const double> values, std::size_t at) {
  return static_cast<int>(values[at]);
}

}  // namespace figures::models
