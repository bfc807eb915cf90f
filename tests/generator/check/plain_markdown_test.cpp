// Numbers in Markdown outside the book.
#include "generator/core/check/plain_markdown.hpp"

#include "catch.hpp"
#include "generator/core/load/values.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

struct Checked {
  std::size_t count = 0;
  Diagnostics found;
};

Checked checked(const std::string& text) {
  Diagnostics diagnostics;
  figures::Facts facts;
  load_facts(*in_memory(small_book::with("")), facts, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  Checked made;
  made.count = check_plain_markdown(Source("README.md", text), facts, made.found);
  return made;
}

std::string said(const std::string& text) { return to_text(checked(text).found, Format::text); }

}  // namespace

TEST_CASE("plain markdown: right numbers pass, next to what a chapter may not have") {
  const auto made = checked(
      "# A *title*\n\n<p align=\"center\"><b>HTML</b></p>\n\n# Again\n\n[gone](no/such/file.md)\n\n"
      "| a |\n| - |\n| [3.35 TB/s](fact:h100-sxm.bandwidth) |\n\n"
      "Ridge [295 FLOP/B](<calc: h100-sxm.peak.bf16 / h100-sxm.bandwidth>), `[1](fact:x)`.\n");
  INFO(to_text(made.found, Format::text));
  CHECK(made.found.empty());
  CHECK(made.count == 2);
}

TEST_CASE("plain markdown: a wrong number is reported at its place, with the right one") {
  CHECK(said("Reads [3.5 TB/s](fact:h100-sxm.bandwidth) here.\n")
            .find("README.md:1:7: error: the text says 3.5 TB/s, but the value is 3.4 TB/s") == 0);
  CHECK(said("[3.35 GB](fact:h100-sxm.bandwidth)").find("the value is 3.35 TB/s") !=
        std::string::npos);
  CHECK(said("[many](fact:h100-sxm.bandwidth)").find("the value is 3.35 TB/s") !=
        std::string::npos);
}

TEST_CASE("plain markdown: unknown facts, bad expressions and other schemes are errors") {
  CHECK(said("[1 TB/s](fact:h100-sxm.bandwith)").find("did you mean \"h100-sxm.bandwidth\"?") !=
        std::string::npos);
  CHECK(said("[2×](<calc: h100-sxm.bandwidth *>)").find("[bad-expression]") != std::string::npos);
  CHECK(said("[2 GB/s](<live: B>)").find("outside the chapters") != std::string::npos);
  CHECK(is_plain_markdown("README.md"));
  CHECK_FALSE(is_plain_markdown("chapters/en/01-first.md"));
  CHECK_FALSE(is_plain_markdown("chapters/facts/runs.json"));
}
