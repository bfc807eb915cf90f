#include "generator/core/pipeline/page_job.hpp"

#include <algorithm>
#include <utility>

#include "generator/core/base/text.hpp"
#include "generator/core/check/loss.hpp"
#include "generator/core/check/prose.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/index/block_reference.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/index/translation.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/typeset/typography.hpp"

namespace primer {
namespace {
std::string key_of(const KnownInputs& known) { return pack(known.common->version, known.own); }

Digest version_of(const Dependencies& inputs) { return digest(pack(inputs)); }

// Describes one change, for example "chapters/facts/chips.json changed".
std::string sentence(const Dependency& dependency, const Digest& before, const Digest& now) {
  const std::string& what = dependency.what;
  const std::string change = before == absent ? " is new" : now == absent ? " is gone" : " changed";
  const auto entry = [&](const std::string& kind) {
    return what.empty() ? "some " + kind + " changed" : "the " + kind + ' ' + what + change;
  };
  switch (dependency.kind) {
    case Dependency::Kind::fact: return entry("fact");
    case Dependency::Kind::reference: return entry("reference");
    case Dependency::Kind::original_term:
    case Dependency::Kind::term: return entry("term");
    case Dependency::Kind::thing:
      return what.empty() ? "the titles above facts changed" : "the title above " + what + change;
    case Dependency::Kind::file: return what + change;
    case Dependency::Kind::directory: return "the files in " + what + " changed";
    case Dependency::Kind::anchors: return "the headings or ids of " + what + " changed";
    case Dependency::Kind::all_anchors: return "the headings or ids of some chapter changed";
    case Dependency::Kind::given: break;
  }
  return what + " changed";
}

}  // namespace

CommonInputs::CommonInputs(Dependencies inputs)
    : all(std::move(inputs)), version(version_of(all)) {}

Digest version_of(const KnownInputs& known, const Dependencies& asked) {
  return digest(key_of(known) + pack(asked));
}

Digest PageCache::digest_of(const Dependency& asked) const {
  switch (asked.kind) {
    case Dependency::Kind::all_anchors:
    case Dependency::Kind::anchors: return shared_.index.digest_of(asked);
    case Dependency::Kind::fact:
    case Dependency::Kind::thing: return primer::digest_of(shared_.values.facts, asked);
    case Dependency::Kind::original_term:
      return shared_.original ? shared_.original->library.digest_of(asked) : absent;
    case Dependency::Kind::reference:
    case Dependency::Kind::term: return shared_.library.digest_of(asked);
    case Dependency::Kind::directory:
    case Dependency::Kind::file:
    case Dependency::Kind::given: break;
  }
  return shared_.files.digest_of(asked);
}

std::optional<PageCache::Found> PageCache::find(const KnownInputs& known) const {
  const auto bytes =
      shared_.cache ? shared_.cache->find(Cache::Kind::page, key_of(known)) : std::nullopt;
  if (!bytes) return std::nullopt;
  Unpacker unpacker(*bytes);
  Found found;
  unpacker.take(found.asked);
  const bool still_true =
      std::all_of(found.asked.begin(), found.asked.end(),
                  [&](const auto& input) { return digest_of(input.first) == input.second; });
  if (!still_true) return std::nullopt;
  unpacker.take(found.page);
  if (!unpacker.whole()) return std::nullopt;
  return found;
}

void PageCache::store(const KnownInputs& known, const Dependencies& asked,
                      const RenderedPage& page) const {
  if (!shared_.cache) return;
  shared_.cache->store(Cache::Kind::page, key_of(known), pack(asked, page));
}

std::vector<std::string> PageCache::changes(const std::string& file, const KnownInputs& known,
                                            const Dependencies& asked) const {
  if (!shared_.cache) return {};
  Dependencies inputs = known.common->all;
  inputs.insert(known.own.begin(), known.own.end());
  inputs.insert(asked.begin(), asked.end());
  const std::string key = "inputs of " + file;
  const auto bytes = shared_.cache->find(Cache::Kind::build, key);
  const std::string now = pack(inputs);
  if (bytes == now) return {};
  shared_.cache->store(Cache::Kind::build, key, now);
  if (!bytes) return {"it was not built before"};
  Dependencies before;
  Unpacker(*bytes).take(before);
  // An input that only one of the two builds asked for is a consequence of another change.
  std::vector<std::string> sentences;
  for (const auto& [dependency, digest] : inputs) {
    const auto old = before.find(dependency);
    if (old != before.end() && old->second != digest) {
      sentences.push_back(sentence(dependency, old->second, digest));
    }
  }
  return sentences;
}

// Page jobs.

namespace {
Extract body_of(const PageJob& job) {
  return extract_lines(*job.source, job.index.front.body_line, job.source->line_count());
}

void make_source(PageJob& job) {
  if (!job.source) job.source = std::make_unique<Source>(job.entry->file, job.text);
}

// A pending translation never becomes a job, so this text is an original.
void refuse_pending(PageJob& job) {
  const std::size_t at = job.text.find("translation:");
  job.diagnostics.error(Rule::bad_value, *job.source, at, 11,
                        "only a translation can be marked as pending");
  job.diagnostics.hint("this is the original");
}

void index_text(PageJob& job, KeptTrees& kept) {
  make_source(job);
  job.index.front = parse_front_matter(*job.source, job.diagnostics);
  if (job.index.front.is_pending) refuse_pending(job);
  // Rendering parses the text again and reports these diagnostics.
  Diagnostics again;
  auto document = parse_markdown(body_of(job), again);
  if (!document) return;
  const int body_line = job.index.front.body_line;
  std::vector<TextBlock> blocks;
  if (!job.entry->original.empty()) {
    blocks = take_blocks(*document, *job.source, job.index.front, again);
  } else if (job.entry->translated) {
    blocks = text_blocks(*document, *job.source, body_line);
  }
  add_references(*document, *job.source, job.index.front, blocks);
  job.index = index_chapter(*job.entry, *job.source, job.index.front, *document, job.diagnostics);
  job.index.blocks = std::move(blocks);
  // Keep the tree only if rendering would get the same one: take_blocks() has removed the marks
  // from a translation's tree, and a text with diagnostics must be parsed again to report them.
  if (job.entry->original.empty() && again.empty() && kept.take(job.text.size())) {
    job.document = std::move(document);
  } else {
    job.source.reset();
  }
}

std::string line_list(Emitter& emitter, std::string_view key,
                      const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  Html out;
  out.open("ul").line();
  for (std::size_t i = 0; i < lines.size(); ++i)
    out.open("li").raw(emitter.render_line(key, lines[i], i)).close().line();
  return out.close().take();
}

void check_killer_figure(const PageJob& job, Emitter& emitter) {
  const std::string& id = job.index.front.figure;
  const Anchor* anchor = id.empty() ? nullptr : job.index.find(id);
  if (id.empty() || (anchor && anchor->kind == AnchorKind::figure)) return;
  if (!anchor && !job.index.whole) return;
  std::vector<std::string> figures;
  for (const auto& candidate : job.index.anchors) {
    if (candidate.kind == AnchorKind::figure) figures.push_back(candidate.id);
  }
  const std::string_view text = job.source->text();
  emitter.error(Rule::unknown_figure, text.find(id, text.find("figure:")), id.size(),
                "the chapter has no figure " + in_quotes(id), nearest(id, figures));
}

// Reports sections in the front matter that the chapter does not have.
void check_sections(const PageJob& job, Emitter& emitter) {
  if (!job.index.whole) return;
  std::vector<std::string> known;
  for (const auto& anchor : job.index.anchors)
    if (anchor.kind == AnchorKind::section) known.push_back(anchor.id);
  const std::string_view text = job.source->text();
  for (const auto& section : job.index.front.sections) {
    const std::string& id = section.id;
    if (std::ranges::find(known, id) != known.end()) continue;
    emitter.error(Rule::dead_link, text.find(id + ':', text.find("sections:")), id.size(),
                  "the chapter has no section " + in_quotes(id), nearest(id, known));
  }
}

void render_page(const RenderContext& shared, const ChapterIndex& index,
                 const std::vector<AvoidedWord>* prose, PageJob& job) {
  if (!read_text(shared.files, job) || job.text.empty()) return;
  make_source(job);
  const auto unused_notes = job.index.untranslated.empty() ? Severity::error : Severity::warning;
  auto document = job.document ? std::exchange(job.document, std::nullopt)
                               : parse_markdown(body_of(job), job.diagnostics, unused_notes);
  if (!document) return;
  if (!job.entry->original.empty()) {
    take_blocks(*document, *job.source, job.index.front, job.diagnostics);
  } else if (prose) {  // the rules are for English
    check_prose(*document, *job.source, job.diagnostics);
  }
  if (prose) check_wording(*job.source, *prose, job.diagnostics);
  check_placeholders(*job.source, job.diagnostics);
  Emitter emitter(shared, index, *job.source, job.diagnostics);
  const FrontMatter& front = job.index.front;
  PageText& parts = job.made.emplace();
  parts.prerequisites = line_list(emitter, "prerequisites", front.prerequisites);
  parts.d2l = line_list(emitter, "d2l", front.d2l);
  parts.heading = emitter.render_line("title", front.heading);
  check_killer_figure(job, emitter);
  check_sections(job, emitter);
  Body body = emitter.render(*document);
  parts.body = std::move(body.html);
  check_loss(*document, parts.body, *job.source, job.diagnostics);
  for (std::string* text : {&parts.heading, &parts.prerequisites, &parts.d2l, &parts.body})
    *text = set_html(*text, job.entry->language);
  check_ids(index, *job.source, parts.heading + parts.prerequisites + parts.body + parts.d2l,
            job.diagnostics);
  parts.body.shrink_to_fit();  // it stays in memory until all pages are rendered
  if (!body.data.empty()) parts.data = body.data.to_text(shared.values.facts);
  job.page.images = std::move(body.images);
  job.page.offered = std::move(body.offered);
  job.page.listed = std::move(body.listed);
  job.page.excerpt.cited = std::move(body.cited);
  for (auto& preset : body.presets) preset.html = set_html(preset.html, job.entry->language);
  job.page.excerpt.presets = std::move(body.presets);
  job.formulas = std::move(body.formulas);
}

// Whether the page needs scripts with modules: it measures, redraws, runs a model, checks an
// answer, lists the untouched traps or names a module.
bool is_alive(const PageText& text) {
  return !text.data.empty() || text.body.find("id=\"untouched-pages\"") != text.body.npos ||
         text.body.find(".wasm") != text.body.npos;
}

// Turns the rendered text into the page and stores the page if it has no diagnostics.
void settle(const PageCache& pages, PageJob& job) {
  RenderedPage& page = job.page;
  if (!job.diagnostics.has_errors()) {
    auto presets = std::move(page.excerpt.presets);
    page.excerpt = excerpt_of(job.made->body, std::move(page.excerpt.cited));
    page.excerpt.presets = std::move(presets);
  }
  page.alive = is_alive(*job.made);
  if (!job.made->data.empty())
    page.data_name = "page." + content_hash(job.made->data).substr(0, 8) + ".json";
  page.text = *std::exchange(job.made, std::nullopt);
  if (!job.diagnostics.empty()) return;
  pages.store(job.known, job.asked, page);
}

void forget_text(PageJob& job) {
  job.source.reset();
  job.text = std::string();  // assigning `{}` would keep the capacity
}

}  // namespace

std::optional<std::string> identify(const FileSystem& files, const Cache* cache, PageJob& job) {
  const auto itself = Dependency::file(job.entry->file);
  std::optional<std::string> text;
  if (cache && files.known_digest_of(itself)) {
    job.text_digest = files.digest_of(itself);
  } else {
    text = files.read(job.entry->file);
    job.text_digest = text ? digest(*text) : absent;
  }
  return text;
}

void index_page(const FileSystem& files, Cache* cache, KeptTrees& kept, PageJob& job,
                std::optional<std::string> text, Blocks wanted) {
  job.index = {};
  job.index.entry = job.entry;
  const auto key = [&] { return pack(*job.entry, job.text_digest); };
  const auto cached = cache ? cache->find(Cache::Kind::index, key()) : std::nullopt;
  if (cached && unpack_index(*cached, job.index, wanted)) return;
  job.index = {};
  job.index.entry = job.entry;
  job.text_digest = absent;
  if (!text) text = files.read(job.entry->file);
  if (!text) {
    if (!report_unreadable(files, job.entry->file, job.diagnostics)) {
      job.diagnostics.error(Rule::file_unreadable, job.entry->file, "the file cannot be read");
    }
    return;
  }
  const Limits limits;
  if (text->size() > limits.file_size) {
    job.diagnostics.error(Rule::file_too_large, job.entry->file,
                          "the file has more than " + std::to_string(limits.file_size) + " bytes");
    return;
  }
  const Source whole(job.entry->file, *text);
  if (!check_text(whole, prose_of(job.entry->file), job.diagnostics)) return;
  job.text = std::move(*text);
  job.text_digest = digest(job.text);
  index_text(job, kept);
  if (cache && job.diagnostics.empty()) cache->store(Cache::Kind::index, key(), pack(job.index));
}

bool read_text(const FileSystem& files, PageJob& job) {
  if (job.text_digest == absent) return false;
  if (digest(job.text) == job.text_digest) return true;
  auto text = files.read(job.entry->file);
  if (text && digest(*text) == job.text_digest) {
    job.text = std::move(*text);
    return true;
  }
  job.diagnostics.error(Rule::file_unreadable, job.entry->file,
                        "the file changed during the build");
  return false;
}

void render_or_find(const PageCache& pages, const std::vector<AvoidedWord>* prose, PageJob& job) {
  if (auto found = pages.find(job.known)) {
    job.page = std::move(found->page);
    job.asked = std::move(found->asked);
    forget_text(job);
    return;
  }
  job.rendered = true;
  const RenderContext& shared = pages.shared();
  const Index index = shared.index.watched();
  const Values values = shared.values.watched();
  const auto files = watched(shared.files);
  const RenderContext own{shared.book,    index,  values,       shared.library.watched(),
                          shared.modules, *files, shared.cache, shared.words,
                          shared.original};
  // Rendering may read this page's own index unwatched, because it follows from the text.
  render_page(own, *shared.index.by_file(job.entry->file), prose, job);
  job.asked = files->reads();
  for (auto reads : {index.reads(), values.reads(), own.library.reads()}) job.asked.merge(reads);
  std::erase_if(job.asked, [&](const auto& one) {
    return job.known.common->all.contains(one.first) || job.known.own.contains(one.first);
  });
  if (!job.formulas.empty()) return;  // errors in formulas need the source
  forget_text(job);
  if (job.made) settle(pages, job);
}

PageReport finish(const PageCache& pages, const InputVersions& before, PageJob& job) {
  if (job.made) settle(pages, job);
  const std::string& file = job.entry->file;
  PageReport report{file, job.rendered, {}, version_of(job.known, job.asked)};
  const auto last = before.find(file);
  if (last == before.end() || last->second != report.inputs_version)
    report.changes = pages.changes(file, job.known, job.asked);
  job.known = {};
  job.asked = {};
  forget_text(job);
  return report;
}

}  // namespace primer
