// `primer facts`: what it lists, finds and shows.
#include "generator/cli/content_commands.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

struct Loaded {
  std::unique_ptr<FileSystem> files;
  FactsBook book;
};

Loaded load() {
  auto files = in_memory(small_book::with(
      "It reads [3.35 TB/s](fact:h100-sxm.bandwidth).\n\n"
      "[295 FLOP/B](<calc: h100-sxm.peak.bf16 / h100-sxm.bandwidth>), not h100-sxm.bandwidth-2.\n"));
  Diagnostics diagnostics;
  auto book = load_facts_book(*files, diagnostics);
  REQUIRE(book);
  return {std::move(files), std::move(*book)};
}

}  // namespace

TEST_CASE("facts: a list is aligned, a search takes every word") {
  const auto loaded = load();
  CHECK(list_facts(loaded.book, {}, Format::text) ==
        "h100-sxm.bandwidth  3.35 TB/s    primary  nv\n"
        "h100-sxm.peak.bf16  989 TFLOP/s  primary  nv\n"
        "rubin-bandwidth     22 TB/s      quoted   nv\n");
  CHECK(list_facts(loaded.book, {"NVIDIA", "bandwidth"}, Format::text) ==
        "h100-sxm.bandwidth  3.35 TB/s  primary  nv\n");
  CHECK(list_facts(loaded.book, {"bandwidth", "tpu"}, Format::text) == "");
  CHECK(similar_facts(loaded.book, "bandwith") == std::vector<std::string>{"h100-sxm.bandwidth"});
}

TEST_CASE("facts: one fact with its source and its uses") {
  const auto loaded = load();
  Diagnostics diagnostics;
  const auto shown = [&](const char* id, bool with_uses, Format format) {
    return show_fact(loaded.book, *loaded.files, id, with_uses, format, diagnostics);
  };
  const std::string about =
      "id      h100-sxm.bandwidth\n"
      "of      NVIDIA H100 SXM\n"
      "value   3.35 TB/s\n"
      "base    3,350,000,000,000 B/s\n"
      "trust   primary: read in the document itself\n"
      "source  [@nv] Data sheet https://example.org/nv\n"
      "write   [3.35 TB/s](fact:h100-sxm.bandwidth)\n"
      "used    2 times in 1 file\n";
  CHECK(shown("h100-sxm.bandwidth", false, Format::text) == about);
  CHECK(shown("h100-sxm.bandwidth", true, Format::text) ==
        about +
            "at      chapters/en/01-first.md:4\n"
            "at      chapters/en/01-first.md:6\n");
  CHECK(shown("rubin-bandwidth", true, Format::text)
            .value_or("")
            .ends_with("used    0 times in 0 files\n"));
  const auto text = shown("rubin-bandwidth", false, Format::json);
  REQUIRE(text);
  CHECK(nlohmann::json::parse(*text) == nlohmann::json::parse(R"({"id": "rubin-bandwidth",
    "value": "22 TB/s", "number": 22.0, "unit": "TB/s", "confidence": "quoted",
    "sources": ["nv"], "status": "announced", "thing": "Rubin", "as_of": "2026-11",
    "works": [{"id": "nv", "title": "Data sheet", "url": "https://example.org/nv"}],
    "uses": []})"));
  CHECK(diagnostics.empty());
  CHECK(!shown("h100-smx.bandwidth", false, Format::text));
  CHECK(to_text(diagnostics, Format::text) ==
        "primer: error: no fact has the id \"h100-smx.bandwidth\" [unknown-fact]\n"
        "  did you mean \"h100-sxm.bandwidth\"?\n1 error\n");
}
