// Draws figures and models with figures/ and caches the results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/draw/rendering.hpp"
#include "figures/models/render.hpp"
#include "generator/core/base/cache.hpp"
#include "generator/core/base/digest.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/load/messages.hpp"

namespace primer {

// figures::render() with a cache. A drawing is stored with the facts it read and is drawn again if
// one of them changes. `profiles` identifies the profiles in `inputs`. `cache` may be null. If
// `words` has strings for figures, the drawing is in that language and its `unsaid` lists the
// missing strings. Otherwise it is in the language of the specs.
figures::Result<figures::Rendering> draw(Cache* cache, const Digest& profiles,
                                         const nlohmann::json& spec, const figures::Inputs& inputs,
                                         const figures::Options& options, const Messages& words);

// Calls draw(options) with the language's strings in the options. Returns the drawing and the
// strings that are missing.
template <class Draw>
auto draw_in_words(const Messages& words, figures::Options options, const Draw& draw) {
  const figures::Words said(words.drawings(), &words.beside());
  if (words.drawings().is_object()) options.words = &said;
  auto drawn = draw(options);
  return std::pair(std::move(drawn), said.unsaid());
}

// Models: models::render_model() with a cache.

struct ModelDrawing {
  figures::Result<figures::models::Frame> frame;
  std::vector<std::string> unsaid;  // strings without a translation
};

struct ModelInputs {
  const figures::models::Model& model;
  const nlohmann::json& params;
  const figures::models::Numbers& numbers;
};

// Everything a model reads from the book and from a machine, for a cache key.
inline auto members_of(const figures::models::Numbers& numbers) {
  const auto& [facts, machine] = numbers;
  const auto& [label, peak, bandwidth, l1, l2] = machine;
  return std::tie(facts, label, peak, bandwidth, l1, l2);
}

// `cache` may be null. Frames with notices about the parameters are not cached.
ModelDrawing draw_model(Cache* cache, const ModelInputs& inputs, int step,
                        const figures::Options& options, const Messages& words);

}  // namespace primer
