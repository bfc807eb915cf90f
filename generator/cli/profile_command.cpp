#include "generator/cli/profile_command.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "generator/base/characters.hpp"
#include "generator/base/text.hpp"
#include "generator/cli/console.hpp"
#include "generator/cli/profile_comparison.hpp"
#include "generator/cli/protection.hpp"
#include "generator/formats/json_file.hpp"
#include "generator/host/disk.hpp"
#include "generator/load/kernel_catalogue.hpp"
#include "generator/load/profile_validation.hpp"

namespace primer {
namespace {

// What profiles are held against.
class Judge {
 public:
  explicit Judge(Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    auto known = figures::Catalogue::from_json(kernel_descriptions());
    if (known) catalogue = std::move(*known);
  }

  std::optional<figures::Profile> profile(const std::string& name) {
    const std::filesystem::path path(name);
    const auto directory = path.has_parent_path() ? path.parent_path() : ".";
    const auto files = disk(directory.string());
    auto text = files->read(path.filename().string());
    if (!text) {
      const Unreadable reason = files->why_unreadable(path.filename().string());
      if (!reason.message.empty()) {
        diagnostics_.error(reason.too_large ? Rule::file_too_large : Rule::file_unreadable, name,
                           reason.message);
        return std::nullopt;
      }
      diagnostics_.error(Rule::file_unreadable, name, "there is no such file");
      return std::nullopt;
    }
    const auto file = parse_json(name, std::move(*text), diagnostics_);
    return file ? validate_profile(*file, catalogue, diagnostics_) : std::nullopt;
  }

  figures::Catalogue catalogue;

 private:
  Diagnostics& diagnostics_;
};

std::string count(std::size_t number, std::string noun) {
  return std::to_string(number) + ' ' + noun + (number == 1 ? "" : "s");
}

std::string summary(const figures::Profile& profile) {
  std::set<std::string> kernels;
  for (const auto& result : profile.results) kernels.insert(result.kernel);
  const auto unavailable = std::count_if(profile.results.begin(), profile.results.end(),
                                         [](const auto& result) { return !result.measured; });
  return count(profile.results.size(), "result") + " of " + count(kernels.size(), "kernel") + " (" +
         std::to_string(unavailable) + " unavailable), " + count(profile.roofs.size(), "roof") +
         ", " + count(profile.levels.size(), "level");
}

}  // namespace

std::string validate_profiles(const std::vector<std::string>& files, Diagnostics& diagnostics) {
  Judge judge(diagnostics);
  std::string out;
  for (const std::string& file : files)
    if (const auto profile = judge.profile(file))
      out += visible(file) + ": " + summary(*profile) + '\n';
  return out;
}

std::string compare_profile_files(const std::string& a, const std::string& b,
                                  Diagnostics& diagnostics) {
  Judge judge(diagnostics);
  auto left = judge.profile(a);
  auto right = judge.profile(b);
  if (!left || !right) return "";
  return compare_profiles({visible(a), std::move(*left)}, {visible(b), std::move(*right)},
                          judge.catalogue);
}

int run(const ValidateCommand& command) {
  if (!enter(reading({command.profiles.begin(), command.profiles.end()}), command.no_sandbox))
    return 1;
  Diagnostics diagnostics;
  const std::string text = validate_profiles(command.profiles, diagnostics);
  if (command.format == "text") std::cout << text;
  return report(diagnostics, {".", {}, command.format});
}

int run(const CompareCommand& command) {
  if (!enter(reading({command.profiles.begin(), command.profiles.end()}), command.no_sandbox))
    return 1;
  Diagnostics diagnostics;
  std::cout << compare_profile_files(command.profiles[0], command.profiles[1], diagnostics);
  return report(diagnostics, {});
}

}  // namespace primer
