#include "figures/quantities/facts.hpp"

#include <set>

#include "support.hpp"

using namespace figures;
using nlohmann::json;

namespace {

// The error of loading these facts; empty when they load.
std::string load_error(const char* text) {
  Facts facts;
  const Status status = facts.load(json::parse(text));
  if (!status) CHECK(facts.all().empty());
  return status ? "" : status.error().message;
}

}  // namespace

TEST_CASE("facts carry value, unit and provenance") {
  const Facts facts = support::facts();
  const Fact* fact = facts.find("h100-sxm.bandwidth");
  REQUIRE(fact != nullptr);
  CHECK(fact->quantity.value == 3.35e12);
  CHECK(fact->text == "3.35 TB/s");
  CHECK(fact->unit == "TB/s");
  CHECK(fact->read == "quoted");
  CHECK(fact->sources == std::vector<std::string>{"a"});
  CHECK(facts.find("round.peak")->kind == Fact::Kind::assumed);
  CHECK(facts.find("h100-sxm") == nullptr);
  REQUIRE(facts.thing_of("h100-sxm.peak.bf16") != nullptr);
  CHECK(facts.thing_of("h100-sxm.peak.bf16")->title == "NVIDIA H100 SXM");
  CHECK(facts.thing_of("round.peak") == nullptr);
  CHECK(facts.nearest("h100-sxm.bandwith") == "h100-sxm.bandwidth");
  CHECK(facts.nearest("nothing-like-it") == "");
  CHECK(facts.nearest("h100.bandwith") == "h100-sxm.bandwidth");
}

TEST_CASE("facts: a view records every lookup, and a view of a view records it in both") {
  const Facts facts = support::facts();
  FactLookups page, drawing;
  const Facts outer = facts.watched(page);
  const Facts inner = outer.watched(drawing);
  using Ids = std::set<std::string, std::less<>>;
  CHECK(inner.find("round.peak") == facts.find("round.peak"));
  CHECK(inner.find("round.peek") == nullptr);
  CHECK(inner.thing_of("h100-sxm.power") == facts.thing_of("h100-sxm"));
  CHECK(drawing.facts == Ids{"round.peak", "round.peek"});
  CHECK(drawing.things == Ids{"h100-sxm.power"});
  CHECK(outer.find("round.bandwidth") != nullptr);
  CHECK(page.facts == Ids{"round.bandwidth", "round.peak", "round.peek"});
  CHECK(page.things == drawing.things);
  CHECK(outer.nearest("h100-sxm.bandwith") == "h100-sxm.bandwidth");  // any of them may be near
  CHECK(page.facts.contains(""));
  CHECK(&inner.all() == &facts.all());
  CHECK(&inner.things() == &facts.things());
  CHECK(drawing.facts.contains(""));
  CHECK(page.things.contains(""));
}

TEST_CASE("facts as a page carries them") {
  Facts facts;
  REQUIRE(facts.load(json::parse(R"({"a.b": {"value": 3.35e12, "unit": "TB/s"}})")));
  CHECK(facts.find("a.b")->text == "3.35 TB/s");
  CHECK(facts.find("a.b")->quantity.value == 3.35e12);
}

TEST_CASE("a wrong fact is named and nothing of its file is kept") {
  CHECK(load_error("[]") == "this is not an object");
  CHECK(load_error(R"({"a": 3})") == "a is not an object");
  CHECK(load_error(R"({"A.b": {"title": "x"}})") ==
        "A.b is not an id: lower case, hyphens and dots");
  CHECK(load_error(R"({"a..b": {"title": "x"}})") ==
        "a..b is not an id: lower case, hyphens and dots");
  CHECK(load_error(R"({"a": {"sources": ["x"]}})") == "a.value is missing");
  CHECK(load_error(R"({"a": {"value": "3 TB/s"}})") == "a.sources is missing");
  CHECK(load_error(R"({"a": {"value": "3", "kind": "assumed"}})") == "a.note is missing");
  CHECK(load_error(R"({"a": {"value": "3", "kind": "derived"}})") == "a.from is missing");
  CHECK(load_error(R"({"a": {"value": "3", "kind": "guess", "sources": ["x"]}})") ==
        "a.kind must be sourced, assumed or derived");
  CHECK(load_error(R"({"a": {"value": "3 TBs", "sources": ["x"]}})") ==
        "a.value is not a quantity: unknown unit 'TBs'");
  CHECK(load_error(R"({"a": {"value": "3", "sources": "x"}})") == "a.sources is not a list");
  CHECK(load_error(R"({"a": {"value": "3", "sources": ["x"], "notes": "n"}})") ==
        "a.notes is unknown; did you mean note?");
  CHECK(load_error(R"({"a": {"value": "3", "sources": ["x"], "status": "announced"}})") ==
        "a.as_of is missing");
  CHECK(load_error(R"({"a": {"value": "3", "sources": ["x"], "said": "2026-01"}})") ==
        "a.status is missing");
  CHECK(load_error(R"({"ok": {"value": "3", "sources": ["x"]}, "z": {}})") == "z.value is missing");
  Facts facts;
  REQUIRE(facts.load(json::parse(R"({"a": {"value": "3", "sources": ["x"]}})")));
  const Status twice = facts.load(json::parse(R"({"a": {"value": "4", "sources": ["x"]}})"));
  REQUIRE_FALSE(twice);
  CHECK(twice.error().message == "a is there twice");
}

TEST_CASE("an error about a fact has its path and says when a unit is meant") {
  const auto fault = [](const char* text) {
    Facts facts;
    const Status loaded = facts.load(json::parse(text));
    const Status status = loaded ? facts.derive() : loaded;
    REQUIRE_FALSE(status);
    return status.error();
  };
  const Error unit = fault(R"({"a.b": {"value": "3 metres", "sources": ["x"]}})");
  CHECK(unit.path == "a.b.value");
  CHECK(unit.code == Code::unknown_unit);
  const Error plain = fault(R"({"a": {"value": 3, "unit": "metres"}})");
  CHECK(plain.path == "a.unit");
  CHECK(plain.code == Code::unknown_unit);
  CHECK(fault(R"({"a": 1})").path == "a");
  CHECK(fault("[]").path == "");
  CHECK(fault(R"({"a": {"value": "3", "sources": ["x"], "no: such": "n"}})").path == "a.no: such");
  CHECK(fault(R"({"a.from": {"value": "3", "kind": "derived", "from": "1 +"}})").path ==
        "a.from.value");
  CHECK(fault(R"({"a.from": {"value": "3", "kind": "derived", "from": "3"}})").path ==
        "a.from.from");
}

TEST_CASE("derived facts agree with their expressions") {
  Facts facts = support::facts();
  REQUIRE(facts.load(json::parse(R"({"h100-sxm.ridge": {"value": "295 FLOP/B", "kind": "derived",
    "from": "h100-sxm.peak.bf16 / h100-sxm.bandwidth"}})")));
  CHECK(facts.derive());
  REQUIRE(facts.load(json::parse(R"({"wrong": {"value": "296 FLOP/B", "kind": "derived",
    "from": "h100-sxm.peak.bf16 / h100-sxm.bandwidth"}})")));
  const Status status = facts.derive();
  REQUIRE_FALSE(status);
  CHECK(status.error().message == "wrong: its expression gives 295 FLOP/B");
}

TEST_CASE("derivations end at sourced or assumed facts") {
  const auto error = [](const char* text) {
    Facts facts;
    REQUIRE(facts.load(json::parse(text)));
    const Status status = facts.derive();
    return status ? std::string() : status.error().message;
  };
  CHECK(error(R"({"h.peak": {"value": "990 PFLOP/s", "kind": "derived", "from": "h.peak"}})") ==
        "h.peak.from: circular derivation: "
        "h.peak → h.peak");
  CHECK(error(R"({"a": {"value": "2", "kind": "derived", "from": "b"},
                  "b": {"value": "2", "kind": "derived", "from": "a"}})") ==
        "a.from: circular derivation: a → b → a");
  CHECK(error(R"({"a": {"value": "4", "kind": "derived", "from": "2 * c"},
                  "c": {"value": "2", "kind": "derived", "from": "d * e"},
                  "d": {"value": "1", "kind": "assumed", "note": "n"},
                  "e": {"value": "2", "kind": "derived", "from": "c * d"}})") ==
        "c.from: circular derivation: c → e → c");
  CHECK(error(R"({"a": {"value": "990 PFLOP/s", "kind": "derived", "from": "990 PFLOP/s"}})") ==
        "a.from: it names no fact; without a source, use \"assumed\" and a note");
  CHECK(error(R"({"a": {"value": "4", "kind": "derived", "from": "b + c"},
                  "b": {"value": "2", "kind": "derived", "from": "2 * d"},
                  "c": {"value": "2", "kind": "derived", "from": "b"},
                  "d": {"value": "1", "sources": ["x"]}})") == "");
}

TEST_CASE("what a fact is derived from matters to it") {
  const auto error = [](const std::string& value, const std::string& from) {
    Facts facts = support::facts();
    REQUIRE(facts.load({{"five", {{"value", "5 tokens"}, {"sources", {"a"}}}},
                        {"made-up", {{"value", value}, {"kind", "derived"}, {"from", from}}}}));
    const Status status = facts.derive();
    return status ? std::string() : status.error().message;
  };
  CHECK(error("99 TB/s", "h100-sxm.bandwidth * 0 + 99 TB/s") ==
        "made-up.from: \"99 TB/s\" comes from no fact; only factors may be constants");
  CHECK(error("99 TB/s", "max(h100-sxm.bandwidth, 99 TB/s)").find("comes from no fact") !=
        std::string::npos);
  for (const char* from :
       {"99 TB/s * h100-sxm.bandwidth / h100-sxm.bandwidth", "99 TB/s * h100-sxm.bandwidth^0",
        "99 TB/s * (h100-sxm.bandwidth > 0 TB/s)",
        "99 * round.bandwidth + h100-sxm.bandwidth / 1000000"}) {
    INFO(from);
    CHECK(error("99 TB/s", from).find("the value does not depend on ") != std::string::npos);
  }
  CHECK(error("10 GPUs", "2 * five") ==
        "made-up: its expression gives another count: it counts token, not GPU");
  CHECK(error("10 tokens", "2 * five") == "");
  CHECK(error("1.62 ms", "h100-sxm.peak.bf16 / (1 FLOP) / h100-sxm.bandwidth * 5.5 kB * 1 ns") ==
        "");
}

TEST_CASE("a fact derived from claims is a claim with the most cautious status") {
  Facts facts;
  REQUIRE(facts.load(json::parse(R"({
    "sold": {"value": "2", "sources": ["a"], "status": "shipping", "as_of": "2026-11"},
    "promised": {"value": "3", "sources": ["a"], "status": "announced", "as_of": "2026-11", "said": "2026-03",
                 "by": "vendor", "read": "secondary"},
    "plain": {"value": "4", "sources": ["a"]},
    "a": {"value": "24", "kind": "derived", "from": "b * plain"},
    "b": {"value": "6", "kind": "derived", "from": "sold * promised"},
    "c": {"value": "8", "kind": "derived", "from": "2 * plain"}})")));
  REQUIRE(facts.derive());
  CHECK(facts.find("a")->status == "announced");
  CHECK(facts.find("a")->said == "2026-03");
  CHECK(facts.find("a")->by == "vendor");
  CHECK(facts.find("a")->read == "secondary");
  CHECK(facts.find("c")->status.empty());
}

TEST_CASE("a derivation may be long, and facts many") {
  constexpr int count = 20'000;
  const auto id = [](int i) { return "f" + std::to_string(100'000 + i); };
  json even = json::object(), odd = json::object();
  for (int i = 0; i < count; ++i) {
    json& half = i % 2 == 0 ? even : odd;
    half[id(i)] = {{"value", "1"}, {"kind", "derived"}, {"from", id(i + 1)}};
  }
  even[id(count)] = {{"value", "1"}, {"sources", {"x"}}};
  Facts facts;
  REQUIRE(facts.load(odd));
  REQUIRE(facts.load(even));
  CHECK(facts.all().size() == count + 1);
  CHECK(std::is_sorted(facts.all().begin(), facts.all().end(),
                       [](const Fact& a, const Fact& b) { return a.id < b.id; }));
  CHECK(facts.derive());
  Facts closed;
  even[id(count)] = {{"value", "1"}, {"kind", "derived"}, {"from", id(0)}};
  REQUIRE(closed.load(even));
  REQUIRE(closed.load(odd));
  const Status status = closed.derive();
  REQUIRE_FALSE(status);
  CHECK(status.error().message.ends_with(
      "f100000 → f100001 → f100002 → f100003 → f100004 → … → f120000 → f100000"));
}

TEST_CASE("the book's facts load, derive and cite checked references") {
  Facts facts;
  for (const char* name : {"assumptions", "chips", "claims", "energy", "links", "models", "runs"}) {
    const json object =
        json::parse(support::read_source(std::string("chapters/facts/") + name + ".json"));
    const Status status = facts.load(object);
    INFO(name << ": " << (status ? "" : status.error().message));
    REQUIRE(status);
  }
  const Status derived = facts.derive();
  INFO((derived ? "" : derived.error().message));
  CHECK(derived);
  const json references = json::parse(support::read_source("chapters/facts/references.json"));
  for (const Fact& fact : facts.all()) {
    for (const std::string& source : fact.sources) {
      INFO(fact.id << " cites " << source);
      REQUIRE(references.contains(source));
      CHECK(references[source].value("checked", false));
    }
    // The plain numbers that chapters build on have a unit or are counts.
    CHECK(fact.quantity.value >= 0);
  }
  CHECK(facts.find("h100-sxm.peak.bf16")->text == "989 TFLOP/s");
  CHECK(facts.find("gpt2-small.parameters")->quantity.value == 124439808);
  CHECK(facts.find("llama-3.1-8b.parameters-read")->quantity.value == 7504924672);
  CHECK(facts.find("rubin-bandwidth")->status == "announced");

  const json glossary = json::parse(support::read_source("chapters/facts/glossary.json"));
  for (const auto& [id, entry] : glossary.items()) {
    INFO(id);
    CHECK(entry.at("term").is_string());
    CHECK(entry.at("definition").get<std::string>().size() > 20);
  }
}
