// What is fuzzed. Each target takes any bytes, and traps when something holds that must not.
//
// libFuzzer grows a corpus with Clang (libfuzzer.cpp, one program a target); the corpus that is
// kept is replayed by every build of the tests (replay.cpp).
#pragma once

#include <string_view>

namespace fuzz {

void chapter(std::string_view text);       // a chapter's body, through every stage of the generator
void front_matter(std::string_view text);  // what stands between the two ---
void block(std::string_view text);         // an own block's name, a line break, its YAML
void book(std::string_view text);          // chapters/book.yaml
void facts(std::string_view text);         // the name of a JSON file (facts, references, glossary,
                                           // claims, round: a figure), a line break, its text
void words(std::string_view text);         // site/locales/es.json
void page_template(std::string_view text);  // site/templates/page.mustache
void tree(std::string_view text);        // links and files where the site is written, and its paths
void expression(std::string_view text);  // literals, expressions, verdicts
void profile(std::string_view text);     // a stored profile
void drawing(std::string_view text);     // an SVG file of a chapter
void raster(std::string_view text);      // a PNG, JPEG or WebP file of a chapter

struct Target {
  const char* name;
  void (*run)(std::string_view);
};
inline constexpr Target targets[] = {
    {"chapter", chapter},
    {"front_matter", front_matter},
    {"block", block},
    {"book", book},
    {"facts", facts},
    {"expression", expression},
    {"profile", profile},
    {"words", words},
    {"page_template", page_template},
    {"tree", tree},
    {"drawing", drawing},
    {"raster", raster},
};

}  // namespace fuzz
