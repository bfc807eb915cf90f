// What a build did, for --explain and --stats. The stages fill it in, and cli/ prints it.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/file_system.hpp"

namespace primer {

struct PageReport {
  std::string file;                  // "chapters/en/01-roofline.md"
  bool rendered = false;             // false: taken from the cache
  std::vector<std::string> changes;  // since the last build (PageCache::changes)
  Digest inputs_version = absent;    // digest of all inputs of the page
};

struct StageTime {
  std::string stage;
  double milliseconds = 0;
};

struct BuildReport {
  WatchedDependencies reads;      // what the build depended on, also if it failed
  bool unchanged = false;         // no input has changed, so the stages did not run
  std::vector<PageReport> pages;  // in the order of the jobs; empty if unchanged
  std::vector<StageTime> stages;  // in the order in which they ran
  std::map<Cache::Kind, Cache::Tally> cache;
  std::vector<std::string> notices;  // one sentence per feature that the site lacks
};

// Times stages that run one after the other.
class StageClock {
 public:
  explicit StageClock(BuildReport& report) : report_(report) {}
  // Ends a stage that began at the last call, or when the clock was created.
  void finished(std::string stage) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> took = now - last_;
    report_.stages.push_back({std::move(stage), took.count()});
    last_ = now;
  }

  // Discards the time since the last call, because another clock has measured it.
  void skip() { last_ = std::chrono::steady_clock::now(); }

 private:
  BuildReport& report_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// The text of --explain: one line per page with the reason why it was rendered.
std::string explanation(const BuildReport& report);
// The text of --stats: times per stage and cache hits per kind.
std::string statistics(const BuildReport& report);

}  // namespace primer
