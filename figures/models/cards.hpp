// The language models that a reader can choose in an interactive model, read from the facts.
#pragma once

#include <string>
#include <vector>

#include "figures/costs/counts.hpp"
#include "figures/models/model.hpp"

namespace figures::models {

inline constexpr Choice card_choices[] = {{"llama-3.1-70b", "Llama 3.1 70B"},
                                          {"llama-3.1-8b", "Llama 3.1 8B"},
                                          {"llama-3.1-405b", "Llama 3.1 405B"}};

struct Card {
  std::string label;
  // All; those that a token reads, without the embedding table, of which it needs a row
  double parameters = 0, read = 0;
  double layers = 0, heads = 0, kv_heads = 0, head_width = 0;
  // Bytes of keys and values per token over all layers, for `kv` heads and `bytes` per element.
  double cache_per_token(double kv, double bytes) const {
    return layers * costs::cached_elements(kv, head_width, head_width) * bytes;
  }
};

// The card of a choice's index.
Card card_of(int index, const Numbers& numbers);
// The facts that card_of() reads.
std::vector<std::string> card_facts();

}  // namespace figures::models
