// What the reference machine has measured, for whoever asks for something that it has not.
#include <algorithm>

#include "generator/base/text.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

using figures::Argument;
using figures::KernelInfo;
using figures::Name;
using figures::Profile;

// "n = 64, 128, 512": the values of one parameter that a kernel was measured with.
std::string measured_values(const Profile& profile, const KernelInfo& kernel,
                            const std::string& param, bool bytes) {
  std::vector<double> values;
  for (const auto& result : profile.results) {
    const bool same = result.kernel == kernel.id && result.variant == kernel.variant;
    if (same && result.measured) values.push_back(result.param(param, 0));
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::string> spelled;
  for (const double value : values) spelled.push_back(spelled_parameter(value, bytes));
  return spelled.empty() ? "" : param + " = " + join(spelled, ", ");
}

std::string about_kernel(const Profile& profile, const KernelInfo& kernel, const Name& name) {
  std::vector<std::string> parts;
  for (const auto& param : kernel.params) {
    const auto is_it = [&](const Argument& argument) { return argument.name == param.name; };
    const bool asked =
        name.arguments.empty() || std::any_of(name.arguments.begin(), name.arguments.end(), is_it);
    if (!asked) continue;
    const std::string values = measured_values(profile, kernel, param.name, param.unit == "B");
    if (!values.empty()) parts.push_back(values);
  }
  if (parts.empty()) return "the reference machine has no result of " + kernel.id;
  return "the reference machine ran " + kernel.id + " with " + join(parts, "; ");
}

std::string about_levels(const Profile& profile) {
  std::vector<std::string> names;
  for (const auto& level : profile.levels) names.push_back(level.name);
  return "the reference machine's levels are " + join(names, ", ");
}

}  // namespace

void hint_of_measured(Emitter& emitter, const figures::Expression& expression,
                      const figures::Error& error) {
  const Values& values = emitter.shared.values;
  if (error.cause != figures::Cause::not_measured || !values.reference) return;
  for (const Name& name : expression.names()) {
    std::string variant;
    for (const auto& argument : name.arguments) {
      if (argument.name == "variant") variant = argument.word;
    }
    if (const KernelInfo* kernel = values.catalogue.find(name.id, variant)) {
      emitter.diagnostics.hint(about_kernel(*values.reference, *kernel, name));
    } else if (name.id.find('.') != name.id.npos && !values.facts.find(name.id)) {
      emitter.diagnostics.hint(about_levels(*values.reference));
    }
  }
}

}  // namespace primer
