#include "figures/quantities/profile.hpp"

#include <cmath>
#include <vector>

#include "support.hpp"

using namespace figures;
using nlohmann::json;

namespace {

std::string parse_error(const std::string& text) {
  const Result<Profile> parsed = parse_profile(text);
  return parsed ? "" : parsed.error().message;
}

const std::string head = R"({"schema": 1, )";

// A profile with these lists, as text.
std::string with(const std::string& members) { return head + members + "}"; }

std::string result(const std::string& extra) {
  return R"({"kernel": "matmul.packed", "params": {"n": 512}, "status": "measured", "unit": "GFLOP/s",
            "median": 30, "best": 31, "verified": true)" +
         extra + "}";
}

// The value of an expression against a profile.
Result<Quantity> evaluate(const std::string& source, const Profile* profile,
                          bool* untrusted = nullptr) {
  static const Facts facts = support::facts();
  static const Catalogue catalogue = support::catalogue();
  const Result<Expression> parsed = Expression::parse(source);
  if (!parsed) return parsed.error();
  Names names({&facts, &catalogue, nullptr, profile});
  Result<Quantity> value = parsed->evaluate(names);
  if (untrusted) *untrusted = names.untrusted();
  return value;
}

std::string show(const std::string& source, const Profile& profile) {
  const Result<Quantity> value = evaluate(source, &profile);
  if (value) return format(*value);
  const Error& e = value.error();
  const char* cause = e.cause == Cause::invalid       ? ""
                      : e.cause == Cause::unavailable ? "unavailable: "
                                                      : "missing: ";
  return cause + e.message + (e.suggestion.empty() ? "" : " -> " + e.suggestion);
}

}  // namespace

TEST_CASE("the synthetic profiles are read") {
  for (const char* name : {"empty", "phone", "big", "contrary", "bare", "gpu"})
    support::profile(name);
  const Profile phone = support::profile("phone");
  CHECK(phone.label() == "A phone");
  CHECK(phone.cpu() == "cpu");
  CHECK(phone.cores_usable == 4);
  CHECK(phone.timer_us == 1000);
  CHECK(phone.compute_roof("fma") == nullptr);
  CHECK(phone.compute_roof("simd")->value == 14.28);
  CHECK(phone.memory_roof("out")->value == 9);
  CHECK(phone.memory_roof("L3") == nullptr);
  CHECK(phone.level("out")->latency_ns == 110);
  CHECK(support::profile("empty").label() == "Test Browser 1 on Test OS");
  CHECK(support::profile("big").compute_roof("fma", 64)->value == 4100);
}

TEST_CASE("the outermost level has its own name or is called out") {
  const Result<Profile> p =
      parse_profile(with(R"("levels": [{"name": "L1", "read_gbs": 80}, {"name": "DRAM"}],
    "roofs": [{"class": {"level": "DRAM", "threads": 1}, "unit": "GB/s", "value": 12}])"));
  REQUIRE(p);
  CHECK(p->memory_roof("out")->value == 12);
  CHECK(p->level("out")->name == "DRAM");
  CHECK(show("B", *p) == "12.0 GB/s");
  CHECK(show("B.L1", *p) == "80.0 GB/s");  // the level's own number, because there is no roof
}

TEST_CASE("a cache never counts as memory") {
  const Result<Profile> p = parse_profile(with(R"("levels": [{"name": "L1", "read_gbs": 130}],
    "roofs": [{"class": {"level": "L1", "threads": 1}, "unit": "GB/s", "value": 130}])"));
  REQUIRE(p);
  CHECK(p->memory_roof("out") == nullptr);
  CHECK(p->level("out") == nullptr);
  CHECK(show("B", *p).starts_with("missing"));
}

TEST_CASE(
    "a level that was not measured is missing, and one beyond the last cache does not exist") {
  const auto machine = [](const char* levels) {
    const Result<Profile> parsed = parse_profile(with("\"levels\": [" + std::string(levels) + "]"));
    REQUIRE(parsed);
    return *parsed;
  };
  const char* quick = R"({"name": "L1", "read_gbs": 80}, {"name": "out", "read_gbs": 9})";
  CHECK(show("B.L2", machine(quick)) == "missing: no bandwidth of level 'L2' has been measured");
  CHECK(show("size.L1", machine(quick)) == "missing: the size of L1 has not been measured");
  const char* full = R"({"name": "L1", "bytes": 46341, "bytes_error": 16384}, {"name": "out"})";
  CHECK(show("size.L2", machine(full)) ==
        "unavailable: this machine's curves show 1 cache, and no L2");
  const Profile one = machine(full);
  CHECK(std::lround(one.levels.front().at_least()) == 32768);
  CHECK(std::lround(one.levels.front().at_most()) == 65536);
}

TEST_CASE("a result is found by its complete parameters") {
  const std::string same = result("");
  const std::string relaxed = result(R"(, "module": "relaxed", "median": 40)");
  const std::string drifting = result(R"(, "module": "relaxed", "flags": ["drift"])");
  const std::string other = result(R"(, "threads": 2)");
  const auto find = [](const std::string& list, Query query) {
    static Profile kept;
    const Result<Profile> parsed = parse_profile(with("\"results\": [" + list + "]"));
    REQUIRE(parsed);
    kept = *parsed;
    return kept.find(query);
  };
  Query query;
  query.kernel = "matmul.packed";
  query.params = {{"n", 512}};
  CHECK(find(same, query) != nullptr);
  CHECK(find(relaxed + "," + same, query)->module == "relaxed");
  CHECK(find(drifting + "," + same, query)->module == "");  // a trusted one first
  CHECK(find(other, query) == nullptr);
  query.params.push_back({"m", 0});
  CHECK(find(same, query) == nullptr);
  query.defaults = {{"n", 256}, {"m", 0}};  // "m" is newer than the profile
  CHECK(find(same, query) != nullptr);
  query.params[1].value = 8;
  CHECK(find(same, query) == nullptr);
  query = {};
  query.kernel = "matmul.packed";
  query.params = {{"n", 512}};
  query.module = "simd128";
  CHECK(find(relaxed, query) == nullptr);
}

TEST_CASE("the book's notation against the phone") {
  const Profile phone = support::profile("phone");
  CHECK(show("P.simd", phone) == "14.3 GFLOP/s");
  CHECK(show("P.fma", phone) == "14.3 GFLOP/s");  // without FMA a multiply-add is two operations
  CHECK(show("P", phone) == "14.3 GFLOP/s");
  CHECK(show("measured(P.fma)", phone) == "0");
  CHECK(show("measured(P.simd)", phone) == "1");
  CHECK(show("P.i8dot", phone) == "unavailable: this browser has no relaxed SIMD");
  CHECK(show("B.L1", phone) == "40.0 GB/s");
  CHECK(show("B", phone) == "9.00 GB/s");
  CHECK(show("B.L3", phone) == "unavailable: this machine's curves show 2 caches, and no L3");
  CHECK(show("lat.L4", phone) == "unavailable: this machine's curves show 2 caches, and no L4");
  CHECK(show("ridge", phone) == "1.59 FLOP/B");
  CHECK(show("ridge.simd.L2", phone) == "0.714 FLOP/B");
  CHECK(show("lat.out", phone) == "110 ns");
  CHECK(show("size.L2", phone) == "1.05 MB");
  CHECK(show("clock", phone) == "2.40 GHz");
  CHECK(show("cores", phone) == "4");
  CHECK(show("timer", phone) == "1.00 ms");
  CHECK(show("P.fma{threads=2}", phone) == "unavailable: this browser has no relaxed SIMD");
  CHECK(show("P.simd{threads=2}", phone) ==
        "missing: no simd roof has been measured with 2 threads");
  CHECK(show("P.fmaa", phone) == "unknown name 'P.fmaa' -> P.fma");
  CHECK(show("P.fma{n=2}", phone) == "'P.fma' has no parameter 'n' -> threads");
  CHECK(show("clock * lat.L1", phone) == "4.80");
}

TEST_CASE("a ceiling that was not measured is no ceiling of slower instructions") {
  Profile phone = support::profile("phone");
  CHECK_FALSE(phone.has_relaxed_simd());
  phone.devices[0].relaxed = true;
  for (Measurement& one : phone.results)
    if (one.kernel == "peak.fma") one.reason = "other programs kept the core busy";
  CHECK(show("P.fma", phone) == "unavailable: other programs kept the core busy");
  CHECK(show("ridge", phone) == "unavailable: other programs kept the core busy");
  CHECK(show("P.simd", phone) == "14.3 GFLOP/s");
  CHECK(show("P.fma", support::profile("empty")) == "missing: no fma roof has been measured");
}

TEST_CASE("kernel terms take the catalogue's defaults") {
  const Profile phone = support::profile("phone"), big = support::profile("big");
  CHECK(show("matmul.packed", phone) == "12.4 GFLOP/s");
  CHECK(show("matmul.packed{n=1000}", phone) == "12.5 GFLOP/s");
  CHECK(show("matmul.packed.best{n=1000}", phone) == "12.8 GFLOP/s");
  CHECK(show("matmul.packed.p99{n=1000}", phone) == "2.00 ms");
  CHECK(show("matmul.packed{n=1000} / matmul.naive{n=1000}", phone) == "11.4");
  CHECK(show("stream.triad{w=64MiB}", phone) == "8.10 GB/s");
  CHECK(show("stream.triad{w=1MiB}", phone) ==
        "missing: 'stream.triad' has not been measured with these parameters");
  CHECK(show("peak.fma", phone) == "unavailable: this browser has no relaxed SIMD");
  CHECK(show("matmul.packed{N=512}", phone) == "'matmul.packed' has no parameter 'N' -> n");
  CHECK(show("matmul.packed{thread=2}", phone) ==
        "'matmul.packed' has no parameter 'thread' -> threads");
  CHECK(show("matmul.packed{n=512 ns}", phone) == "'n' cannot be in s");
  CHECK(show("matmul.packed{n=many}", phone) == "'n' is a number");
  CHECK(show("matmul.pakced", phone) == "unknown name 'matmul.pakced' -> matmul.packed");
  CHECK(show("matmul.tiled{variant=cach}", phone) ==
        "'matmul.tiled' has no variant 'cach' -> cache");
  CHECK(show("h100-sxm.peak.bf16{n=3}", phone) ==
        "'h100-sxm.peak.bf16' is a fact: it takes no parameters");
  CHECK(show("I(stream.triad)", phone) == "0.167 FLOP/B");
  CHECK(show("beta(stream.triad)", phone) == "0.105");
  CHECK(show("F(matmul.packed{n=1000}) / P.fma", big) == "23.1 ms");
  CHECK(show("F(h100-sxm.bandwidth)", big).substr(0, 12) == "unknown name");
  CHECK(show("h100-sxm.bandwidth / B.out", big) == "83.8");
  CHECK(show("n-1", big).find("(a minus has a space on both sides)") != std::string::npos);
}

TEST_CASE("live values are the reader's or the reference's, never both") {
  const Profile phone = support::profile("phone"), big = support::profile("big"),
                empty = support::profile("empty"), bare = support::profile("bare");
  const Facts facts = support::facts();
  const Catalogue catalogue = support::catalogue();
  const auto live = [&](const char* source, const Profile* reader) {
    const Result<LiveValue> value =
        evaluate_live(*Expression::parse(source), {&facts, &catalogue, nullptr, &big}, reader);
    INFO(source << ": " << (value ? "" : value.error().message));
    REQUIRE(value);
    return format(value->quantity) + (value->from_reader ? " reader"
                                      : value->measured  ? " reference"
                                                         : " fact");
  };
  CHECK(live("B.out", nullptr) == "40.0 GB/s reference");
  CHECK(live("B.out", &empty) == "40.0 GB/s reference");
  CHECK(live("B.out", &phone) == "9.00 GB/s reader");
  CHECK(live("B.L3", &phone) == "60.0 GB/s reference");
  CHECK(live("B.L3 / B.out", &phone) == "1.50 reference");
  CHECK(live("matmul.packed{n=1000} / matmul.naive{n=1000}", &bare) == "26.8 reference");
  CHECK(live("h100-sxm.bandwidth", &phone) == "3.35 TB/s fact");
  Profile drifting = phone;
  for (Measurement& one : drifting.results) one.flags = {"drift"};
  CHECK(live("stream.triad", &drifting) == "52.0 GB/s reference");
}

TEST_CASE("an error about a profile has its path") {
  const auto path = [](const std::string& text) {
    const Result<Profile> parsed = parse_profile(text);
    return parsed ? "none" : parsed.error().path;
  };
  CHECK(path(with(R"("results": [{"kernel": "matmul.packed", "status": "lost"}])")) ==
        "results[0].status");
  CHECK(path(with(R"("levels": [{"bytes": 1}])")) == "levels[0].name");
  CHECK(path(with(R"("levels": 1)")) == "levels");
  CHECK(path("[") == "");
}

TEST_CASE("hostile profiles are refused in words") {
  CHECK(parse_error("") == "this profile is not JSON");
  CHECK(parse_error("[]") == "a profile is an object");
  CHECK(parse_error("null") == "a profile is an object");
  CHECK(parse_error("{}") == "schema is not 1: another version of this book wrote it");
  CHECK(parse_error(R"({"schema": 2})") ==
        "schema is not 1: another version of this book wrote it");
  CHECK(parse_error(R"({"schema": "1"})") == "schema is not a number");
  CHECK(parse_error(std::string(100000, '[')) == "this profile nests more than 16 deep");
  CHECK(parse_error(std::string(5 << 20, ' ')) == "this profile is larger than 4 MiB");
  CHECK(parse_error(with(R"("note": "[[[[[[[[[[[[[[[[[[[[")")) == "");
  CHECK(parse_error(with(R"("clock_ghz": 1e999)")) == "this profile is not JSON");
  CHECK(parse_error(with(R"("clock_ghz": NaN)")) == "this profile is not JSON");
  CHECK(parse_error(with(R"("clock_ghz": -1)")) == "clock_ghz is negative or too large");
  CHECK(parse_error(with(R"("clock_ghz": 1e30)")) == "clock_ghz is negative or too large");
  CHECK(parse_error(with(R"("clock_ghz": null)")) == "");
  CHECK(parse_error(with(R"("isolated": "yes")")) == "isolated is neither true nor false");
  CHECK(parse_error(with(R"("results": {})")) == "results is not a list");
  CHECK(parse_error(with(R"("results": [3])")) == "results[0] is not an object");
  CHECK(parse_error(with("\"results\": [" + result("") + "," + result(R"(, "mad": "x")") + "]")) ==
        "results[1].mad is not a number");
  CHECK(parse_error(with(R"("results": [{"kernel": "a", "status": "measured"}])")) ==
        "results[0].median is missing");
  CHECK(parse_error(with(R"("results": [{"kernel": "a", "status": "done"}])")) ==
        "results[0].status is neither 'measured' nor 'unavailable'");
  CHECK(
      parse_error(with(
          R"("results": [{"kernel": "a", "status": "measured", "median": 1, "params": {"n": []}}])")) ==
      "results[0].params holds something that is not a number");
  CHECK(
      parse_error(with(
          R"("results": [{"kernel": "a", "status": "measured", "median": 1, "threads": 1.5}])")) ==
      "results[0].threads is not a whole number in range");
  CHECK(parse_error(with(R"("roofs": [{"unit": "GB/s", "value": 3}])")) ==
        "roofs[0].class is missing");
  CHECK(
      parse_error(with(R"("roofs": [{"unit": "GB/s", "value": 3, "class": {"threads": "x"}}])")) ==
      "roofs[0].class has a member of the wrong type");
  CHECK(parse_error(with("\"browser\": \"" + std::string(600, 'x') + "\"")) ==
        "browser is too long");
  std::string many = "\"roofs\": [";
  for (int i = 0; i < 501; ++i) many += i ? ",{}" : "{}";
  CHECK(parse_error(with(many + "]")) == "roofs has too many entries");
  const Result<Profile> controls =
      parse_profile(with(R"("name": "a\u0000b\nc", "stranger": [1, {"x": 2}])"));
  REQUIRE(controls);
  CHECK(controls->name == "a b c");
  // Every prefix of a real profile is rejected or read, without a crash.
  const std::string text = support::read_source("tests/fixtures/profiles/bare.json");
  for (std::size_t n = 0; n < text.size(); n += 7) CHECK_FALSE(parse_profile(text.substr(0, n)));
}

TEST_CASE("a result with an unknown unit or no number is not a value") {
  const Result<Profile> p =
      parse_profile(with("\"results\": [" + result(R"(, "unit": "parsecs")") + "]"));
  REQUIRE(p);
  const json kernels =
      json::parse(R"([{"id": "matmul.packed", "params": [{"name": "n", "default": 512}]}])");
  const Catalogue catalogue = *Catalogue::from_json(kernels);
  Names names({nullptr, &catalogue, nullptr, &*p});
  const Result<Quantity> value = Expression::parse("matmul.packed")->evaluate(names);
  REQUIRE_FALSE(value);
  CHECK(value.error().message == "the profile has the unknown unit 'parsecs'");
  CHECK_FALSE(Catalogue::from_json(json::parse(R"([{"id": 3}])")));
  CHECK_FALSE(Catalogue::from_json(json::parse(R"({"id": 3})")));
}

TEST_CASE("a race's choice comes with its result") {
  const Result<Profile> parsed = parse_profile(
      with(R"("results": [)" + result(R"(, "choice": {"tile": 616, "why": "it fits"})") + "]"));
  REQUIRE(parsed);
  CHECK(parsed->results[0].tile == 616);
  CHECK(parsed->results[0].why == "it fits");
  CHECK(parse_error(with(R"("results": [)" + result(R"(, "choice": {"tile": "wide"})") + "]")) ==
        "results[0].choice has a member of the wrong type");
}
