// The requests that a page sends to the C++ that built it, and the content of each answer.
#include "figures/page/page_call.hpp"

#include <filesystem>

#include "published.hpp"

namespace {

using nlohmann::json;

json asked(json request) {
  request["facts"] = {{"peak", {{"value", 2e12}, {"unit", "FLOP/s"}}},
                      {"bandwidth", {{"value", 1e12}, {"unit", "B/s"}}}};
  request["registry"] = json::array();
  return json::parse(figures::page_call(request.dump()));
}

std::string error_of(const json& answer) {
  INFO(answer.dump());
  REQUIRE(answer.contains("error"));
  return answer.at("error").at("message");
}

}  // namespace

TEST_CASE("page: an expression has a value, a text and where it is from", "[page]") {
  const json answer =
      asked({{"op", "evaluate"}, {"expression", "peak / bandwidth"}, {"unit", "FLOP/B"}});
  INFO(answer.dump());
  CHECK(answer.at("value") == 2);
  CHECK(answer.at("text") == "2.00 FLOP/B");
  CHECK(answer.at("from") == "facts");
  const json third = {{"op", "evaluate"}, {"expression", "1 / 3"}, {"unit", ""}};
  CHECK(asked(third).at("text") == "0.333");
  json more = third;
  more["digits"] = 5;
  CHECK(asked(more).at("text") == "0.33333");
  more["digits"] = 4.5;
  CHECK(asked(more).at("text") == "0.333");
  for (const char* wrong : {"peak /", "beak", "1 +"})
    CHECK_FALSE(error_of(asked({{"op", "evaluate"}, {"expression", wrong}, {"unit", ""}})).empty());
  CHECK_FALSE(error_of(asked({{"op", "evaluate"}, {"expression", "peak"}, {"unit", "B"}})).empty());
}

TEST_CASE("page: before anything is measured a verdict is about the reference machine", "[page]") {
  const auto chosen = [](const json& cases) {
    return asked({{"op", "verdict"}, {"on", "peak / bandwidth"}, {"cases", cases}});
  };
  const json untrusted = {{"when", "untrusted"}, {"say", "Again."}},
             low = {{"when", "value < 3"}, {"say", "Low: {value | FLOP/B | 2}."}},
             empty = {{"when", "empty"}, {"say", "There it is {value | FLOP/B | 2}."}};
  const json answer = chosen({untrusted, low, empty});
  CHECK(answer.value("say", answer.dump()) == "There it is 2.0 FLOP/B.");
  CHECK(answer.value("case", -1) == 2);
  CHECK(answer.value("from", "") == "reference");
  CHECK(error_of(chosen({untrusted, low})) == "missing case 'empty'");
  CHECK_FALSE(error_of(chosen({3})).empty());
}

TEST_CASE("page: an answer is graded with its tolerance and its unit", "[page]") {
  const auto graded = [](const char* input, const char* tolerance = "2 %") {
    return asked({{"op", "grade"},
                  {"answer", "P / bandwidth"},
                  {"given", {{"P", "2 * peak"}}},
                  {"unit", "FLOP/B"},
                  {"tolerance", tolerance},
                  {"input", input}});
  };
  INFO(graded("4 FLOP/B").dump());
  CHECK(graded("4 FLOP/B").at("correct") == true);
  CHECK(graded("4 FLOP/B").at("expected") == "4.00 FLOP/B");
  CHECK(graded("4.05 FLOP/B").at("correct") == true);
  CHECK(graded("4.2 FLOP/B").at("correct") == false);
  CHECK(graded("4.2 FLOP/B", "10 %").at("correct") == true);
  CHECK_FALSE(error_of(graded("4 s")).empty());
  CHECK_FALSE(error_of(graded("many")).empty());
}

TEST_CASE("page: an invalid request is reported", "[page]") {
  CHECK(error_of(asked({{"op", "evaluat"}})) == "unknown operation 'evaluat'");
  CHECK_FALSE(error_of(json::parse(figures::page_call("{"))).empty());
  CHECK_FALSE(error_of(asked({{"op", "render"}, {"spec", {{"kind", "rofline"}}}})).empty());
}

// A part counts as the reader's if the drawing would be different without the reader's results.
TEST_CASE("page: a drawing says whether a measurement of the reader's is in it", "[page]") {
  const auto reference =
      figures::parse_profile(support::read_source("tests/fixtures/figures/reference.json"));
  REQUIRE(reference);
  const figures::Catalogue catalogue = support::catalogue();
  int theirs = 0, all = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SOURCE_ROOT "/figures/specs")) {
    const auto file = "figures/specs/" + entry.path().filename().string();
    const json spec = json::parse(support::read_source(file));
    figures::Inputs inputs{&published::book(), &*reference, nullptr, &catalogue};
    const auto without = figures::render(spec, inputs, {});
    INFO(file << (without ? "" : without.error().message));
    REQUIRE(without);
    CHECK(!without->shows_reader);
    for (const char* machine : {"bare", "big", "empty", "gpu"}) {
      INFO(machine);
      const figures::Profile reader = support::profile(machine);
      inputs.reader = &reader;
      const auto with = figures::render(spec, inputs, {});
      REQUIRE(with);
      CHECK(with->shows_reader == (with->svg != without->svg));
      theirs += with->shows_reader ? 1 : 0;
      ++all;
    }
  }
  CHECK(theirs > 20);
  CHECK(theirs < all / 2);

  json request = {{"op", "render"},
                  {"spec", {{"kind", "roofline"}, {"title", "Measured"}, {"profile", true}}}};
  CHECK(asked(request).at("from") == "reference");
  request["reader"] = json::parse(support::read_source("tests/fixtures/profiles/big.json"));
  CHECK(asked(request).at("from") == "reader");
}
