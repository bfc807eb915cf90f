// Dates that exist and are not in the future.
#include "generator/core/base/calendar.hpp"

#include "catch.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

std::string errors_with(const std::string& path, const std::string& text,
                        const std::string& as_of = "2026-11") {
  auto book = small_book::with("");
  book["chapters/book.yaml"] += "as_of: " + as_of + '\n';
  book[path] = text;
  return small_book::build(book).errors;
}

std::string claim(const std::string& as_of, const std::string& said) {
  return R"({"cl": {"value": "22 TB/s", "as_of": ")" + as_of + R"(", "said": ")" + said +
         R"(", "status": "announced", "sources": ["nv"]}})";
}

std::string work(const std::string& accessed) {
  return R"({"nv": {"type": "report", "title": "Data sheet", "url": "https://example.org/nv", "accessed": ")" +
         accessed + R"(", "checked": true}})";
}

bool has(const std::string& errors, const std::string& words) {
  return errors.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("calendar: days and months that do not exist") {
  for (const char* good : {"2026-11", "2024-02-29", "2026-12-31"}) CHECK_FALSE(date_fault(good));
  for (const char* bad : {"2026-13", "2099-00", "2026-99-99", "2026-02-31", "2026-02-29", "2026-1",
                          "", "2026-11-", "2026/11", "+026-11", "2026-11-1x"}) {
    INFO(bad);
    CHECK(date_fault(bad).value_or("").starts_with("no such date: "));
  }
  CHECK_FALSE(date_fault("2026-11-30", "2026-11"));
  CHECK_FALSE(date_fault("2026-11", "2026-11-05"));
  CHECK(date_fault("2026-12", "2026-11-30") == "found 2026-12, expected 2026-11-30 or earlier");
  CHECK(date_fault("2026-11-06", "2026-11-05"));
  CHECK(latest_day("2999-01") == "2999-01-31");
  CHECK(latest_day("2001-01") == latest_day(""));
}

TEST_CASE("calendar: one for every file of the book") {
  const std::string claims = "chapters/facts/claims.json", works = "chapters/facts/references.json";
  CHECK(errors_with(claims, claim("2026-11", "2026-03")) == "");
  CHECK(has(errors_with(claims, claim("2026-99", "2026-03")),
            "error: no such date: 2026-99 [bad-value]"));
  CHECK(has(errors_with(claims, claim("2026-10", "2026-11")),
            "found 2026-11, expected 2026-10 or earlier"));
  CHECK(has(errors_with(claims, claim("2026-12", "2026-03")),
            "found 2026-12, expected 2026-11 or earlier"));
  CHECK(has(errors_with(claims, claim("2026-11", "2025-00")), "no such date: 2025-00"));
  CHECK(errors_with(works, work("2026-11-21")) == "");
  CHECK(has(errors_with(works, work("2026-99-99")), "no such date: 2026-99-99"));
  CHECK(has(errors_with(works, work("2099-01-01")), "found 2099-01-01, expected "));
  CHECK(has(errors_with("x", "", "2026-13"),
            "book.yaml:9:8: error: no such date: 2026-13 [bad-value]"));
  CHECK(has(errors_with("x", "", "2099-12"), "warning: \"as_of\" is in the future: found"));
  const std::string entry = "\n  chapter: first\n  text: \"Wrong.\"\n";
  CHECK(errors_with("chapters/errata.yaml", "- date: 2026-11-20" + entry) == "");
  CHECK(has(errors_with("chapters/errata.yaml", "- date: 2026-02-31" + entry),
            "errata.yaml:1:9: error: no such date: 2026-02-31"));
  CHECK(has(errors_with("chapters/errata.yaml", "- date: 2099-12-31" + entry),
            "found 2099-12-31, expected "));
}
