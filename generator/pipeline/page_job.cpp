#include "generator/pipeline/page_job.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "generator/base/characters.hpp"
#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/check/prose.hpp"
#include "generator/diagnostic/unreadable.hpp"
#include "generator/index/block_reference.hpp"
#include "generator/index/page_ids.hpp"
#include "generator/index/translation.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

Extract body_of(const Slot& slot) {
  return extract_lines(*slot.source, slot.index.front.body_line, slot.source->line_count());
}

void make_source(Slot& slot) {
  if (!slot.source) slot.source = std::make_unique<Source>(slot.entry->file, slot.text);
}

void index_text(Slot& slot, KeptTrees& kept) {
  make_source(slot);
  slot.index.front = parse_front_matter(*slot.source, slot.diagnostics);
  // What the text itself does wrong is reported when it is rendered.
  Diagnostics again;
  auto document = parse_markdown(body_of(slot), again);
  if (!document) return;
  const int body_line = slot.index.front.body_line;
  std::vector<TextBlock> blocks;
  if (!slot.entry->origin.empty()) {
    blocks = take_blocks(*document, *slot.source, slot.index.front, again);
  } else if (slot.entry->translated) {
    blocks = text_blocks(*document, *slot.source, body_line);
  }
  add_references(*document, *slot.source, slot.index.front, blocks);
  slot.index = index_chapter(*slot.entry, *slot.source, slot.index.front, *document,
                             slot.diagnostics);
  slot.index.blocks = std::move(blocks);
  // A translation's marks have gone out of its tree, and what was wrong has not been reported yet.
  if (slot.entry->origin.empty() && again.empty() && kept.take(slot.text.size())) {
    slot.document = std::move(document);
  } else {
    slot.source.reset();
  }
}

std::string line_list(Emitter& emitter, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  Html out;
  out.open("ul").line();
  for (const auto& line : lines) out.open("li").raw(emitter.render_line(line)).close().line();
  return out.close().take();
}

void check_killer_figure(const Slot& slot, Emitter& emitter) {
  const std::string& id = slot.index.front.figure;
  const Anchor* anchor = id.empty() ? nullptr : slot.index.find(id);
  if (id.empty() || (anchor && anchor->kind == AnchorKind::figure)) return;
  if (!anchor && !slot.index.whole) return;
  std::vector<std::string> figures;
  for (const auto& candidate : slot.index.anchors) {
    if (candidate.kind == AnchorKind::figure) figures.push_back(candidate.id);
  }
  const std::string_view text = slot.source->text();
  emitter.error(Rule::unknown_figure, text.find(id, text.find("figure:")), id.size(),
                "the chapter has no figure " + in_quotes(id), nearest(id, figures));
}

void render_slot(const Shared& shared, const ChapterIndex& index, bool prose, Slot& slot) {
  if (!read_text(shared.files, slot) || slot.text.empty()) return;
  make_source(slot);
  auto document = slot.document ? std::exchange(slot.document, std::nullopt)
                                : parse_markdown(body_of(slot), slot.diagnostics);
  if (!document) return;
  if (!slot.entry->origin.empty()) {
    take_blocks(*document, *slot.source, slot.index.front, slot.diagnostics);
    prose = false;  // its rules are of English
  }
  if (prose) check_prose(*document, *slot.source, slot.diagnostics);
  Emitter emitter(shared, index, *slot.source, slot.diagnostics);
  const FrontMatter& front = slot.index.front;
  PageParts& parts = slot.page.parts;
  parts.mental_model = emitter.render_line(front.mental_model);
  parts.takeaway = emitter.render_line(front.takeaway);
  parts.prerequisites = line_list(emitter, front.prerequisites);
  parts.d2l = line_list(emitter, front.d2l);
  check_killer_figure(slot, emitter);
  Body body = emitter.render(*document);
  parts.body = std::move(body.html);
  check_ids(index, *slot.source,
            parts.mental_model + parts.prerequisites + parts.body + parts.takeaway + parts.d2l,
            slot.diagnostics);
  parts.body.shrink_to_fit();  // it waits for all the others
  if (!body.data.empty()) slot.page.data = body.data.to_text(shared.values.facts);
  slot.page.images = std::move(body.images);
  slot.page.listed = std::move(body.listed);
  slot.page.excerpt.cited = std::move(body.cited);
  slot.formulas = std::move(body.formulas);
}

void forget_text(Slot& slot) {
  slot.source.reset();
  slot.text = std::string();  // `{}` would keep its room
}

// Text between marks stays; each mark becomes its formula.
std::string with_formulas(const std::string& html, const std::vector<std::string>& formulas) {
  std::string out;
  std::size_t done = 0;
  for (auto at = html.find('\x02'); at != html.npos; at = html.find('\x02', done)) {
    const auto end = html.find('\x03', at);
    out.append(html, done, at - done);
    out += formulas.at(std::stoul(html.substr(at + 1, end - at - 1)));
    done = end + 1;
  }
  return out.append(html, done);
}

}  // namespace

void index_slot(const FileSystem& files, Cache* cache, KeptTrees& kept, Slot& slot) {
  slot.index.entry = slot.entry;
  Packer place;
  pack(place, *slot.entry);
  const auto key = [&] {
    Packer whole = place;
    whole.add(slot.text_digest);
    return std::move(whole.bytes);
  };
  const std::string name = "read " + slot.entry->file;
  std::optional<std::string> text;
  if (cache && files.known_digest_of(name)) {
    slot.text_digest = files.digest_of(name);
  } else {
    text = files.read(slot.entry->file);
    slot.text_digest = text ? digest(*text) : absent;
  }
  const auto cached = cache ? cache->find(Cache::Kind::index, key()) : std::nullopt;
  if (cached && unpack(*cached, slot.index)) return;
  slot.index = {};
  slot.index.entry = slot.entry;
  slot.text_digest = absent;
  if (!text) text = files.read(slot.entry->file);
  if (!text) {
    if (!report_unreadable(files, slot.entry->file, slot.diagnostics)) {
      slot.diagnostics.error(Rule::file_unreadable, slot.entry->file, "the file cannot be read");
    }
    return;
  }
  const Limits limits;
  if (text->size() > limits.file_size) {
    slot.diagnostics.error(Rule::file_too_large, slot.entry->file,
                           "the file has more than " + std::to_string(limits.file_size) + " bytes");
    return;
  }
  const Source whole(slot.entry->file, *text);
  if (!check_text(whole, prose_of(slot.entry->file), slot.diagnostics)) return;
  slot.text = std::move(*text);
  slot.text_digest = digest(slot.text);
  index_text(slot, kept);
  if (cache && slot.diagnostics.empty()) cache->store(Cache::Kind::index, key(), pack(slot.index));
}

bool read_text(const FileSystem& files, Slot& slot) {
  if (slot.text_digest == absent) return false;
  if (digest(slot.text) == slot.text_digest) return true;
  auto text = files.read(slot.entry->file);
  if (text && digest(*text) == slot.text_digest) {
    slot.text = std::move(*text);
    return true;
  }
  slot.diagnostics.error(Rule::file_unreadable, slot.entry->file, "the file was changed during the build");
  return false;
}

void render_or_find(const Shared& shared, const PageCache& pages, bool prose, Slot& slot) {
  slot.inputs = slot.known;
  if (auto found = pages.find(slot.known)) {
    slot.page = std::move(found->page);
    slot.inputs.merge(found->inputs);
    forget_text(slot);
    return;
  }
  slot.rendered = true;
  const Index index = shared.index.watched();
  const auto files = watched(shared.files);
  const Shared own{shared.book, index, shared.values, shared.library, shared.modules, *files,
                   shared.cache, shared.words};
  // Its own index is part of its text, which is known.
  render_slot(own, *shared.index.by_file(slot.entry->file), prose, slot);
  if (slot.formulas.empty()) forget_text(slot);  // else what the converter finds needs its place
  slot.inputs.insert(index.reads().begin(), index.reads().end());
  slot.inputs.merge(files->reads());
}

void typeset(const Typesetter& typesetter, std::vector<Slot>& slots) {
  std::map<std::pair<std::string, bool>, std::size_t> order;
  std::vector<Formula> wanted;
  for (const auto& slot : slots) {
    for (const auto& use : slot.formulas) {
      const bool is_new = order.emplace(std::pair(use.tex, use.display), wanted.size()).second;
      if (is_new) wanted.push_back({use.tex, use.display});
    }
  }
  if (wanted.empty()) return;
  const auto made = typesetter(wanted);
  for (auto& slot : slots) {
    std::vector<std::string> formulas;
    for (const auto& use : slot.formulas) {
      const auto& result = made.at(order.at({use.tex, use.display}));
      formulas.push_back(result ? result.value() : std::string());
      if (result) continue;
      const auto& error = result.error();
      // A formula that the parser changed has no places inside.
      const bool placed = error.length > 0 &&
                          slot.source->text().substr(use.offset).starts_with(use.tex);
      slot.diagnostics.error(Rule::bad_maths, *slot.source, use.offset + (placed ? error.offset : 0),
                             placed ? error.length : use.length, error.message, error.suggestion);
    }
    if (formulas.empty()) continue;
    std::size_t bytes = slot.page.parts.body.size();
    for (const auto& formula : formulas) bytes += formula.size();
    if (bytes > page_limit) {
      slot.diagnostics.error(Rule::page_too_large, slot.entry->file, page_limit_message());
      continue;
    }
    PageParts& parts = slot.page.parts;
    for (std::string* html : {&parts.body, &parts.mental_model, &parts.takeaway,
                              &parts.prerequisites, &parts.d2l}) {
      *html = with_formulas(*html, formulas);
    }
  }
}

PageReport finish(const PageCache& pages, Slot& slot) {
  if (slot.rendered && slot.diagnostics.empty()) {
    slot.page.excerpt = excerpt_of(slot.page.parts.body, std::move(slot.page.excerpt.cited));
    Reads asked = slot.inputs;
    for (const auto& [name, value] : slot.known) asked.erase(name);
    pages.store(slot.known, asked, slot.page);
  }
  PageReport report{slot.entry->file, slot.rendered,
                    pages.changes(slot.entry->file, slot.inputs)};
  slot.known = {};
  slot.inputs = {};
  forget_text(slot);
  return report;
}

}  // namespace primer
