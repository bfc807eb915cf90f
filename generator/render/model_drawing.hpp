// A model's picture: models::render_model behind the cache, as drawing.hpp has it for figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/models/render.hpp"
#include "generator/base/cache.hpp"
#include "generator/base/pack.hpp"
#include "generator/load/messages.hpp"

namespace primer {

struct ModelDrawing {
  figures::Result<figures::models::Frame> frame;
  std::vector<std::string> unsaid;  // by the words of the language
};

struct ModelInputs {
  const figures::models::Model& model;
  const nlohmann::json& params;
  const figures::models::Numbers& numbers;
};

// For keys: all that a model takes from the book and from a machine.
void pack(Packer& packer, const figures::models::Numbers& numbers);

// `cache` may be null. What is wrong with the parameters is found anew each time.
ModelDrawing draw_model(Cache* cache, const ModelInputs& inputs, int step,
                        const figures::Options& options, const Messages& words);

}  // namespace primer
