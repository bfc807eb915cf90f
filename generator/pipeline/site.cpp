#include "generator/pipeline/site.hpp"

#include <algorithm>
#include <functional>
#include <future>
#include <mutex>
#include <utility>

#include "generator/assemble/addresses.hpp"
#include "generator/assemble/page.hpp"
#include "generator/base/parallel.hpp"
#include "generator/base/text.hpp"
#include "generator/collect/collection.hpp"
#include "generator/collect/redirect.hpp"
#include "generator/collect/review_page.hpp"
#include "generator/collect/rule_page.hpp"
#include "generator/index/page_ids.hpp"
#include "generator/index/translation.hpp"
#include "generator/load/messages.hpp"
#include "generator/pictures/image.hpp"
#include "generator/pipeline/page_job.hpp"
#include "generator/publish/print_page.hpp"
#include "generator/publish/publication.hpp"
#include "generator/publish/usual_addresses.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

// Of the file beside a page that holds what its scripts need.
std::string data_name(const RenderedPage& page) {
  return "page." + content_hash(page.data).substr(0, 8) + ".json";
}

// As clean_image() writes them. The page that shows one has found it without fault, so that nothing comes
// of one only if its file was changed during the build.
void publish_images(const FileSystem& files, Cache* cache, const std::string& root, const Slot& slot,
                    LazyFiles& site) {
  for (const auto& name : slot.page.images) {
    const auto make = [&files, cache, name] {
      auto image = clean_image(name, files.read(name).value_or(""), cache);
      return image ? std::move(image->bytes) : std::string();
    };
    site.insert_or_assign(root + published_image(name), LazyFile{files.digest_of("read " + name), make});
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

std::vector<Tree> make_trees(const FileSystem& files, const Book& book, const std::vector<Words>& words,
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
          Slot& origin = *by_file.at(entry.origin);
          if (read_text(files, slot) && read_text(files, origin)) {
            align(slot.index, origin.index, slot.text, origin.text, diagnostics);
          }
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

// What stands in the site beside its chapters and pages.
struct Others {
  SiteFiles files;
  LazyFiles lazy;

  bool contains(const std::string& path) const { return files.contains(path) || lazy.contains(path); }
};

std::string file_of(const Tree& tree, const Slot& slot) {
  return tree.book.root + slot.entry->url + "index.html";
}

// All that this book has besides.
void claim_own(const std::vector<Tree>& trees, const Assets& assets, Addresses& addresses,
               Diagnostics& diagnostics) {
  for (const auto& [path, bytes] : assets.files) {
    if (path.starts_with("_/") || path.starts_with("search/")) continue;
    const std::string file = "site/static/" + path;
    addresses.claim(path, {file, file, path.starts_with("figures/") ? "the figures" : ""}, diagnostics);
  }
  for (const auto& tree : trees) {
    const std::string& root = tree.book.root;
    bool has_home = false;
    for (const Slot* slot : tree.pages) {
      const std::string& file = slot->entry->file;
      has_home = has_home || slot->entry->url.empty();
      addresses.claim(file_of(tree, *slot), {file, file}, diagnostics);
      if (!slot->page.data.empty()) {
        addresses.claim(root + slot->entry->url + data_name(slot->page), {file, file}, diagnostics);
      }
      for (const auto& image : slot->page.images) {
        addresses.claim(root + published_image(image), {image, image, "the images of chapters"}, diagnostics);
      }
    }
    if (!has_home) addresses.claim(root + "index.html", {"the home page"}, diagnostics);
  }
}

// Whether everything that stands beside the pages has an owner, and none of it is a page's.
void check_owners(const Others& site, const std::vector<Tree>& trees, const Addresses& addresses,
                  Diagnostics& diagnostics) {
  const auto check = [&](const std::string& path) {
    if (!addresses.owner_of(path)) diagnostics.error(Rule::output_error, path, "nobody has claimed this address");
  };
  for (const auto& [path, bytes] : site.files) check(path);
  for (const auto& [path, file] : site.lazy) check(path);
  for (const auto& tree : trees) {
    for (const Slot* slot : tree.pages) {
      const std::string path = file_of(tree, *slot);
      if (!site.contains(path)) continue;
      diagnostics.error(Rule::address_taken, slot->entry->file, "another file is at /" + path);
    }
  }
}

// What all chapters give together; the home page's list goes to `pages`.
void collect(const Shared& shared, const Tree& tree, const History& history, const Gallery& gallery,
             const std::vector<Erratum>& errata, bool renditions, Pages& pages, Others& site, Diagnostics& diagnostics) {
  Collected book{shared.book,   shared.library, shared.values, history,
                 shared.files,  shared.words,   gallery,       shared.cache,
                 errata,        {}};
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
    for (const auto& id : repeated_ids(one.body, frame_ids(false))) {
      diagnostics.error(Rule::duplicate_id, book_file,
                        "the page /" + one.url + " would have the id " + in_quotes(id) + " twice");
    }
    site.lazy.insert_or_assign(tree.book.root + one.url + "index.html",
                                pages.plain(one.url, one.heading, one.summary, one.body, one.in_all_languages));
    for (const auto& [path, bytes] : one.files) site.files[tree.book.root + one.url + path] = bytes;
  }
}

// A page of a tree, by its place there.
struct Place {
  std::size_t tree = 0, page = 0;
};

void publish(const std::string& path, const LazyFile& file, const SiteSink& sink) {
  if (!sink.keep(path, file.made_of)) sink.add(path, file.make());
}

// A page that is the origin's, in the edition's frame.
void publish_untranslated(const Pages& pages, const Tree& tree, std::size_t page,
                          const SiteSink& sink) {
  const Slot& slot = *tree.pages[page];
  const std::string up = slot.entry->url.empty() ? "../" : "../../";
  const std::string data = slot.page.data.empty() ? "" : up + slot.entry->url + data_name(slot.page);
  publish(file_of(tree, slot), pages.page(tree.index.all()[page], slot.page.parts, slot.page.parts.body, data), sink);
}

// The page's file and the one beside it; the slot's texts are used up.
void publish_own(const Pages& pages, const Tree& tree, std::size_t page, const SiteSink& sink) {
  Slot& slot = *tree.pages[page];
  RenderedPage made = std::exchange(slot.page, {});
  const std::string data = made.data.empty() ? "" : data_name(made);
  if (!data.empty()) sink.add(tree.book.root + slot.entry->url + data, made.data);
  std::string body = std::exchange(made.parts.body, {});
  publish(file_of(tree, slot), pages.page(tree.index.all()[page], made.parts, std::move(body), data), sink);
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
  known["read " + slot.entry->file] = slot.text_digest;
  return known;
}

// What is published shows only files that are committed, where that is known.
void check_tracked(const std::function<std::optional<TrackedFiles>()>& ask, const FileSystem& files,
                   const std::vector<Slot>& slots, Diagnostics& diagnostics) {
  const auto shows = [](const Slot& slot) { return !slot.page.listed.empty(); };
  if (std::ranges::none_of(slots, shows)) return;
  const auto tracked = ask();
  if (!tracked) return;
  for (const auto& slot : slots) {
    for (const auto& file : slot.page.listed) {
      const auto committed = tracked->find(file);
      const bool is_there = committed != tracked->end();
      if (is_there && is_committed(files.read(file).value_or(""), committed->second)) continue;
      const Source source(slot.entry->file, files.read(slot.entry->file).value_or(""));
      const auto at = source.text().find(file);
      if (is_there) {
        diagnostics.warning(Rule::private_source, source, at == source.text().npos ? 0 : at, file.size(),
                            in_quotes(file) + " has changes that are not committed, and readers would see them");
        continue;
      }
      diagnostics.error(Rule::private_source, source, at == source.text().npos ? 0 : at, file.size(),
                        in_quotes(file) + " is not committed, so it is not for readers");
      diagnostics.hint("commit it before it is published");
    }
  }
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
  auto modules_loaded = std::async(aside, [&] {
    kernel_descriptions();  // the values need them, and here nobody waits
    return Modules::load(inputs.assets.modules, about_modules);
  });
  auto book = load_book(files, diagnostics, inputs.cache);
  if (!book) return;
  if (options.base_url == no_base_url) book->publish_at("");
  else if (!options.base_url.empty()) book->publish_at(options.base_url);
  for (auto& edition : book->editions) {
    if (!options.repository.empty()) edition.repository = options.repository;
  }
  if (!options.repository.empty()) book->repository = options.repository;
  std::future<History> asked_history;  // of another program, which answers while this one works
  if (!book->base_url.empty()) asked_history = std::async(std::launch::async, inputs.history);
  const auto errata = load_errata(files, *book, diagnostics, inputs.cache);
  const auto value_files = watched(files);
  Diagnostics about_library;
  auto library_loaded = std::async(aside, [&] { return load_library(*value_files, about_library, inputs.cache); });
  const auto values = load_values(*value_files, *book, options.unmeasured, diagnostics, inputs.cache);
  const Library library = library_loaded.get();
  diagnostics.append(std::move(about_library));
  if (!diagnostics.has_errors()) check_sources(*value_files, values->facts, library, diagnostics);
  if (!diagnostics.has_errors()) check_dates(*value_files, values->facts, library, *book, diagnostics);
  // Every chapter that uses what is broken would report it again.
  if (diagnostics.concerns(facts_directory)) return;
  const Modules modules = modules_loaded.get();
  diagnostics.append(std::move(about_modules));
  AssetDirectories shared_files = inputs.assets;
  const Gallery gallery = load_gallery(files, book->reference, *values, diagnostics, inputs.cache);
  shared_files.gallery = &gallery;
  Diagnostics about_assets;
  auto assets_collected =
      std::async(aside, [&] { return collect_assets(shared_files, modules, *values, about_assets); });
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
  const auto trees = make_trees(files, *book, words, slots, diagnostics);
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

  if (!book->base_url.empty()) check_tracked(inputs.tracked, files, slots, diagnostics);
  if (inputs.cache) report->cache = inputs.cache->tallies();
  const History history = asked_history.valid() ? asked_history.get() : History();
  std::vector<Publication> publications;
  for (const auto& tree : trees) {
    if (book->base_url.empty() || diagnostics.has_errors()) break;
    publications.push_back({tree.book, history, files, inputs.cache, options.threads, {}});
    for (const Slot* slot : tree.pages) publications.back().pages.push_back({&slot->index, &slot->page});
  }

  Assets assets = assets_collected.get();
  diagnostics.append(std::move(about_assets));
  std::vector<Edition> editions;
  for (const auto& tree : trees) editions.push_back({&tree.book, tree.words("English")});
  std::vector<Pages> all_pages;
  for (const auto& tree : trees) {
    auto pages = Pages::load(*inputs.assets.site, tree.book, tree.index, history, assets,
                             tree.words, editions, diagnostics);
    if (!pages) break;
    all_pages.push_back(std::move(*pages));
  }
  Addresses addresses;
  std::vector<std::string> roots;
  for (const auto& tree : trees) roots.push_back(tree.book.root);
  claim_usual(roots, addresses, diagnostics);
  claim_own(trees, assets, addresses, diagnostics);
  SiteFiles redirects;
  add_redirects(*book, trees.front().index, files, addresses, redirects, diagnostics);
  if (all_pages.size() < trees.size() || diagnostics.has_errors()) return;
  Others site{std::move(assets.files), {}};
  for (const auto& publication : publications) announce(publication, site.files, site.lazy);
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
    if (pages.renditions) add_renditions(publications[i], assets.directory, site.files, diagnostics);
    collect(shared[i], tree, history, gallery, errata, pages.renditions, pages, site, diagnostics);
    for (const Slot* slot : tree.pages) publish_images(files, inputs.cache, tree.book.root, *slot, site.lazy);
    if (!has_home) site.lazy[tree.book.root + "index.html"] = all_pages[i].home();
  }
  const Pages* pages = &all_pages.front();
  site.files["404.html"] = pages->not_found();
  site.lazy.insert_or_assign(
      rules_url + std::string("index.html"),
      pages->plain(rules_url, "Rules", "What primer's errors mean and how to mend them.",
                   kept_or_made(inputs.cache, Cache::Kind::page, "the page of rules", rules_page)));
  if (options.review && book->review) {
    auto review = review_pages(files, *book, *values, inputs.cache, options.threads, diagnostics);
    for (auto& one : review) {
      site.lazy.insert_or_assign(one.url + "index.html",
                                  pages->review(one.url, one.heading, one.summary, std::move(one.body)));
    }
  }
  site.files.merge(redirects);
  site.files[".nojekyll"] = "";
  check_owners(site, trees, addresses, diagnostics);
  if (diagnostics.has_errors()) return;

  // The pages in their own languages last: they use up the bodies that others show too.
  for_each_index(untranslated.size(), options.threads, [&](std::size_t i) {
    const Place& place = untranslated[i];
    publish_untranslated(all_pages[place.tree], trees[place.tree], place.page, sink);
  });
  std::vector<std::function<void()>> others;
  for (const auto& [path, file] : site.lazy) others.push_back([&] { publish(path, file, sink); });
  for (const auto& [path, bytes] : site.files) others.push_back([&] { sink.add(path, bytes); });
  for_each_index(others.size(), options.threads, [&](std::size_t i) { others[i](); });
  for_each_index(own.size(), options.threads, [&](std::size_t i) {
    publish_own(all_pages[own[i].tree], trees[own[i].tree], own[i].page, sink);
  });
  clock.finished("assemble");
}

SiteFiles make_site(const SiteInputs& inputs, const SiteOptions& options, Diagnostics& diagnostics,
                    BuildReport* report) {
  SiteFiles site;
  std::mutex mutex;
  const auto add = [&](const std::string& path, const std::string& bytes) {
    const std::lock_guard lock(mutex);
    site[path] = bytes;
  };
  make_site(inputs, options, {add}, diagnostics, report);
  return site;
}

}  // namespace primer
