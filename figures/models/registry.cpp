// The native registry: all groups.
#include "figures/models/registry.hpp"

#include <algorithm>
#include <vector>

#include "figures/models/render.hpp"

namespace figures::models {
namespace {

struct Group {
  std::string_view module;
  std::span<const Named> (*models)();
};
constexpr Group groups[] = {{"models-layers.wasm", layers_models},
                            {"models-chips.wasm", chips_models},
                            {"models-knobs.wasm", knobs_models},
                            {"models-many.wasm", many_models}};

}  // namespace

std::span<const Named> registry() {
  static const std::vector<Named> all = [] {
    std::vector<Named> models;
    for (const Group& group : groups)
      for (const Named& model : group.models()) models.push_back(model);
    std::sort(models.begin(), models.end(),
              [](const Named& a, const Named& b) { return a.name < b.name; });
    return models;
  }();
  return all;
}

std::string_view module_of(std::string_view name) {
  for (const Group& group : groups)
    for (const Named& model : group.models())
      if (model.name == name) return group.module;
  return {};
}

}  // namespace figures::models
