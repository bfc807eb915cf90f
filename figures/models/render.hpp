// Models by name, drawn: what the generator calls for a ```model block and the page for each frame.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "figures/models/model.hpp"

namespace figures::models {

// Names of all models, sorted.
std::vector<std::string_view> model_names();
// Null for an unknown name; unknown_model() then says what is wrong and what is near.
std::unique_ptr<Model> make_model(std::string_view name);
Error unknown_model(std::string_view name);
// The file that has it in a page: "models-layers.wasm"; empty for an unknown name. Natively only.
std::string_view module_of(std::string_view name);

// What a model may use of the book and of the machine: facts it asks for, and the roofs of one core
// of `reader`, else of `reference`; either may be null. Error: a fact is missing.
Result<Numbers> numbers_for(const Model& model, const Facts& facts, const Profile* reference,
                            const Profile* reader);

struct Frame {
  Rendering rendering;  // its description is the sentence below the picture
  int step = 0, length = 0, first = 0, on_paper = 0;
  std::vector<double> values;            // of the controls, in their order, as used
  std::vector<Notice> notices;           // what had to be changed about the parameters
  std::string where;                     // "12 of 40 kernels", beside the scrubber
  std::vector<std::string_view> unused;  // controls that change nothing now, by id
  // What stands below the picture: what was changed, and what is seen.
  std::string words() const;
};

// `step` counts from 0 and is clamped to the model's length; negative: the model's first picture.
constexpr int first_step = -1, paper_step = -2;

// A model and the step it stands at. Going forward costs the steps between; going back starts anew.
class Player {
 public:
  // Error: as for render_model(); the player is then as it was.
  Status load(std::string_view name, const nlohmann::json& params, const Numbers& numbers);
  void seek(int step);  // once loaded; clamped
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

// Error: no such model (with the nearest name), or parameters that read_settings() refuses. A
// parameter out of range is not an error but a notice: a chapter's build refuses it, a permalink works.
Result<Frame> render_model(std::string_view name, const nlohmann::json& params, int step,
                           const Numbers& numbers, const Options& options);

}  // namespace figures::models
