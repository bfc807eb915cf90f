// Facts from Google Benchmark's JSON: their values, their source, a second import, and what is
// wrong with a file.
#include "generator/tools/facts/benchmark_import.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/load/values.hpp"
#include "small_book.hpp"

using namespace primer;
using nlohmann::json;

namespace {

const std::string runs = "chapters/facts/runs.json", works = "chapters/facts/references.json";
const BenchmarkImport how{"", "https://example.org/bench.json"};

json iteration(const char* name, double time, double bytes = 0) {
  json one = {{"name", name},     {"run_name", name},  {"run_type", "iteration"},
              {"threads", 1},     {"iterations", 100}, {"real_time", time},
              {"cpu_time", time}, {"time_unit", "us"}};
  if (bytes > 0) one["bytes_per_second"] = bytes;
  return one;
}

json results(const std::vector<json>& benchmarks) {
  return {{"context",
           {{"date", "2026-11-30T18:49:17+00:00"},
            {"host_name", "Lab-7"},
            {"executable", "./build/copy_bench"},
            {"num_cpus", 8},
            {"mhz_per_cpu", 3200},
            {"caches", json::array()},
            {"load_avg", {0.5}},
            {"library_build_type", "release"}}},
          {"benchmarks", benchmarks}};
}

struct Outcome {
  std::optional<ImportedBenchmarks> made;
  std::string said;
};

Outcome import(const small_book::Files& files, const json& given,
               const BenchmarkImport& with = how) {
  Diagnostics diagnostics;
  auto made =
      import_benchmarks(*in_memory(files), Source("bench.json", given.dump(2)), with, diagnostics);
  return {std::move(made), to_text(diagnostics, Format::text)};
}

}  // namespace

TEST_CASE("benchmark import: the median of the runs, a source and a machine") {
  const auto [made, said] = import(
      small_book::with(""),
      results({iteration("BM_Copy<float>/4096", 12.342, 98.71e9),
               iteration("BM_Copy<float>/4096", 12.1),
               iteration("BM_Copy<float>/4096", 15.9),
               {{"name", "BM_Bad"}, {"error_occurred", true}, {"error_message", "no memory"}}}));
  INFO(said);
  REQUIRE(made);
  CHECK(said.empty());
  REQUIRE(made->changes.size() == 2);
  CHECK(made->changes[0].id == "lab-7.copy-float-4096.time");
  CHECK(made->changes[0].before.empty());
  CHECK(made->changes[0].after == "12.3 µs");
  CHECK(made->changes[1].id == "lab-7.copy-float-4096.bandwidth");
  CHECK(made->changes[1].after == "98.7 GB/s");
  CHECK(made->left_out == std::vector<std::string>{"BM_Bad: failed: no memory"});
  const auto facts = json::parse(made->files.at(runs));
  CHECK(facts["lab-7"]["title"] == "Lab-7, 8 CPUs at 3200 MHz");
  CHECK(facts["lab-7.copy-float-4096.time"] ==
        json{{"value", "12.3 µs"},
             {"sources", {"lab-7-benchmark"}},
             {"read", "device"},
             {"note", "BM_Copy<float>/4096, median of 3 runs"}});
  const auto source = json::parse(made->files.at(works))["lab-7-benchmark"];
  CHECK(source["title"] ==
        "Google Benchmark results of copy_bench on Lab-7, 8 CPUs at 3200 MHz, 2026-11-30");
  CHECK(source["url"] == how.url);
}

TEST_CASE("benchmark import: a second import changes facts and what is derived from them") {
  auto files = small_book::with("");
  const auto first = import(files, results({iteration("BM_A", 10), iteration("BM_B", 20)}));
  REQUIRE(first.made);
  for (const auto& [path, text] : first.made->files) files[path] = text;
  std::string& text = files[runs];
  text.insert(text.rfind('}') - 1,
              ",\n  \"lab-7.ratio\": {\"value\": \"2.0×\", \"kind\": \"derived\", "
              "\"from\": \"lab-7.b.time / lab-7.a.time\"}");
  const auto [made, said] = import(files, results({iteration("BM_A", 10), iteration("BM_B", 25)}));
  INFO(said);
  REQUIRE(made);
  REQUIRE(made->changes.size() == 2);
  CHECK(made->changes[0].id == "lab-7.b.time");
  CHECK(made->changes[1].before == "2.0×");
  CHECK(made->changes[1].after == "2.5×");
}

TEST_CASE("benchmark import: only medians, and a directory without a book") {
  json median = iteration("BM_A_median", 11);
  median["run_name"] = "BM_A";
  median["run_type"] = "aggregate";
  median["aggregate_name"] = "median";
  const auto [made, said] = import({}, results({median}));
  INFO(said);
  REQUIRE(made);
  CHECK(made->changes.at(0).after == "11.0 µs");
}

TEST_CASE("benchmark import: what is wrong is reported at its key") {
  const auto files = small_book::with("");
  auto broken = results({iteration("BM_A", 10)});
  broken["benchmarks"][0]["time_unit"] = "min";
  CHECK(import(files, broken).said.find("\"time_unit\" must be one of ns, us, ms, s") !=
        std::string::npos);
  broken = results({iteration("BM_A", 10)});
  broken["benchmarks"][0].erase("real_time");
  CHECK(import(files, broken).said.find("missing \"real_time\"") != std::string::npos);
  broken["context"].erase("date");
  CHECK(import(files, broken).said.find("\"date\"") != std::string::npos);
  CHECK(import(files, results({iteration("BM_a", 1), iteration("BM_A", 2)}))
            .said.find("gives the same id as \"BM_a\"") != std::string::npos);
  broken = results({iteration("BM_A", 10)});
  broken["context"]["host_name"] = "7";
  CHECK(import(files, broken).said.find("--as my-laptop") != std::string::npos);
  CHECK(import(files, broken, {"seven", how.url}).made);
  CHECK(import(files, results({iteration("BM_A", 10)}), {"", "no address"}).made == std::nullopt);
  broken = results({iteration("BM_A", 10)});
  broken["context"]["library_build_type"] = "debug";
  CHECK(import(files, broken).said.find("warning: a debug build") != std::string::npos);
}
