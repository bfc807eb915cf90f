#include "figures/models/chips.hpp"

namespace figures::models {

Chip chip_of(int index, const Numbers& numbers) {
  if (index == 0) {
    const Machine& machine = numbers.machine;
    return {machine.label.empty() ? "no machine measured" : machine.label, machine.peak,
            machine.bandwidth, 4};
  }
  const Choice& choice = chip_choices[index];
  const std::string id(choice.id);
  return {std::string(choice.label), numbers.fact(id + ".peak.bf16"),
          numbers.fact(id + ".bandwidth"), 2};
}

std::string the_machine(const std::string& label) {
  return label.starts_with("your ") ? label : "the " + label;
}

std::string capital(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

std::vector<std::string> chip_facts() {
  std::vector<std::string> ids;
  for (const Choice& choice : chip_choices) {
    if (choice.id == "machine") continue;
    ids.push_back(std::string(choice.id) + ".peak.bf16");
    ids.push_back(std::string(choice.id) + ".bandwidth");
  }
  return ids;
}

}  // namespace figures::models
