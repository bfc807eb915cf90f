// ```costs: what a language model costs. Writes the settings (a script enables them), the bill of
// one model on one chip and on the reference machine, and a table of all models in
// chapters/facts/configs.json. The page's module computes the same lines for other settings.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "figures/base/decimal_text.hpp"
#include "figures/costs/bill.hpp"
#include "figures/costs/config.hpp"
#include "figures/costs/roofline.hpp"
#include "figures/costs/tables.hpp"
#include "figures/kinds/roofline.hpp"
#include "figures/spec/measured.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/render/drawing.hpp"

namespace primer {
namespace {

namespace costs = figures::costs;

constexpr const char* configs_file = "chapters/facts/configs.json";

struct Preset {
  std::string id, title, config;
  std::vector<std::string> sources;
  costs::Network network;
};

struct ChipFact {
  std::string id;
  costs::Machine machine;
};

// The choices of one setting: value and label. A label that is a number stays as it is.
using Choices = std::initializer_list<std::pair<const char*, std::string_view>>;

class CostsBlock {
 public:
  CostsBlock(Emitter& emitter, const Block& block)
      : emitter_(emitter),
        out_(emitter.out),
        block_(block),
        record_(block.yaml, emitter.source, emitter.diagnostics) {}

  void emit() {
    read_presets();
    read_chips();
    const Preset* preset = chosen(presets_, "model");
    const ChipFact* chip = chosen(chips_, "chip");
    if (preset == nullptr || chip == nullptr) return;
    settings_.tokens = record_.integer("tokens").value_or(static_cast<int>(settings_.tokens));
    machines_ = {chip->machine};
    add_reference();
    begin();
    bill_of(*preset, *chip);
    preset_table();
    out_.close().line();
    for (const Preset& one : presets_) alone(one, *chip);
    data();
  }

 private:
  void begin() { out_.open("div", {{"class", "costs"}, {"data-module", "costs.wasm"}}).line(); }

  // The block with another model, for its embed.
  void alone(const Preset& preset, const ChipFact& chip) {
    Html page = std::exchange(out_, Html());
    begin();
    bill_of(preset, chip);
    out_.close().line();
    const std::string html = std::exchange(out_, std::move(page)).take();
    emitter_.presets.push_back({preset.id, emitter_.word(preset.title), html});
  }

  void bill_of(const Preset& preset, const ChipFact& chip) {
    const costs::Network& network = preset.network;
    form(preset.id, chip.id);
    out_.open("div", {{"class", "costs-bill"}}).line();
    out_.element("p", {{"class", "costs-summary"}},
                 say(costs::summary(network, settings_, machines_.front())))
        .line();
    out_.element("div", {{"class", "costs-notes"}, {"role", "status"}}, "").line();
    for (const auto& section : costs::bill(network, settings_, machines_)) part(section);
    part(costs::roofline_section(network, settings_, machines_.front()));
    roofline(network);
    grid(costs::floors(network, settings_, machines_), "floors", "Shortest times");
    std::vector<costs::Machine> all;
    for (const ChipFact& one : chips_) all.push_back(one.machine);
    grid(costs::batches(network, settings_, machines_.front()), "batches",
         "Decode by number of sequences");
    grid(costs::fits(network, settings_, all), "fits", "Chips that hold it");
    out_.close().line();
  }

  std::string say(const costs::Sentence& sentence) const {
    std::string out = emitter_.word(sentence.text);
    for (const auto& [key, value] : sentence.values)
      out = replace_all(out, '{' + std::string(key) + '}', value);
    return out;
  }
  static std::string replace_all(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return text;
  }

  template <class Item>
  const Item* chosen(const std::vector<Item>& items, const char* key) {
    const std::string id = record_.required_text(key);
    const auto found = std::ranges::find(items, id, &Item::id);
    if (found != items.end()) return &*found;
    if (items.empty()) return nullptr;
    std::vector<std::string> known;
    for (const Item& item : items) known.push_back(item.id);
    const Yaml& at = record_.at(key);
    emitter_.error(Rule::unknown_fact, at.offset, at.length,
                   "there is no " + std::string(key) + ' ' + in_quotes(id), nearest(id, known));
    return nullptr;
  }

  // A preset that the library cannot read, or whose source is unknown, is an error of the block.
  void read_presets() {
    const auto file = read_json(emitter_.shared.files, configs_file, emitter_.diagnostics);
    if (!file || !conforms("configs", "the file", *file, emitter_.diagnostics)) return;
    for (const auto& [id, entry] : file->value.items()) {
      Preset preset{id, entry.at("title"), entry.at("config").dump(), entry.at("sources"), {}};
      costs::Reading reading = costs::read_config(preset.config);
      std::string problem = reading.problem ? say(*reading.problem) : "";
      for (const std::string& source : preset.sources)
        if (emitter_.shared.library.reference(source) == nullptr)
          problem = "no reference has the id " + in_quotes(source);
      if (!problem.empty()) {
        report_json(emitter_.diagnostics, *file, id, problem);
        continue;
      }
      preset.network = std::move(reading.network);
      presets_.push_back(std::move(preset));
    }
    // The smallest model first.
    std::ranges::stable_sort(presets_, {}, [](const Preset& preset) {
      return costs::parameters(preset.network).total();
    });
  }
  static void report_json(Diagnostics& diagnostics, const JsonFile& file, const std::string& id,
                          const std::string& problem) {
    const JsonPlace place = json_place(file, JsonPath{id});
    diagnostics.error(Rule::bad_value, file.source, place.offset, place.length, problem);
  }

  // Chips with a peak in 16 bits, a bandwidth and a memory.
  void read_chips() {
    const figures::Facts& facts = emitter_.shared.values.facts;
    for (const figures::Thing& thing : facts.things()) {
      const auto value = [&](const char* what) {
        const figures::Fact* fact = facts.find(thing.id + what);
        return fact != nullptr ? fact->quantity.value : 0.0;
      };
      const double peak = value(".peak.bf16") > 0 ? value(".peak.bf16") : value(".peak.fp16");
      if (!(peak > 0 && value(".bandwidth") > 0 && value(".memory") > 0)) continue;
      chips_.push_back({thing.id, costs::Machine{costs::plain(emitter_.word(thing.title)), peak,
                                                 value(".bandwidth"), value(".memory"), 0}});
    }
  }

  void add_reference() {
    const auto& reference = emitter_.shared.values.reference;
    if (!reference) return;
    const figures::Roof* peak = figures::highest_ceiling(*reference);
    const figures::Roof* slope = reference->memory_roof("out");
    if (peak == nullptr || slope == nullptr) return;
    machines_.push_back({{"The reference machine, one core"},
                         peak->value * 1e9,
                         slope->value * 1e9,
                         0,
                         1,
                         figures::reference_name});
  }

  // --- Settings ---

  void form(const std::string& model, const std::string& chip) {
    out_.open("fieldset", {{"class", "costs-form"}}).line();
    out_.element("legend", {{"class", "visually-hidden"}}, emitter_.word("Settings")).line();
    begin_field("model", "Model");
    out_.open("select", {{"id", "costs-model"}, {"name", "model"}, {"autocomplete", "off"}});
    for (const Preset& preset : presets_)
      option(preset.id, emitter_.word(preset.title), preset.id == model);
    option("own", emitter_.word("your config.json"), false);
    out_.close().close().line();
    select("training", "Task", {{"0", "inference"}, {"1", "training"}}, "0");
    number("batch", "Sequences", "1", "65536");
    number("tokens", "Tokens per sequence", figures::write_whole(settings_.tokens), "16777216");
    begin_field("chip", "Chip");
    out_.open("select", {{"id", "costs-chip"}, {"name", "chip"}, {"autocomplete", "off"}});
    for (const ChipFact& one : chips_)
      option(one.id, one.machine.name.values.front().second, one.id == chip);
    out_.close().close().line();
    select("count", "Chips",
           {{"0", "as many as needed"},
            {"1", "1"},
            {"2", "2"},
            {"4", "4"},
            {"8", "8"},
            {"16", "16"},
            {"32", "32"},
            {"64", "64"}},
           "0");
    select("weights", "Weights",
           {{"0", "as stored"},
            {"32", "32 bits"},
            {"16", "16 bits"},
            {"8", "8 bits"},
            {"4.85", "4.85 bits (Q4_K_M)"},
            {"4.5", "4.5 bits (4, with scales)"}},
           "0");
    select("cache", "Cache",
           {{"16", "16 bits"}, {"8", "8 bits"}, {"4.5", "4.5 bits (4, with scales)"}}, "16");
    out_.open("details", {{"class", "costs-more"}})
        .element("summary", {}, emitter_.word("Assumptions"))
        .line();
    select("usable", "Usable memory", {{"1", "100 %"}, {"0.92", "92 %"}, {"0.8", "80 %"}}, "0.92");
    select("chunk", "Prompt tokens at once", {{"512", "512"}, {"2048", "2,048"}, {"8192", "8,192"}},
           "2048");
    select("recompute", "Activations", {{"1", "recomputed"}, {"0", "stored"}}, "1");
    select("gradients", "Gradients", {{"2", "16 bits"}, {"4", "32 bits"}}, "2");
    out_.close().line();
    own_config();
    out_.close().line();
  }

  void own_config() {
    out_.open("details", {{"class", "costs-own"}})
        .element("summary", {}, emitter_.word("Paste or drop a config.json"));
    out_.element("label", {{"for", "costs-config"}},
                 emitter_.word("The config.json of a model, or plain numbers. It stays in this "
                               "browser."));
    out_.open("textarea", {{"id", "costs-config"},
                           {"name", "config"},
                           {"rows", "8"},
                           {"spellcheck", "false"},
                           {"autocomplete", "off"},
                           {"placeholder", "{\"hidden_size\": 4096, …}"}})
        .close();
    out_.element("p", {{"class", "costs-problem"}, {"role", "alert"}}, "");
    out_.close().line();
  }

  void begin_field(const char* name, std::string_view label) {
    out_.open("div", {{"class", "costs-field"}})
        .element("label", {{"for", std::string("costs-") + name}}, emitter_.word(label));
  }
  void option(const std::string& value, const std::string& label, bool is_selected) {
    out_.element("option", {{"value", value}, {"selected", "selected", is_selected}}, label);
  }
  void select(const char* name, std::string_view label, Choices choices, std::string_view initial) {
    begin_field(name, label);
    out_.open("select",
              {{"id", std::string("costs-") + name}, {"name", name}, {"autocomplete", "off"}});
    for (const auto& [value, text] : choices) option(value, emitter_.word(text), value == initial);
    out_.close().close().line();
  }
  void number(const char* name, std::string_view label, const std::string& value,
              const char* most) {
    begin_field(name, label);
    out_.empty("input", {{"id", std::string("costs-") + name},
                         {"name", name},
                         {"type", "number"},
                         {"min", "1"},
                         {"max", most},
                         {"value", value},
                         {"inputmode", "numeric"},
                         {"autocomplete", "off"}});
    out_.close().line();
  }

  // --- The bill ---

  void part(const costs::Section& section) {
    out_.open("table", {{"class", "costs-part"}})
        .element("caption", {}, say(section.title))
        .open("tbody");
    for (const costs::Line& line : section.lines) {
      out_.open("tr", {{"class", "costs-sum", line.is_sum}});
      out_.open("td").open("details").element("summary", {}, say(line.label));
      for (const costs::Step& step : line.steps) {
        out_.element("p", {}, emitter_.word(step.formula));
        out_.element("p", {{"class", "costs-filled"}}, step.filled);
      }
      source(line.source);
      out_.close().close();
      out_.open("td");
      if (line.share > 0) bar(line.share);
      out_.text(say(line.value)).close().close().line();
    }
    out_.close().close().line();
  }

  void bar(double share) {
    out_.element("meter", {{"value", figures::write_fixed(share, 4)}, {"aria-hidden", "true"}}, "");
  }

  void source(std::string_view id) {
    if (id.empty()) {
      out_.element("p", {}, emitter_.word("Source: the configuration."));
      return;
    }
    const std::string name(id), number = emitter_.citation_number(name);
    numbers_[name] = number;
    out_.open("p").text(emitter_.word("Source:") + " [");
    out_.element("a", {{"href", "#ref-" + name}}, number).text("]").close();
  }

  void grid(const costs::Grid& grid, const std::string& name, std::string_view caption) {
    out_.open("section", {{"class", "table costs-" + name},
                          {"tabindex", "0"},
                          {"aria-label", emitter_.word(caption)}});
    out_.open("table").element("caption", {}, emitter_.word(caption)).open("thead").open("tr");
    for (const std::string_view column : grid.columns)
      out_.element("th", {{"scope", "col"}}, emitter_.word(column));
    out_.close().close().open("tbody");
    for (const auto& cells : grid.rows) {
      out_.open("tr").element("th", {{"scope", "row"}}, say(cells.front()));
      for (std::size_t i = 1; i < cells.size(); ++i) out_.element("td", {}, say(cells[i]));
      out_.close();
    }
    out_.close().close().close().line();
  }

  void roofline(const costs::Network& network) {
    const auto spec = nlohmann::json::parse(costs::roofline_spec(network, settings_, machines_));
    Html drawings;
    for (const auto& [frame, layout] : {std::pair("plot-wide", figures::Layout::wide),
                                        std::pair("plot-narrow", figures::Layout::narrow)}) {
      const Values& values = emitter_.shared.values;
      const auto drawing =
          primer::draw(emitter_.shared.cache, values.reference.version(), spec,
                       {&values.facts, values.reference.get(), nullptr, &values.catalogue},
                       drawing_options(emitter_, layout), emitter_.shared.words);
      if (!drawing) return emitter_.error(Rule::bad_figure, record_.at("model"), drawing.error());
      report_unsaid(emitter_, record_.at("model"), drawing->unsaid);
      drawings.open("div", {{"class", frame}}).raw(drawing->svg).close().line();
    }
    // "plot" is not the first class, so the list of figures leaves it out: it has no number.
    out_.open("figure", {{"class", "costs-roofline plot"}}).line().raw(drawings.take());
    out_.element(
        "figcaption", {},
        emitter_.word("FLOP/s against FLOPs per byte, on one chip. The points are the three "
                      "tasks on the roof of the first machine."));
    out_.close().line();
  }

  // All models: parameters, cache of a long sequence, and weights.
  void preset_table() {
    const std::string caption = emitter_.word("All models, with 16-bit caches");
    out_.open("section",
              {{"class", "table costs-presets"}, {"tabindex", "0"}, {"aria-label", caption}});
    out_.open("table").element("caption", {}, caption).open("thead").open("tr");
    for (const std::string_view column :
         {"Model", "All parameters", "Read per token", "Weights as stored",
          "Each further token adds", "Cache of 32,768 tokens", "Source"})
      out_.element("th", {{"scope", "col"}}, emitter_.word(column));
    out_.close().close().open("tbody");
    for (const Preset& preset : presets_) preset_row(preset);
    out_.close().close().close().line();
  }
  void preset_row(const Preset& preset) {
    const costs::Network& network = preset.network;
    constexpr double tokens = 32'768;
    out_.open("tr").element("th", {{"scope", "row"}}, emitter_.word(preset.title));
    const auto cell = [&](const std::string& text) { out_.element("td", {}, text); };
    cell(say(costs::count_text(costs::parameters(network).total())));
    cell(say(costs::count_text(costs::active(network))));
    cell(costs::with_prefix(costs::weight_bytes(network, costs::stored_precision(network, 16)),
                            "B"));
    cell(costs::with_prefix(costs::cache_growth(network, tokens, 16), "B"));
    cell(network.longest > 0 && network.longest < tokens
             ? "–"
             : costs::with_prefix(costs::cache(network, tokens, 16).all(), "B"));
    out_.open("td").text("[");
    for (std::size_t i = 0; i < preset.sources.size(); ++i) {
      if (i > 0) out_.text(", ");
      out_.element("a", {{"href", "#ref-" + preset.sources[i]}},
                   emitter_.citation_number(preset.sources[i]));
    }
    out_.text("]").close().close().line();
  }

  // What the script needs.
  void data() {
    auto presets = PageData::Json::object();
    for (const Preset& preset : presets_) presets[preset.id] = preset.config;
    auto chips = PageData::Json::object();
    for (const ChipFact& chip : chips_) {
      const costs::Machine& machine = chip.machine;
      chips[chip.id] = {machine.name.values.front().second, machine.peak, machine.bandwidth,
                        machine.memory};
    }
    // Training has other sources.
    for (const char* id : {"rajbhandari2020", "korthikanti2022", "ainslie2023", "deepseek2024",
                           "vaswani2017", "pope2022", "kwon2023", "williams2009", "austin2025"})
      numbers_.try_emplace(id, emitter_.citation_number(id));
    emitter_.data.costs = {{"presets", presets}, {"chips", chips}, {"sources", numbers_}};
  }

  Emitter& emitter_;
  Html& out_;
  const Block& block_;
  Record record_;
  std::vector<Preset> presets_;
  std::vector<ChipFact> chips_;
  std::vector<costs::Machine> machines_;
  costs::Settings settings_;
  std::map<std::string, std::string> numbers_;  // citation numbers of sources
};

}  // namespace

void costs_block(Emitter& emitter, const Block& block) { CostsBlock(emitter, block).emit(); }

}  // namespace primer
