// ```bench: kernels to run in the page, with the reference machine's results beside them.
#include <algorithm>
#include <cmath>

#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

struct Run {
  const figures::KernelInfo* kernel = nullptr;
  PageData::Json data;              // as the page's scripts take it
  std::string settings;             // what the text chose: "n = 512"
  std::string reference;            // "45.3 GFLOP/s", or empty
  const Yaml* published = nullptr;  // a line that stands in for it: what others measured
};

void unknown_kernel(Emitter& emitter, const Yaml& at, std::string_view id) {
  std::vector<std::string> known;
  for (const auto& kernel : emitter.shared.values.catalogue.all()) known.push_back(kernel.id);
  emitter.error(Rule::unknown_kernel, at.offset, at.length, "no kernel is called " + in_quotes(id),
                nearest(id, known));
}

// "w = 64 MiB"
std::string spelled(const figures::Argument& argument) {
  const bool bytes = argument.number.dimension == figures::Dimension{.byte = 1};
  return argument.name + " = " + spelled_parameter(argument.number.value, bytes);
}

// Whether the registry allows the argument; reported when it does not.
bool within_range(Emitter& emitter, const Yaml& at, const figures::KernelInfo& kernel,
                  const figures::Argument& argument) {
  for (const auto& one : kernel_descriptions()) {
    if (one.at("id") != kernel.id || one.at("variant") != kernel.variant) continue;
    for (const auto& param : one.at("params")) {
      const double least = param.at("min").get<double>(), most = param.at("max").get<double>();
      const double value = argument.number.value;
      if (param.at("name") != argument.name || (value >= least && value <= most)) continue;
      const bool bytes = param.at("unit") == "B";
      emitter.error(Rule::bad_value, at,
                    figures::Error{in_quotes(argument.name) + " of " + kernel.id +
                                       " lies between " + spelled_parameter(least, bytes) +
                                       " and " + spelled_parameter(most, bytes),
                                   argument.offset, argument.name.size()});
      if (bytes) emitter.diagnostics.hint("bytes have their unit: w=64MiB");
      return false;
    }
  }
  return true;
}

// The run's arguments: every declared parameter with its value. False after a diagnostic.
bool fill_arguments(Emitter& emitter, const Yaml& at, const figures::Name& name, Run& run) {
  PageData::Json params = PageData::Json::object();
  for (const auto& param : run.kernel->params) params[param.name] = param.fallback;
  int threads = 1;
  for (const auto& argument : name.arguments) {
    if (argument.name == "variant" || argument.name == "module") continue;
    if (argument.name == "threads") {
      threads = static_cast<int>(argument.number.value);
    } else if (params.contains(argument.name)) {
      if (!within_range(emitter, at, *run.kernel, argument)) return false;
      params[argument.name] = argument.number.value;
      if (!run.settings.empty()) run.settings += ", ";
      run.settings += spelled(argument);
    } else {
      std::vector<std::string> known{"threads"};
      for (const auto& param : run.kernel->params) known.push_back(param.name);
      emitter.error(
          Rule::unknown_kernel, at,
          figures::Error{run.kernel->id + " has no parameter " + in_quotes(argument.name),
                         argument.offset, argument.name.size(), nearest(argument.name, known)});
      emitter.diagnostics.hint("it has " + join(known, ", "));
      return false;
    }
  }
  if (threads > 1) {
    run.settings += (run.settings.empty() ? "" : ", ") +
                    emitter.shared.words("{n} threads", std::to_string(threads));
  }
  run.data = {{"kernel", run.kernel->id}, {"params", params}, {"threads", threads}};
  if (!run.kernel->variant.empty()) run.data["variant"] = run.kernel->variant;
  return true;
}

std::optional<Run> parse_run(Emitter& emitter, const Yaml& at) {
  const auto expression = figures::Expression::parse(at.text);
  if (!expression || expression->steps().size() != 1 || expression->names().size() != 1) {
    emitter.error(Rule::bad_expression, at.offset, at.length,
                  "a kernel to measure is written like matmul.packed{n=512}");
    return std::nullopt;
  }
  const figures::Name& name = expression->names().front();
  std::string variant;
  for (const auto& argument : name.arguments) {
    if (argument.name == "variant") variant = argument.word;
  }
  Run run;
  run.kernel = emitter.shared.values.catalogue.find(name.id, variant);
  if (!run.kernel) {
    unknown_kernel(emitter, at, name.id);
    return std::nullopt;
  }
  if (!fill_arguments(emitter, at, name, run)) return std::nullopt;
  figures::Names names(emitter.shared.values.with_reference());
  const auto value = expression->evaluate(names);
  if (value) {
    const auto text = figures::format(*value, run.kernel->unit);
    if (text) run.reference = *text;
  }
  return run;
}

// Hands each run what others published of it: `published` names it as `kernels` does.
void add_published(Emitter& emitter, const Yaml& kernels, const Yaml& published,
                   std::vector<Run>& runs) {
  std::vector<std::string> known;
  for (const auto& item : kernels.items) known.push_back(item.text);
  for (const auto& item : published.items) {
    const Yaml& kernel = *item.find("kernel");
    const auto found = std::find(known.begin(), known.end(), kernel.text);
    if (found == known.end()) {
      emitter.error(Rule::unknown_kernel, kernel.offset, kernel.length,
                    in_quotes(kernel.text) + " is not among this block's kernels",
                    nearest(kernel.text, known));
      continue;
    }
    runs[static_cast<std::size_t>(found - known.begin())].published = item.find("say");
  }
}

void emit_reference(Emitter& emitter, const Run& run) {
  Html& out = emitter.out;
  if (run.published && run.reference.empty()) {
    out.open("td", {{"class", "reference published"}});
    emitter.markdown_line(*run.published);
    out.text(" ").element("small", {}, emitter.word("published")).close();
    return;
  }
  out.element("td", {{"class", "reference"}},
              run.reference.empty() ? emitter.word("not measured") : run.reference);
}

void emit_table(Emitter& emitter, const std::vector<Run>& runs, const std::string& reference) {
  Html& out = emitter.out;
  out.open("div", {{"class", "bench-table"},
                   {"role", "group"},
                   {"tabindex", "0"},
                   {"aria-label", emitter.word("Results")}});
  out.open("table").open("thead").open("tr");
  out.element("th", {{"scope", "col"}}, emitter.word("Kernel"));
  out.element("th", {{"scope", "col"}}, reference.empty() ? emitter.word("Reference") : reference);
  out.element("th", {{"scope", "col"}}, emitter.word("Yours"))
      .close()
      .close()
      .line()
      .open("tbody")
      .line();
  int row = 0;
  for (const auto& run : runs) {
    out.open("tr", {{"data-run", std::to_string(row++)}});
    const std::string foreign = emitter.shared.foreign();
    out.open("th", {{"scope", "row"}, {"lang", foreign, !foreign.empty()}});
    out.text(run.kernel->title);
    if (!run.settings.empty()) out.text(" ").element("small", {}, run.settings);
    out.close();
    emit_reference(emitter, run);
    out.element("td", {{"class", "yours"}}, emitter.word("not measured yet")).close().line();
  }
  out.close().close().close().line();
}

// How long it takes, and what of the reader's machine works meanwhile.
std::string cost(const Emitter& emitter, const std::vector<Run>& runs, bool roofs, int seconds) {
  int cores = roofs ? 1 : 0;
  bool gpu = false;
  for (const auto& run : runs) {
    if (figures::is_gpu_kernel(run.kernel->id)) {
      gpu = true;
    } else {
      cores = std::max(cores, run.data.at("threads").get<int>());
    }
  }
  const auto& words = emitter.shared.words;
  const std::string n = std::to_string(seconds);
  if (gpu && cores == 0) return words("About {n} s on your GPU. Nothing leaves this browser.", n);
  if (gpu)
    return words("About {n} s on your processor and your GPU. Nothing leaves this browser.", n);
  if (cores > 1) return words("About {n} s on several cores. Nothing leaves this browser.", n);
  return words("About {n} s on one core. Nothing leaves this browser.", n);
}

}  // namespace

std::string spelled_parameter(double value, bool bytes) {
  std::string unit;
  if (bytes) {
    unit = " B";
    constexpr const char* larger[] = {" KiB", " MiB", " GiB"};
    for (std::size_t i = 0; i < std::size(larger) && value >= 1024; ++i) {
      if (std::fmod(value, 1024) != 0) break;
      value /= 1024;
      unit = larger[i];
    }
  }
  std::string text = nlohmann::json(value).dump();
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text + unit;
}

void bench_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  const bool roofs = record.flag("roofs").value_or(false);
  const bool quick = record.flag("quick").value_or(true);
  const Yaml* kernels = record.list("kernels");
  if (!kernels && !roofs) {
    emitter.error(Rule::missing_key, block.yaml.offset, 1,
                  "the bench block needs the key \"kernels\" or roofs: true");
  }
  if (!block.anchor) return;
  std::vector<Run> runs;
  auto data = PageData::Json::array();
  for (const auto& item : kernels ? kernels->items : std::vector<Yaml>()) {
    auto run = parse_run(emitter, item);
    if (!run) continue;
    data.push_back(run->data);
    runs.push_back(std::move(*run));
  }
  if (const Yaml* published = record.list("published");
      published && kernels && runs.size() == kernels->items.size())
    add_published(emitter, *kernels, *published, runs);
  // Quick mode takes about half a second a kernel and four seconds for the roofs.
  const int seconds =
      static_cast<int>(std::ceil(0.6 * static_cast<double>(runs.size()))) * (quick ? 1 : 3) +
      (roofs ? 4 : 0) + 1;
  Html& out = emitter.out;
  const std::string& id = block.anchor->id;
  const bool hero = record.flag("hero").value_or(false);
  const std::string press =
      emitter.shared.words("Measure my machine · {n} s", std::to_string(seconds));
  out.open("primer-bench",
           {{"id", id}, {"state", "idle"}, {"class", "hero", hero}, {"data-press", press, hero}})
      .line();
  out.open("div", {{"class", "bench-head"}}).line();
  if (!hero)
    out.element("p", {{"class", "label"}}, emitter.label(block.anchor, AnchorKind::measurement));
  out.line().open("p", {{"class", "bench-try"}});
  emitter.markdown_line(record.at("try"));
  out.close().line();
  out.element("p", {{"class", "bench-cost"}}, cost(emitter, runs, roofs, seconds));
  out.line().close().line();
  if (!runs.empty()) {
    const auto& reference = emitter.shared.values.reference;
    emit_table(emitter, runs, reference ? reference->label() : "");
  }
  out.element("p", {{"class", "bench-status"}, {"role", "status"}}, "").line().close().line();
  emitter.data.benches.push_back(
      {{"id", id}, {"runs", std::move(data)}, {"roofs", roofs}, {"quick", quick}});
}

}  // namespace primer
