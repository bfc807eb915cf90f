// What `primer serve` tells the open pages: the number of the last build, and what was wrong.
//
// One page of each browser holds a connection (server-sent events) and passes on what it hears. The
// number grows with each build that changed the site, so that a page knows whether it is older; a
// build that failed leaves the number as it is and comes with its errors, as printed.
#pragma once

#include <functional>
#include <mutex>
#include <string>

namespace primer {

class Preview {
 public:
  struct State {
    int build = 1;         // of the site that is served
    std::string scripts;   // names the scripts that it has: pages with others load anew
    bool unbuilt = false;  // the site waits for its WebAssembly modules
    std::string errors;    // of the last build, as text; empty: it went well
    int news = 0;          // grows with every change of what is above
  };

  State state() const;

  void built(bool changed, std::string scripts, bool unbuilt);
  void failed(std::string errors);

  // `hear` is called after every change of `news`, by the thread that made it. When this returns, the one before is
  // called no more.
  void on_news(std::function<void()> hear);

 private:
  void tell();

  mutable std::mutex mutex_;  // of state_
  State state_;
  std::mutex hearing_;  // of hear_, also while it is called
  std::function<void()> hear_;
};

// {"build": 3, "scripts": "…", "errors": "…"}, the errors cut after 64 KB.
std::string state_text(const Preview::State& state);
// The same as one event of a stream.
std::string event_text(const Preview::State& state);

}  // namespace primer
