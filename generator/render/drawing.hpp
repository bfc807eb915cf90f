// Figures of the page: figures::render behind the cache.
#pragma once

#include "figures/draw/rendering.hpp"
#include "generator/base/cache.hpp"
#include "generator/base/digest.hpp"
#include "generator/load/messages.hpp"

namespace primer {

// figures::render(spec, inputs, options), or what the cache has of it: a drawing is kept with the facts that it asked
// for and is drawn again when one of them changed. `profiles` names the profiles in `inputs`, whose facts are there.
// `cache` may be null. Where `words` has forms of drawings, the picture is in their language, and its `unsaid` lists
// those that they lack; else it is in the specs'.
figures::Result<figures::Rendering> draw(Cache* cache, const Digest& profiles,
                                         const nlohmann::json& spec, const figures::Inputs& inputs,
                                         const figures::Options& options, const Messages& words);

// A drawing as bytes, for the cache.
std::string pack_drawing(const figures::Rendering& drawing);
bool unpack_drawing(std::string_view bytes,
                    figures::Rendering& drawing);  // false: these are not its bytes

// The same for what draws in another way: draw(options) → a drawing, with the words of drawings in its options.
template <class Draw>
auto draw_in_words(const Messages& words, figures::Options options, const Draw& draw) {
  const figures::Words said(words.drawings(), &words.beside());
  if (words.drawings().is_object()) options.words = &said;
  auto drawn = draw(options);
  return std::pair(std::move(drawn), said.unsaid());
}

}  // namespace primer
