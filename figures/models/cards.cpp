#include "figures/models/cards.hpp"

#include <algorithm>

namespace figures::models {

constexpr double most_layers = 1000;  // bounds the work; the page may send anything

Card card_of(int index, const Numbers& numbers) {
  const Choice& choice = card_choices[index];
  const auto fact = [&](const char* what) {
    return numbers.fact(std::string(choice.id) + "." + what);
  };
  return {std::string(choice.label),
          fact("parameters"),
          fact("parameters-read"),
          std::min(fact("layers"), most_layers),
          fact("heads"),
          fact("kv-heads"),
          fact("head-width")};
}

std::vector<std::string> card_facts() {
  std::vector<std::string> ids;
  for (const Choice& choice : card_choices)
    for (const char* what :
         {"parameters", "parameters-read", "layers", "heads", "kv-heads", "head-width"})
      ids.push_back(std::string(choice.id) + "." + what);
  return ids;
}

}  // namespace figures::models
