// The blocks about measurements: ```bench runs kernels, ```verdict says what a result means.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <span>
#include <sstream>

#include "figures/quantities/verdict.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/render/stand_in.hpp"

namespace primer {
// ```bench: kernels to run in the page, next to the reference machine's results.

namespace {
struct Run {
  // One row of the table.
  const figures::KernelInfo* kernel = nullptr;
  PageData::Json data;                // for the page's scripts: kernel, params, threads, variant
  std::vector<std::string> settings;  // parameters that the block sets: "n = 512"
  std::string key;                    // run_key()
  std::string reference;              // "45.3 GFLOP/s"; empty: not measured
  bool is_other_gpu = false;          // `reference` comes from Values::reference_gpu
  double value = 0;                   // `reference` in the kernel's unit; 0: not measured
  const Yaml* published = nullptr;  // published result to show instead of `reference`; may be null
};

void unknown_kernel(Emitter& emitter, const Yaml& at, std::string_view id) {
  std::vector<std::string> known;
  for (const auto& kernel : emitter.shared.values.catalogue.all()) known.push_back(kernel.id);
  emitter.error(Rule::unknown_kernel, at.offset, at.length, "unknown kernel " + in_quotes(id),
                nearest(id, known));
}

// For example "w = 64 MiB".
std::string spelled(const figures::Argument& argument) {
  const bool bytes = argument.number.dimension == figures::Dimension{.byte = 1};
  return argument.name + " = " + spelled_parameter(argument.number.value, bytes);
}

// Whether the registry allows the argument. Reports if it does not.
bool within_range(Emitter& emitter, const Yaml& at, const figures::KernelInfo& kernel,
                  const figures::Argument& argument) {
  for (const auto& one : emitter.shared.values.kernels->descriptions()) {
    if (one.at("id") != kernel.id || one.at("variant") != kernel.variant) continue;
    for (const auto& param : one.at("params")) {
      const double least = param.at("min").get<double>(), most = param.at("max").get<double>();
      const double value = argument.number.value;
      if (param.at("name") != argument.name || (value >= least && value <= most)) continue;
      const bool bytes = param.at("unit") == "B";
      emitter.error(Rule::bad_value, at,
                    figures::Error{in_quotes(argument.name) + " of " + kernel.id +
                                       " must be between " + spelled_parameter(least, bytes) +
                                       " and " + spelled_parameter(most, bytes),
                                   argument.offset, argument.name.size()});
      if (bytes) emitter.diagnostics.hint("write bytes with a unit: w=64MiB");
      return false;
    }
  }
  return true;
}

// Fills in the value of every declared parameter. False after a diagnostic.
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
      emitter.diagnostics.hint("expected one of " + join(known, ", "));
      return false;
    }
  }
  if (threads > 1 && emitter.shared.values.kernels->title(run.kernel->id, "")) {
    emitter.error(Rule::bad_value, at.offset, at.length,
                  run.kernel->id + " is a kernel of this book; these run on one thread");
    return false;
  }
  if (threads > 1) {
    run.settings.push_back(emitter.shared.words("{n} threads", std::to_string(threads)));
  }
  run.data = {{"kernel", run.kernel->id}, {"params", params}, {"threads", threads}};
  if (!run.kernel->variant.empty()) run.data["variant"] = run.kernel->variant;
  return true;
}

// Takes the result of the run from the sources, if they have one.
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
                  "expected a kernel such as matmul.packed{n=512}");
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

// Assigns published results to runs. `published` names a run by its text in `kernels`.
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

// The settings that all runs share. The table shows them once, above the runs.
std::vector<std::string> common_settings(std::span<const Run> runs) {
  std::vector<std::string> common = runs.front().settings;
  std::erase_if(common, [&](const std::string& one) {
    return !std::ranges::all_of(runs, [&](const Run& run) {
      return std::ranges::find(run.settings, one) != run.settings.end();
    });
  });
  return common;
}

// Logarithmic scale shared by all rows with one unit. site/runtime/page/strip.js computes the same
// one.
struct Scale {
  double low = 0, high = 0;

  Scale(const std::vector<Run>& runs, const std::string& unit) {
    for (const auto& run : runs) {
      if (run.kernel->unit != unit || run.value <= 0) continue;
      low = low > 0 ? std::min(low, run.value / 2) : run.value / 2;
      high = std::max(high, run.value * 2);
    }
  }
  // Position on the scale in CSS: "43.2%".
  std::string place(double value) const {
    const double share = (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << 100 * share << '%';
    return text.str();
  }
};

// The results table. Adjacent runs of one kernel form a group whose rows show only their settings.
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
  // Title of the reference column: the GPU's machine if all references are from that, otherwise the
  // book's reference machine.
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
    const auto& kernels = *emitter_.shared.values.kernels;
    if (const auto* own = kernels.title(run.kernel->id, emitter_.shared.book.language))
      return static_cast<void>(emitter_.out.element("span", {}, *own));
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

  // Ids of the predictions that ask about this run. Scripts hide the row until they are answered.
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

  // The reference's position on the scale; scripts add the reader's dot.
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

// How long the run takes and which parts of the machine it uses.
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
  // A quick run takes about half a second per kernel and four seconds for the roofs.
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

// ```verdict: shows the sentence that a measured value selects, first for the reference machine.

namespace {
// Moves an error to its position in the YAML, because leading space was trimmed before parsing.
figures::Error in_sentence(const Yaml& say, const figures::Error& error) {
  return figures::Error(error).moved(
      static_cast<std::size_t>(trim(say.text).data() - say.text.data()));
}

// Reports an error of the check of all cases at the case that it is about.
void report(Emitter& emitter, const Yaml& block, const figures::Error& error) {
  const auto& cases = block.find("cases")->items;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string path = "cases[" + std::to_string(i) + "]";
    const Yaml* say = cases[i].find("say");
    const Yaml* when = cases[i].find("when");
    if (error.path == path) return emitter.error(Rule::bad_verdict, cases[i], error);
    if (say && error.path == path + ".say")
      return emitter.error(Rule::bad_verdict, *say, in_sentence(*say, error));
    if (when && error.path == path + ".when") return emitter.error(Rule::bad_verdict, *when, error);
  }
  emitter.error(Rule::bad_verdict, *block.find("on"), error);
}

struct Parsed {
  figures::Verdict verdict;
  PageData::Json cases = PageData::Json::array();
};

// No value after a diagnostic.
std::optional<Parsed> parse_cases(Emitter& emitter, const Yaml& on, const Yaml& list) {
  Parsed parsed;
  bool good = true;
  if (const auto status = parsed.verdict.set_on(on.text); !status) {
    emitter.error(Rule::bad_expression, on, status.error());
    good = false;
  }
  for (const auto& item : list.items) {
    Record record(item, emitter.source, emitter.diagnostics);
    const std::string when = record.required_text("when");
    const std::string say(trim(record.required_text("say")));
    if (const auto status = parsed.verdict.add_when(when); !status) {
      emitter.error(Rule::bad_verdict, record.at("when"), status.error());
      good = false;
      continue;  // without the case, the sentence belongs to nothing
    }
    if (const auto status = parsed.verdict.set_say(say); !status) {
      emitter.error(Rule::bad_verdict, record.at("say"),
                    in_sentence(record.at("say"), status.error()));
      good = false;
    }
    parsed.cases.push_back({{"when", when}, {"say", say}});
  }
  if (!good) return std::nullopt;
  return parsed;
}

// The longest sentence with values of typical length. The page reserves room for it, so that
// nothing moves if another sentence is selected.
std::string longest(const PageData::Json& cases) {
  std::string longest;
  for (const auto& one : cases) {
    std::string text = one.at("say").get<std::string>();
    for (auto open = text.find('{'); open != text.npos; open = text.find('{', open)) {
      const auto unit = text.find('|', open);
      std::size_t depth = 0, close = open;
      for (; close < text.size(); ++close) {
        depth += text[close] == '{';
        if (text[close] == '}' && --depth == 0) break;
      }
      text.replace(open, close - open + 1, unit < close ? "00.0 GFLOP/s" : "00.00");
    }
    if (text.size() > longest.size()) longest = text;
  }
  return longest;
}

// The measurements that a verdict names, once each: {kernel, params, threads}. Parameters with
// default values may be missing.
PageData::Json named_runs(const std::vector<figures::Name>& names, const Values& values) {
  PageData::Json runs = PageData::Json::array();
  for (const auto& name : names) {
    if (!kernel_of(name, values)) continue;
    PageData::Json run = {
        {"kernel", name.id}, {"params", PageData::Json::object()}, {"threads", 1}};
    for (const auto& argument : name.arguments) {
      if (is_one_of(argument.name, {"module", "device"})) continue;
      if (!argument.word.empty()) run["params"][argument.name] = argument.word;
      else if (argument.name == "threads") run["threads"] = argument.number.value;
      else run["params"][argument.name] = argument.number.value;
    }
    if (std::ranges::find(runs, run) == runs.end()) runs.push_back(std::move(run));
  }
  return runs;
}

// Whether the name's value depends on the machine's roofs: "P.fma", "B.out", "ridge", "beta(…)".
bool names_roof(const figures::Name& name) {
  const auto begins = [&](std::string_view word) {
    return name.id == word || name.id.starts_with(std::string(word) + '.');
  };
  return name.function == "beta" || begins("P") || begins("B") || begins("ridge");
}

}  // namespace

void verdict_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  const std::string on = record.required_text("on");
  const Yaml* list = record.list("cases");
  if (!block.anchor) return;
  const auto parsed = parse_cases(emitter, record.at("on"), *list);
  if (!parsed) return;

  const Values& values = emitter.shared.values;
  const bool is_measured = values.reference && !values.unmeasured;
  if (is_measured) {
    // Sentences about a GPU, or about kernels that the reference never ran, are checked on a fake
    // profile.
    const auto names = parsed->verdict.names();
    const auto machine = stand_in(names, values);
    auto sources = values.with_reference();
    if (needs_stand_in(names, values)) sources.profile = &machine;
    if (const auto checked = parsed->verdict.check(sources); !checked) {
      report(emitter, block.yaml, checked.error());
      if (checked.error().code == figures::Code::no_case) {
        emitter.diagnostics.hint("add a last case with when: otherwise to cover the rest");
      }
      const auto expression = figures::Expression::parse(on);
      if (expression) hint_of_measured(emitter, *expression, checked.error());
      return;
    }
  }
  const auto choice = parsed->verdict.choose(values.with_reference(), nullptr);
  if (!choice && is_measured) {
    emitter.error(Rule::bad_verdict, record.at("on").offset, record.at("on").length,
                  choice.error().message, choice.error().suggestion);
    return;
  }
  emitter.out
      .element("p",
               {{"class", "verdict"},
                {"id", block.anchor->id},
                {"data-verdict", block.anchor->id},
                {"data-room", longest(parsed->cases)}},
               choice ? choice->text : emitter.word("Not measured yet."))
      .line();
  const auto names = parsed->verdict.names();
  emitter.data.verdicts.push_back({{"id", block.anchor->id},
                                   {"on", on},
                                   {"cases", parsed->cases},
                                   {"runs", named_runs(names, values)},
                                   {"roofs", std::ranges::any_of(names, names_roof)}});
  emitter.data.need(names, values.facts);
}

}  // namespace primer
