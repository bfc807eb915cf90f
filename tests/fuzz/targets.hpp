// The fuzz targets. Each takes any bytes, and traps if a property is violated.
//
// libFuzzer grows a corpus with Clang (libfuzzer.cpp, one program per target). Every build of the
// tests replays the committed corpus (replay.cpp).
#pragma once

#include <string_view>

namespace fuzz {

void chapter(std::string_view text);       // a chapter's body, through every stage of the generator
void front_matter(std::string_view text);  // the text between the two ---
void block(std::string_view text);         // name of one of our blocks, a line break, its YAML
void book(std::string_view text);          // chapters/book.yaml
void facts(std::string_view text);         // the name of a JSON file (facts, references, glossary,
                                           // claims, round: a figure), a line break, its text
void words(std::string_view text);         // site/locales/es.json
void page_template(std::string_view text);  // site/templates/page.mustache
void tree(std::string_view text);           // links and files in the output directory, and paths
void expression(std::string_view text);     // literals, expressions, verdicts
void profile(std::string_view text);        // a stored profile
void drawing(std::string_view text);        // an SVG file of a chapter
void raster(std::string_view text);         // a PNG, JPEG or WebP file of a chapter

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
