#include "figures/quantities/verdict.hpp"

#include <utility>
#include <vector>

#include "support.hpp"

using namespace figures;

namespace {

using Cases = std::vector<std::pair<std::string, std::string>>;

Verdict verdict(const std::string& on, const Cases& cases) {
  Verdict out;
  const Status first = out.set_on(on);
  REQUIRE(first);
  for (const auto& [when, say] : cases) {
    const Status a = out.add_when(when), b = out.set_say(say);
    INFO(when << " / " << say);
    REQUIRE(a);
    REQUIRE(b);
  }
  return out;
}

struct World {
  Facts facts = support::facts();
  Catalogue catalogue = support::catalogue();
  Profile reference = support::profile("big");
  Sources sources() const { return {&facts, &catalogue, nullptr, &reference}; }
};

// The part of the verdict that an error is about: "on", "cases[2].when: value < x", with its span
// if it has one.
std::string place_of(const Error& error, const std::string& on, const Cases& cases) {
  const auto span = [&](const std::string& text) {
    return error.path + (error.length ? ": " + text.substr(error.offset, error.length) : "");
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string path = "cases[" + std::to_string(i) + "]";
    if (error.path == path + ".when") return span(cases[i].first);
    if (error.path == path + ".say") return span(cases[i].second);
  }
  return error.path == "on" ? span(on) : error.path;
}

// "message @place" or empty.
std::string check(const std::string& on, const Cases& cases) {
  const World world;
  const Status status = verdict(on, cases).check(world.sources());
  return status ? "" : status.error().message + " @" + place_of(status.error(), on, cases);
}

Cases with_required(Cases rest) {
  rest.insert(rest.begin(), {{"empty", "e"}, {"untrusted", "u"}});
  return rest;
}

}  // namespace

TEST_CASE("the required cases and their order") {
  CHECK(check("B.out", {{"untrusted", "u"}, {"otherwise", "o"}}) ==
        "missing case 'empty', for when nothing has been measured @on");
  CHECK(check("B.out", {{"empty", "e"}, {"otherwise", "o"}}) ==
        "missing case 'untrusted', for flagged results @on");
  CHECK(check("B.out", with_required({{"otherwise", "o"}, {"value < 1 GB/s", "x"}})) ==
        "cases after 'otherwise' are never reached @cases[3]");
  CHECK(check("B.out", {{"empty", "e"}, {"untrusted", "u"}, {"empty", "f"}, {"otherwise", "o"}}) ==
        "duplicate case @cases[2]");
  CHECK(check("B.out", with_required({{"otherwise", "o"}})) == "");
  CHECK(check("B.out", with_required({})) == "no case compares 'value' @on");
  CHECK(check("B.L77", with_required({{"otherwise", "o"}})) ==
        "on the reference machine: no bandwidth of level 'L77' has been measured @on: B.L77");
}

TEST_CASE("without otherwise the whole number line is covered") {
  const auto cover = [](Cases cases) {
    return check("ridge.fma.out", with_required(std::move(cases)));
  };
  CHECK(cover({{"value < 1 FLOP/B", "a"}, {"value >= 1 FLOP/B", "b"}}) == "");
  CHECK(cover({{"value < 1 FLOP/B", "a"}, {"value > 1 FLOP/B", "b"}}) ==
        "no case covers the value 1.00 FLOP/B @on");
  CHECK(cover({{"value <= 1 FLOP/B", "a"}, {"value >= 2 FLOP/B", "b"}}) ==
        "no case covers values between 1.00 FLOP/B and 2.00 FLOP/B @on");
  CHECK(cover({{"value < 1 FLOP/B", "a"}}) == "no case covers the value 1.00 FLOP/B @on");
  CHECK(cover({{"value >= 1 FLOP/B", "a"}}) == "no case covers values below 1.00 FLOP/B @on");
  CHECK(cover({{"value <= 1 FLOP/B", "a"}, {"1 FLOP/B < value <= 3 FLOP/B", "b"}}) ==
        "no case covers values above 3.00 FLOP/B @on");
  // Overlaps are decided by order.
  CHECK(cover({{"value < 5 FLOP/B", "a"}, {"value > 3 FLOP/B", "b"}}) == "");
  CHECK(cover({{"not value < 5 FLOP/B", "a"}, {"value < 5 FLOP/B", "b"}}) == "");
  CHECK(cover({{"value < 5 FLOP/B or value > 5 FLOP/B", "a"}, {"value == 5 FLOP/B", "b"}}) == "");
  CHECK(cover({{"value < (2 + 3) * 1 FLOP/B", "a"}, {"-2 * 1 FLOP/B <= value", "b"}}) == "");
  // Bounds may be facts; a measured bound needs an otherwise.
  const char* fact = "h100-sxm.peak.bf16 / h100-sxm.bandwidth";
  CHECK(cover({{std::string("value < ") + fact, "a"}, {std::string("value >= ") + fact, "b"}}) ==
        "");
  CHECK(
      cover({{"value < ridge.fma.L1", "a"}, {"value >= ridge.fma.L1", "b"}}) ==
      "it depends on 'ridge.fma.L1', so the last case must be 'otherwise' @cases[2].when: ridge.fma.L1");
  CHECK(cover({{"value < 1 FLOP/B and cores > 1", "a"}, {"value >= 0 FLOP/B", "b"}}) ==
        "it depends on 'cores', so the last case must be 'otherwise' @cases[2].when: cores");
  CHECK(cover({{"value < ridge.fma.L1", "a"}, {"otherwise", "b"}}) == "");
  CHECK(cover({{"value * 2 < 3 FLOP/B", "a"}, {"value > 1 FLOP/B", "b"}}) ==
        "'value' must stand alone on one side of a comparison @cases[2].when: value");
}

TEST_CASE("dimensions of cases are checked") {
  CHECK(check("ridge.fma.out", with_required({{"value < 2", "a"}, {"otherwise", "b"}})) ==
        "cannot compare FLOP/B and number @cases[2].when: value < 2");
  CHECK(check("ridge.fma.out", with_required({{"otherwise", "{value | GB/s}"}})) ==
        "the value is in FLOP/B, not in 'GB/s' @cases[2].say: GB/s");
  CHECK(check("ridge.fma.out", with_required({{"otherwise", "{vlaue}"}})) ==
        "unknown name 'vlaue' @cases[2].say: vlaue");
}

TEST_CASE("the check keeps the span, the cause and the code of what it found") {
  CHECK(check("ridge.fma.out", with_required({{"  value < vlaue", "a"}, {"otherwise", "b"}})) ==
        "unknown name 'vlaue' @cases[2].when: vlaue");
  CHECK(check("ridge.fma.out", with_required({{"otherwise", "{value} and {1 + vlaue | GB/s}"}})) ==
        "unknown name 'vlaue' @cases[2].say: vlaue");
  CHECK(check("2 * nothing.known", with_required({{"otherwise", "a"}})) ==
        "on the reference machine: unknown name 'nothing.known' @on: nothing.known");
  const World world;
  const auto unmeasured =
      verdict("1 / B.L77", with_required({{"otherwise", "a"}})).check(world.sources());
  REQUIRE_FALSE(unmeasured);
  CHECK(unmeasured.error().cause == Cause::not_measured);
  const auto gap =
      verdict("B.out", with_required({{"value < 1 GB/s", "a"}})).check(world.sources());
  REQUIRE_FALSE(gap);
  CHECK(gap.error().code == Code::no_case);
}

TEST_CASE("sentences are parsed with their spans") {
  const auto fault = [](const char* text) {
    const Result<Sentence> parsed = Sentence::parse(text);
    REQUIRE_FALSE(parsed);
    const Error& e = parsed.error();
    return e.message + " @" + std::to_string(e.offset) + "+" + std::to_string(e.length);
  };
  CHECK(fault("a {b") == "this '{' is not closed @2+1");
  CHECK(fault("a } b") == "this '}' closes nothing @2+1");
  CHECK(fault("a {} b") == "an expression is missing between the braces @3+0");
  CHECK(fault("a {1 +} b") == "the expression ends too early @6+0");
  CHECK(fault("a { P.fma | GFLOPS } b") == "unknown unit 'GFLOPS' @12+6");
  CHECK(fault("{1 | | 12}") == "the number of digits is between 1 and 9 @7+2");
  CHECK(Sentence::parse("")->names().empty());
  CHECK(Sentence::parse("{matmul.packed{n=512} | GFLOP/s | 2}")->names().size() == 1);

  Verdict one;
  CHECK_FALSE(one.add_when("P.fma"));  // no condition
  CHECK_FALSE(one.add_when("value <"));
  CHECK_FALSE(one.set_on("2 +"));
}

TEST_CASE("each synthetic profile chooses its sentence") {
  const World world;
  const Verdict ridge =
      verdict("ridge.fma.out",
              {{"empty", "On {machine} the ridge is {value | FLOP/B}."},
               {"untrusted", "The clock moved."},
               {"unavailable", "Unavailable, because {reason}."},
               {"value < 1 FLOP/B", "Your memory keeps up: {value | FLOP/B | 2}."},
               {"value < 2 FLOP/B",
                "On {machine} it is {value | FLOP/B}, {ridge.fma.L1 | FLOP/B} in the cache."},
               {"otherwise", "{P.fma / B.out} against {reference}."}});
  CHECK(ridge.check(world.sources()));
  const auto said = [&](const Profile* reader) {
    const Result<Verdict::Choice> choice = ridge.choose(world.sources(), reader);
    INFO((choice ? "" : choice.error().message));
    REQUIRE(choice);
    return (choice->about_reader ? "" : "(reference) ") + choice->text;
  };
  const Profile empty = support::profile("empty"), phone = support::profile("phone"),
                contrary = support::profile("contrary"), bare = support::profile("bare");
  const std::string reference = "(reference) On A server with 64 cores the ridge is 2.17 FLOP/B.";
  CHECK(said(nullptr) == reference);
  CHECK(said(&empty) == reference);
  CHECK(said(&phone) == "On A phone it is 1.59 FLOP/B, 0.357 FLOP/B in the cache.");
  CHECK(said(&world.reference) == "2.17 FLOP/B against A server with 64 cores.");
  CHECK(said(&contrary) == "Your memory keeps up: 0.33 FLOP/B.");
  CHECK(said(&bare) == "Your memory keeps up: 0.51 FLOP/B.");
}

TEST_CASE("untrusted, unavailable and incomplete readers") {
  const World world;
  const Verdict packed =
      verdict("matmul.packed{n=1000}", {{"empty", "E {value | GFLOP/s}"},
                                        {"untrusted", "U"},
                                        {"otherwise", "O {matmul.naive{n=1000} | GFLOP/s}"}});
  const Verdict peak = verdict("peak.fma", {{"empty", "E"},
                                            {"untrusted", "U"},
                                            {"unavailable", "because {reason}"},
                                            {"otherwise", "O"}});
  const auto text = [&](const Verdict& one, const Profile& reader) {
    const Result<Verdict::Choice> choice = one.choose(world.sources(), &reader);
    REQUIRE(choice);
    return choice->text;
  };
  Profile phone = support::profile("phone");
  CHECK(text(packed, phone) == "O 1.10 GFLOP/s");
  CHECK(text(peak, phone) == "because this browser has no relaxed SIMD");
  for (Measurement& one : phone.results)
    if (one.kernel == "matmul.packed") one.flags = {"drift"};
  CHECK(text(packed, phone) == "U");
  // The sentence needs the naive matmul, which this reader has not measured, so it uses the
  // reference's.
  Profile part = support::profile("phone");
  std::erase_if(part.results, [](const Measurement& one) { return one.kernel == "matmul.naive"; });
  CHECK(text(packed, part) == "E 83.0 GFLOP/s");
  CHECK(packed.names().size() == 2);
}
