// The differences that readers see after a change of facts.
#include "generator/tools/facts/fact_diff.hpp"

#include <random>

#include "catch.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/check/fix.hpp"
#include "generator/tools/facts/fact_edit.hpp"
#include "rounds.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

// The book after an edit of a fact, with its text corrected.
small_book::Files after_edit(small_book::Files files, const FactEdit& edit) {
  Diagnostics diagnostics;
  const auto made = edit_fact(*in_memory(files), edit, diagnostics);
  INFO(to_text(diagnostics, Format::text));
  REQUIRE(made);
  for (const auto& [path, text] : made->files) files[path] = text;
  const auto found = small_book::diagnose(files);
  for (const auto& [path, text] : fixed_files(*in_memory(files), found.sorted()))
    files[path] = text;
  return files;
}

std::vector<FactEffect> effects(const small_book::Files& before, const small_book::Files& after) {
  const auto old_site = small_book::build(before), new_site = small_book::build(after);
  REQUIRE(old_site.errors == "");
  REQUIRE(new_site.errors == "");
  return fact_effects(old_site.site, new_site.site);
}

}  // namespace

TEST_CASE("fact diff: lines of a page are its paragraphs, labels, answers and verdicts") {
  using Kind = PageLine::Kind;
  const auto lines = page_lines(
      "<p>Left out.</p><main><h2 id=\"a\">Speed</h2>\n<p>It reads <span class=\"calc\">3&lt;4"
      "</span><span class=\"tip\" role=\"tooltip\" id=\"tip.1\">a <span>b</span> c</span>.</p>"
      "<details class=\"answer\"><summary>Compare</summary><p>Half.</p></details>"
      "<p class=\"verdict\" id=\"v\">Yes.</p>After.</main><p>Left out.</p>");
  CHECK(lines == std::vector<PageLine>{{Kind::sentence, "a", "Speed"},
                                       {Kind::sentence, "a", "It reads 3<4."},
                                       {Kind::answer, "a", "Compare"},
                                       {Kind::answer, "a", "Half."},
                                       {Kind::verdict, "v", "Yes."},
                                       {Kind::sentence, "v", "After."}});
}

TEST_CASE("fact diff: a drawing whose labels stay is reported for its shapes") {
  const auto page = [](const std::string& width) {
    return SiteFiles{{"a/index.html", "<figure id=\"fig-a\"><svg><rect width=\"" + width +
                                          "\"/><text>A</text></svg></figure>"}};
  };
  CHECK(to_text(fact_effects(page("1"), page("2"))) ==
        "a/#fig-a: figure\n  its shapes change\n1 figure changed; 0 comparisons reversed\n");
  CHECK(to_text(fact_effects(page("1"), page("1"))) == "nothing that readers see changes\n");
}

TEST_CASE("fact diff: comparisons that reverse are named") {
  const auto before = small_book::with(
      "## Speed\n\nIt reads [3.35 TB/s](fact:h100-sxm.bandwidth), and Rubin "
      "[22 TB/s](claim:rubin-bandwidth).\n");
  const auto after = after_edit(before, {"h100-sxm.bandwidth", "30 TB/s"});
  const auto found = effects(before, after);
  REQUIRE(found.size() == 1);
  CHECK(found.front().page == "first/#speed");
  REQUIRE(found.front().reversals.size() == 1);
  CHECK(replace_all(found.front().reversals.front(), "\u202f", " ") ==
        "3.35 TB/s was less than 22 TB/s, 30.0 TB/s is more than 22 TB/s");
}

// Each sentence has some facts. The list must contain exactly the sentences whose numbers change.
TEST_CASE("fact diff: random edits change exactly the sentences that cite the fact") {
  std::mt19937 random(7);
  const auto pick = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most));
  };
  for (int round = 0; round < rounds("EDITS", 30, 300); ++round) {
    std::string body, facts = "{\n";
    std::vector<std::vector<int>> cited;
    constexpr int all = 6;
    for (int i = 0; i < all; ++i)
      facts += "  \"chip-" + std::to_string(i) + ".bandwidth\": {\"value\": \"" +
               std::to_string(10 + i) + " TB/s\", \"sources\": [\"nv\"], \"read\": \"primary\"}" +
               (i + 1 < all ? ",\n" : "\n}\n");
    for (int i = 0; i < 8; ++i) {
      std::vector<int> ids{pick(all), pick(all)};
      body += "Sentence " + std::to_string(i) + " has";
      for (const int id : ids)
        body += " [" + std::to_string(10 + id) + " TB/s](fact:chip-" + std::to_string(id) +
                ".bandwidth) and";
      body += " more.\n\n";
      cited.push_back(ids);
    }
    auto before = small_book::with(body);
    before["chapters/facts/chips.json"] = facts;
    const int edited = pick(all), value = 10 + pick(20);
    if (value == 10 + edited) continue;
    const auto after = after_edit(
        before, {"chip-" + std::to_string(edited) + ".bandwidth", std::to_string(value) + " TB/s"});
    std::vector<std::string> wanted, found;
    for (std::size_t i = 0; i < cited.size(); ++i)
      if (cited[i][0] == edited || cited[i][1] == edited)
        wanted.push_back("Sentence " + std::to_string(i));
    for (const auto& effect : effects(before, after)) {
      found.push_back(effect.before.substr(0, wanted.empty() ? 0 : 10));
      CHECK(effect.after.substr(0, 10) == effect.before.substr(0, 10));
      const bool flips = !effect.reversals.empty();
      const auto& ids = cited[static_cast<std::size_t>(effect.before[9] - '0')];
      const auto now = [&](int id) { return id == edited ? value : 10 + id; };
      const auto sign = [](int a, int b) { return (a > b) - (a < b); };
      CHECK(flips == (sign(ids[0], ids[1]) != sign(now(ids[0]), now(ids[1]))));
    }
    CHECK(found == wanted);
  }
}
