// Truncated text: whole characters around the place that matters.
#include "generator/core/base/text.hpp"

#include "catch.hpp"

using primer::character_count;
using primer::cut_around;
using primer::is_utf8;

namespace {

const std::string mark = "…";

std::string many(std::string_view character, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += character;
  return out;
}

}  // namespace

TEST_CASE("cut text: a short line stays, its column counts characters", "[cut]") {
  const auto cut = cut_around("aµb", 3);
  CHECK(cut.text == "aµb");
  CHECK(cut.column == 3);
  CHECK(cut_around("abc", 0).column == 1);
  CHECK(cut_around("abc", 99).column == 4);
  CHECK(cut_around("", 0).text == "");
  CHECK(cut_around(many("x", 40), 5, 40).text == many("x", 40));
}

TEST_CASE("cut text: the part of a long line around the place, within the limit", "[cut]") {
  for (const char* character : {"x", "µ", "→", "🂡"}) {
    const std::string line = many(character, 300);
    const std::size_t width = std::string_view(character).size();
    for (std::size_t place = 0; place <= 300; place += 5) {
      INFO(character << " " << place);
      const auto cut = cut_around(line, place * width, 60);
      CHECK(cut.text.size() <= 60);
      CHECK(is_utf8(cut.text));
      CHECK(cut.column >= 1);
      CHECK(cut.column <= character_count(cut.text) + 1);
    }
  }
  const std::string marked = many("a", 100) + "X" + many("b", 100);
  const auto cut = cut_around(marked, 100, 60);
  CHECK(cut.text.substr(0, 3) == mark);
  CHECK(cut.text.substr(cut.text.size() - 3) == mark);
  CHECK(cut.text[static_cast<std::size_t>(cut.column - 1 + 2)] == 'X');
  // A third of the visible text is before the place.
  CHECK(cut.text.find('X') - mark.size() == (60 - 2 * mark.size() - 4) / 3);
}

TEST_CASE("cut text: no mark where nothing is left out", "[cut]") {
  const std::string line = many("a", 100);
  const auto first = cut_around(line, 0, 60);
  CHECK(first.text.substr(0, 1) == "a");
  CHECK(first.column == 1);
  CHECK(first.text.find(mark) == first.text.size() - 3);
  const auto last = cut_around(line, 100, 60);
  CHECK(last.text.substr(0, 3) == mark);
  CHECK(last.text.back() == 'a');
  CHECK(last.column == character_count(last.text) + 1);
}

TEST_CASE("cut text: bytes that are no characters do not lead far away", "[cut]") {
  const std::string line = many("\x80", 300);
  const auto cut = cut_around(line, 150, 60);
  CHECK(cut.text.size() <= 60);
  CHECK(cut.text.size() >= 40);
}

TEST_CASE("cut text: of a sentence the beginning and the end", "[cut]") {
  using primer::shortened;
  CHECK(shortened("short", 60) == "short");
  CHECK(shortened(many("a", 60), 60) == many("a", 60));
  const std::string cut = shortened("begin" + many("x", 100) + "end", 60);
  CHECK(cut.size() <= 60);
  CHECK(cut.substr(0, 5) == "begin");
  CHECK(cut.substr(cut.size() - 3) == "end");
  const std::size_t at = cut.find(mark);
  REQUIRE(at != cut.npos);
  CHECK(at == (60 - 3 - 4) * 3 / 4);
  for (std::size_t size = 16; size < 61; ++size) {
    INFO(size);
    const std::string kept = shortened(many("→", 100), size);
    CHECK(is_utf8(kept));
    CHECK(kept.size() <= size);
    CHECK(kept.find(mark) != kept.npos);
  }
}
