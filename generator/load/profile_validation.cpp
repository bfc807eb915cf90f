#include "generator/load/profile_validation.hpp"

#include <algorithm>

#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/formats/schema.hpp"
#include "generator/load/profile_plausibility.hpp"

namespace primer {
namespace {

// Kernels and parameters that the registry does not have: such a result matches no question, so it
// would be lost in silence. False when there are any.
bool check_names(const JsonFile& file, const figures::Catalogue& catalogue,
                 Diagnostics& diagnostics) {
  std::vector<std::string> ids;
  for (const auto& kernel : catalogue.all()) ids.push_back(kernel.id);
  bool all_known = true;
  const auto unknown = [&](Rule rule, const JsonPlace& place, bool key, std::string message,
                           std::string suggestion) {
    all_known = false;
    diagnostics.error(rule, file.source, key ? place.key_offset : place.offset,
                      key ? place.key_length : place.length, std::move(message),
                      std::move(suggestion));
  };
  const auto results = file.value.find("results");
  for (std::size_t i = 0; results != file.value.end() && i < results->size(); ++i) {
    if (diagnostics.full(file.source.path())) break;  // each place costs a reading of the file
    const auto& result = (*results)[i];
    const auto place = [&](const std::string& member) {
      return json_place(file, "results[" + std::to_string(i) + "]." + member);
    };
    const std::string id = result["kernel"];
    const std::string variant = result["params"].value("variant", "");
    const auto* kernel = catalogue.find(id, variant);
    if (kernel == nullptr) {
      if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
        unknown(Rule::unknown_kernel, place("params.variant"), false,
                id + " has no variant " + in_quotes(variant), "");
      } else {
        unknown(Rule::unknown_kernel, place("kernel"), false,
                "no kernel has the id " + in_quotes(id), nearest(id, ids));
      }
      continue;
    }
    std::vector<std::string> params{"variant"};
    for (const auto& param : kernel->params) params.push_back(param.name);
    for (const auto& [name, value] : result["params"].items()) {
      if (std::find(params.begin(), params.end(), name) != params.end()) continue;
      if (diagnostics.full(file.source.path())) break;
      unknown(Rule::unknown_key, place("params." + name), true,
              id + " has no parameter " + in_quotes(name), nearest(name, params));
    }
  }
  return all_known;
}

std::optional<Implausible> date_fault_of(const JsonFile& file, const std::string& latest) {
  for (const char* member : {"created", "date"}) {
    const auto text = file.value.value(member, std::string());
    const std::string fault = text.empty() ? "" : date_of_measuring_fault(text, latest);
    if (!fault.empty()) return Implausible{member, fault};
  }
  return std::nullopt;
}

}  // namespace

std::optional<figures::Profile> validate_profile(const JsonFile& file,
                                                 const figures::Catalogue& catalogue,
                                                 Diagnostics& diagnostics,
                                                 const std::string& latest) {
  if (!conforms("profile", "the profile", file, diagnostics)) return std::nullopt;
  auto profile = figures::parse_profile(file.source.text());
  if (!profile) {
    json_error(file, profile.error().path, profile.error().message, diagnostics).rule =
        Rule::bad_value;
    return std::nullopt;
  }
  if (!check_names(file, catalogue, diagnostics)) return std::nullopt;
  auto fault = date_fault_of(file, latest);
  if (!fault) fault = implausible(*profile);
  if (fault) {
    json_error(file, fault->member, fault->message, diagnostics).rule = Rule::bad_value;
    diagnostics.hint(
        "no machine can have measured that; the numbers were made up, or a clock was wrong");
    return std::nullopt;
  }
  return std::move(*profile);
}

}  // namespace primer
