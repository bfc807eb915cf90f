// A model: something small that runs step by step and counts, beside a formula that says what the
// counts must be.
//
// Every model is a class with parameters (control.hpp), a state, step(), invariants, counts and a
// closed form. It is compiled natively, where the tests hold counts against closed forms over
// random parameters, and into models.wasm, where sliders and a scrubber drive it. Both builds give
// the same bytes, so a model uses portable_math.hpp where libraries differ (pow, log), and integers where
// it can.
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

// Something counted, and what the closed form says: the same number, or a range that holds it.
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

// The numbers that a model does not own: facts, in base units, and the measured machine.
struct Machine {
  std::string label;               // "reference machine", "your machine"; empty: nothing measured
  double peak = 0, bandwidth = 0;  // FLOP/s and B/s of one core; 0: not measured
  double l1 = 0, l2 = 0;           // bytes; 0: not known
  bool operator==(const Machine&) const = default;
};
struct Numbers {
  std::map<std::string, double, std::less<>> facts;
  Machine machine;

  double fact(std::string_view id) const {  // 0: not there
    const auto found = facts.find(id);
    return found == facts.end() ? 0 : found->second;
  }
  bool operator==(const Numbers&) const = default;
};

class Model {
 public:
  virtual ~Model() = default;

  virtual std::string_view name() const = 0;   // "cache-tiling", as chapters write it
  virtual std::string_view title() const = 0;  // what the picture is
  virtual std::span<const Control> controls() const = 0;
  // The facts that some setting needs; render_model() refuses to draw without them.
  virtual std::vector<std::string> facts() const { return {}; }

  // Begins anew with one value for each control, each within its range. Combinations that make no
  // sense are changed to the nearest one that does; the sentences that say so are returned.
  virtual std::vector<std::string> reset(std::span<const double> values, const Numbers&) = 0;
  virtual int length() const = 0;  // steps until it is done; at most a million
  virtual void step() = 0;         // once more; called length() times at most
  // Forward by `steps`; models that can jump do.
  virtual void advance(int steps) {
    for (int i = 0; i < steps; ++i) step();
  }
  // The step that a page shows first, and the one that paper shows.
  virtual int first() const { return 0; }
  virtual int on_paper() const { return length() * 2 / 5; }

  // What follows "12 of 40" beside the scrubber: " multiply-adds".
  virtual std::string step_words() const { return length() == 1 ? " step" : " steps"; }
  // Controls that change nothing under the settings of the last reset(), by id.
  virtual std::vector<std::string_view> unused() const { return {}; }

  // An invariant that does not hold, in words; empty when all do. Asked by tests after each step.
  virtual std::string broken() const = 0;
  // Valid once all steps are done.
  virtual std::vector<Count> counts() const = 0;

  // The state now: picture, sentences, table.
  virtual Rendering draw(const Options& options) const = 0;
};

// A control's value by its place, as the whole number that it is.
inline int whole(std::span<const double> values, std::size_t at) {
  return static_cast<int>(values[at]);
}

}  // namespace figures::models
