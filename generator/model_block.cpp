// ```model: a model's first picture, the controls that its script wakes up, and a picture for paper.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "figures/models/render.hpp"
#include "figures/number.hpp"
#include "generator/own_block.hpp"
#include "generator/spelling.hpp"
#include "generator/text.hpp"

namespace primer {
namespace {

namespace models = figures::models;

// Numbers as numbers, the rest as names of choices.
nlohmann::json value_of(const Yaml& scalar) {
  const auto number = figures::read_decimal(scalar.text);
  if (number.length > 0 && number.length == scalar.text.size()) return number.value;
  return scalar.text;
}

nlohmann::json params_of(const Yaml* map) {
  auto params = nlohmann::json::object();
  if (map == nullptr) return params;
  for (const auto& [key, value] : map->entries) params[key.text] = value_of(value);
  return params;
}

struct Drawn {
  models::Frame wide, narrow, paper;
};

class Widget {
 public:
  Widget(Emitter& emitter, const Block& block, const models::Model& model)
      : out_(emitter.out), emitter_(emitter), id_(block.anchor->id), model_(model) {}

  void emit(const Drawn& drawn, const Yaml& caption, const Anchor* anchor) {
    const models::Frame& frame = drawn.wide;
    out_.open("figure", {{"class", "plot model"}, {"id", id_},
                         {"data-model", std::string(model_.name())},
                         {"data-module", std::string(models::module_of(model_.name()))}}).line();
    out_.open("div", {{"class", "plot-wide"}}).raw(frame.rendering.svg).close().line();
    out_.open("div", {{"class", "plot-narrow"}}).raw(drawn.narrow.rendering.svg).close().line();
    out_.open("div", {{"class", "plot-print"}}).raw(drawn.paper.rendering.svg).close().line();
    controls(frame);
    out_.element("p", {{"class", "model-summary"}, {"role", "status"}},
                 frame.rendering.description).line();
    out_.element("p", {{"class", "model-notices"}}, "").line();
    out_.open("figcaption");
    out_.element("span", {{"class", "label"}}, emitter_.label(anchor, AnchorKind::figure)).text(" ");
    emitter_.markdown_line(caption);
    emit_data_table(out_, frame.rendering.table);
    out_.close().close().line();
  }

 private:
  void controls(const models::Frame& frame) {
    out_.open("div", {{"class", "model-controls"}, {"role", "group"}, {"aria-label", "Settings"}}).line();
    transport(frame);
    bool more = false;
    for (std::size_t i = 0; i < model_.controls().size(); ++i) {
      const models::Control& control = model_.controls()[i];
      if (!control.more) one(control, frame.values[i]);
      more = more || control.more;
    }
    if (more) {
      out_.open("details", {{"class", "model-more"}}).element("summary", {}, "More").line();
      for (std::size_t i = 0; i < model_.controls().size(); ++i)
        if (model_.controls()[i].more) one(model_.controls()[i], frame.values[i]);
      out_.close().line();
    }
    out_.open("div", {{"class", "model-links"}});
    button("again", "Start again");
    out_.element("a", {{"class", "model-link"}, {"href", '#' + id_}}, "Link to these settings");
    out_.close().line().close().line();
  }

  void transport(const models::Frame& frame) {
    const std::string length = std::to_string(frame.length), step = std::to_string(frame.step);
    out_.open("div", {{"class", "model-transport"}});
    button("play", "Play");
    button("step", "Step");
    out_.empty("input", {{"type", "range"}, {"name", "at"}, {"min", "0"}, {"max", length},
                         {"step", "1"}, {"value", step}, {"aria-label", "Step of the run"}});
    out_.element("output", {{"name", "where"}}, step + " of " + length).close().line();
  }

  void button(std::string name, std::string_view words) {
    out_.element("button", {{"type", "button"}, {"name", std::move(name)}}, words);
  }

  void one(const models::Control& control, double value) {
    const std::string name(control.id);
    const std::string field = id_ + '-' + name;
    out_.open("div", {{"class", "model-control"}}).element("label", {{"for", field}}, control.label);
    if (control.is_choice()) {
      out_.open("select", {{"id", field}, {"name", name}, {"autocomplete", "off"}});
      for (std::size_t i = 0; i < control.choices.size(); ++i) {
        const std::string id(control.choices[i].id);
        if (static_cast<double>(i) == value)
          out_.element("option", {{"value", id}, {"selected", "selected"}}, control.choices[i].label);
        else out_.element("option", {{"value", id}}, control.choices[i].label);
      }
      out_.close().close().line();
      return;
    }
    // A doubling slider carries the exponent.
    const auto place = [&](double number) {
      if (!control.doubling) return std::to_string(static_cast<long long>(number));
      int exponent = 0;
      while (number > 1) number /= 2, ++exponent;
      return std::to_string(exponent);
    };
    const std::string low = place(control.low), high = place(control.high), at = place(value);
    const std::string unit(control.unit);
    if (control.doubling)
      out_.empty("input", {{"type", "range"}, {"id", field}, {"name", name}, {"autocomplete", "off"},
                           {"min", low}, {"max", high}, {"step", "1"}, {"value", at},
                           {"data-unit", unit}, {"data-doubling", ""}});
    else
      out_.empty("input", {{"type", "range"}, {"id", field}, {"name", name}, {"autocomplete", "off"},
                           {"min", low}, {"max", high}, {"step", "1"}, {"value", at},
                           {"data-unit", unit}});
    out_.element("output", {}, models::value_text(control, value)).close().line();
  }

  Html& out_;
  Emitter& emitter_;
  const std::string& id_;
  const models::Model& model_;
};

// One of a block's pictures; what is wrong with the parameters is reported once, by the first.
std::optional<models::Frame> draw(Emitter& emitter, const std::string& name,
                                  const nlohmann::json& params, int step,
                                  const models::Numbers& numbers, figures::Options options,
                                  const Yaml& at) {
  options.lang = emitter.shared.book.language;
  auto frame = models::render_model(name, params, step, numbers, options);
  if (!frame) {
    emitter.error(Rule::bad_figure, at.offset, at.length, frame.error().message,
                  frame.error().suggestion);
    return std::nullopt;
  }
  for (const auto& notice : frame->notices) {
    // "n is at most 64, …" is about the value of n.
    const Yaml* value = at.find(notice.substr(0, notice.find(' ')));
    const Yaml& place = value ? *value : at;
    emitter.error(Rule::bad_figure, place.offset, place.length, notice);
  }
  if (!frame->notices.empty()) return std::nullopt;
  return std::move(frame).value();
}

// Whether the model has all the controls that are set; reported where it has not.
bool has_controls(Emitter& emitter, const models::Model& model, const Yaml* params) {
  std::vector<std::string> names;
  for (const auto& control : model.controls()) names.emplace_back(control.id);
  bool good = true;
  for (const auto& [key, value] : params ? params->entries : std::vector<Yaml::Entry>()) {
    if (std::find(names.begin(), names.end(), key.text) != names.end()) continue;
    emitter.error(Rule::bad_figure, key.offset, key.length,
                  std::string(model.name()) + " has no parameter " + in_quotes(key.text),
                  nearest(key.text, names));
    emitter.diagnostics.hint("it has " + join(names, ", "));
    good = false;
  }
  return good;
}

}  // namespace

void model_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  const std::string name = record.required_text("model");
  const auto params = params_of(record.map("params"));
  const int step = record.integer("step").value_or(models::first_step);
  if (!block.anchor || name.empty()) return;
  const Yaml& at = record.at("model");
  const auto model = models::make_model(name);
  if (!model) {
    const auto unknown = models::unknown_model(name);
    emitter.error(Rule::unknown_figure, at.offset, at.length, unknown.message, unknown.suggestion);
    return;
  }
  if (!has_controls(emitter, *model, record.map("params"))) return;
  const Values& values = emitter.shared.values;
  const auto numbers = models::numbers_for(
      *model, values.facts, values.reference ? &*values.reference : nullptr, nullptr);
  if (!numbers) {
    emitter.error(Rule::bad_figure, at.offset, at.length, numbers.error().message,
                  numbers.error().suggestion);
    return;
  }
  const std::string& id = block.anchor->id;
  const Yaml& place = record.at(block.yaml.find("params") ? "params" : "model");
  figures::Options wide, narrow, paper;
  wide.id_prefix = id + "-wide-";
  narrow.width = figures::Layout::narrow;
  narrow.id_prefix = id + "-narrow-";
  paper.theme = figures::Theme::print;
  paper.id_prefix = id + "-print-";
  auto first = draw(emitter, name, params, step, *numbers, wide, place);
  if (!first) return;
  auto second = draw(emitter, name, params, step, *numbers, narrow, place);
  auto third = draw(emitter, name, params, models::paper_step, *numbers, paper, place);
  if (!second || !third) return;
  Widget(emitter, block, *model).emit({std::move(*first), std::move(*second), std::move(*third)},
                                      record.at("caption"), block.anchor);
  emitter.data.models[id] = {{"model", name}};
  for (const auto& fact : model->facts()) emitter.data.facts.insert(fact);
}

}  // namespace primer
