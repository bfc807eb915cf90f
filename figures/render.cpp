#include "figures/render.hpp"

#include <nlohmann/json.hpp>

#include "figures/kinds.hpp"
#include "figures/nearest.hpp"

namespace figures {

Result<Rendering> render(const nlohmann::json& spec, const Inputs& inputs, const Options& options) {
  if (!spec.is_object()) return Error{"spec: is not an object", 0, 0, ""};
  const auto member = spec.find("kind");
  const auto* name = member == spec.end() ? nullptr : member->get_ptr<const std::string*>();
  if (name == nullptr) return Error{"kind: is missing", 0, 0, ""};
  Nearest nearest(*name);
  for (const Kind& kind : kinds()) {
    if (kind.name == *name) return kind.draw(spec, inputs, options);
    nearest.offer(kind.name);
  }
  return Error{"kind: unknown kind '" + name->substr(0, 64) + "'", 0, 0, nearest.best()};
}

}  // namespace figures
