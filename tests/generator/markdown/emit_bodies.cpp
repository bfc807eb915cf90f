// Reads a JSON list of chapter bodies from standard input and writes a list of {html, rules,
// unplaced}: the HTML of each, even with errors, the rules of the diagnostics, and the number of
// inlines without an exact position.
#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>
#include <iterator>

#include "generator/core/check/loss.hpp"
#include "generator/core/render/emitter.hpp"
#include "small_book.hpp"

namespace {

using nlohmann::json;

constexpr const char* chapter_file = "chapters/en/01-first.md";

int unplaced_in(const primer::Node& node) {
  int count = node.kind >= primer::NodeKind::text && node.in_source == primer::InSource::unknown;
  for (const auto& child : node.children) count += unplaced_in(child);
  return count;
}

json emit(const std::string& body) {
  const auto files = primer::in_memory(small_book::with(body));
  primer::Diagnostics diagnostics;
  const auto book = primer::load_book(*files, diagnostics);
  const auto values = primer::load_values(*files, *book, false, diagnostics);
  const auto library = primer::load_references(*files, diagnostics);
  const primer::Modules modules;

  const primer::Source source(chapter_file, *files->read(chapter_file));
  const auto front = primer::parse_front_matter(source, diagnostics);
  const auto extract = primer::extract_lines(source, front.body_line, source.line_count());
  std::string html;
  int unplaced = 0;
  if (const auto document = primer::parse_markdown(extract, diagnostics)) {
    primer::Diagnostics found;
    const auto chapter =
        primer::index_chapter(book->chapters.front(), source, front, *document, found);
    const primer::Index index({chapter}, {primer::visible_part(chapter)});
    const primer::Messages words;
    const primer::Library entries(library, library.terms);
    const primer::RenderContext shared{*book,   index,  *values, entries,
                                       modules, *files, nullptr, words};
    primer::Emitter emitter(shared, index.all().front(), source, diagnostics);
    html = emitter.render(*document).html;
    check_loss(*document, html, source, diagnostics);
    unplaced = unplaced_in(*document);
    diagnostics.append(std::move(found));
  }
  json rules = json::array();
  for (const auto& diagnostic : diagnostics.sorted()) {
    rules.push_back(primer::info(diagnostic.rule).id);
  }
  return {{"html", html}, {"rules", rules}, {"unplaced", unplaced}};
}

}  // namespace

int main() {
  const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
  const json bodies = json::parse(input, nullptr, false);
  if (!bodies.is_array()) return std::fputs("a JSON list of texts is expected\n", stderr), 2;
  json results = json::array();
  for (const auto& body : bodies) results.push_back(emit(body.get<std::string>()));
  std::cout << results.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
  return 0;
}
