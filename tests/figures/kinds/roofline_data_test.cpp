// The data of a roofline: machines, points and the ranges of its axes.
#include <nlohmann/json.hpp>

#include "figures/kinds/roofline.hpp"
#include "support.hpp"

namespace {

using figures::Role;
using figures::Roofline;
using nlohmann::json;

const json phone = {{"label", "one"}, {"peak", "100 TFLOP/s"}, {"bandwidth", "1 TB/s"}};

json figure(const json& members) {
  json spec = {{"kind", "roofline"}, {"title", "t"}, {"machines", json::array({phone})}};
  if (members.is_object()) spec.update(members);
  return spec;
}

Roofline read(const json& members, const figures::Inputs& inputs = {}) {
  const auto found = figures::read_roofline(figure(members), inputs);
  INFO((found ? std::string() : found.error().message));
  REQUIRE(found);
  return *found;
}

std::string error(const json& members) {
  const auto found = figures::read_roofline(figure(members), {});
  return found ? "" : found.error().message;
}

json machine(const char* label, const char* peak, const char* bandwidth,
             const char* role = "subject") {
  return {{"label", label}, {"peak", peak}, {"bandwidth", bandwidth}, {"role", role}};
}
json point(const char* intensity) { return {{"label", "p"}, {"intensity", intensity}}; }

std::string names(const std::vector<figures::Machine>& machines) {
  std::string out;
  for (const auto& one : machines)
    out += one.name + (one.role == Role::context ? "-" : one.role == Role::reader ? "+" : "") + " ";
  return out;
}

}  // namespace

TEST_CASE("roofline data: a machine has a peak and a bandwidth that can be drawn", "[roofline]") {
  const auto refused = [](const char* peak, const char* bandwidth) {
    return error({{"machines", {machine("m", peak, bandwidth)}}})
               .find("lie between 10^3 and 10^21") != std::string::npos;
  };
  CHECK_FALSE(refused("1001 FLOP/s", "1001 B/s"));
  CHECK_FALSE(refused("9e20 FLOP/s", "9e20 B/s"));
  CHECK(refused("1000 FLOP/s", "1 GB/s"));
  CHECK(refused("1e21 FLOP/s", "1 GB/s"));
  CHECK(refused("1 GFLOP/s", "1000 B/s"));
  CHECK(refused("1 GFLOP/s", "1e21 B/s"));
  const Roofline found = read({});
  CHECK(found.machines[0].ceilings[0].value == 100e12);
  CHECK(found.machines[0].slopes[0].value == 1e12);
  CHECK(found.machines[0].ridge() == 100);
  CHECK_FALSE(found.machines[0].ceilings[0].ops);
  CHECK(read({{"unit", "op"}, {"machines", {machine("m", "1 TFLOP/s", "1 GB/s")}}})
            .machines[0]
            .ceilings[0]
            .ops);
}

TEST_CASE("roofline data: context is behind subjects, each in the order of the spec",
          "[roofline]") {
  const auto found = read(
      {{"machines",
        {machine("a", "1 TFLOP/s", "1 TB/s"), machine("b", "1 TFLOP/s", "1 TB/s", "context"),
         machine("c", "1 TFLOP/s", "1 TB/s"), machine("d", "1 TFLOP/s", "1 TB/s", "context")}}});
  CHECK(names(found.machines) == "b- d- a c ");
  REQUIRE(found.subject() != nullptr);
  CHECK(found.subject()->name == "a");
  CHECK(read({{"machines", json::array()}}).subject() == nullptr);
  CHECK(read({{"machines", {machine("b", "1 TFLOP/s", "1 TB/s", "context")}}}).subject() ==
        nullptr);
}

TEST_CASE("roofline data: a point without a rate is on the roof of the first machine",
          "[roofline]") {
  const auto found =
      read({{"points",
             {point("10 FLOP/B"),
              point("100 FLOP/B"),
              point("1000 FLOP/B"),
              {{"label", "r"}, {"intensity", "10 FLOP/B"}, {"rate", "2 TFLOP/s"}}}}});
  REQUIRE(found.marks.size() == 4);
  CHECK(found.marks[0].rate == Approx(10e12));
  CHECK(found.marks[1].rate == Approx(100e12));
  CHECK(found.marks[2].rate == Approx(100e12));
  CHECK(found.marks[3].rate == 2e12);
  CHECK(found.marks[0].ridge == 100);
  CHECK(found.marks[0].ceiling == 100e12);
  CHECK(found.marks[0].of_roof() == Approx(1));
  CHECK(found.marks[2].of_roof() == Approx(1));
  CHECK(found.marks[3].of_roof() == Approx(0.2));
  CHECK((found.marks[0].role == Role::subject));
  CHECK(found.absent.empty());
  const auto grey = read({{"machines", {machine("b", "1 TFLOP/s", "1 TB/s", "context")}},
                          {"points", {point("10 FLOP/B")}}});
  CHECK((grey.marks[0].role == Role::subject));
  const auto nowhere = read({{"machines", json::array()}, {"points", {point("10 FLOP/B")}}});
  CHECK(nowhere.marks.empty());
  CHECK(nowhere.absent == std::vector<std::string>{"p"});
}

TEST_CASE("roofline data: an intensity beyond what can be drawn is an error", "[roofline]") {
  const auto refused = [](const char* intensity) {
    return error({{"points", {point(intensity)}}}).find("is out of range") != std::string::npos;
  };
  CHECK(refused("0.000001 FLOP/B"));
  CHECK_FALSE(refused("0.0000011 FLOP/B"));
  CHECK(refused("1e9 FLOP/B"));
  CHECK_FALSE(refused("999999999 FLOP/B"));
  CHECK(refused("0 FLOP/B"));
}

TEST_CASE("roofline data: ridges and points lie within the axes, with room", "[roofline]") {
  const auto found = read({{"points", {point("0.02 FLOP/B"), point("5000 FLOP/B")}}});
  CHECK(found.x_low == Approx(0.01));
  CHECK(found.x_high == Approx(10000));
  CHECK(found.y_high >= 300e12);
  const auto bare = read({});
  CHECK(bare.x_low == Approx(0.25));
  CHECK(bare.x_high == Approx(800));
  CHECK(bare.y_low < 100e12 / 30 + 1);
  const auto low = read({{"machines", {machine("m", "1 TFLOP/s", "1 TB/s")}}});
  CHECK(low.x_low == Approx(0.125));
  CHECK(low.x_high == Approx(16));
  // A point below the roofs extends the axis downward, but only to a limit.
  const auto deep =
      read({{"points", {{{"label", "r"}, {"intensity", "10 FLOP/B"}, {"rate", "30 GFLOP/s"}}}}});
  CHECK(deep.y_low == Approx(10e9));
  const auto far =
      read({{"points", {{{"label", "r"}, {"intensity", "10 FLOP/B"}, {"rate", "3 FLOP/s"}}}}});
  CHECK(far.y_low == Approx(100e12 / 1e9));
  const auto empty = read({{"machines", json::array()}});
  CHECK(empty.y_low == Approx(1e9));
  CHECK(empty.y_high >= 1e12);
}

TEST_CASE("roofline data: the range that a specification asks for", "[roofline]") {
  const auto refused = [](const json& x) { return error({{"x", x}}).find("x") == 0; };
  CHECK_FALSE(refused({1, 1000}));
  CHECK(refused({1, 2}));
  CHECK_FALSE(refused({1, 2.01}));
  CHECK(refused({0.000001, 1}));
  CHECK_FALSE(refused({0.0000011, 1}));
  CHECK(refused({1, 1e9}));
  CHECK_FALSE(refused({1, 9.9e8}));
  CHECK(refused({1}));
  CHECK(refused({1, 2, 30}));
  CHECK(refused({1, "30"}));
  CHECK(refused({"1", 30}));
  CHECK(read({{"x", {0.01, 100000}}}).x_low == 0.01);
  CHECK(read({{"x", {0.01, 100000}}}).x_high == 100000);
}

TEST_CASE("roofline data: base, shares and guess are what the specification says", "[roofline]") {
  CHECK(read({}).base == 2);
  CHECK(read({{"base", 10}}).base == 10);
  CHECK((read({}).said == Roofline::Said::rate));
  CHECK((read({{"shares", true}}).said == Roofline::Said::share_of_peak));
  CHECK((read({{"shares", false}}).said == Roofline::Said::rate));
  CHECK((read({{"shares", "roof"}}).said == Roofline::Said::share_of_roof));
  CHECK_FALSE(read({}).guess);
  CHECK(read({{"guess", true}}).guess);
}

TEST_CASE("roofline data: the measured machines, the reader's in front of the reference",
          "[roofline]") {
  const figures::Profile phone_profile = support::profile("phone"), big = support::profile("big"),
                         empty = support::profile("empty");
  const json measured = {{"machines", json::array()}, {"profile", true}};
  CHECK(read(measured).machines.empty());
  CHECK(read({{"machines", json::array()}, {"profile", false}}, {nullptr, &phone_profile})
            .machines.empty());
  CHECK(read({{"machines", json::array()}}, {nullptr, &phone_profile}).machines.empty());
  const auto alone = read(measured, {nullptr, &phone_profile});
  REQUIRE(alone.machines.size() == 1);
  CHECK((alone.machines[0].role == Role::subject));
  CHECK(alone.machines[0].name != figures::reference_name);
  CHECK(alone.machines[0].ceilings[0].value == 14.28e9);
  CHECK(alone.machines[0].slopes[0].value == 9e9);
  CHECK(alone.machines[0].slopes.size() == 1);
  CHECK(names(read(measured, {nullptr, &phone_profile, &big}).machines) ==
        "reference machine- your machine+ ");
  CHECK(names(read(measured, {nullptr, &empty, &big}).machines) == "your machine+ ");
  CHECK(names(read({{"profile", true}}, {nullptr, &phone_profile}).machines) ==
        "one reference machine ");
  CHECK(names(read({{"profile", true}}, {nullptr, &phone_profile, &empty}).machines) ==
        "one reference machine ");
}

TEST_CASE("roofline data: the requested slopes and ceilings", "[roofline]") {
  const figures::Profile phone_profile = support::profile("phone"), big = support::profile("big");
  const auto only = [&](const json& members) {
    const auto found =
        read({{"machines", json::array()}, {"profile", members}}, {nullptr, &phone_profile});
    REQUIRE(found.machines.size() == 1);
    std::string out;
    for (const auto& slope : found.machines[0].slopes) out += slope.name + " ";
    for (const auto& ceiling : found.machines[0].ceilings) out += "/" + ceiling.name;
    return out + (found.machines[0].dashed ? " dashed" : "");
  };
  CHECK(only(json::object()) == "slowest /SIMD");
  CHECK(only({{"slopes", "all"}}) == "slowest L1 L2 /SIMD");
  CHECK(only({{"slopes", "main"}}) == "slowest /SIMD");
  CHECK(only({{"level", "innermost"}}) == "L1 /SIMD");
  CHECK(only({{"level", "innermost"}, {"slopes", "all"}}) == "L1 L2 slowest /SIMD");
  CHECK(only({{"ceilings", {"scalar"}}}) == "slowest /SIMD/scalar");
  CHECK(only({{"ceilings", {"simd", "fma"}}}) == "slowest /SIMD");
  CHECK(only({{"slot", true}}) == "slowest /SIMD dashed");
  // Without the reader's machine, the reference machine has no placeholder, and shows only its
  // roof.
  const auto both =
      read({{"machines", json::array()},
            {"profile", {{"slot", true}, {"slopes", "all"}, {"ceilings", {"scalar"}}}}},
           {nullptr, &phone_profile, &phone_profile});
  REQUIRE(both.machines.size() == 2);
  CHECK_FALSE(both.machines[0].dashed);
  CHECK(both.machines[0].slopes.size() == 1);
  CHECK(both.machines[0].ceilings.size() == 1);
  CHECK_FALSE(both.machines[1].dashed);
  CHECK(both.machines[1].slopes.size() == 3);
  CHECK(both.machines[1].steepest() == 40e9);
}

TEST_CASE("roofline data: a measured point is the reader's before the reference's", "[roofline]") {
  const figures::Profile phone_profile = support::profile("phone"),
                         empty = support::profile("empty");
  const json packed = {{"label", "packed"}, {"kernel", "matmul.packed"}, {"params", {{"n", 1000}}}};
  const auto with = [&](const json& one, const figures::Inputs& inputs) {
    return read({{"machines", json::array()}, {"profile", true}, {"points", {one}}}, inputs);
  };
  const auto alone = with(packed, {nullptr, &phone_profile});
  REQUIRE(alone.marks.size() == 1);
  CHECK(alone.marks[0].rate == 12.5e9);
  CHECK(alone.marks[0].spread == Approx(0.125e9));
  CHECK(alone.marks[0].intensity == Approx(2e9 / 12e6));
  CHECK(alone.marks[0].ceiling == 14.28e9);
  CHECK(alone.marks[0].ridge == Approx(14.28 / 9));
  CHECK((alone.marks[0].role == Role::subject));
  const auto both = with(packed, {nullptr, &phone_profile, &phone_profile});
  REQUIRE(both.marks.size() == 2);
  CHECK((both.marks[0].role == Role::context));
  CHECK((both.marks[1].role == Role::reader));
  CHECK(both.absent.empty());
  json other = packed;
  other["intensity"] = "4 FLOP/B";
  CHECK(with(other, {nullptr, &phone_profile}).marks[0].intensity == 4);
  other["params"]["n"] = 7;
  CHECK(with(other, {nullptr, &phone_profile}).absent == std::vector<std::string>{"packed"});
  CHECK(with(packed, {nullptr, &empty}).absent == std::vector<std::string>{"packed"});
  // Bytes become FLOPs at the kernel's intensity. A kernel without FLOPs has no position.
  const json triad = {{"label", "t"}, {"kernel", "stream.triad"}, {"params", {{"w", 67108864}}}};
  CHECK(with(triad, {nullptr, &phone_profile}).marks[0].rate ==
        Approx(8.1e9 * 11184810 / 67108864));
  const json copy = {{"label", "c"}, {"kernel", "stream.copy"}, {"params", {{"w", 67108864}}}};
  CHECK(with(copy, {nullptr, &phone_profile}).absent == std::vector<std::string>{"c"});
}
