#include "generator/preview.hpp"

#include <nlohmann/json.hpp>

namespace primer {

Preview::State Preview::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

Preview::State Preview::wait(int news, std::chrono::milliseconds time) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [&] { return state_.news != news; });
  return state_;
}

void Preview::built(bool changed, std::string scripts) {
  const std::lock_guard lock(mutex_);
  if (!changed && state_.errors.empty() && state_.scripts == scripts) return;
  state_.build += changed ? 1 : 0;
  state_.scripts = std::move(scripts);
  state_.errors.clear();
  tell();
}

void Preview::failed(std::string errors) {
  const std::lock_guard lock(mutex_);
  if (state_.errors == errors) return;
  state_.errors = std::move(errors);
  tell();
}

void Preview::tell() {
  ++state_.news;
  changed_.notify_all();
}

std::string event_text(const Preview::State& state) {
  const nlohmann::json event = {
      {"build", state.build}, {"scripts", state.scripts}, {"errors", state.errors}};
  // Bytes that are not UTF-8 can reach an error from a file's name.
  const auto replace = nlohmann::json::error_handler_t::replace;
  return "data: " + event.dump(-1, ' ', false, replace) + "\n\n";
}

}  // namespace primer
