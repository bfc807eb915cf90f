// What a build did, for --explain and --stats. Filled by the stages, printed by main.cpp.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/base/file_system.hpp"

namespace primer {

struct PageReport {
  std::string file;                  // "chapters/en/01-roofline.md"
  bool rendered = false;             // else taken from the cache
  std::vector<std::string> changes;  // since the last build; empty: none
  Digest inputs_version = absent;    // of all that it was made of
};

struct StageTime {
  std::string stage;
  double milliseconds = 0;
};

struct BuildReport {
  WatchedDependencies reads;  // what it depended on, also when it failed
  bool unchanged = false;     // nothing that was read has changed, so nothing else was looked at
  std::vector<PageReport> pages;  // in the book's order; none when unchanged
  std::vector<StageTime> stages;  // in the order that they ran
  std::map<Cache::Kind, Cache::Tally> cache;
  std::vector<std::string> notices;  // what the site lacks though nothing is wrong, a sentence each
};

// Measures stages one after the other.
class StageClock {
 public:
  explicit StageClock(BuildReport& report) : report_(report) {}
  // What ran since the last call, or since the clock was made, was this stage.
  void finished(std::string stage) {
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double, std::milli> took = now - last_;
    report_.stages.push_back({std::move(stage), took.count()});
    last_ = now;
  }

  // What ran since then was measured by another clock.
  void skip() { last_ = std::chrono::steady_clock::now(); }

 private:
  BuildReport& report_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// "build/site: 12 pages …": each page and why it was rendered, or that it was not.
std::string explanation(const BuildReport& report);
// Times and cache hits.
std::string statistics(const BuildReport& report);

}  // namespace primer
