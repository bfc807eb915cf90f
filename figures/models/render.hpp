// Draws models by name. The generator calls it for a ```model block, and the page for each frame.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "figures/models/model.hpp"

namespace figures::models {

// The names of all models, sorted.
std::vector<std::string_view> model_names();
// Null for an unknown name; unknown_model() then gives the error with the nearest name.
std::unique_ptr<Model> make_model(std::string_view name);
Error unknown_model(std::string_view name);
// The module that contains the model: "models-layers.wasm"; empty for an unknown name. Native
// builds only.
std::string_view module_of(std::string_view name);

// The numbers that a model may use: its facts, and the roofs of one core of `reader` or, if that is
// null, of `reference`. Either may be null. Error: a fact is missing.
Result<Numbers> numbers_for(const Model& model, const Facts& facts, const Profile* reference,
                            const Profile* reader);

struct Frame {
  Rendering rendering;  // its description is the sentence below the figure
  int step = 0, length = 0, first = 0, on_paper = 0;
  std::vector<double> values;            // one per control, as used
  std::vector<Notice> notices;           // the parameters that had to be changed
  std::string where;                     // "12 of 40 kernels", next to the scrubber
  std::vector<std::string_view> unused;  // ids of controls that have no effect now
  // The text below the figure: the notices, then the description.
  std::string words() const;
};

// `step` counts from 0 and is clamped to the model's length. A negative step is one of these.
constexpr int first_step = -1, paper_step = -2;

// A model and its current step. Seeking forward costs the steps in between; seeking backward starts
// again.
class Player {
 public:
  // Error: as for render_model(); the player is then unchanged.
  Status load(std::string_view name, const nlohmann::json& params, const Numbers& numbers);
  void seek(int step);  // call load() first; clamped
  Frame draw(const Options& options) const;
  const Model& model() const { return *model_; }

 private:
  void rewind();

  std::unique_ptr<Model> model_;
  Settings settings_;
  Numbers numbers_;
  std::vector<std::string> adjusted_;
  int at_ = 0;
};

// Error: no such model (with the nearest name), or parameters that read_settings() rejects. A
// parameter out of range is no error but a notice: the build of a chapter rejects it, but a
// permalink works.
Result<Frame> render_model(std::string_view name, const nlohmann::json& params, int step,
                           const Numbers& numbers, const Options& options);

}  // namespace figures::models
