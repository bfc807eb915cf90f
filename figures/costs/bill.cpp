#include "figures/costs/bill.hpp"

#include <algorithm>
#include <tuple>

#include "figures/base/decimal_text.hpp"

namespace figures::costs {
namespace {

// "8,030,261,248", "0.5": numbers in formulas.
std::string n(double value) {
  if (!(value < 1e15)) return write_significant(value, 4);
  const bool is_whole = value == static_cast<double>(static_cast<long long>(value));
  return group_thousands(is_whole ? write_whole(value) : write_significant(value, 4));
}
std::string bytes(double value) { return with_prefix(value, "B"); }
std::string flops(double value) { return with_prefix(value, "FLOP"); }

std::string product(std::initializer_list<double> factors, std::string_view unit = "") {
  std::string out;
  for (const double factor : factors) out += (out.empty() ? "" : " × ") + n(factor);
  return unit.empty() ? out : out + ' ' + std::string(unit);
}
std::string sum(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : " + ") + part;
  return out.empty() ? "0" : out;
}

// Writes one bill.
class Writer {
 public:
  Writer(const Network& network, const Settings& settings)
      : network_(network), settings_(settings), precision_(precision_of(network, settings)) {}

  std::vector<Section> write(std::span<const Machine> machines) {
    sections_.push_back(parameter_section());
    if (!settings_.is_training) sections_.push_back(cache_section());
    sections_.push_back(settings_.is_training ? training_section() : inference_section());
    sections_.push_back(work_section());
    for (const Machine& machine : machines) sections_.push_back(time_section(machine));
    return std::move(sections_);
  }

 private:
  // The terms "count × value" of all layers in which value is not 0.
  template <class Value>
  std::string per_layer(Value value, bool stored = false) const {
    std::vector<std::string> parts;
    for (const Layer& layer : network_.layers)
      if (const double one = value(layer); one > 0)
        parts.push_back(product({stored ? layer.stored : layer.count, one}));
    return sum(parts);
  }

  static void bars(Section& section) {
    double most = 0;
    for (const Line& line : section.lines)
      if (!line.is_sum) most += line.share;
    for (Line& line : section.lines) line.share = most > 0 && !line.is_sum ? line.share / most : 0;
  }

  // --- Parameters ---

  Section parameter_section() const {
    Section out{"parameters", {"Parameters"}, {}};
    const Parameters all = parameters(network_);
    const auto add = [&](std::string_view label, double value, std::vector<Step> steps,
                         std::string_view source = "") {
      if (value > 0)
        out.lines.push_back({{label}, count_text(value), value, std::move(steps), source});
    };
    const double d = network_.width;
    add("Embedding table", all.embedding,
        {{"vocabulary × width",
          product({network_.vocabulary, d}) +
              (network_.positions > 0 ? " + " + n(network_.positions) : "")}});
    add("Attention", all.attention, attention_steps(), attention_source());
    add("Recurrent layers", all.recurrent,
        {{"layers × weights per layer",
          per_layer([](const Layer& l) { return l.recurrent; }, true)}});
    add("MLP and shared experts", all.dense,
        {{"layers × weights per layer",
          per_layer([](const Layer& l) { return l.dense + l.shared; }, true)}});
    add("Routed experts", all.experts, expert_steps());
    add("Router", all.router,
        {{"layers × weights per layer", per_layer([](const Layer& l) { return l.router; }, true)}});
    add("Norms", all.norms,
        {{"layers × weights per layer, and the last norm",
          sum({per_layer([](const Layer& l) { return l.norms; }, true), n(network_.final_norm)})}});
    add("Output layer", all.head, {{"vocabulary × width", product({network_.vocabulary, d})}});
    out.lines.push_back({{"All parameters"},
                         count_text(all.total()),
                         0,
                         {{"sum of the lines above", n(all.total())}},
                         "",
                         true});
    out.lines.push_back(
        {{"Read per token"}, count_text(active(network_)), 0, active_steps(), "", true});
    bars(out);
    return out;
  }

  std::vector<Step> active_steps() const {
    std::vector<Step> steps;
    const double experts = active_experts(network_);
    if (experts > 0)
      steps.push_back({"chosen experts × weights of an expert, in all layers", n(experts)});
    steps.push_back({network_.tied
                         ? std::string_view("all other parameters; the embedding table is "
                                            "also the output layer")
                         : "all other parameters, without the embedding table",
                     n(active(network_) - experts)});
    return steps;
  }

  const Layer* first_attention() const {
    const auto found =
        std::ranges::find_if(network_.layers, [](const Layer& layer) { return layer.heads > 0; });
    return found == network_.layers.end() ? nullptr : &*found;
  }

  std::string_view attention_source() const {
    const Layer* layer = first_attention();
    if (layer == nullptr) return "";
    return layer->latent > 0                ? "deepseek2024"
           : layer->kv_heads < layer->heads ? "ainslie2023"
                                            : "vaswani2017";
  }

  std::vector<Step> attention_steps() const {
    std::vector<Step> steps = {{"layers × weights per layer",
                                per_layer([](const Layer& l) { return l.attention; }, true)}};
    const Layer* layer = first_attention();
    if (layer == nullptr || layer->latent > 0) return steps;
    const double d = network_.width, w = layer->key_width;
    const double projections = d * w * (2 * layer->heads + 2 * layer->kv_heads);
    if (projections > layer->attention) return steps;
    std::string filled =
        product({d, w}) + " × (2 × " + n(layer->heads) + " + 2 × " + n(layer->kv_heads) + ')';
    const double rest = layer->attention - projections;
    if (rest > 0) filled += " + " + n(rest);
    steps.push_back({rest > 0
                         ? std::string_view("per layer: width × head width × (2 × query heads + "
                                            "2 × KV heads), and biases or gates")
                         : "per layer: width × head width × (2 × query heads + 2 × KV heads)",
                     filled + " = " + n(layer->attention)});
    return steps;
  }

  std::vector<Step> expert_steps() const {
    std::vector<std::string> parts;
    for (const Layer& layer : network_.layers)
      if (layer.experts > 0) parts.push_back(product({layer.stored, layer.experts, layer.expert}));
    return {{"layers × experts × weights of an expert", sum(parts)}};
  }

  // --- Cache ---

  // The bytes per token of these layers, as a product.
  std::string cached(const Layer& layer) const {
    std::string out = n(layer.count) + " × ";
    if (layer.latent > 0) out += '(' + n(layer.latent) + " + " + n(layer.rotary);
    else out += n(layer.kv_heads) + " × (" + n(layer.key_width) + " + " + n(layer.value_width);
    out += ") × " + n(precision_.cache / 8) + " B";
    if (layer.index_width > 0) out += " + " + n(layer.count) + " × " + n(index_bytes(layer)) + " B";
    return out;
  }

  std::string_view cache_formula() const {
    const Layer* layer = first_attention();
    if (layer == nullptr || !(layer->latent > 0))
      return "layers × KV heads × (key width + value width) × bytes";
    return layer->index_width > 0
               ? std::string_view(
                     "layers × (latent width + rotary key) × bytes, and an index key in 8 bits "
                     "with its scale")
               : "layers × (latent width + rotary key) × bytes";
  }

  Section cache_section() const {
    Section out{"cache", {"Cache"}, {}};
    const double bits = precision_.cache, tokens = settings_.tokens;
    const Cache one = cache(network_, tokens, bits);
    std::vector<std::string> full, windowed, growing;
    for (const Layer& layer : network_.layers) {
      if (!(layer.heads > 0)) continue;
      const std::string part = cached(layer);
      if (layer.window > 0)
        windowed.push_back(part + " × min(" + n(tokens) + ", " + n(layer.window) + ')');
      else full.push_back(part);
      if (!(layer.window > 0) || tokens < layer.window) growing.push_back(part);
    }
    const std::string_view formula = cache_formula();
    if (one.attention + one.windowed > 0)
      out.lines.push_back({{"Each further token adds"},
                           plain(bytes(cache_growth(network_, tokens, bits))),
                           0,
                           {{formula, sum(growing)}},
                           attention_source(),
                           true});
    if (one.attention > 0)
      out.lines.push_back({{"Keys and values of all tokens"},
                           memory_text(one.attention),
                           one.attention,
                           {{formula, sum(full)}, {"times the tokens of the sequence", n(tokens)}},
                           attention_source()});
    if (one.windowed > 0)
      out.lines.push_back(
          {{"Layers with a window"},
           memory_text(one.windowed),
           one.windowed,
           {{"layers × KV heads × (key width + value width) × bytes × the smaller of "
             "tokens and window",
             sum(windowed)}},
           ""});
    if (one.state > 0) out.lines.push_back(state_line(one.state));
    out.lines.push_back({{"One sequence of {n} tokens", {{"n", n(tokens)}}},
                         memory_text(one.all()),
                         0,
                         {{"sum of the lines above", n(one.all()) + " B"}},
                         "",
                         true});
    if (settings_.batch > 1)
      out.lines.push_back(
          {{"{n} sequences", {{"n", n(settings_.batch)}}},
           memory_text(one.all() * settings_.batch),
           0,
           {{"sequences × bytes per sequence", product({settings_.batch, one.all()}, "B")}},
           "",
           true});
    bars(out);
    return out;
  }

  Line state_line(double state) const {
    std::vector<std::string> parts;
    for (const Layer& layer : network_.layers)
      if (layer.state + layer.convolution > 0)
        parts.push_back(n(layer.count) + " × (" + n(layer.state) + " × " +
                        n(layer.state_bytes > 0 ? layer.state_bytes : 2) + " B + " +
                        n(layer.convolution) + " × 2 B)");
    return {{"Recurrent states, of any length"},
            memory_text(state),
            state,
            {{"layers × (state × bytes + inputs of the convolution × bytes)", sum(parts)}},
            ""};
  }

  // --- Memory ---

  Line weight_line() const {
    const Parameters all = parameters(network_);
    const double size = weight_bytes(network_, precision_);
    std::vector<Step> steps;
    const std::tuple<std::string_view, double, double> groups[] = {
        {"experts × bits / 8", all.experts, precision_.expert},
        {"MLP and shared experts × bits / 8", all.dense, precision_.mlp},
        {"attention and recurrent layers × bits / 8", all.attention + all.recurrent,
         precision_.attention},
        {"output layer × bits / 8", all.head, precision_.head},
        {"embedding table, router and norms × bits / 8", all.embedding + all.router + all.norms,
         precision_.other},
    };
    const bool is_uniform = std::ranges::all_of(groups, [&](const auto& group) {
      return std::get<1>(group) == 0 || std::get<2>(group) == precision_.other;
    });
    const auto add = [&](std::string_view formula, double count, double bits) {
      if (count > 0) steps.push_back({formula, product({count, bits}) + " / 8 B"});
    };
    if (is_uniform) add("parameters × bits / 8", all.total(), precision_.other);
    else
      for (const auto& [formula, count, bits] : groups) add(formula, count, bits);
    return {{"Weights"}, memory_text(size), size, std::move(steps), "austin2025"};
  }

  Section inference_section() const {
    Section out{"memory", {"Memory for inference"}, {}};
    out.lines.push_back(weight_line());
    const double one = cache(network_, settings_.tokens, precision_.cache).all();
    const double held = one * settings_.batch;
    out.lines.push_back({{"Cache of all sequences"},
                         memory_text(held),
                         held,
                         {{"sequences × bytes per sequence", product({settings_.batch, one}, "B")}},
                         "pope2022"});
    const double buffers = inference_buffers(network_, settings_.chunk, settings_.batch);
    const double logits = 4 * settings_.batch * network_.vocabulary;
    out.lines.push_back({{"Buffers"},
                         memory_text(buffers),
                         buffers,
                         {{"tokens of a prompt processed at once × activations of the widest layer",
                           product({settings_.chunk, (buffers - logits) / settings_.chunk}, "B")},
                          {"sequences × vocabulary × 4 bytes of logits",
                           product({settings_.batch, network_.vocabulary, 4}, "B")}},
                         "kwon2023"});
    close(out);
    return out;
  }

  Section training_section() const {
    Section out{"memory", {"Memory for training, over all chips"}, {}};
    const double count = parameters(network_).total();
    const double tokens = settings_.tokens * settings_.batch;
    const auto per_parameter = [&](std::string_view label, double size, std::string_view formula) {
      out.lines.push_back({{label},
                           memory_text(count * size),
                           count * size,
                           {{formula, product({count, size}, "B")}},
                           "rajbhandari2020"});
    };
    per_parameter("Weights", training_weight_bytes, "parameters × 2 bytes");
    per_parameter("Gradients", settings_.gradient_bytes, "parameters × bytes of a gradient");
    per_parameter("Optimizer", optimizer_bytes,
                  "parameters × 12 bytes: a copy and two moments in 32 bits");
    const double all = activation_bytes(network_, tokens, settings_.recomputes);
    std::vector<Step> steps;
    if (settings_.recomputes) {
      double layers = 0;
      for (const Layer& layer : network_.layers) layers += layer.count;
      steps = {{"tokens × (layers × width × 2 bytes + activations of the widest layer)",
                n(tokens) + " × (" + product({layers, network_.width, 2}) + " + " +
                    n(all / tokens - 2 * layers * network_.width) + ") B"}};
    } else {
      steps = {{"tokens × layers × activations of a layer",
                n(tokens) + " × (" + per_layer([&](const Layer& l) {
                  return layer_activation_bytes(l, network_.width);
                }) + ") B"}};
    }
    out.lines.push_back(
        {{"Activations"}, memory_text(all), all, std::move(steps), "korthikanti2022"});
    const double buffers = training_buffers(network_, tokens);
    out.lines.push_back(
        {{"Logits and their gradients"},
         memory_text(buffers),
         buffers,
         {{"tokens × vocabulary × 2 × 4 bytes", product({tokens, network_.vocabulary, 2, 4}, "B")}},
         ""});
    close(out);
    return out;
  }

  void close(Section& out) const {
    const double all = memory_bytes(network_, settings_);
    out.lines.push_back({{"All memory"},
                         memory_text(all),
                         0,
                         {{"sum of the lines above", n(all) + " B"}},
                         "",
                         true});
    bars(out);
  }

  // --- Work ---

  Section work_section() const {
    Section out{"work", {"Arithmetic"}, {}};
    const double tokens = settings_.tokens;
    const auto line = [&](Sentence label, double value, std::vector<Step> steps) {
      out.lines.push_back(
          {std::move(label), plain(flops(value)), 0, std::move(steps), "austin2025", true});
    };
    const double head = matmul_flops(network_, true), body = matmul_flops(network_, false);
    const Sentence prompt{"A prompt of {n} tokens", {{"n", n(tokens)}}};
    const double scores = prompt_attention_flops(network_, tokens);
    if (settings_.is_training) {
      const double all = settings_.batch * training_flops(network_, tokens, settings_.recomputes);
      line({"A step of {n} tokens", {{"n", n(tokens * settings_.batch)}}}, all,
           {{"forward pass: 2 FLOPs per weight and token, and attention",
             flops(settings_.batch * (head * tokens + scores))},
            {settings_.recomputes
                 ? std::string_view("4 passes: forward twice, backward counts as two")
                 : "3 passes: forward, backward counts as two",
             product({settings_.recomputes ? 4.0 : 3.0}) + " × " +
                 flops(settings_.batch * (head * tokens + scores))}});
      return out;
    }
    const double seen = attention_flops(network_, tokens, true);
    line({"One token after {n} others", {{"n", n(tokens)}}}, head + seen,
         {{"2 FLOPs per weight that a token uses", product({2, head / 2})},
          {"attention and recurrent states", flops(seen)}});
    line(prompt, prompt_flops(network_, tokens),
         {{"2 FLOPs per weight and token, without the output layer", product({tokens, body})},
          {"output layer, for the last token only", flops(head - body)},
          {"attention, where a token sees only tokens before it", flops(scores)}});
    return out;
  }

  // --- Times ---

  Section time_section(const Machine& machine) const {
    Section out{"time", machine.name, {}};
    double count = machine.count;
    if (count == 0) count = chips_needed(network_, settings_, machine.memory);
    if (machine.memory > 0 || count > 1)
      out.title = {"{n} × {chip}",
                   {{"n", n(count)},
                    {"chip", machine.name.text == "{text}" ? machine.name.values[0].second : ""}}};
    const double peak = count * machine.peak, bandwidth = count * machine.bandwidth;
    const auto add = [&](std::string_view label, Sentence value, std::vector<Step> steps) {
      out.lines.push_back({{label}, std::move(value), 0, std::move(steps), "williams2009", true});
    };
    if (settings_.is_training) {
      const Work step = training_work(network_, settings_);
      add("A training step takes at least", plain(time_text(shortest(step, bandwidth, peak))),
          {larger_of(step, bandwidth, peak)});
      return out;
    }
    const Work step = decode_step(network_, precision_, settings_.batch, settings_.tokens);
    const double time = shortest(step, bandwidth, peak);
    const bool is_memory = step.bytes / bandwidth >= step.flops / peak;
    add("A decode step takes at least", plain(time_text(time)),
        {{"weights and caches read, in bytes", step_bytes(step)},
         larger_of(step, bandwidth, peak)});
    add("Tokens per second, at most", plain(rounded(settings_.batch / time)),
        {{"sequences / time of a step", n(settings_.batch) + " / " + time_text(time)}});
    add("The step is", {is_memory ? std::string_view("memory-bound") : "compute-bound"},
        {{"FLOPs per byte, and the ridge point of the machine",
          rounded(step.flops / step.bytes) + " / " + rounded(peak / bandwidth) + " FLOP/B"}});
    const Work first = prompt_work(network_, precision_, settings_.batch, settings_.tokens);
    add("Time to first token, at least", plain(time_text(shortest(first, bandwidth, peak))),
        {larger_of(first, bandwidth, peak)});
    return out;
  }

  std::string step_bytes(const Work& step) const {
    const double weights = weight_traffic(network_, precision_, settings_.batch);
    std::string out = bytes(weights) + " + " + n(settings_.batch) + " × " +
                      bytes((step.bytes - weights) / settings_.batch);
    for (const Layer& layer : network_.layers) {
      if (!(layer.experts > 0)) continue;
      const double touched = experts_touched(layer.experts, layer.chosen, settings_.batch);
      return out + "; " + n(layer.experts) + " × (1 − (1 − " + n(layer.chosen) + "/" +
             n(layer.experts) + ")^" + n(settings_.batch) + ") = " + rounded(touched);
    }
    return out;
  }

  const Network& network_;
  const Settings& settings_;
  Precision precision_;
  std::vector<Section> sections_;
};

}  // namespace

Sentence plain(std::string text) { return {"{text}", {{"text", std::move(text)}}}; }

std::string with_prefix(double value, std::string_view unit) {
  constexpr std::string_view prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
  if (!(value > 0)) return "0 " + std::string(unit);
  std::size_t at = 4;
  while (value >= 999.5 && at + 1 < std::size(prefixes)) value /= 1000, ++at;
  while (value < 0.9995 && at > (unit == "s" ? 0u : 4u)) value *= 1000, --at;
  return write_significant(value, 3) + ' ' + std::string(prefixes[at]) + std::string(unit);
}

std::string rounded(double value) { return group_thousands(write_significant(value, 3)); }
std::string whole_text(double count) { return group_thousands(write_whole(count)); }

Sentence memory_text(double value) {
  constexpr double gibibyte = 1024.0 * 1024 * 1024;
  if (value < gibibyte / 8) return plain(bytes(value));
  return plain(bytes(value) + " (" + write_significant(value / gibibyte, 3) + " GiB)");
}

Sentence count_text(double value) {
  if (value >= 0.9995e12) return {"{n} trillion", {{"n", write_significant(value / 1e12, 4)}}};
  if (value >= 0.9995e9) return {"{n} billion", {{"n", write_significant(value / 1e9, 4)}}};
  if (value >= 0.9995e6) return {"{n} million", {{"n", write_significant(value / 1e6, 4)}}};
  return plain(n(value));
}

std::string time_text(double value) {
  if (value < 1000) return with_prefix(value, "s");
  return rounded(value) + " s";
}

Step larger_of(const Work& work, double bandwidth, double peak) {
  return {"the larger of bytes / bandwidth and FLOPs / peak",
          "max(" + bytes(work.bytes) + " / " + with_prefix(bandwidth, "B/s") + " = " +
              time_text(work.bytes / bandwidth) + ", " + flops(work.flops) + " / " +
              with_prefix(peak, "FLOP/s") + " = " + time_text(work.flops / peak) + ')'};
}

Work training_work(const Network& network, const Settings& settings) {
  return training_step(network, settings.batch, settings.tokens, settings.recomputes,
                       settings.gradient_bytes);
}

Precision precision_of(const Network& network, const Settings& settings) {
  return settings.weight_bits > 0 ? same_precision(settings.weight_bits, settings.cache_bits)
                                  : stored_precision(network, settings.cache_bits);
}

double memory_bytes(const Network& network, const Settings& settings) {
  const double tokens = settings.tokens * settings.batch;
  if (settings.is_training)
    return parameters(network).total() *
               (training_weight_bytes + settings.gradient_bytes + optimizer_bytes) +
           activation_bytes(network, tokens, settings.recomputes) +
           training_buffers(network, tokens);
  return weight_bytes(network, precision_of(network, settings)) +
         settings.batch * cache(network, settings.tokens, settings.cache_bits).all() +
         inference_buffers(network, settings.chunk, settings.batch);
}

double chips_needed(const Network& network, const Settings& settings, double memory) {
  const double parts = memory_bytes(network, settings) / (settings.usable * memory);
  const double whole = static_cast<double>(static_cast<long long>(parts));
  return std::max(1.0, parts > whole ? whole + 1 : whole);
}

std::vector<Section> bill(const Network& network, const Settings& settings,
                          std::span<const Machine> machines) {
  return Writer(network, settings).write(machines);
}

Sentence summary(const Network& network, const Settings& settings, const Machine& machine) {
  double count = machine.count;
  if (count == 0) count = chips_needed(network, settings, machine.memory);
  const double peak = count * machine.peak, bandwidth = count * machine.bandwidth;
  std::string chip = machine.name.values.empty() ? "" : machine.name.values.front().second;
  const double memory = memory_bytes(network, settings);
  const bool is_over = machine.memory > 0 && memory > settings.usable * count * machine.memory;
  if (settings.is_training) {
    return {is_over
                ? std::string_view(
                      "Training needs {memory}, which is more than {n} × {chip} can hold. If it "
                      "fit, a step would take at least {time}.")
                : "Training needs {memory}: {n} × {chip}. A step takes at least {time}.",
            {{"memory", bytes(memory)},
             {"n", n(count)},
             {"chip", std::move(chip)},
             {"time", time_text(shortest(training_work(network, settings), bandwidth, peak))}}};
  }
  const Work step =
      decode_step(network, precision_of(network, settings), settings.batch, settings.tokens);
  const double time = shortest(step, bandwidth, peak);
  return {is_over
              ? std::string_view(
                    "Inference needs {memory}, which is more than {n} × {chip} can hold. If it "
                    "fit, a decode step would take at least {time}, so one sequence would get "
                    "at most {rate} tokens per second.")
              : "Inference needs {memory}: {n} × {chip}. A decode step takes at least {time}, so "
                "one sequence gets at most {rate} tokens per second.",
          {{"memory", bytes(memory)},
           {"n", n(count)},
           {"chip", std::move(chip)},
           {"time", time_text(time)},
           {"rate", rounded(1 / time)}}};
}

}  // namespace figures::costs
