// What `primer serve` tells the open pages: the number of the last build, and what was wrong.
//
// A page holds one connection (server-sent events) while it is visible. The number grows with each
// build that changed the site, so that a page knows whether it is older; a build that failed leaves
// the number as it is and comes with its errors, as printed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

namespace primer {

class Preview {
 public:
  struct State {
    int build = 1;         // of the site that is served
    std::string scripts;   // names the scripts that it has: pages with others load anew
    std::string errors;    // of the last build, as text; empty: it went well
    int news = 0;          // grows with every change of what is above
  };

  State state() const;
  // The state, as soon as its news are others than these, or when the time is up.
  State wait(int news, std::chrono::milliseconds time) const;

  void built(bool changed, std::string scripts);
  void failed(std::string errors);

 private:
  void tell();

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  State state_;
};

// One event: {"build": 3, "scripts": "…", "errors": "…"}.
std::string event_text(const Preview::State& state);

}  // namespace primer
