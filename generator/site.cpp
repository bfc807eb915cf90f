#include "generator/site.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "generator/collection.hpp"
#include "generator/own_block.hpp"
#include "generator/page.hpp"
#include "generator/page_cache.hpp"
#include "generator/parallel.hpp"
#include "generator/print_page.hpp"
#include "generator/prose.hpp"
#include "generator/publication.hpp"
#include "generator/redirect.hpp"
#include "generator/review_page.hpp"
#include "generator/rule_page.hpp"
#include "generator/spelling.hpp"
#include "generator/text.hpp"
#include "generator/translation.hpp"
#include "generator/words.hpp"

namespace primer {
namespace {

// One chapter's or page's way through the stages.
struct Slot {
  const Entry* entry = nullptr;
  std::size_t edition = 0;
  std::string text;
  std::unique_ptr<Source> source;  // of a chapter that must be parsed
  std::optional<Node> document;    // if it was parsed for its index and the tree was kept
  ChapterIndex index;
  Reads known;   // what the page depends on, as far as it is known before rendering
  Reads inputs;  // all of it
  bool rendered = false;
  std::vector<FormulaUse> formulas;
  RenderedPage page;
  Diagnostics diagnostics;
};

Extract body_of(const Slot& slot) {
  return extract_lines(*slot.source, slot.index.front.body_line, slot.source->line_count());
}

void make_source(Slot& slot) {
  if (!slot.source) slot.source = std::make_unique<Source>(slot.entry->file, slot.text);
}

// What is indexed will be rendered, so the trees of the first chapters are kept for that. A tree
// takes some thirty times its text.
class KeptTrees {
 public:
  bool take(std::size_t text) { return bytes_.fetch_add(text) + text <= most; }

 private:
  static constexpr std::size_t most = std::size_t{3} << 19;  // bytes of text
  std::atomic<std::size_t> bytes_ = 0;
};

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

void index_slot(const FileSystem& files, Cache* cache, KeptTrees& kept, Slot& slot) {
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
  slot.text = std::move(*text);
  Packer key;
  pack(key, *slot.entry);
  key.add(slot.text);
  const auto cached = cache ? cache->find(Cache::Kind::index, key.bytes) : std::nullopt;
  if (cached && unpack(*cached, slot.index)) return;
  slot.index = {};
  slot.index.entry = slot.entry;
  index_text(slot, kept);
  if (cache && slot.diagnostics.empty()) {
    cache->store(Cache::Kind::index, key.bytes, pack(slot.index));
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
  if (slot.text.empty()) return;
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
  parts.body.shrink_to_fit();  // it waits for all the others
  if (!body.data.empty()) slot.page.data = body.data.to_text(shared.values.facts);
  slot.page.images = std::move(body.images);
  slot.page.excerpt.cited = std::move(body.cited);
  slot.formulas = std::move(body.formulas);
}

void forget_text(Slot& slot) {
  slot.source.reset();
  slot.text = std::string();  // `{}` would keep its room
}

// From the cache, or rendered with a record of what it asks for.
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
    PageParts& parts = slot.page.parts;
    for (std::string* html : {&parts.body, &parts.mental_model, &parts.takeaway,
                              &parts.prerequisites, &parts.d2l}) {
      *html = with_formulas(*html, formulas);
    }
  }
}

// Keeps what was rendered, and notes how each page came about.
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

// Of the file beside a page that holds what its scripts need.
std::string data_name(const RenderedPage& page) {
  return "page." + content_hash(page.data).substr(0, 8) + ".json";
}

void publish_images(const FileSystem& files, const std::string& root, const Slot& slot,
                    SiteFiles& site) {
  for (const auto& image : slot.page.images) {
    site[root + published_image(image)] = files.read(image).value_or("");
  }
}

// Those of the origin in its order, then every edition's translations.
std::vector<Slot> make_slots(const Book& book) {
  std::vector<Slot> slots;
  const auto add = [&](const Book& edition, std::size_t number) {
    for (const auto* list : {&edition.chapters, &edition.pages}) {
      for (const auto& entry : *list) {
        if (entry.language != edition.language) continue;
        slots.emplace_back().entry = &entry;
        slots.back().edition = number;
      }
    }
  };
  add(book, 0);
  for (std::size_t i = 0; i < book.editions.size(); ++i) add(book.editions[i], i + 1);
  return slots;
}

// The pages of one language in the book's order, the origin's where there is no translation.
struct Tree {
  const Book& book;
  Words words;
  std::vector<Slot*> pages;
  Index index;
};

std::vector<Tree> make_trees(const Book& book, const std::vector<Words>& words,
                             std::vector<Slot>& slots, Diagnostics& diagnostics) {
  std::map<std::string_view, Slot*> by_file;
  for (auto& slot : slots) by_file.emplace(slot.entry->file, &slot);
  std::vector<Tree> trees;
  const auto add = [&](const Book& edition, const Words& own) {
    std::vector<Slot*> pages;
    std::vector<ChapterIndex> chapters;
    for (const auto* list : {&edition.chapters, &edition.pages}) {
      for (const auto& entry : *list) {
        Slot& slot = *pages.emplace_back(by_file.at(entry.file));
        if (!entry.origin.empty()) {
          const Slot& origin = *by_file.at(entry.origin);
          align(slot.index, origin.index, slot.text, origin.text, diagnostics);
        }
        chapters.push_back(slot.index);
      }
    }
    trees.push_back({edition, own, std::move(pages), Index(std::move(chapters))});
  };
  add(book, words.front());
  for (std::size_t i = 0; i < book.editions.size(); ++i) add(book.editions[i], words[i + 1]);
  return trees;
}

// What all chapters give together; the home page's list goes to `pages`.
void collect(const Shared& shared, const Tree& tree, const History& history, bool renditions,
             Pages& pages, SiteFiles& site) {
  Collected book{shared.book,   shared.library, shared.values, history,
                 shared.files,  shared.words,   shared.cache,  {}};
  for (std::size_t i = 0; i < tree.pages.size(); ++i) {
    book.parts.push_back({&tree.index.all()[i], &tree.pages[i]->page.excerpt});
  }
  auto collections = collection_pages(book);
  const auto offer = [&](const std::string& file, const char* title, const char* summary) {
    collections.push_back({file, shared.words(title), shared.words(summary), "", {}});
  };
  const std::string& root = tree.book.root;
  if (site.contains(root + print_url + "index.html")) offer(print_url, "The book on one page", "For printing.");
  if (site.contains(root + "book.epub")) offer("book.epub", "E-book", "EPUB, for e-readers.");
  if (renditions) offer("book.pdf", "PDF", "For paper and for keeping.");
  if (site.contains(root + "feed.xml")) offer("feed.xml", "Feed", "Atom: chapters as they come and change.");
  pages.chapter_list = home_list(book, collections);
  for (const auto& one : collections) {
    if (one.body.empty()) continue;  // another stage's
    site[tree.book.root + one.url + "index.html"] =
        pages.plain(one.url, one.heading, one.summary, one.body, one.in_all_languages);
    for (const auto& [path, bytes] : one.files) site[tree.book.root + one.url + path] = bytes;
  }
}

// A page of a tree, by its place there.
struct Place {
  std::size_t tree = 0, page = 0;
};

std::string file_of(const Tree& tree, const Slot& slot) {
  return tree.book.root + slot.entry->url + "index.html";
}

// A page that is the origin's, in the edition's frame.
void publish_untranslated(const Pages& pages, const Tree& tree, std::size_t page,
                          const SiteSink& sink) {
  const Slot& slot = *tree.pages[page];
  PageParts parts = slot.page.parts;
  parts.chapter = &tree.index.all()[page];
  if (!slot.page.data.empty()) {
    const std::string up = slot.entry->url.empty() ? "../" : "../../";
    parts.data_name = up + slot.entry->url + data_name(slot.page);
  }
  sink(file_of(tree, slot), pages.page(parts));
}

// The page's file and the one beside it; the slot's texts are used up.
void publish(const Pages& pages, const Tree& tree, std::size_t page, const SiteSink& sink) {
  Slot& slot = *tree.pages[page];
  RenderedPage made = std::exchange(slot.page, {});
  if (!made.data.empty()) {
    made.parts.data_name = data_name(made);
    sink(tree.book.root + slot.entry->url + made.parts.data_name, made.data);
  }
  sink(file_of(tree, slot), pages.page(made.parts));
}

// What every page depends on, whatever it asks for.
Reads common_inputs(const SiteInputs& inputs, const FileSystem& values, const Modules& modules) {
  Reads common = values.reads();
  common["the WebAssembly modules"] = modules.version();
  common["the converter of formulas"] = digest(inputs.typesetter);
  common["primer itself"] = inputs.program;
  return common;
}

// What the pages of one language depend on.
Reads edition_inputs(Reads common, const SiteOptions& options, const Book& book,
                     const Words& words) {
  Packer settings;
  pack_settings(settings, book);
  settings.add(std::uint64_t{options.unmeasured});
  settings.add(std::uint64_t{options.prose});
  common["the settings of the book"] = digest(settings.bytes);
  common["the words of the language"] = words.version();
  return common;
}

Reads known_inputs(const Reads& common, const Slot& slot) {
  Packer place;
  pack(place, *slot.entry);
  Reads known = common;
  known["its place in the book"] = digest(place.bytes);
  known["read " + slot.entry->file] = digest(slot.text);
  return known;
}

}  // namespace

void make_site(const SiteInputs& inputs, const SiteOptions& options, const SiteSink& sink,
               Diagnostics& diagnostics, BuildReport* report) {
  BuildReport unread;
  if (!report) report = &unread;
  StageClock clock(*report);
  const FileSystem& files = *inputs.book;
  const auto aside = options.threads > 1 ? std::launch::async : std::launch::deferred;
  Diagnostics about_modules;
  auto modules_loaded = std::async(aside, [&] { return Modules::load(inputs.assets.modules, about_modules); });
  auto book = load_book(files, diagnostics);
  if (!book) return;
  if (!options.base_url.empty()) book->publish_at(options.base_url);
  for (auto& edition : book->editions) {
    if (!options.repository.empty()) edition.repository = options.repository;
  }
  if (!options.repository.empty()) book->repository = options.repository;
  std::future<History> asked_history;  // of another program, which answers while this one works
  if (!book->base_url.empty()) asked_history = std::async(std::launch::async, inputs.history);
  const auto value_files = watched(files);
  const auto values = load_values(*value_files, *book, options.unmeasured, diagnostics);
  const Library library = load_library(*value_files, diagnostics);
  if (!diagnostics.has_errors()) check_sources(*value_files, values->facts, library, diagnostics);
  // Every chapter that uses what is broken would report it again.
  if (diagnostics.concerns(facts_directory)) return;
  const Modules modules = modules_loaded.get();
  diagnostics.append(std::move(about_modules));
  const Reads common = common_inputs(inputs, *value_files, modules);
  const auto words = words_of_all(files, *inputs.assets.site, *book, diagnostics);
  std::vector<Reads> known{edition_inputs(common, options, *book, words.front())};
  for (std::size_t i = 0; i < book->editions.size(); ++i) {
    known.push_back(edition_inputs(common, options, book->editions[i], words[i + 1]));
  }
  clock.finished("load");

  auto slots = make_slots(*book);
  KeptTrees kept;
  for_each_index(slots.size(), options.threads,
                 [&](std::size_t i) { index_slot(files, inputs.cache, kept, slots[i]); });
  bool formulas = false;
  for (auto& slot : slots) {
    slot.known = known_inputs(known[slot.edition], slot);
    formulas = formulas || slot.index.has_formulas;
  }
  if (formulas) inputs.expect_formulas();
  const auto trees = make_trees(*book, words, slots, diagnostics);
  for (const auto& tree : trees) {
    for (Slot* slot : tree.pages) {
      if (slot->entry->origin.empty()) continue;
      slot->known["the text that it translates"] = files.digest_of("read " + slot->entry->origin);
    }
  }
  clock.finished("index");

  std::vector<Shared> shared;
  std::vector<PageCache> page_caches;
  for (const auto& tree : trees) {
    shared.push_back({tree.book, tree.index, *values, library, modules, files, inputs.cache,
                      tree.words});
    page_caches.emplace_back(inputs.cache, files, tree.index);
  }
  for_each_index(slots.size(), options.threads, [&](std::size_t i) {
    Slot& slot = slots[i];
    render_or_find(shared[slot.edition], page_caches[slot.edition], options.prose, slot);
  });
  clock.finished("render");
  typeset(inputs.typeset, slots);
  clock.finished("typeset");
  report->pages.resize(slots.size());
  for_each_index(slots.size(), options.threads, [&](std::size_t i) {
    report->pages[i] = finish(page_caches[slots[i].edition], slots[i]);
  });
  for (auto& slot : slots) diagnostics.append(std::move(slot.diagnostics));

  if (inputs.cache) report->cache = inputs.cache->tallies();
  const History history = asked_history.valid() ? asked_history.get() : History();
  std::vector<Publication> publications;
  for (const auto& tree : trees) {
    if (book->base_url.empty() || diagnostics.has_errors()) break;
    publications.push_back({tree.book, history, files, inputs.cache, options.threads, {}});
    for (const Slot* slot : tree.pages) publications.back().pages.push_back({&slot->index, &slot->page});
  }
  auto announced = std::async(aside, [&] {
    SiteFiles told;
    for (const auto& publication : publications) announce(publication, told);
    return told;
  });

  AssetDirectories shared_files = inputs.assets;
  shared_files.book = &files;
  Assets assets = collect_assets(shared_files, modules, *values, diagnostics);
  std::vector<Edition> editions;
  for (const auto& tree : trees) editions.push_back({&tree.book, tree.words("English")});
  std::vector<Pages> all_pages;
  for (const auto& tree : trees) {
    auto pages = Pages::load(*inputs.assets.site, tree.book, tree.index, history, assets,
                             tree.words, editions, diagnostics);
    if (!pages) break;
    all_pages.push_back(std::move(*pages));
  }
  if (all_pages.size() < trees.size() || diagnostics.has_errors()) return;
  SiteFiles site = announced.get();
  site.merge(assets.files);
  std::vector<Place> own, untranslated;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Tree& tree = trees[i];
    bool has_home = false;
    for (std::size_t page = 0; page < tree.pages.size(); ++page) {
      Slot& slot = *tree.pages[page];
      (slot.edition == i ? own : untranslated).push_back({i, page});
      if (slot.edition == i) slot.page.parts.chapter = &tree.index.all()[page];
      has_home = has_home || slot.entry->url.empty();
    }
    Pages& pages = all_pages[i];
    pages.renditions = options.renditions && i == 0 && !publications.empty();
    if (pages.renditions) add_renditions(publications[i], assets.directory, site, diagnostics);
    collect(shared[i], tree, history, pages.renditions, pages, site);
    for (const Slot* slot : tree.pages) {
      publish_images(files, tree.book.root, *slot, site);
      // Its page stands in place of an asset of that name, and behind what follows here.
      site.erase(file_of(tree, *slot));
    }
    const std::string home = tree.book.root + "index.html";
    if (!has_home && !site.contains(home)) site[home] = all_pages[i].home();
  }
  const Pages* pages = &all_pages.front();
  site["404.html"] = pages->not_found();
  site[rules_url + std::string("index.html")] =
      pages->plain(rules_url, "Rules", "What primer's errors mean and how to mend them.",
                   kept_or_made(inputs.cache, Cache::Kind::page, "the page of rules", rules_page));
  if (options.review && book->review) {
    auto review = review_pages(files, *book, *values, inputs.cache, options.threads, diagnostics);
    for (const auto& one : review)
      site[one.url + "index.html"] = pages->review(one.url, one.heading, one.summary, one.body);
  }
  add_redirects(*book, trees.front().index, files, site, diagnostics);
  site[".nojekyll"] = "";
  if (diagnostics.has_errors()) return;

  // The origin's pages last: they use up the bodies that other editions show too.
  const auto free_place = [&](const Place& place) {
    const Tree& tree = trees[place.tree];
    return !site.contains(file_of(tree, *tree.pages[place.page]));
  };
  for_each_index(untranslated.size(), options.threads, [&](std::size_t i) {
    const Place& place = untranslated[i];
    if (!free_place(place)) return;
    publish_untranslated(all_pages[place.tree], trees[place.tree], place.page, sink);
  });
  std::vector<const SiteFiles::value_type*> others;
  for (const auto& file : site) others.push_back(&file);
  for_each_index(own.size() + others.size(), options.threads, [&](std::size_t i) {
    if (i >= own.size()) {
      sink(others[i - own.size()]->first, others[i - own.size()]->second);
    } else if (free_place(own[i])) {
      publish(all_pages[own[i].tree], trees[own[i].tree], own[i].page, sink);
    }
  });
  clock.finished("assemble");
}

SiteFiles make_site(const SiteInputs& inputs, const SiteOptions& options, Diagnostics& diagnostics,
                    BuildReport* report) {
  SiteFiles site;
  std::mutex mutex;
  const auto keep = [&](const std::string& path, const std::string& bytes) {
    const std::lock_guard lock(mutex);
    site[path] = bytes;
  };
  make_site(inputs, options, keep, diagnostics, report);
  return site;
}

}  // namespace primer
