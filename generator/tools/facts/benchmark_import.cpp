#include "generator/tools/facts/benchmark_import.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "figures/base/ascii.hpp"
#include "figures/quantities/quantity.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/formats/json_entry.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/load/values.hpp"
#include "generator/tools/forms/entry_form.hpp"

namespace primer {
namespace {
using nlohmann::json;

// What the import reads of a file; other members are ignored.
constexpr const char* results_schema = R"json({
  "type": "object", "required": ["context", "benchmarks"],
  "properties": {
    "context": {
      "type": "object", "required": ["date", "num_cpus"],
      "properties": {
        "date": {"type": "string", "pattern": "^20[0-9]{2}-[0-9]{2}-[0-9]{2}"},
        "host_name": {"type": "string"}, "executable": {"type": "string"},
        "num_cpus": {"type": "integer", "minimum": 1}, "mhz_per_cpu": {"type": "integer"},
        "cpu_scaling_enabled": {"type": "boolean"}, "library_build_type": {"type": "string"}
      }
    },
    "benchmarks": {
      "type": "array", "minItems": 1,
      "items": {
        "type": "object", "required": ["name"],
        "properties": {
          "name": {"type": "string", "minLength": 1}, "run_name": {"type": "string"},
          "run_type": {"enum": ["iteration", "aggregate"]},
          "aggregate_name": {"type": "string"},
          "real_time": {"type": "number", "minimum": 0},
          "time_unit": {"enum": ["ns", "us", "ms", "s"]},
          "bytes_per_second": {"type": "number", "minimum": 0},
          "items_per_second": {"type": "number", "minimum": 0},
          "error_occurred": {"type": "boolean"}, "error_message": {"type": "string"}
        }
      }
    }
  }
})json";

constexpr const char* runs_file = "runs.json";

// The runs of one benchmark. A median that Google Benchmark computed replaces them.
struct Runs {
  std::size_t first = 0;  // index in the file
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, double> medians;
  std::string time_unit;
  std::string failure;
};

std::string text_in(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// "BM_Copy<float>/4096/threads:2" → "copy-float-4096-threads-2".
std::string id_part(std::string_view name) {
  std::string id;
  if (name.starts_with("BM_")) name.remove_prefix(3);
  for (const char c : name) {
    const char low = figures::lower(std::string(1, c))[0];
    const bool good = (low >= 'a' && low <= 'z') || figures::is_digit(low);
    if (good) id += low;
    else if (!id.empty() && id.back() != '-') id += '-';
  }
  while (id.ends_with('-')) id.pop_back();
  return id;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string time_text(double value, const std::string& unit) {
  const std::string shown = unit == "us" ? "µs" : unit;
  const auto parsed = figures::parse_unit(shown);
  return figures::format({value * parsed->scale, parsed->dimension}, shown).value_or("");
}

std::string bandwidth_text(double bytes_per_second) {
  const auto unit = figures::parse_unit("GB/s");
  return figures::format({bytes_per_second, unit->dimension});
}

std::string rate_text(double items_per_second) {
  const char* unit = items_per_second >= 1e9   ? "billion elements/s"
                     : items_per_second >= 1e6 ? "million elements/s"
                                               : "elements/s";
  return figures::format({items_per_second, figures::parse_unit(unit)->dimension}, unit)
      .value_or("");
}

// Reads the results and turns them into entries of the book's files, one after the other, each
// checked together with all facts and references.
class Import {
 public:
  Import(const FileSystem& files, const JsonFile& results, BenchmarkImport how,
         Diagnostics& diagnostics)
      : files_(files), results_(results), how_(std::move(how)), diagnostics_(diagnostics) {}

  std::optional<ImportedBenchmarks> run() {
    const std::size_t errors = diagnostics_.count(Severity::error);
    warn_about_context();
    if (!find_machine() || !collect()) return std::nullopt;
    write_reference();
    write_machine();
    for (const auto& [name, runs] : runs_) write(name, runs);
    if (diagnostics_.count(Severity::error) > errors) return std::nullopt;
    return std::move(made_);
  }

 private:
  const json& context() const { return results_.value.at("context"); }

  void warn_about_context() {
    const auto warn = [&](const char* name, const char* message) {
      const JsonPlace place = json_place(results_, JsonPath{"context", name});
      diagnostics_.warning(Rule::bad_value, results_.source, place.offset, place.length, message);
    };
    if (text_in(context(), "library_build_type") == "debug")
      warn("library_build_type", "a debug build of Google Benchmark adds time to each run");
    if (context().value("cpu_scaling_enabled", false))
      warn("cpu_scaling_enabled", "the clock changed during the runs, so times may vary");
  }

  bool find_machine() {
    const std::string host = text_in(context(), "host_name");
    machine_ = how_.machine.empty() ? id_part(host) : how_.machine;
    if (is_identifier(machine_)) return true;
    if (how_.machine.empty()) {
      json_error(results_, host.empty() ? "context" : "context.host_name",
                 "no id of the machine follows from its host name", diagnostics_);
    } else {
      diagnostics_.error(Rule::bad_id, "", in_quotes(machine_) + " is no id of a machine");
    }
    diagnostics_.hint("name it: --as my-laptop");
    return false;
  }

  bool collect() {
    std::map<std::string, std::string> names;  // by the part of the id
    const auto& benchmarks = results_.value.at("benchmarks");
    for (std::size_t i = 0; i < benchmarks.size(); ++i) {
      const json& one = benchmarks[i];
      const std::string name =
          one.contains("run_name") ? text_in(one, "run_name") : text_in(one, "name");
      const auto [known, is_new] = names.emplace(id_part(name), name);
      if (known->first.empty() || known->second != name) {
        json_error(results_, place_of(i, "name"),
                   known->first.empty()
                       ? "the name has no letter for an id"
                       : "the name gives the same id as " + in_quotes(known->second),
                   diagnostics_);
        return false;
      }
      if (!add(i, one, runs_.try_emplace(name, Runs{i, {}, {}, {}, {}}).first->second))
        return false;
    }
    return true;
  }

  static std::string place_of(std::size_t benchmark, const char* member) {
    return "benchmarks[" + std::to_string(benchmark) + "]." + member;
  }

  bool add(std::size_t i, const json& one, Runs& runs) {
    if (one.value("error_occurred", false)) {
      runs.failure = "failed: " + text_in(one, "error_message");
      return true;
    }
    const std::string aggregate = text_in(one, "aggregate_name");
    if (!aggregate.empty() && aggregate != "median") return true;
    for (const char* name : {"real_time", "time_unit"}) {
      if (one.contains(name)) continue;
      json_error(results_, "benchmarks[" + std::to_string(i) + ']', "missing " + in_quotes(name),
                 diagnostics_);
      return false;
    }
    runs.time_unit = text_in(one, "time_unit");
    for (const char* name : {"real_time", "bytes_per_second", "items_per_second"}) {
      if (!one.contains(name)) continue;
      const double value = one[name].get<double>();
      if (aggregate.empty()) runs.values[name].push_back(value);
      else runs.medians[name] = value;
    }
    return true;
  }

  std::string host_title() const {
    const std::string host = text_in(context(), "host_name");
    std::string title = (host.empty() ? machine_ : host) + ", " +
                        counted(context().at("num_cpus").get<std::size_t>(), "CPU");
    if (const int clock = context().value("mhz_per_cpu", 0); clock > 0)
      title += " at " + std::to_string(clock) + " MHz";
    return title;
  }

  void write_reference() {
    const std::string program = text_in(context(), "executable"),
                      date = text_in(context(), "date").substr(0, 10);
    json entry = {
        {"type", "dataset"},
        {"title", "Google Benchmark results of " + program.substr(program.find_last_of("/\\") + 1) +
                      " on " + host_title() + ", " + date},
        {"year", std::stoi(date)},
        {"url", how_.url},
        {"level", "data"},
        {"checked", true}};
    put(facts_directory + std::string("references.json"), source_id(),
        written_entry(source_id(), {"type", "title", "year", "url", "level", "checked"}, entry,
                      true));
  }

  std::string source_id() const { return machine_ + "-benchmark"; }

  void write_machine() {
    const json entry = {{"title", host_title()}};
    put(facts_directory + std::string(runs_file), machine_,
        written_entry(machine_, {"title"}, entry, false));
  }

  void write(const std::string& name, const Runs& runs) {
    if (runs.values.empty() && runs.medians.empty()) {
      made_.left_out.push_back(
          name + ": " + (runs.failure.empty() ? "it has no run and no median" : runs.failure));
      return;
    }
    const auto value = [&](const char* member) -> std::optional<double> {
      if (const auto all = runs.values.find(member); all != runs.values.end())
        return median(all->second);
      const auto one = runs.medians.find(member);
      return one == runs.medians.end() ? std::nullopt : std::optional(one->second);
    };
    const auto times = runs.values.find("real_time");
    const std::size_t count = times == runs.values.end() ? 0 : times->second.size();
    const std::string note = count == 0   ? "median of several runs"
                             : count == 1 ? "one run"
                                          : "median of " + std::to_string(count) + " runs";
    const std::string id = machine_ + '.' + id_part(name);
    if (const auto time = value("real_time"))
      set(runs, id + ".time", time_text(*time, runs.time_unit), name + ", " + note);
    if (const auto bytes = value("bytes_per_second"))
      set(runs, id + ".bandwidth", bandwidth_text(*bytes), name + ", " + note);
    if (const auto items = value("items_per_second"))
      set(runs, id + ".rate", rate_text(*items), name + ", items per second, " + note);
  }

  // Adds a fact, or changes it and what is derived from it.
  void set(const Runs& runs, const std::string& id, const std::string& text,
           const std::string& note) {
    const auto book = layered(*edited_, files_);
    if (!fact_form(*book, id).empty()) {
      auto edited = edit_fact(*book, {id, text, {source_id()}, note, "device", true}, diagnostics_);
      if (!edited) return;
      for (auto& [path, whole] : edited->files) replace(path, std::move(whole));
      for (auto& change : edited->changes)
        if (change.before != change.after) made_.changes.push_back(std::move(change));
      return;
    }
    const json values = {{"id", {id}},         {"file", {runs_file}},
                         {"value", {text}},    {"sources", {source_id()}},
                         {"read", {"device"}}, {"note", {note}}};
    std::vector<FieldFault> faults;
    auto file = enter_entry(*book, "fact", values, faults);
    for (const auto& [field, fault] : faults)
      json_error(results_, place_of(runs.first, "name"), fault.message, diagnostics_);
    if (!file) return;
    replace(file->path, std::move(file->text));
    made_.changes.push_back({id, "", text});
  }

  // Adds or replaces an entry of a file that may not exist.
  void put(const std::string& path, const std::string& id, const std::string& entry) {
    const auto book = layered(*edited_, files_);
    const std::string text = book->read(path).value_or("{}\n");
    const auto tree = json_tree(text);
    const bool is_there =
        std::ranges::any_of(tree.entries, [&](const auto& known) { return known.key.text == id; });
    replace(path, is_there ? with_entry_replaced(text, id, entry)
                           : with_json_entries(text, {{id, entry}}));
  }

  void replace(const std::string& path, std::string text) {
    made_.files[path] = std::move(text);
    edited_ = in_memory(made_.files);
  }

  const FileSystem& files_;
  const JsonFile& results_;
  const BenchmarkImport how_;
  Diagnostics& diagnostics_;
  std::string machine_;
  std::map<std::string, Runs> runs_;  // by name
  ImportedBenchmarks made_;
  std::unique_ptr<FileSystem> edited_ = in_memory({});
};

}  // namespace

std::optional<ImportedBenchmarks> import_benchmarks(const FileSystem& files, const Source& results,
                                                    const BenchmarkImport& how,
                                                    Diagnostics& diagnostics) {
  const auto file = parse_json(results.path(), std::string(results.text()), diagnostics);
  static const json schema_of_results = json::parse(results_schema);
  if (!file ||
      !explain(schema_of_results, "the file", file->tree, false, file->source, diagnostics))
    return std::nullopt;
  return Import(files, *file, how, diagnostics).run();
}

}  // namespace primer
