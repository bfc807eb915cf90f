// ```bench: kernels to run in the page, with the reference machine's results beside them.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <span>
#include <sstream>

#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

struct Run {
  const figures::KernelInfo* kernel = nullptr;
  PageData::Json data;                // as the page's scripts take it
  std::vector<std::string> settings;  // what the text chose: "n = 512"
  std::string key;                    // run_key()
  std::string reference;              // "45.3 GFLOP/s", or empty
  bool is_other_gpu = false;          // the reference is the GPU of another machine
  double value = 0;                   // the same in the kernel's unit, or 0
  const Yaml* published = nullptr;    // a line that stands in for it: what others measured
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
      run.settings.push_back(spelled(argument));
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
    run.settings.push_back(emitter.shared.words("{n} threads", std::to_string(threads)));
  }
  run.data = {{"kernel", run.kernel->id}, {"params", params}, {"threads", threads}};
  if (!run.kernel->variant.empty()) run.data["variant"] = run.kernel->variant;
  return true;
}

// What the sources measured of the run, if they did.
void take_reference(Run& run, const figures::Expression& expression,
                    const figures::Sources& sources) {
  figures::Names names(sources);
  const auto value = expression.evaluate(names);
  if (!value) return;
  const auto text = figures::format(*value, run.kernel->unit);
  const auto unit = figures::parse_unit(run.kernel->unit);
  if (text) run.reference = *text;
  if (text && unit) run.value = value->value / unit->scale;
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
  run.key = run_key(name);
  const auto& values = emitter.shared.values;
  take_reference(run, *expression, values.with_reference());
  if (run.reference.empty() && figures::is_gpu_kernel(run.kernel->id) && values.reference_gpu) {
    take_reference(run, *expression, values.with_reference_gpu());
    run.is_other_gpu = !run.reference.empty();
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

// What all of `runs` have in common is said once, above them.
std::vector<std::string> common_settings(std::span<const Run> runs) {
  std::vector<std::string> common = runs.front().settings;
  std::erase_if(common, [&](const std::string& one) {
    return !std::ranges::all_of(runs, [&](const Run& run) {
      return std::ranges::find(run.settings, one) != run.settings.end();
    });
  });
  return common;
}

// Ends of the logarithmic scale on which the rows with one unit stand: site/runtime/page/strip.js has the same.
struct Scale {
  double low = 0, high = 0;

  Scale(const std::vector<Run>& runs, const std::string& unit) {
    for (const auto& run : runs) {
      if (run.kernel->unit != unit || run.value <= 0) continue;
      low = low > 0 ? std::min(low, run.value / 2) : run.value / 2;
      high = std::max(high, run.value * 2);
    }
  }
  // "43.2%"
  std::string place(double value) const {
    const double share = (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << 100 * share << '%';
    return text.str();
  }
};

// A kernel's rows: one, or several that differ in their settings alone.
class BenchTable {
 public:
  BenchTable(Emitter& emitter, const std::vector<Run>& runs)
      : emitter_(emitter), runs_(runs), shared_(runs.size() > 1 ? common_settings(runs) : none_) {}

  void emit() {
    Html& out = emitter_.out;
    const std::string reference = machine();
    out.open("div", {{"class", "bench-table"},
                     {"role", "group"},
                     {"tabindex", "0"},
                     {"aria-label", emitter_.word("Results")}});
    out.open("table").open("thead").open("tr");
    out.open("th", {{"scope", "col"}}).text(emitter_.word("Kernel"));
    small(shared_);
    out.close();
    out.element("th", {{"scope", "col"}, {"class", "reference"}},
                reference.empty() ? emitter_.word("Reference") : reference);
    out.element("th", {{"scope", "col"}, {"class", "yours"}}, emitter_.word("Yours"));
    out.close().close().line();
    for (std::size_t i = 0; i < runs_.size();) {
      std::size_t end = i + 1;
      while (end < runs_.size() && runs_[end].kernel == runs_[i].kernel) ++end;
      group(i, end);
      i = end;
    }
    out.close().close().line();
  }

 private:
  // Whose numbers stand beside the reader's: the GPU's machine where all are a GPU's, else the book's.
  std::string machine() {
    const auto& values = emitter_.shared.values;
    are_of_other_gpu_ = std::ranges::all_of(runs_, &Run::is_other_gpu);
    const auto& profile = are_of_other_gpu_ ? values.reference_gpu : values.reference;
    return profile ? profile->label() : "";
  }

  void small(const std::vector<std::string>& settings) {
    if (!settings.empty()) emitter_.out.text(" ").element("small", {}, join(settings, ", "));
  }

  void title(const Run& run) {
    const std::string said = emitter_.word(run.kernel->title);
    const std::string foreign = said == run.kernel->title ? emitter_.shared.foreign() : "";
    emitter_.out.element("span", {{"lang", foreign, !foreign.empty()}}, said);
  }

  void group(std::size_t begin, std::size_t end) {
    Html& out = emitter_.out;
    const bool several = end - begin > 1;
    out.open("tbody").line();
    std::vector<std::string> said = shared_;
    if (several) {
      std::vector<std::string> common =
          common_settings(std::span(runs_).subspan(begin, end - begin));
      without(common, said);
      out.open("tr", {{"class", "bench-group"}});
      out.open("th", {{"scope", "rowgroup"}, {"colspan", "2"}});
      title(runs_[begin]);
      small(common);
      out.close().element("td", {{"class", "yours"}}, "").close().line();
      said.insert(said.end(), common.begin(), common.end());
    }
    for (std::size_t i = begin; i < end; ++i) row(i, said, several);
    out.close().line();
  }

  static void without(std::vector<std::string>& settings, const std::vector<std::string>& said) {
    std::erase_if(settings, [&](const std::string& one) {
      return std::ranges::find(said, one) != said.end();
    });
  }

  // The measured rows that an open question asks to guess: ids of predictions.
  std::string veils(const Run& run) const {
    std::string ids;
    for (const auto& guess : emitter_.guesses) {
      if (!(guess.runs.empty() ? guess.is_near : guess.runs.contains(run.key))) continue;
      ids += (ids.empty() ? "" : " ") + guess.id;
    }
    return ids;
  }

  void row(std::size_t i, const std::vector<std::string>& said, bool grouped) {
    Html& out = emitter_.out;
    const Run& run = runs_[i];
    const std::string after = run.value > 0 ? veils(run) : "";
    std::ostringstream number;
    number << std::setprecision(4) << run.value;
    out.open("tr", {{"data-run", std::to_string(i)},
                    {"data-unit", run.kernel->unit},
                    {"data-reference", number.str(), run.value > 0},
                    {"data-after", after, !after.empty()}});
    std::vector<std::string> own = run.settings;
    without(own, said);
    out.open("th", {{"scope", "row"}}).open("span", {{"class", "bench-run"}});
    out.open("span", {{"class", "bench-name"}});
    if (grouped && !own.empty()) {
      out.text(join(own, ", "));
    } else {
      title(run);
      small(own);
    }
    out.close();
    strip(run);
    out.close().close();
    reference(run);
    out.element("td", {{"class", "yours"}}, "–").close().line();
  }

  // Where the reference stands on the scale of its unit; scripts add the reader's dot.
  void strip(const Run& run) {
    Html& out = emitter_.out;
    out.open("svg", {{"class", "strip"}, {"aria-hidden", "true"}, {"height", "16"}});
    out.empty("line", {{"x1", "0"}, {"x2", "100%"}, {"y1", "8"}, {"y2", "8"}});
    if (run.value > 0) {
      const std::string at = Scale(runs_, run.kernel->unit).place(run.value);
      out.empty("line", {{"class", "tick"}, {"x1", at}, {"x2", at}, {"y1", "2"}, {"y2", "14"}});
    }
    out.close();
  }

  void reference(const Run& run) {
    Html& out = emitter_.out;
    if (run.published && run.reference.empty()) {
      out.open("td", {{"class", "reference published"}});
      emitter_.markdown_line(*run.published);
      out.text(" ").element("small", {}, emitter_.word("published")).close();
      return;
    }
    out.open("td", {{"class", "reference"}}).text(run.reference.empty() ? "–" : run.reference);
    if (run.is_other_gpu && !are_of_other_gpu_) {
      out.text(" ").element("small", {}, emitter_.shared.values.reference_gpu->label());
    }
    out.close();
  }

  Emitter& emitter_;
  const std::vector<Run>& runs_;
  const std::vector<std::string> none_;
  const std::vector<std::string> shared_;
  bool are_of_other_gpu_ = false;
};

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

std::string run_key(const figures::Name& name) {
  std::vector<std::string> arguments;
  for (const auto& one : name.arguments) {
    arguments.push_back(one.name + '=' +
                        (one.word.empty() ? nlohmann::json(one.number.value).dump() : one.word));
  }
  std::ranges::sort(arguments);
  return name.id + '{' + join(arguments, ",") + '}';
}

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
  out.open("primer-bench", {{"id", id},
                            {"state", "idle"},
                            {"class", "hero", hero},
                            {"data-press", press, hero},
                            {"role", "group", !hero},
                            {"aria-labelledby", id + ".label", !hero}});
  out.line().open("div", {{"class", "bench-head"}}).line();
  if (!hero) {
    out.element("p", {{"class", "label"}, {"id", id + ".label"}},
                emitter.label(block.anchor, AnchorKind::measurement));
  }
  out.line().open("p", {{"class", "bench-try"}});
  emitter.markdown_line(record.at("try"));
  out.close().line().close().line();
  out.open("div", {{"class", "bench-act"}}).line();
  out.element("div", {{"class", "bench-controls"}}, "").line();
  out.element("p", {{"class", "bench-cost"}}, cost(emitter, runs, roofs, seconds)).line();
  out.element("p", {{"class", "bench-status"}, {"role", "status"}}, "").line().close().line();
  if (!runs.empty()) {
    BenchTable(emitter, runs).emit();
  }
  out.close().line();
  for (auto& guess : emitter.guesses) guess.is_near = false;
  emitter.data.benches.push_back({{"id", id},
                                  {"runs", std::move(data)},
                                  {"roofs", roofs},
                                  {"quick", quick},
                                  {"seconds", seconds}});
}

}  // namespace primer
