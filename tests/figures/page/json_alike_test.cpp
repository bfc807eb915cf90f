// The page's JSON reader accepts and rejects what the build's does, whichever byte is changed.
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "figures/page/small_json.hpp"

namespace {

using figures::SmallJson;
using nlohmann::json;

bool equal(const SmallJson& a, const json& b) {
  if (b.is_object()) {
    if (!a.is_object() || a.size() != b.size()) return false;
    for (const auto& [name, value] : b.items())
      if (a.find(name) == a.end() || !equal(*a.find(name), value)) return false;
    return a.find("no such member") == a.end();
  }
  if (b.is_array()) {
    if (!a.is_array() || a.size() != b.size()) return false;
    for (std::size_t i = 0; i < b.size(); ++i)
      if (!equal(a[i], b[i])) return false;
    return true;
  }
  if (b.is_string())
    return a.is_string() && *a.get_ptr<const std::string*>() == b.get_ref<const std::string&>();
  if (b.is_boolean()) return a.is_boolean() && a.get<bool>() == b.get<bool>();
  if (b.is_null()) return a.is_null();
  return a.is_number() && a.is_number_integer() == b.is_number_integer() &&
         a.get<double>() == b.get<double>();
}

bool alike(const std::string& text) {
  const json expected = json::parse(text, nullptr, false);
  const SmallJson found = SmallJson::parse(text);
  if (found.is_discarded() != expected.is_discarded()) return false;
  return expected.is_discarded() || equal(found, expected);
}

double number(const std::string& text) {
  const SmallJson found = SmallJson::parse(text);
  return found.is_number() ? found.get<double>() : NAN;
}

}  // namespace

TEST_CASE("JSON: cut off anywhere, with any byte another, both readers agree", "[small_json]") {
  const std::string text =
      "{\"b\": [1, -0.5e-3,{}], \"a\" :true,\t\"n\":null,\r\n\"x\\u00e9\\uD83d\\udE00\\\\\": \"\\/\\b\\f\\n\\r\\t\\\"~ \",\n"
      "\"f\":false , \"c\":[ ] ,\"z\":[[0],1E+5,20.25]} ";
  REQUIRE(alike(text));
  REQUIRE_FALSE(SmallJson::parse(text).is_discarded());
  const std::string instead = "09afAFgGezEtnu{}[]:,.+-\"\\ /\t\n\x1f!x";
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    for (const char c : instead) {
      changed[at] = c;
      INFO(changed);
      REQUIRE(alike(changed));
    }
    REQUIRE(alike(text.substr(0, at)));
    REQUIRE(alike(text.substr(0, at) + text.substr(at + 1)));
    REQUIRE(alike(text.substr(0, at) + "0" + text.substr(at)));
  }
}

TEST_CASE("JSON: escapes to the ends of their ranges", "[small_json]") {
  for (const char* hex : {"0000", "001f", "007f", "0080", "07ff", "0800", "d7ff", "d800", "DBFF",
                          "dc00", "DFFF", "e000", "ffff", "FFfG", "12", "zzzz", "009A"})
    for (const char* behind :
         {"", "\\udc00", "\\uDFFF", "\\uDBFF", "\\ue000", "\\udc", "\\n", "u"}) {
      const std::string text = "\"\\u" + std::string(hex) + behind + "\"";
      INFO(text);
      CHECK(alike(text));
    }
}

TEST_CASE("JSON: as deep as it says, and no deeper", "[small_json]") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(alike(nested(64)));
  CHECK_FALSE(SmallJson::parse(nested(64)).is_discarded());
  CHECK(SmallJson::parse(nested(65)).is_discarded());
  std::string objects;
  for (int i = 0; i < 64; ++i) objects += "{\"a\":";
  CHECK(SmallJson::parse(objects + "[]" + std::string(64, '}')).is_discarded());
  CHECK_FALSE(SmallJson::parse(objects + "1" + std::string(64, '}')).is_discarded());
}

TEST_CASE("JSON: a number between two doubles is the even one, else the nearer", "[small_json]") {
  for (const char* text : {"9007199254740991",
                           "9007199254740992",
                           "9007199254740993",
                           "9007199254740994",
                           "9007199254740995",
                           "18014398509481986",
                           "18014398509481990",
                           "4503599627370497.5",
                           "4503599627370496.5",
                           "4503599627370498.5",
                           "9007199254740993e1",
                           "9007199254740993e22",
                           "9007199254740993e23",
                           "1e22",
                           "1e23",
                           "9007199254740992e22",
                           "9007199254740992e-22",
                           "9007199254740993e-22",
                           "3e-23",
                           "123456789012345678e-5",
                           "5e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "4e-324",
                           "7.4109846876186982e-324",
                           "2.2250738585072011e-308",
                           "2.2250738585072014e-308",
                           "2.2250738585072009e-308",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "8.98846567431158e307",
                           "0.000001",
                           "1.0000000000000002",
                           "1.00000000000000011102",
                           "0.99999999999999989",
                           "1234567890123456789.5",
                           "0e5",
                           "1e-345",
                           "1e-346"}) {
    INFO(text);
    CHECK(number(text) == Approx(std::strtod(text, nullptr)).epsilon(1e-18));
    CHECK(alike(text));
  }
  CHECK(SmallJson::parse("1.7976931348623159e308").is_discarded());
  CHECK(SmallJson::parse("1e309").is_discarded());
  CHECK(SmallJson::parse("1e99999999999999999999").is_discarded());
  CHECK(number("1e-99999999999999999999") == 0);
  CHECK(std::signbit(number("-0")));
}
