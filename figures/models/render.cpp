#include "figures/models/render.hpp"

#include <algorithm>

#include "figures/base/nearest.hpp"
#include "figures/base/portable_math.hpp"
#include "figures/models/registry.hpp"

namespace figures::models {
std::vector<std::string_view> model_names() {
  std::vector<std::string_view> names;
  for (const Named& model : registry()) names.push_back(model.name);
  return names;
}

std::unique_ptr<Model> make_model(std::string_view name) {
  for (const Named& model : registry())
    if (model.name == name) return model.make();
  return nullptr;
}

Error unknown_model(std::string_view name) {
  Nearest nearest(name);
  for (const Named& model : registry()) nearest.offer(model.name);
  return {"there is no model '" + std::string(name) + "'", 0, 0, nearest.best()};
}

Status Player::load(std::string_view name, const nlohmann::json& params, const Numbers& numbers) {
  std::unique_ptr<Model> fresh = model_ && model_->name() == name ? nullptr : make_model(name);
  if (!fresh && (!model_ || model_->name() != name)) return unknown_model(name);
  const Model& asked = fresh ? *fresh : *model_;
  Result<Settings> settings = read_settings(asked.controls(), params);
  if (!settings) return settings.error();
  const bool same = !fresh && settings->values == settings_.values && numbers == numbers_;
  settings_ = std::move(*settings);
  if (same) return ok();  // the model continues from its current step
  if (fresh) model_ = std::move(fresh);
  numbers_ = numbers;
  rewind();
  return ok();
}

void Player::rewind() {
  adjusted_ = model_->reset(settings_.values, numbers_);
  at_ = 0;
}

void Player::seek(int step) {
  if (step == first_step) step = model_->first();
  if (step == paper_step) step = model_->on_paper();
  step = std::clamp(step, 0, model_->length());
  if (step < at_) rewind();
  model_->advance(step - at_);
  at_ = step;
}

Frame Player::draw(const Options& options) const {
  Frame frame{
      model_->draw(options),
      at_,
      model_->length(),
      model_->first(),
      model_->on_paper(),
      settings_.values,
      settings_.notices,
      significant(at_, 9) + " of " + significant(model_->length(), 9) + model_->step_words(),
      model_->unused()};
  for (const std::string& text : adjusted_) frame.notices.push_back({text});
  return frame;
}

std::string Frame::words() const {
  std::string text;
  for (const Notice& notice : notices) text.append(notice.text).append(". ");
  return text + rendering.description;
}

Result<Frame> render_model(std::string_view name, const nlohmann::json& params, int step,
                           const Numbers& numbers, const Options& options) {
  Player player;
  if (const Status status = player.load(name, params, numbers); !status) return status.error();
  player.seek(step);
  return player.draw(options);
}

}  // namespace figures::models
