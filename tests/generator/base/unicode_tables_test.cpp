// Compares the tables of invisible, numeric, joining and misleading characters with the Unicode
// Character Database, if Debian's unicode-data is installed. characters_test.cpp has fixed
// examples.
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "catch.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

using namespace primer;

namespace {

using Points = std::set<char32_t>;
const std::filesystem::path folder = "/usr/share/unicode";

char32_t hexadecimal(std::string_view text) {
  return static_cast<char32_t>(std::stoul(std::string(text), nullptr, 16));
}

// Calls row() with the fields of each line.
void each_row(const std::string& file,
              const std::function<void(std::vector<std::string_view>)>& row) {
  std::ifstream in(folder / file);
  REQUIRE(in);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string_view> fields;
    for (const auto field : split(std::string_view(line).substr(0, line.find('#')), ';'))
      fields.push_back(trim(field));
    if (!fields[0].empty()) row(fields);
  }
}

Points having(const std::string& file, const std::set<std::string_view>& values) {
  Points points;
  each_row(file, [&](const auto& fields) {
    if (!values.contains(fields[1])) return;
    const auto dots = fields[0].find("..");
    const char32_t last =
        hexadecimal(dots == fields[0].npos ? fields[0] : fields[0].substr(dots + 2));
    for (char32_t point = hexadecimal(fields[0]); point <= last; ++point) points.insert(point);
  });
  return points;
}

std::vector<std::string> sequences(const std::string& file) {
  std::vector<std::string> all;
  each_row(file, [&](const auto& fields) {
    if (fields[0].find("..") != fields[0].npos) return;
    std::string& text = all.emplace_back();
    for (const auto point : split(fields[0], ' ')) text += in_utf8(hexadecimal(point));
  });
  return all;
}

// Whether the tables are of the installed version; reports why not.
bool is_comparable() {
  std::string ours, theirs;
  std::getline(std::ifstream(PRIMER_SOURCE "/generator/core/base/unicode_tables.inc"), ours);
  std::getline(std::ifstream(folder / "DerivedCoreProperties.txt"), theirs);
  const std::string version = ours.substr(0, ours.find(". "));  // "// Unicode 15.0.0"
  const bool same =
      theirs == "# DerivedCoreProperties-" + version.substr(version.rfind(' ') + 1) + ".txt";
  if (!same) WARN("skipped: unicode-data of the version in unicode_tables.inc is not installed");
  return same;
}

std::string wrong(const std::function<bool(char32_t, const std::string&)>& fits) {
  std::string all;
  for (char32_t point = 1; point <= 0x10FFFF; ++point) {
    if (point == 0xD800) point = 0xE000;
    if (!fits(point, in_utf8(point)) && all.size() < 500)
      all += visible(in_utf8(point)) + ' ' + std::to_string(point) + '\n';
  }
  return all;
}

const auto is_shown = [](const std::string& text) { return !first_hidden_character(text); };

}  // namespace

TEST_CASE("unicode tables: invisible characters and numbers", "[unicode][slow]") {
  if (!is_comparable()) return;
  Points hidden = having("DerivedCoreProperties.txt", {"Default_Ignorable_Code_Point"});
  hidden.merge(having("PropList.txt", {"Bidi_Control", "Noncharacter_Code_Point"}));
  hidden.merge(having("extracted/DerivedGeneralCategory.txt", {"Cc", "Zl", "Zp"}));
  hidden.merge(Points{0xFFF9, 0xFFFA, 0xFFFB, 0xFFFC});
  for (const char32_t space : {'\t', '\n', '\r'}) hidden.erase(space);
  const Points numbers = having("extracted/DerivedGeneralCategory.txt", {"Nd", "Nl", "No"});
  CHECK(wrong([&](char32_t point, const std::string& text) {
          return hidden.contains(point) == first_hidden_character(text, TextKind::code).has_value();
        }) == "");
  CHECK(wrong([&](char32_t point, const std::string& text) {
          return numbers.contains(point) == first_digit(text).has_value();
        }) == "");
}

TEST_CASE("unicode tables: every sequence of the standard is shown", "[unicode]") {
  if (!is_comparable()) return;
  for (const char* file :
       {"StandardizedVariants.txt", "emoji/emoji-sequences.txt",
        "emoji/emoji-variation-sequences.txt", "emoji/emoji-zwj-sequences.txt"}) {
    const auto all = sequences(file);
    CHECK(all.size() > 500);
    for (const auto& one : all) {
      INFO(file << ' ' << one);
      CHECK(is_shown(one));
    }
  }
}

TEST_CASE("unicode tables: joiners stand between letters that join, and next to a virama",
          "[unicode][slow]") {
  if (!is_comparable()) return;
  const Points joining = having("extracted/DerivedJoiningType.txt", {"D", "L", "R"});
  Points other = having("extracted/DerivedGeneralCategory.txt",
                        {"Lu", "Lt", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf",
                         "Po", "Sm", "Sc", "Sk", "Zs", "Zl", "Zp", "Cc", "Cf", "Cn", "Co"});
  for (char32_t point = 0x1E900; point <= 0x1E943; ++point)
    other.erase(point);  // Adlam has capitals
  Points viramas;
  each_row("UnicodeData.txt", [&](const auto& fields) {
    if (fields[3] == "9") viramas.insert(hexadecimal(fields[0]));
  });
  CHECK(wrong([&](char32_t point, const std::string& text) {
          const bool shown = is_shown(text + "\u200C" + text);
          if (joining.contains(point) || viramas.contains(point)) return shown;
          return !shown || !other.contains(point);
        }) == "");
}

TEST_CASE("unicode tables: a word that mixes Cyrillic with another script is misleading",
          "[unicode][slow]") {
  if (!is_comparable()) return;
  const Points cased = having("extracted/DerivedGeneralCategory.txt", {"Lu", "Ll", "Lt"});
  const Points others = having("Scripts.txt", {"Latin", "Greek", "Armenian", "Cherokee", "Coptic"});
  const Points wide = having("EastAsianWidth.txt", {"F"});
  const Points digits = having("extracted/DerivedGeneralCategory.txt", {"Nd"});
  CHECK(wrong([&](char32_t point, const std::string& text) {
          const bool letter = cased.contains(point) && others.contains(point);
          const bool misleading = letter || (wide.contains(point) && digits.contains(point));
          return misleading == !mixed_scripts("\u0436\u0436" + text).empty();
        }) == "");
}
