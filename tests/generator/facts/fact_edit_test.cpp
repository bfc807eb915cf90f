// Edits of a fact: the changes in other facts, and the edits that are refused.
#include "generator/tools/facts/fact_edit.hpp"

#include "catch.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

const std::string chips = "chapters/facts/chips.json", models = "chapters/facts/models.json";

// The small book with two derived facts in two files, the second derived from the first.
small_book::Files with_derived() {
  auto files = small_book::with("");
  files[chips] = R"({
  "h100-sxm.bandwidth": {"value": "3.35 TB/s", "sources": ["nv"], "read": "primary"},
  "h100-sxm.peak.bf16": {"value": "989 TFLOP/s", "sources": ["nv"], "read": "primary"},
  "h100-sxm.ridge": {"value": "295 FLOP/B", "kind": "derived", "from": "h100-sxm.peak.bf16 / h100-sxm.bandwidth"}
})";
  files[models] = R"({
  "twice.ridge": {"value": "590 FLOP/B", "kind": "derived", "from": "2 * h100-sxm.ridge"}
})";
  return files;
}

// The changed facts as "id: before -> after", or the errors.
std::string edited(const small_book::Files& files, const FactEdit& edit) {
  Diagnostics diagnostics;
  const auto made = edit_fact(*in_memory(files), edit, diagnostics);
  if (!made) return to_text(diagnostics, Format::text);
  std::string text;
  for (const auto& [id, before, after] : made->changes)
    text += id + ": " + before + " -> " + after + '\n';
  return text;
}

std::string line_with(const std::string& text, const std::string& id) {
  const auto at = text.find('"' + id + '"');
  return text.substr(at, text.find('\n', at) - at);
}

}  // namespace

TEST_CASE("fact edit: derived facts follow, in their own digits, and nothing else changes") {
  const auto files = with_derived();
  CHECK(edited(files, {"h100-sxm.bandwidth", "3.5 TB/s"}) ==
        "h100-sxm.bandwidth: 3.35 TB/s -> 3.5 TB/s\n"
        "h100-sxm.ridge: 295 FLOP/B -> 283 FLOP/B\n"
        "twice.ridge: 590 FLOP/B -> 566 FLOP/B\n");
  Diagnostics diagnostics;
  const auto made = edit_fact(*in_memory(files), {"h100-sxm.bandwidth", "3.5 TB/s"}, diagnostics);
  REQUIRE(made);
  CHECK(made->files.size() == 2);
  std::string wanted = files.at(chips);
  wanted.replace(wanted.find("3.35 TB/s"), 9, "3.5 TB/s");
  wanted.replace(wanted.find("295"), 3, "283");
  CHECK(made->files.at(chips) == wanted);
}

TEST_CASE("fact edit: source, note and way of reading are written in the order of the book") {
  Diagnostics diagnostics;
  const auto made =
      edit_fact(*in_memory(with_derived()),
                {"h100-sxm.peak.bf16", "990 TFLOP/s", {"nv"}, "dense", "quoted"}, diagnostics);
  REQUIRE(made);
  CHECK(line_with(made->files.at(chips), "h100-sxm.peak.bf16") ==
        R"("h100-sxm.peak.bf16": {"value": "990 TFLOP/s", "sources": ["nv"], "read": "quoted", )"
        R"("note": "dense"},)");
}

TEST_CASE("fact edit: what cannot be set is refused with what was expected") {
  const auto files = with_derived();
  CHECK(edited(files, {"h100-sxm.bandwith", "3 TB/s"}) ==
        "primer: error: no fact has the id \"h100-sxm.bandwith\" [unknown-fact]\n"
        "  did you mean \"h100-sxm.bandwidth\"?\n1 error\n");
  CHECK(
      edited(files, {"h100-sxm.ridge", "300 FLOP/B"}) ==
      "primer: error: \"h100-sxm.ridge\" is derived: expected a fact with its own value [bad-value]\n"
      "  note: it is h100-sxm.peak.bf16 / h100-sxm.bandwidth; set one of these facts\n1 error\n");
  const auto says = [&](const FactEdit& edit, const char* words) {
    const std::string text = edited(files, edit);
    INFO(text);
    CHECK(text.find(words) != text.npos);
  };
  says(
      {"h100-sxm.bandwidth", "3 GB"},
      "chips.json:2:35: error: \"3 GB\" is a value in B: expected a value in B/s, like \"3.35 TB/s\"");
  says({"h100-sxm.bandwidth", "3"}, "\"3\" is a number without a unit: expected a value in B/s");
  says({"h100-sxm.bandwidth", "fast"}, "is not a quantity");
  says({"h100-sxm.bandwidth", "3 TB/s", {"nw"}}, "did you mean \"nv\"?");
}
