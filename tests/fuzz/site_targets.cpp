// Runs the generator on any bytes. It must not crash, a page must be well-formed and clean (no
// script, no handler, no address that is not on the list), and every message must be printable.
#include <string>

#include "fuzz/targets.hpp"
#include "generator/clean_page.hpp"
#include "generator/small_book.hpp"

namespace {

constexpr const char* chapter_file = "chapters/en/01-first.md";

void build(const small_book::Files& files) {
  const auto built = small_book::build(files);
  for (const auto& [path, bytes] : built.site) {
    if (path.ends_with(".html") && !dirt_in(bytes).empty()) __builtin_trap();
  }
}

// "name\nrest".
std::pair<std::string, std::string> in_two(std::string_view text) {
  const auto end = text.find('\n');
  if (end == text.npos) return {std::string(text), ""};
  return {std::string(text.substr(0, end)), std::string(text.substr(end + 1))};
}

}  // namespace

void fuzz::chapter(std::string_view text) { build(small_book::with(std::string(text))); }

void fuzz::front_matter(std::string_view text) {
  auto files = small_book::with("");
  files[chapter_file] = "---\n" + std::string(text) + "\n---\n## A section\n";
  build(files);
}

void fuzz::block(std::string_view text) {
  const auto [name, body] = in_two(text);
  build(small_book::with("````" + name + '\n' + body + "\n````\n"));
}

void fuzz::book(std::string_view text) {
  auto files = small_book::with("Text.\n");
  files["chapters/book.yaml"] = text;
  build(files);
}

void fuzz::words(std::string_view text) {
  auto files = small_book::with("## A section\n\nText.[^a]\n\n[^a]: A note.\n");
  files["chapters/book.yaml"] += "languages: [en, es]\n";
  files["chapters/es/second.md"] =
      "---\ntitle: Segundo\n---\n## Sección\n\n[Texto](term:hbm) [@nv]\n";
  files["site/locales/es.json"] = text;
  build(files);
}

// A template belongs to the book, so its output need not be clean.
void fuzz::page_template(std::string_view text) {
  auto files = small_book::with("## A section\n\nText.\n");
  files["site/templates/page.mustache"] = text;
  small_book::build(files);
}

void fuzz::facts(std::string_view text) {
  const auto [name, json] = in_two(text);
  auto files = small_book::with(
      "[3.35 TB/s](fact:h100-sxm.bandwidth) [x](term:hbm) [@nv] [x](claim:rubin)\n\n"
      "```figure\nid: fig-x\nspec: round\ncaption: C\nalt: A\n```\n");
  const bool specification = name == "round";
  files[(specification ? "figures/specs/" : "chapters/facts/") + name + ".json"] = json;
  build(files);
}
