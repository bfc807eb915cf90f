// `primer profile`: the full messages about invalid profiles, and the table of two valid ones.
#include "generator/cli/profile_command.hpp"

#include <filesystem>

#include "catch.hpp"
#include "generator/core/formats/json.hpp"
#include "generator/core/load/kernel_catalogue.hpp"
#include "generator/core/load/profile_validation.hpp"

using namespace primer;

namespace {

figures::Catalogue catalogue() {
  auto read = figures::Catalogue::from_json(kernel_descriptions());
  REQUIRE(read);
  return *read;
}

std::string errors(const std::string& text) {
  Diagnostics diagnostics;
  const auto file = parse_json("p.json", text, diagnostics);
  const auto profile = file ? validate_profile(*file, catalogue(), diagnostics) : std::nullopt;
  CHECK(profile.has_value() == diagnostics.empty());
  return to_text(diagnostics, Format::text);
}

std::string with_results(const std::string& results) {
  return "{\"schema\": 1, \"results\": [\n" + results + "\n]}";
}

NamedProfile named(const std::string& name, const std::string& text) {
  auto profile = figures::parse_profile(text);
  REQUIRE(profile);
  return {name, std::move(*profile)};
}

std::string row(const std::string& kernel, const std::string& rest) {
  return "{\"kernel\": \"" + kernel + "\", " + rest + "}";
}

}  // namespace

TEST_CASE("profile: a valid one is summarized") {
  Diagnostics diagnostics;
  const std::string directory = PRIMER_SOURCE "/tests/fixtures/profiles/";
  CHECK(validate_profiles({directory + "empty.json", directory + "phone.json"}, "", diagnostics) ==
        directory + "empty.json: 0 results of 0 kernels (0 unavailable), 0 roofs, 0 levels\n" +
            directory +
            "phone.json: 29 results of 14 kernels (6 unavailable), 5 roofs, 3 levels\n");
  const std::string profiles = PRIMER_SOURCE "/figures/profiles";
  for (const auto& file : std::filesystem::directory_iterator(profiles))
    CHECK_FALSE(validate_profiles({file.path().string()}, "", diagnostics).empty());
  CHECK(to_text(diagnostics, Format::text) == "");
}

TEST_CASE("profile: a file that is not there") {
  Diagnostics diagnostics;
  CHECK(validate_profiles({"no/such.json"}, "", diagnostics) == "");
  CHECK(to_text(diagnostics, Format::text) ==
        "no/such.json: error: there is no such file [file-unreadable]\n1 error\n");
}

TEST_CASE("profile: text that is no JSON") {
  CHECK(errors("{\"schema\": 1,\n") == R"(p.json:1:1: error: this bracket is never closed [bad-json]
  {"schema": 1,
  ^
1 error
)");
  CHECK(errors("[1]") ==
        R"(p.json:1:1: error: the profile must be a map of keys and values [wrong-type]
  [1]
  ^
1 error
)");
  const auto nested = [](std::size_t depth) {
    return "{\"schema\": 1, \"a\": " + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  CHECK(errors(nested(16)).find("nests more than 16 deep [bad-value]") != std::string::npos);
  CHECK(errors(nested(80)).find("nests more than 64 deep [bad-json]") != std::string::npos);
  CHECK(errors(nested(15)) == "");
}

TEST_CASE("profile: values of the wrong kind, all of them at once") {
  CHECK(errors(R"({"schema": 1, "timer_us": -1,
 "devices": [{"id": "cpu", "kind": "gpuu"}],
 "results": [
  {"kernel": "matmul.packed", "params": {"n": "x"}, "status": "measurd"},
  {"kernel": "", "params": {}, "status": "measured", "unit": "ns", "median": 0, "verified": 1}]})") ==
        R"(p.json:1:27: error: "timer_us" must be at least 0 [bad-value]
  {"schema": 1, "timer_us": -1,
                            ^^
p.json:2:36: error: "kind" must be one of cpu, gpu [bad-value]
   "devices": [{"id": "cpu", "kind": "gpuu"}],
                                     ^^^^^^
  did you mean "gpu"?
p.json:4:47: error: "n" must be a number [wrong-type]
    {"kernel": "matmul.packed", "params": {"n": "x"}, "status": "measurd"},
                                                ^^^
p.json:4:63: error: "status" must be one of measured, unavailable [bad-value]
    {"kernel": "matmul.packed", "params": {"n": "x"}, "status": "measurd"},
                                                                ^^^^^^^^^
  did you mean "measured"?
p.json:5:14: error: "kernel" must not be empty [wrong-type]
    {"kernel": "", "params": {}, "status": "measured", "unit": "ns", "median": 0, "verified": 1}]}
               ^^
p.json:5:78: error: "median" must be above 0 [bad-value]
    {"kernel": "", "params": {}, "status": "measured", "unit": "ns", "median": 0, "verified": 1}]}
                                                                               ^
p.json:5:93: error: "verified" must be true or false [wrong-type]
    {"kernel": "", "params": {}, "status": "measured", "unit": "ns", "median": 0, "verified": 1}]}
                                                                                              ^
7 errors
)");
}

TEST_CASE("profile: members that are missing") {
  CHECK(errors("{}") == R"(p.json:1:1: error: the profile needs the key "schema" [missing-key]
  {}
  ^
1 error
)");
  CHECK(errors(with_results(
            R"({"kernel": "peak.fma", "params": {}, "status": "unavailable", "raeson": "x"})")) ==
        R"(p.json:2:63: error: an item of "results" has no key "raeson" [unknown-key]
  {"kernel": "peak.fma", "params": {}, "status": "unavailable", "raeson": "x"}
                                                                ^^^^^^^^
  did you mean "reason"?
1 error
)");
}

TEST_CASE("profile: names that the registry does not have") {
  const std::string rest = R"(, "status": "unavailable", "reason": "x"})";
  CHECK(errors(with_results(R"({"kernel": "matmul.paked", "params": {})" + rest + ",\n" +
                            R"({"kernel": "matmul.packed", "params": {"tiles": 3})" + rest + ",\n" +
                            R"({"kernel": "matmul.packed", "params": {"variant": "v"})" + rest)) ==
        R"(p.json:2:12: error: no kernel has the id "matmul.paked" [unknown-kernel]
  {"kernel": "matmul.paked", "params": {}, "status": "unavailable", "reason": "x"},
             ^^^^^^^^^^^^^^
  did you mean "matmul.packed"?
p.json:3:40: error: matmul.packed has no parameter "tiles" [unknown-key]
  {"kernel": "matmul.packed", "params": {"tiles": 3}, "status": "unavailable", "reason": "x"},
                                         ^^^^^^^
  did you mean "tile"?
p.json:4:51: error: matmul.packed has no variant "v" [unknown-kernel]
  {"kernel": "matmul.packed", "params": {"variant": "v"}, "status": "unavailable", "reason": "x"}
                                                    ^^^
3 errors
)");
}

TEST_CASE("profile: texts are bounded") {
  CHECK(errors("{\"schema\": 1, \"os\": \"" + std::string(600, 'x') + "\"}")
            .starts_with(
                "p.json:1:21: error: \"os\" must have at most 100 characters [bad-value]\n"));
}

TEST_CASE("profile: a comparison says what differs") {
  const std::string common =
      R"("params": {"n": 512}, "status": "measured", "unit": "GFLOP/s", "verified": true, )";
  const std::string head = R"({"schema": 1, "os": "Linux", "engine": "V8", )";
  const auto a = named(
      "a.json",
      head + R"("browser": "One 1", "clock_ghz": 3, "results": [)" +
          row("matmul.packed",
              common + R"("median": 40, "mad": 0.4, "samples": 16, "module": "relaxed")") +
          "," + row("matmul.naive", common + R"("median": 2, "mad": 0.3, "samples": 4)") + "," +
          row("peak.fma", R"("params": {}, "status": "unavailable", "reason": "there is no FMA")") +
          "],"
          R"("levels": [{"name": "L1", "bytes": 32768, "read_gbs": 90, "latency_ns": 1.5}],)"
          R"("roofs": [{"class": {"isa": "simd"}, "unit": "GFLOP/s", "value": 50},
                   {"class": {"level": "L1"}, "unit": "GB/s", "value": 90}]})");
  const auto b = named(
      "b.json",
      head + R"("browser": "Two 2", "clock_ghz": 3.03, "results": [)" +
          row("matmul.packed",
              common + R"("median": 30, "mad": 0.3, "samples": 16, "module": "simd128")") +
          "," +
          row("matmul.naive",
              common + R"("median": 2.2, "mad": 0.3, "samples": 4, "flags": ["drift"])") +
          "," +
          row("stream.read", R"("params": {"w": 8388608}, "status": "measured", "unit": "GB/s",
                            "verified": true, "median": 20, "mad": 0.1, "samples": 9)") +
          "],"
          R"("levels": [{"name": "L1", "bytes": 49152, "read_gbs": 60}],)"
          R"("roofs": [{"class": {"isa": "simd", "threads": 2}, "unit": "GFLOP/s", "value": 99},
                   {"class": {"level": "L1"}, "unit": "GB/s", "value": 60}]})");
  CHECK(compare_profiles(a, b, catalogue()) ==
        R"(A  a.json: One 1, V8, Linux
B  b.json: Two 2, V8, Linux
Different: browser.

result                         A             B     unit    B/A
matmul.packed        40.0 ±0.400   30.0 ±0.300  GFLOP/s  0.750  differs (relaxed, simd128)
matmul.naive         2.00 ±0.300  2.20 ±0.300*  GFLOP/s   1.10  same
peak.fma             unavailable             –
stream.read{w=8MiB}            –   20.0 ±0.100     GB/s

roof                A     B     unit    B/A
simd             50.0     –  GFLOP/s
L1               90.0  60.0     GB/s  0.667  differs
simd{threads=2}     –  99.0  GFLOP/s

level              A         B  unit    B/A
L1 reads        90.0      60.0  GB/s  0.667  differs
L1 latency      1.50         –    ns
L1 size     32.0 KiB  48.0 KiB         1.50  differs

machine     A     B  unit   B/A
clock    3.00  3.03   GHz  1.01  same

B matmul.naive: * drift
A peak.fma: unavailable, because there is no FMA
)");
  CHECK(compare_profiles(a, a, catalogue()).find("differs") == std::string::npos);
}
