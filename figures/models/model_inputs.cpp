// Numbers from facts and profiles, for native builds. A page sends them in its request.
#include "figures/models/render.hpp"
#include "figures/spec/measured.hpp"

namespace figures::models {
namespace {

Machine machine_of(const Profile& profile, std::string label) {
  Machine machine;
  const Roof* peak = highest_ceiling(profile);
  const Roof* slope = profile.memory_roof("out");
  if (peak == nullptr || slope == nullptr) return machine;
  machine.label = std::move(label);
  machine.peak = peak->value * 1e9;
  machine.bandwidth = slope->value * 1e9;
  if (const Level* level = profile.level("L1")) machine.l1 = level->bytes;
  if (const Level* level = profile.level("L2")) machine.l2 = level->bytes;
  return machine;
}

}  // namespace

Result<Numbers> numbers_for(const Model& model, const Facts& facts, const Profile* reference,
                            const Profile* reader) {
  Numbers numbers;
  for (const std::string& id : model.facts()) {
    const Fact* fact = facts.find(id);
    if (fact == nullptr)
      return Error{"the model " + std::string(model.name()) + " needs the fact " + id, 0, 0,
                   facts.nearest(id)};
    numbers.facts[id] = fact->quantity.value;
  }
  if (reference != nullptr) numbers.machine = machine_of(*reference, "reference machine");
  if (reader != nullptr) {
    Machine own = machine_of(*reader, "your machine");
    if (own.peak > 0) numbers.machine = std::move(own);
  }
  return numbers;
}

}  // namespace figures::models
