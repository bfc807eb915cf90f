#include "generator/cli/build_command.hpp"

#include <sys/resource.h>

#include <cstdio>
#include <iostream>

#include "generator/base/characters.hpp"
#include "generator/cli/protection.hpp"
#include "generator/host/build_id.hpp"

namespace primer {
namespace {

// Of this process, a line for --stats.
std::string peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  char line[64];
  std::snprintf(line, sizeof line, "%9.1f MiB peak memory\n",
                static_cast<double>(usage.ru_maxrss) / 1024);
  return line;
}

}  // namespace

int run(const BuildCommand& command) {
  auto options = dated_build_options(command);
  options.site.review = command.review;
  options.site.renditions = command.renditions;
  const auto user = prepare(options);
  if (!enter(site_sandbox(options, {place_of_site(command), user.cache}), command.no_sandbox))
    return 1;
  const auto cache =
      open_cache(user.cache_of(command.book), program_identity(), DiskCache::Use::write);
  Diagnostics diagnostics;
  BuildReport stages;
  const auto written = build_site(options, *cache, diagnostics, stages);
  print_notices(stages, written);
  if (command.explain) std::cout << explanation(stages);
  if (command.stats) std::cout << statistics(stages) << peak_memory();
  if (written && command.format == "text") {
    std::cout << visible(command.out) << ": " << written->files << " files, " << written->changed
              << " changed\n";
  }
  return report(diagnostics, command.reporting());
}

}  // namespace primer
