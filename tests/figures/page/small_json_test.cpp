// Compares the page's JSON reader with the build's, member by member.
#include <cstring>
#include <random>

#include "figures/page/small_json.hpp"
#include "support.hpp"

namespace {

using figures::SmallJson;
using nlohmann::json;

bool same(const SmallJson& a, const json& b) {
  if (b.is_object()) {
    auto one = a.items().begin();
    if (!a.is_object() || a.size() != b.size()) return false;
    for (const auto& [name, value] : b.items()) {
      const auto [own_name, own_value] = *one;
      if (own_name != name || !same(own_value, value) || a.find(name) == a.end()) return false;
      ++one;
    }
    return true;
  }
  if (b.is_array()) {
    if (!a.is_array() || a.size() != b.size()) return false;
    for (std::size_t i = 0; i < b.size(); ++i)
      if (!same(a[i], b[i])) return false;
    return true;
  }
  if (b.is_string())
    return a.is_string() && *a.get_ptr<const std::string*>() == b.get<std::string>();
  if (b.is_boolean()) return a.is_boolean() && a.get<bool>() == b.get<bool>();
  if (b.is_null()) return a.is_null();
  return a.is_number() && a.is_number_integer() == b.is_number_integer() &&
         a.get<double>() == b.get<double>();
}

}  // namespace

TEST_CASE("both JSON readers read the same", "[small_json]") {
  for (const char* file :
       {"tests/fixtures/figures/reference.json", "tests/fixtures/profiles/big.json",
        "figures/specs/roofline-reference.json"}) {
    const std::string text = support::read_source(file);
    CHECK(same(SmallJson::parse(text), json::parse(text)));
  }
  for (const char* text : {"{}",
                           "[]",
                           " [ 1 , -0.5e-3 , 1E5, 0, -0 ] ",
                           "{\"b\":1,\"a\":{\"b\":2},\"b\":[3]}",
                           "null",
                           "true",
                           R"("\u00e9\ud83d\ude00\n\/\"")",
                           "[1",
                           "{\"a\" 1}",
                           "01",
                           "1.",
                           ".5",
                           "+1",
                           "[1,]",
                           "nul",
                           "\"\\x\"",
                           "\"\\ud800\"",
                           "\"\n\"",
                           "1e999",
                           "{1:2}",
                           "",
                           "[1] 2",
                           "1e-999",
                           "18446744073709551615"}) {
    INFO(text);
    const json expected = json::parse(std::string(text), nullptr, false);
    const SmallJson found = SmallJson::parse(text);
    CHECK(found.is_discarded() == expected.is_discarded());
    if (!expected.is_discarded()) CHECK(same(found, expected));
  }
  CHECK(SmallJson::parse(std::string(100'000, '[')).is_discarded());
}

TEST_CASE("numbers are the nearest doubles", "[small_json]") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random() >> (i % 3 == 0 ? 12 : 1);  // a third of them subnormal
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    char text[40];
    std::snprintf(text, sizeof text, i % 2 == 0 ? "%.17g" : "%.19g", value);
    INFO(text);
    REQUIRE(SmallJson::parse(text).get<double>() == value);
  }
}
