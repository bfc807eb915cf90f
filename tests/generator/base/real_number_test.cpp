#include "generator/core/base/text.hpp"

#include <cmath>
#include <random>
#include <string>

#include "catch.hpp"

using namespace primer;

namespace {

struct Outcome {
  std::errc failure;
  std::ptrdiff_t length;
  double value;
  bool operator==(const Outcome& other) const {
    const bool same = value == other.value || (std::isnan(value) && std::isnan(other.value));
    return failure == other.failure && length == other.length && same &&
           std::signbit(value) == std::signbit(other.value);
  }
};

template <class Read>
Outcome outcome(const Read& read, const std::string& text) {
  double value = 0.25;  // unchanged if nothing is read
  const auto [end, failure] = read(text.data(), text.data() + text.size(), value);
  return {failure, end - text.data(), value};
}

// The result of the native standard library.
void check(const std::string& text) {
  const auto standard = [](const char* first, const char* last, double& value) {
    return std::from_chars(first, last, value);
  };
  INFO("\"" << text << '"');
  CHECK(outcome(read_real, text) == outcome(standard, text));
}

}  // namespace

TEST_CASE("real numbers are read as std::from_chars reads them", "[real_number]") {
  for (const char* text : {"",        "0",      "-0",
                           "1",       "12.5",   "-12.5",
                           ".5",      "5.",     "-.5e1",
                           ".",       "-",      "+1",
                           " 1",      "1e5",    "1E-5",
                           "1e",      "1e+",    "1e+x",
                           "1.5.2",   "1,5",    "0x10",
                           "1e309",   "-1e309", "1e-400",
                           "-1e-400", "5e-324", "0e999",
                           "0.0e9",   "inf",    "-INF",
                           "nan",     "-nan",   "infinity",
                           "infinit", "1e5e5",  "--1",
                           "e5",      ".e5",    "12px",
                           "1 2",     "1-2",    "179769313486231580793728971405301e276"})
    check(text);
}

TEST_CASE("real numbers: texts by chance", "[real_number]") {
  std::mt19937 random(20261127);
  const std::string_view characters = "0123456789012345678901234567890123456789.eE+-.x ";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto length = random() % 24; length > 0; --length)
      text += characters[random() % characters.size()];
    check(text);
  }
}
