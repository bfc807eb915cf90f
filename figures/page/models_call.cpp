#include "figures/page/models_call.hpp"

#include <set>

#include "figures/base/decimal_text.hpp"
#include "figures/page/request.hpp"

namespace figures::models {
namespace {

using nlohmann::json;

Numbers read_numbers(const json& request) {
  Numbers numbers;
  for (const auto& [id, fact] : member(request, "facts").items())
    numbers.facts[id] = number(fact, "value");
  const json& machine = member(request, "machine");
  numbers.machine = {text(machine, "label"), number(machine, "peak"), number(machine, "bandwidth"),
                     number(machine, "l1"), number(machine, "l2")};
  return numbers;
}

std::string digits(double value) { return write_significant(value, 12); }

Reply params_of(std::span<const Control> controls, const std::vector<double>& values) {
  Reply params;
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const Control& control = controls[i];
    if (control.is_choice())
      params.text(control.id, control.choices[static_cast<std::size_t>(values[i])].id);
    else params.number(control.id, values[i]);
  }
  return params;
}

Reply frame_reply(const Model& model, const Frame& frame) {
  Reply reply;
  reply.drawing(frame.rendering).number("step", frame.step).number("length", frame.length);
  reply.object("params", params_of(model.controls(), frame.values));
  std::vector<std::string> notices;
  for (const Notice& notice : frame.notices) notices.push_back(notice.text);
  reply.texts("notices", notices).text("where", frame.where);
  return reply.texts("unused", {frame.unused.begin(), frame.unused.end()});
}

Reply counts_reply(const Model& model) {
  std::vector<std::vector<std::string>> rows;
  for (const Count& count : model.counts())
    rows.push_back({count.name, digits(count.counted), digits(count.low), digits(count.high)});
  return Reply().rows("rows", rows);
}

Result<Reply> controls_reply(const std::string& name) {
  if (name.empty()) {
    std::vector<std::string> names;
    std::set<std::string> facts;
    for (const std::string_view one : model_names()) {
      names.emplace_back(one);
      for (const std::string& fact : make_model(one)->facts()) facts.insert(fact);
    }
    return Reply().texts("models", names).texts("facts", {facts.begin(), facts.end()});
  }
  const auto model = make_model(name);
  if (!model) return unknown_model(name);
  std::vector<std::vector<std::string>> rows;
  for (const Control& control : model->controls()) {
    rows.push_back({std::string(control.id), digits(control.low), digits(control.high),
                    digits(control.initial), control.doubling ? "doubling" : ""});
    for (const Choice& choice : control.choices) rows.back().emplace_back(choice.id);
  }
  return Reply().rows("rows", rows);
}

}  // namespace

Result<Reply> Desk::run(std::string_view request) {
  const Result<json> object = parse_request(request);
  if (!object) return object.error();
  const std::string op = text(*object, "op"), name = text(*object, "model");
  if (op == "controls") return controls_reply(name);
  if (op != "frame" && op != "counts") return Error{"unknown operation '" + op + "'"};
  const Status loaded = player_.load(name, member(*object, "params"), read_numbers(*object));
  if (!loaded) return loaded.error();
  if (op == "counts") {
    player_.seek(player_.model().length());
    return counts_reply(player_.model());
  }
  const double step = number(*object, "step", first_step);
  player_.seek(step > -3 && step < 1e7 ? static_cast<int>(step) : 0);
  const json& forms = member(*object, "words");
  const Words words(forms);
  return frame_reply(
      player_.model(),
      player_.draw(read_options(member(*object, "options"), forms.is_object() ? &words : nullptr)));
}

std::string Desk::answer(std::string_view request) { return reply_text(run(request)); }

}  // namespace figures::models
