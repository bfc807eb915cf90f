#include "generator/site.hpp"

#include <memory>

#include "generator/own_block.hpp"
#include "generator/page.hpp"
#include "generator/parallel.hpp"
#include "generator/prose.hpp"
#include "generator/rule_page.hpp"
#include "generator/spelling.hpp"
#include "generator/text.hpp"

namespace primer {
namespace {

// One chapter's or page's way through the stages.
struct Slot {
  const Entry* entry = nullptr;
  std::unique_ptr<Source> source;
  ChapterIndex index;
  Body body;
  PageParts parts;
  Diagnostics diagnostics;
};

Extract body_of(const Slot& slot) {
  return extract_lines(*slot.source, slot.index.front.body_line, slot.source->line_count());
}

void index_slot(const FileSystem& files, Slot& slot) {
  slot.index.entry = slot.entry;
  auto text = files.read(slot.entry->file);
  const auto fault = text ? text_fault(*text) : std::nullopt;
  if (!text || fault) {
    slot.diagnostics.error(text ? Rule::file_not_utf8 : Rule::file_unreadable, slot.entry->file,
                           fault.value_or("the file cannot be read"));
    return;
  }
  const Limits limits;
  if (text->size() > limits.file_size) {
    slot.diagnostics.error(Rule::file_too_large, slot.entry->file,
                           "the file has more than " + std::to_string(limits.file_size) + " bytes");
    return;
  }
  slot.source = std::make_unique<Source>(slot.entry->file, std::move(*text));
  slot.index.front = parse_front_matter(*slot.source, slot.diagnostics);
  // What the text itself does wrong is reported when it is rendered.
  Diagnostics again;
  const auto document = parse_markdown(body_of(slot), again);
  if (!document) return;
  slot.index = index_chapter(*slot.entry, *slot.source, slot.index.front, *document,
                             slot.diagnostics);
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
  if (!slot.source) return;
  const auto document = parse_markdown(body_of(slot), slot.diagnostics);
  if (!document) return;
  if (prose) check_prose(*document, *slot.source, slot.diagnostics);
  Emitter emitter(shared, index, *slot.source, slot.diagnostics);
  const FrontMatter& front = slot.index.front;
  slot.parts.mental_model = emitter.render_line(front.mental_model);
  slot.parts.takeaway = emitter.render_line(front.takeaway);
  slot.parts.prerequisites = line_list(emitter, front.prerequisites);
  slot.parts.d2l = line_list(emitter, front.d2l);
  check_killer_figure(slot, emitter);
  slot.body = emitter.render(*document);
  slot.parts.chapter = &index;
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

void typeset(const Typesetter& typesetter, std::vector<Slot>& slots) {
  std::map<std::pair<std::string, bool>, std::size_t> order;
  std::vector<Formula> wanted;
  for (const auto& slot : slots) {
    for (const auto& use : slot.body.formulas) {
      const bool is_new = order.emplace(std::pair(use.tex, use.display), wanted.size()).second;
      if (is_new) wanted.push_back({use.tex, use.display});
    }
  }
  if (wanted.empty()) return;
  const auto made = typesetter(wanted);
  for (auto& slot : slots) {
    std::vector<std::string> formulas;
    for (const auto& use : slot.body.formulas) {
      const auto& result = made.at(order.at({use.tex, use.display}));
      formulas.push_back(result ? result.value() : std::string());
      if (result) continue;
      slot.diagnostics.error(Rule::bad_maths, *slot.source, use.offset, use.length,
                             result.error().message, result.error().suggestion);
    }
    for (std::string* html : {&slot.body.html, &slot.parts.mental_model, &slot.parts.takeaway,
                              &slot.parts.prerequisites, &slot.parts.d2l}) {
      *html = with_formulas(*html, formulas);
    }
  }
}

void assemble(const FileSystem& files, const Pages& pages, const Values& values, Slot& slot,
              SiteFiles& site) {
  const std::string& url = slot.entry->url;
  slot.parts.body = std::move(slot.body.html);
  if (!slot.body.data.empty()) {
    std::string data = slot.body.data.to_text(values.facts);
    slot.parts.data_name = "page." + content_hash(data).substr(0, 8) + ".json";
    site[url + slot.parts.data_name] = std::move(data);
  }
  for (const auto& image : slot.body.images) {
    site[published_image(image)] = files.read(image).value_or("");
  }
  site[url + "index.html"] = pages.page(slot.parts);
}

std::vector<Slot> make_slots(const Book& book) {
  std::vector<Slot> slots;
  for (const auto* list : {&book.chapters, &book.pages}) {
    for (const auto& entry : *list) slots.emplace_back().entry = &entry;
  }
  return slots;
}

}  // namespace

SiteFiles make_site(const SiteInputs& inputs, const SiteOptions& options,
                    Diagnostics& diagnostics) {
  const FileSystem& files = *inputs.book;
  auto book = load_book(files, diagnostics);
  if (!book) return {};
  if (!options.base_url.empty()) book->base_url = options.base_url;
  if (!book->base_url.empty() && book->base_url.back() != '/') book->base_url += '/';
  const auto values = load_values(files, *book, options.unmeasured, diagnostics);
  const Library library = load_library(files, diagnostics);
  if (!diagnostics.has_errors()) check_sources(files, values->facts, library, diagnostics);
  // Every chapter that uses what is broken would report it again.
  if (diagnostics.concerns(facts_directory)) return {};

  auto slots = make_slots(*book);
  for_each_index(slots.size(), options.threads,
                 [&](std::size_t i) { index_slot(files, slots[i]); });
  std::vector<ChapterIndex> chapters;
  for (const auto& slot : slots) chapters.push_back(slot.index);
  const Index index(std::move(chapters));

  const Shared shared{*book, index, *values, library, files};
  for_each_index(slots.size(), options.threads,
                 [&](std::size_t i) { render_slot(shared, index.all()[i], options.prose, slots[i]); });
  typeset(inputs.typeset, slots);
  for (auto& slot : slots) diagnostics.append(std::move(slot.diagnostics));

  Assets assets = collect_assets(inputs.assets, *values, diagnostics);
  const auto pages = Pages::load(*inputs.assets.site, *book, index, assets.directory, diagnostics);
  if (!pages || diagnostics.has_errors()) return {};
  SiteFiles site = std::move(assets.files);
  for (auto& slot : slots) assemble(files, *pages, *values, slot, site);
  if (!site.contains("index.html")) site["index.html"] = pages->home();
  site["404.html"] = pages->not_found();
  site[rules_url + std::string("index.html")] =
      pages->plain(rules_url, "Rules", "What primer's errors mean and how to mend them.", rules_page());
  site[".nojekyll"] = "";
  return site;
}

}  // namespace primer
