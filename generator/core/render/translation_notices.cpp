// Notices on a translated page, and blocks that have no translation yet.
//
// Such a block is shown in the original language, so that no figure, formula or sentence is
// missing. A second emitter renders it from the original's text and index into the page of the
// first one (swap_page), so ids and numbers go on. Its diagnostics are dropped, because the page of
// the original reports them.
#include <algorithm>

#include "generator/core/load/front_matter.hpp"
#include "generator/core/render/emitter.hpp"

namespace primer {
namespace {

// Whether the block needs a notice that it is not translated. Figures, formulas, tables and code do
// not.
bool is_prose(const Node& block) {
  const auto own = block.kind == NodeKind::code_block ? own_block(block.info) : std::nullopt;
  switch (block.kind) {
    case NodeKind::paragraph:
      return !is_lone_formula(block) && !lone_image(block) && !caption_of(block);
    case NodeKind::code_block:
      return own && (own->kind == AnchorKind::question || own->kind == AnchorKind::verdict);
    case NodeKind::heading:
    case NodeKind::quote:
    case NodeKind::list: return true;
    default: return false;
  }
}

}  // namespace

struct Emitter::Original {
  Entry entry;
  Source source;
  Node document;
  ChapterIndex index;
  RenderContext in_its_words, in_page_words;
  std::set<std::string> notes_shown;
  Diagnostics ignored;
};

Emitter::~Emitter() = default;

void Emitter::notices(std::size_t before) {
  for (const auto& notice : chapter.notices) {
    if (notice.before != before) continue;
    for (const auto& id : notice.ids) out.element("span", {{"id", id}}, "");
    if (notice.stale) tell("What follows may be out of date.", notice.original);
  }
}

void Emitter::tell(std::string_view english, const std::string& original) {
  out.open("p", {{"class", "label stale"}}).text(word(english)).text(" ");
  const std::string page = relative("") + "../" + chapter.entry->url;
  out.element("a",
              {{"href", original.empty() ? page : page + '#' + original},
               {"hreflang", shared.book.source_language}},
              word("Read the original"))
      .close()
      .line();
}

bool Emitter::load_original() {
  if (original_) return true;
  const std::string& file = chapter.entry->original;
  auto text = shared.files.read(file);
  if (!text || !shared.original) return false;
  Source source(file, std::move(*text));
  Diagnostics ignored;
  const FrontMatter front = parse_front_matter(source, ignored);
  auto document =
      parse_markdown(extract_lines(source, front.body_line, source.line_count()), ignored);
  if (!document) return false;
  const Library library = shared.library.with_terms_of(shared.original->library);
  const auto context = [&](const Messages& words) {
    return RenderContext{shared.book,  shared.index, shared.values, library,        shared.modules,
                         shared.files, shared.cache, words,         shared.original};
  };
  Entry entry = *chapter.entry;
  entry.file = file;
  entry.original.clear();
  entry.language = shared.book.source_language;
  original_ = std::make_unique<Original>(Original{std::move(entry),
                                                  std::move(source),
                                                  {},
                                                  {},
                                                  context(shared.original->words),
                                                  context(shared.words),
                                                  {},
                                                  std::move(ignored)});
  original_->document = std::move(*document);
  original_->index = index_chapter(original_->entry, original_->source, front, original_->document,
                                   original_->ignored);
  return true;
}

void Emitter::untranslated(std::size_t before) {
  std::vector<Node> blocks;
  const Untranslated* first = nullptr;
  for (const auto& block : chapter.untranslated) {
    if (block.before != before || !load_original()) continue;
    if (!first) first = &block;
    for (const auto& node : original_->document.children) {
      if (node.offset >= block.begin && node.offset < block.end) blocks.push_back(node);
    }
  }
  if (blocks.empty()) return;
  const bool in_prose = std::ranges::any_of(blocks, is_prose);
  if (in_prose) tell("Not translated yet: this is the original.", first->original);
  // end_opening() writes translated front matter, so it goes before the block that ends the
  // opening.
  const auto end = opening_ ? std::ranges::find_if(blocks, ends_opening) : blocks.end();
  original_blocks({blocks.begin(), end}, in_prose);
  if (end != blocks.end()) end_opening();
  original_blocks({end, blocks.end()}, in_prose);
}

void Emitter::original_blocks(const std::vector<Node>& blocks, bool in_its_words) {
  if (blocks.empty()) return;
  Original& there = *original_;
  Emitter part(in_its_words ? there.in_its_words : there.in_page_words, there.index, there.source,
               there.ignored);
  for (const auto& node : there.document.children) {
    if (node.kind == NodeKind::note_definition) part.notes_.emplace(node.text, &node);
  }
  part.notes_before_ = static_cast<int>(notes_.size());
  part.top_ = &there.document;
  const std::size_t formulas = formulas_.size();
  out.open("div", {{"class", "untranslated"}, {"lang", there.entry.language}}).line();
  swap_page(part);
  std::swap(part.notes_shown_, there.notes_shown);
  Node group;
  group.children = blocks;
  part.blocks(group);
  std::swap(part.notes_shown_, there.notes_shown);
  swap_page(part);
  out.close().line();
  for (std::size_t i = formulas; i < formulas_.size(); ++i) formulas_[i].offset = std::string::npos;
}

void Emitter::swap_page(Emitter& other) {
  std::swap(out, other.out);
  std::swap(data, other.data);
  std::swap(guesses, other.guesses);
  std::swap(opening_end_, other.opening_end_);
  std::swap(formulas_, other.formulas_);
  std::swap(images_, other.images_);
  std::swap(listed_, other.listed_);
  std::swap(offered_, other.offered_);
  std::swap(counters_, other.counters_);
  std::swap(too_large_, other.too_large_);
  std::swap(cited_, other.cited_);
  std::swap(section_cited_, other.section_cited_);
}

std::string Emitter::foreign(const Term& term) const {
  return term.language == chapter.entry->language ? "" : term.language;
}

void Emitter::tip_text(const std::string& id, const Tip& tip) {
  const std::string whole = tip.front().language;
  const bool is_one =
      std::ranges::all_of(tip, [&](const TipPart& part) { return part.language == whole; });
  out.open("span", {{"class", "tip"},
                    {"role", "tooltip"},
                    {"id", id},
                    {"lang", whole, is_one && !whole.empty()}});
  // Neighbors in the same language share a span.
  for (auto part = tip.begin(); part != tip.end();) {
    const std::string& language = part->language;
    std::string text;
    for (; part != tip.end() && part->language == language; ++part) text += part->text;
    if (is_one || language.empty()) out.text(text);
    else out.element("span", {{"lang", language}}, text);
  }
  out.close();
}

}  // namespace primer
