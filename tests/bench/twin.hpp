// Shared by the native programs of scripts/bench kernels: the protocol and the clock.
//
// A program reads one request per line and answers each with a line of JSON:
//   prepare KERNEL NAME=VALUE…   → {}                          fills the data, finds the repetitions
//   sample MILLISECONDS          → {"seconds": …, "flops": …, "bytes": …}   of one run
//   verify                       → {"error": …, "tolerance": …}
// If it cannot do something, it answers {"refused": "…"}. site/runtime and
// tests/bench/wasm_twin.mjs answer the same requests in browsers.
#pragma once

#include <sys/mman.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

namespace twin {

// Pages of 4 KiB, as in browsers, so that both sides have the same translation costs.
class Memory {
 public:
  ~Memory() { release(); }
  // False if there is not enough memory.
  bool resize(std::size_t bytes) {
    release();
    void* const start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) return false;
    start_ = start;
    size_ = bytes;
#ifdef MADV_NOHUGEPAGE
    madvise(start_, size_, MADV_NOHUGEPAGE);
#endif
    return true;
  }
  void* data() const { return start_; }

 private:
  void release() {
    if (start_ != nullptr) munmap(start_, size_);
    start_ = nullptr;
  }
  void* start_ = nullptr;
  std::size_t size_ = 0;
};

inline double seconds_of(const std::function<void(int)>& run, int reps) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  run(reps);
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Repetitions that take about `milliseconds`, at least one.
inline int repetitions(const std::function<void(int)>& run, double milliseconds) {
  for (int reps = 1;; reps *= 2) {
    const double took = seconds_of(run, reps) * 1e3;
    if (took < milliseconds / 4 && reps < 1 << 28) continue;
    const double wanted = reps * milliseconds / took;
    return wanted < 1 ? 1 : static_cast<int>(wanted);
  }
}

using Settings = std::map<std::string, std::string>;

// One of the things that a program can time.
struct Work {
  std::function<void(int)> run;
  std::function<std::string()> verify;  // JSON
  double flops = 0, bytes = 0;
  int lap = 0;  // runs before each sample that are not timed: a chase goes round its whole set
};

// Answers requests until the input ends. `prepare` returns the work, or throws std::runtime_error.
inline void talk(const std::function<Work(const std::string&, const Settings&)>& prepare) {
  Work work;
  double asked = 0;
  int reps = 0;
  std::cout.precision(12);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string verb, name, setting;
    words >> verb;
    try {
      if (verb == "prepare") {
        Settings settings;
        for (words >> name; words >> setting;) {
          const auto equals = setting.find('=');
          settings[setting.substr(0, equals)] = setting.substr(equals + 1);
        }
        work = prepare(name, settings);
        work.run(1);
        asked = 0;
        std::cout << "{}" << std::endl;
      } else if (verb == "sample" && work.run) {
        double milliseconds = 0;
        words >> milliseconds;
        if (milliseconds != asked) reps = repetitions(work.run, milliseconds);
        asked = milliseconds;
        if (work.lap > 0) work.run(work.lap);
        std::cout << "{\"seconds\": " << seconds_of(work.run, reps) / reps
                  << ", \"flops\": " << work.flops << ", \"bytes\": " << work.bytes << '}'
                  << std::endl;
      } else if (verb == "verify" && work.run) {
        std::cout << work.verify() << std::endl;
      } else {
        std::cout << R"({"refused": "no such request"})" << std::endl;
      }
    } catch (const std::exception& error) {
      work = {};
      std::cout << "{\"refused\": \"" << error.what() << "\"}" << std::endl;
    }
  }
}

}  // namespace twin
