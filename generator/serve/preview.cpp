#include "generator/serve/preview.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace primer {

Preview::State Preview::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void Preview::built(bool changed, std::string scripts, bool unbuilt) {
  {
    const std::lock_guard lock(mutex_);
    state_.unbuilt = unbuilt;
    if (!changed && state_.errors.empty() && state_.scripts == scripts) return;
    state_.build += changed ? 1 : 0;
    state_.scripts = std::move(scripts);
    state_.errors.clear();
    ++state_.news;
  }
  tell();
}

void Preview::failed(std::string errors) {
  {
    const std::lock_guard lock(mutex_);
    if (state_.errors == errors) return;
    state_.errors = std::move(errors);
    ++state_.news;
  }
  tell();
}

void Preview::on_news(std::function<void()> hear) {
  const std::lock_guard lock(hearing_);
  hear_ = std::move(hear);
}

void Preview::tell() {
  const std::lock_guard lock(hearing_);
  if (hear_) hear_();
}

std::string state_text(const Preview::State& state) {
  constexpr std::size_t longest_errors = 64 * 1024;
  std::string errors = state.errors.substr(0, longest_errors);
  if (errors.size() < state.errors.size()) errors += "\n… the rest is in the terminal\n";
  const nlohmann::json text = {
      {"build", state.build}, {"scripts", state.scripts}, {"errors", std::move(errors)}};
  // Bytes that are not UTF-8 can reach an error from a file's name, or by the cut.
  return text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string event_text(const Preview::State& state) {
  return "data: " + state_text(state) + "\n\n";
}

}  // namespace primer
