// The language models that a model can be asked about: their cards in the facts.
#pragma once

#include <string>
#include <vector>

#include "figures/models/model.hpp"

namespace figures::models {

inline constexpr Choice card_choices[] = {{"llama-3.1-70b", "Llama 3.1 70B"},
                                          {"llama-3.1-8b", "Llama 3.1 8B"},
                                          {"llama-3.1-405b", "Llama 3.1 405B"}};

struct Card {
  std::string label;
  double parameters = 0, read = 0;  // all; those that a token needs: the embedding is looked up
  double layers = 0, heads = 0, kv_heads = 0, head_width = 0;
  // Keys and values of one token over all layers, bytes, with `kv` heads and `bytes` an element.
  double cache_per_token(double kv, double bytes) const {
    return 2 * layers * kv * head_width * bytes;
  }
};

// The card of a choice's index.
Card card_of(int index, const Numbers& numbers);
// What card_of() needs.
std::vector<std::string> card_facts();

}  // namespace figures::models
