// ```listing: a region of a source file, the same lines that the tests and the pages run.
#include "generator/code/listing.hpp"

#include <algorithm>

#include "generator/base/characters.hpp"
#include "generator/base/text.hpp"
#include "generator/load/shown_source.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

// What the page runs of these lines: which module, how large, and a hash to hold it against.
void emit_module(Emitter& emitter, const std::string& file) {
  const Module* module = emitter.shared.modules.holding(file);
  if (!module) return;
  const auto kib = (module->size + 512) / 1024;
  Html& out = emitter.out;
  out.text(" ")
      .open("span", {{"class", "module"}})
      .text(emitter.word("in") + ' ')
      .element("code", {}, module->name);
  out.text(", " + std::to_string(kib) + " KiB, SHA-256 ");
  out.element("code", {}, module->short_checksum()).close();
}

void warn_of_mixed_scripts(Emitter& emitter, const Listing& listing, const Yaml& at) {
  for (const auto& word : mixed_scripts(listing.code)) {
    const auto end = listing.code.begin() + static_cast<std::ptrdiff_t>(word.offset);
    const auto line = listing.first_line + std::count(listing.code.begin(), end, '\n');
    emitter.diagnostics.warning(Rule::mixed_scripts, emitter.source, at.offset, at.length,
                                "a word of code in " + listing.file + ':' + std::to_string(line) +
                                    " mixes scripts: it holds " + word.name);
  }
}

}  // namespace

void listing_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  const std::string where = record.required_text("source");
  const Yaml* caption = record.any("caption");
  const auto file = normal_path(std::string_view(where).substr(0, where.find('#')));
  const Book& book = emitter.shared.book;
  const std::string refused =
      file ? why_not_shown(emitter.shared.files, book.sources, book.public_files, *file) : "";
  if (!refused.empty()) {
    const std::size_t length = std::min(where.find('#'), where.size());
    return emitter.error(Rule::private_source, record.at("source"), {refused, 0, length, {}});
  }
  const auto listing = read_listing(emitter.shared.files, where);
  if (!listing) {
    const auto& error = listing.error();
    emitter.error(!file ? Rule::path_outside_book : Rule::bad_listing, record.at("source"), error);
    return;
  }
  warn_of_mixed_scripts(emitter, *listing, record.at("source"));
  emitter.show_file(listing->file);
  Html& out = emitter.out;
  if (block.anchor) {
    out.open("figure", {{"class", "listing"}, {"id", block.anchor->id}}).line();
  } else {
    out.open("figure", {{"class", "listing"}}).line();
  }
  const WordLanguage* own = emitter.shared.book.code_language_of(listing->file);
  emit_code(emitter, record.at("source").offset, own ? own->name : listing->language, listing->code,
            {});
  out.open("figcaption");
  if (block.anchor) {
    out.element("span", {{"class", "label"}}, emitter.label(block.anchor, AnchorKind::listing));
    out.text(" ");
  }
  if (caption) {
    emitter.markdown_line(*caption);
    out.text(" ");
  }
  const int lines = static_cast<int>(split_lines(listing->code).size());
  const std::string place = listing->file + ':' + std::to_string(listing->first_line);
  if (emitter.shared.book.repository.empty()) {
    out.element("code", {}, place);
  } else {
    out.open("a", {{"href", emitter.shared.book.repository.file(listing->file, listing->first_line,
                                                                listing->first_line + lines - 1)}});
    out.element("code", {}, place).close();
  }
  emit_module(emitter, listing->file);
  out.close().line().close().line();
}

}  // namespace primer
