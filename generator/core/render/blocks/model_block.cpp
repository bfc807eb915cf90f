// ```model: writes the first frame of an interactive model, its controls (a script enables them)
// and a frame for print.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "figures/base/decimal_text.hpp"
#include "figures/models/render.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/render/drawing.hpp"

namespace primer {
namespace {

namespace models = figures::models;

// Numbers become JSON numbers, choices become strings.
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
  std::string longest;  // longest text below the drawing that a reader can reach
};

// Translates what is next to the drawing.
class Speech {
 public:
  explicit Speech(const Messages& words)
      : words_(words.drawings(), &words.beside()), is_spoken_(words.drawings().is_object()) {}

  std::string say(std::string_view label) const {
    return is_spoken_ ? words_.say(label) : std::string(label);
  }
  // No value if a sentence has no translation.
  std::optional<std::string> tell(std::string_view sentences) const {
    return is_spoken_ ? words_.tell(sentences) : std::string(sentences);
  }
  const std::vector<std::string>& unsaid() const { return words_.unsaid(); }

 private:
  figures::Words words_;
  bool is_spoken_;
};

// Caches what a model says at its first and its last step, by its settings as JSON. Running models
// is most of the time of a first build, so all languages share one run per setting.
class Sayings {
 public:
  Sayings(Cache* cache, const std::string& name, const nlohmann::json& params,
          const models::Numbers& numbers)
      : cache_(cache),
        name_(name),
        numbers_(numbers),
        key_(pack("what a model says", name, params.dump(), members_of(numbers))) {
    const auto kept = cache_ ? cache_->find(Cache::Kind::figure, key_) : std::nullopt;
    if (kept) unpack(*kept, said_);
  }

  // Empty for settings that the model rejects.
  const std::vector<std::string>& under(const nlohmann::json& settings) {
    const auto [found, is_new] = said_.try_emplace(settings.dump());
    if (!is_new) return found->second;
    has_more_ = true;
    if (!player_.load(name_, settings, numbers_)) return found->second;
    for (const int step : {models::first_step, std::numeric_limits<int>::max()}) {
      player_.seek(step);
      found->second.push_back(player_.draw({}).words());
    }
    return found->second;
  }

  void keep() {
    if (cache_ && has_more_) cache_->store(Cache::Kind::figure, key_, pack(said_));
  }

 private:
  Cache* cache_;  // may be null
  const std::string& name_;
  const models::Numbers& numbers_;
  std::string key_;
  models::Player player_;
  std::map<std::string, std::vector<std::string>> said_;
  bool has_more_ = false;  // there are texts that the cache lacks
};

// The longest text below the drawing. It tries each control alone, then one after the other, then
// each from the longest so far. The page reserves room for it, so that nothing below moves.
std::string longest_words(Sayings& sayings, const nlohmann::json& params,
                          const models::Model& model, const Speech& speech) {
  std::string longest;
  nlohmann::json best = params;
  std::set<std::string> tried;
  const auto look = [&](const nlohmann::json& settings) {
    if (!tried.insert(settings.dump()).second) return;
    for (const std::string& english : sayings.under(settings)) {
      std::string words = speech.tell(english).value_or(english);
      if (words.size() <= longest.size()) continue;
      longest = std::move(words);
      best = settings;
    }
  };
  const auto move = [&](const models::Control& control, nlohmann::json changed) {
    for (const auto& choice : control.choices) changed[control.id] = choice.id, look(changed);
    if (control.is_choice()) return;
    for (const double end : {control.low, control.high}) changed[control.id] = end, look(changed);
  };
  look(params);
  nlohmann::json ends = params;  // a reader who moves one control after another to its end
  for (const models::Control& control : model.controls()) {
    move(control, params);
    move(control, ends);
    if (control.is_choice()) ends[control.id] = control.choices.back().id;
    else ends[control.id] = control.high;
  }
  for (std::size_t length = 0; length < longest.size();) {
    length = longest.size();
    for (const models::Control& control : model.controls()) move(control, nlohmann::json(best));
  }
  return longest;
}

class Widget {
 public:
  Widget(Emitter& emitter, const Block& block, const models::Model& model, const Speech& speech)
      : out_(emitter.out),
        emitter_(emitter),
        id_(block.anchor->id),
        model_(model),
        speech_(speech) {}

  void emit(const Drawn& drawn, const Yaml& caption, const Anchor* anchor) {
    const models::Frame& frame = drawn.wide;
    out_.open("figure", {{"class", "plot model"},
                         {"id", id_},
                         {"data-model", std::string(model_.name())},
                         {"data-drag", dragged(frame)},
                         {"data-module", std::string(models::module_of(model_.name()))}})
        .line();
    out_.open("p", {{"class", "model-summary"}, {"data-longest", drawn.longest}}).open("span", {});
    out_.element("span", {{"class", "model-notices"}}, "");
    const auto told = speech_.tell(frame.rendering.description);
    const std::string foreign = told ? "" : emitter_.shared.foreign();
    out_.element("span", {{"class", "model-words"}, {"lang", foreign, !foreign.empty()}},
                 told.value_or(frame.rendering.description));
    out_.close().close().line();
    const auto drawing = [this](const char* layout, const models::Frame& of) {
      out_.open("div", {{"class", layout}}).raw(of.rendering.svg).close().line();
    };
    const bool same_on_paper = drawn.paper.rendering.svg == frame.rendering.svg;
    drawing(same_on_paper ? "plot-wide plot-print" : "plot-wide", frame);
    drawing("plot-narrow", drawn.narrow);
    if (!same_on_paper) drawing("plot-print", drawn.paper);
    controls(frame);
    out_.element("p", {{"class", "model-told visually-hidden"}, {"role", "status"}}, "").line();
    const std::string label = emitter_.label(anchor, AnchorKind::figure);
    out_.open("div", {{"class", "plot-tools"}});
    emit_data_table(out_, frame.rendering.table, emitter_.shared.words, label,
                    drawing_language(emitter_) == emitter_.shared.book.language
                        ? ""
                        : emitter_.shared.foreign());
    out_.element("a",
                 {{"class", "model-link"},
                  {"href", '#' + id_},
                  {"title", emitter_.word("Link to these settings")}},
                 emitter_.word("Link"));
    out_.close().line().open("figcaption");
    out_.element("span", {{"class", "label"}}, label).text(" ");
    emitter_.markdown_line(caption);
    out_.close().close().line();
  }

 private:
  // What dragging on the drawing changes: the first slider that has an effect, otherwise the step.
  std::string dragged(const models::Frame& frame) const {
    for (const models::Control& control : model_.controls())
      if (!control.is_choice() && !control.more &&
          std::ranges::find(frame.unused, control.id) == frame.unused.end())
        return std::string(control.id);
    return "at";
  }

  void controls(const models::Frame& frame) {
    out_.open("div", {{"class", "model-controls"},
                      {"role", "group"},
                      {"aria-label", emitter_.word("Settings")}})
        .line();
    if (frame.length > 0) transport(frame);
    bool more = false;
    for (std::size_t i = 0; i < model_.controls().size(); ++i) {
      const models::Control& control = model_.controls()[i];
      if (!control.more) one(control, frame.values[i], frame);
      more = more || control.more;
    }
    if (more) {
      out_.open("details", {{"class", "model-more"}})
          .element("summary", {}, emitter_.word("More"))
          .line();
      for (std::size_t i = 0; i < model_.controls().size(); ++i)
        if (model_.controls()[i].more) one(model_.controls()[i], frame.values[i], frame);
      out_.close().line();
    }
    button("again", emitter_.word("Start again"));
    out_.close().line();
  }

  void transport(const models::Frame& frame) {
    const std::string length = std::to_string(frame.length), step = std::to_string(frame.step);
    out_.open("div", {{"class", "model-transport"}});
    button("play", emitter_.word("Play"));
    button("step", emitter_.word("Step"));
    const std::string where = speech_.say(frame.where);
    out_.element("output", {{"name", "where"}, {"aria-live", "off"}}, where);
    out_.empty("input", {{"type", "range"},
                         {"name", "at"},
                         {"autocomplete", "off"},
                         {"min", "0"},
                         {"max", length},
                         {"step", "1"},
                         {"value", step},
                         {"aria-label", emitter_.word("Step of the run")},
                         {"aria-valuetext", where}});
    out_.close().line();
  }

  void button(std::string name, std::string_view words) {
    out_.element("button", {{"type", "button"}, {"name", std::move(name)}}, words);
  }

  void one(const models::Control& control, double value, const models::Frame& frame) {
    const std::string field = id_ + '-' + std::string(control.id);
    const bool unused =
        std::find(frame.unused.begin(), frame.unused.end(), control.id) != frame.unused.end();
    out_.open("div", {{"class", "model-control"}})
        .element("label", {{"for", field}}, speech_.say(control.label));
    if (control.is_choice()) choices(control, field, value, unused);
    else slider(control, field, value, unused);
    out_.close().line();
  }

  void choices(const models::Control& control, const std::string& field, double value,
               bool unused) {
    out_.open("select", {{"id", field},
                         {"name", std::string(control.id)},
                         {"autocomplete", "off"},
                         {"disabled", "disabled", unused}});
    for (std::size_t i = 0; i < control.choices.size(); ++i)
      out_.element("option",
                   {{"value", std::string(control.choices[i].id)},
                    {"selected", "selected", static_cast<double>(i) == value}},
                   speech_.say(control.choices[i].label));
    out_.close();
  }

  void slider(const models::Control& control, const std::string& field, double value, bool unused) {
    // A doubling slider holds the exponent.
    const auto place = [&](double number) {
      if (!control.doubling) return std::to_string(static_cast<long long>(number));
      int exponent = 0;
      while (number > 1) number /= 2, ++exponent;
      return std::to_string(exponent);
    };
    const std::string text = speech_.say(models::value_text(control, value));
    out_.element("output", {{"for", field}, {"aria-live", "off"}}, text);
    out_.empty("input", {{"type", "range"},
                         {"id", field},
                         {"name", std::string(control.id)},
                         {"autocomplete", "off"},
                         {"min", place(control.low)},
                         {"max", place(control.high)},
                         {"step", "1"},
                         {"value", place(value)},
                         {"aria-valuetext", text},
                         {"data-unit", speech_.say(control.unit)},
                         {"data-doubling", "", control.doubling},
                         {"disabled", "disabled", unused}});
  }

  Html& out_;
  Emitter& emitter_;
  const std::string& id_;
  const models::Model& model_;
  const Speech& speech_;
};

// Draws one frame of the block. Bad parameters are reported once, by the first frame.
std::optional<models::Frame> draw(Emitter& emitter, const ModelInputs& inputs, int step,
                                  figures::Layout width, const Yaml& at) {
  auto [frame, unsaid] = draw_model(emitter.shared.cache, inputs, step,
                                    drawing_options(emitter, width), emitter.shared.words);
  report_unsaid(emitter, at, unsaid);
  if (!frame) {
    emitter.error(Rule::bad_figure, at.offset, at.length, frame.error().message,
                  frame.error().suggestion);
    return std::nullopt;
  }
  for (const auto& notice : frame->notices) {
    const Yaml* value = notice.control.empty() ? nullptr : at.find(notice.control);
    const Yaml& place = value ? *value : at;
    emitter.error(Rule::bad_figure, place.offset, place.length, notice.text);
  }
  if (!frame->notices.empty()) return std::nullopt;
  return std::move(frame).value();
}

// Whether the model has all controls that the block sets. Reports unknown ones.
bool has_controls(Emitter& emitter, const models::Model& model, const Yaml* params) {
  std::vector<std::string> names;
  for (const auto& control : model.controls()) names.emplace_back(control.id);
  bool good = true;
  for (const auto& [key, value] : params ? params->entries : std::vector<Yaml::Entry>()) {
    if (std::find(names.begin(), names.end(), key.text) != names.end()) continue;
    emitter.error(Rule::bad_figure, key.offset, key.length,
                  std::string(model.name()) + " has no parameter " + in_quotes(key.text),
                  nearest(key.text, names));
    emitter.diagnostics.hint("expected one of " + join(names, ", "));
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
  const auto numbers = models::numbers_for(*model, values.facts, values.reference.get(), nullptr);
  if (!numbers) {
    emitter.error(Rule::bad_figure, at.offset, at.length, numbers.error().message,
                  numbers.error().suggestion);
    return;
  }
  const std::string& id = block.anchor->id;
  const Yaml& place = record.at(block.yaml.find("params") ? "params" : "model");
  const ModelInputs inputs{*model, params, *numbers};
  auto first = draw(emitter, inputs, step, figures::Layout::column, place);
  if (!first) return;
  auto second = draw(emitter, inputs, step, figures::Layout::narrow, place);
  auto third = draw(emitter, inputs, models::paper_step, figures::Layout::column, place);
  if (!second || !third) return;
  const Speech speech(emitter.shared.words);
  // This one tries all settings, so its missing strings are left to the tests.
  const Speech trying(emitter.shared.words);
  const std::string key = pack("the longest words of a model", members_of(*numbers),
                               emitter.shared.words.drawings_version(), name, params.dump());
  const auto longest = [&] {
    Sayings sayings(emitter.shared.cache, name, params, *numbers);
    std::string words = longest_words(sayings, params, *model, trying);
    sayings.keep();
    return words;
  };
  Widget(emitter, block, *model, speech)
      .emit({std::move(*first), std::move(*second), std::move(*third),
             kept_or_made(emitter.shared.cache, Cache::Kind::figure, key, longest)},
            record.at("caption"), block.anchor);
  report_unsaid(emitter, place, speech.unsaid());
  emitter.data.models[id] = {{"model", name}};
  for (const auto& fact : model->facts()) emitter.data.facts.insert(fact);
}

}  // namespace primer
