#include "figures/quantities/catalogue.hpp"

#include "figures/base/decimal_text.hpp"
#include "figures/base/json_reader.hpp"

namespace figures {

using nlohmann::json;

Result<Catalogue> Catalogue::from_json(const json& array) {
  std::optional<Error> error;
  Catalogue catalogue;
  if (!array.is_array() || array.size() > 1000)
    return Error{for_author("the registry is not a list of kernels")};
  for (const json& entry : array) {
    std::string place;
    if constexpr (tells_authors) place = "kernels[" + write_whole(catalogue.kernels_.size()) + "]";
    const Members members(entry, std::move(place), error);
    KernelInfo kernel;
    kernel.id = members.required_text("id");
    kernel.variant = members.text("variant");
    kernel.title = members.text("title");
    kernel.unit = members.text("unit");
    kernel.roof_class = members.text("class");
    kernel.requires_module = members.text("requires");
    if (const json* params = members.array("params", 32)) {
      for (const json& param : *params) {
        const Members one(param, members.path("params", kernel.params.size()), error);
        kernel.params.push_back(
            {one.required_text("name"), one.text("unit"), one.number("default")});
      }
    }
    if (error) return *error;
    catalogue.kernels_.push_back(std::move(kernel));
  }
  return catalogue;
}

const KernelInfo* Catalogue::find(std::string_view id, std::string_view variant) const {
  for (const KernelInfo& kernel : kernels_)
    if (kernel.id == id && kernel.variant == variant) return &kernel;
  return nullptr;
}

}  // namespace figures
