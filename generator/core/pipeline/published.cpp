#include "generator/core/pipeline/stages.hpp"

#include <algorithm>
#include <utility>

#include "generator/core/assemble/embed.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/collect/collection.hpp"
#include "generator/core/collect/review_page.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/load/messages.hpp"
#include "generator/core/pictures/image.hpp"
#include "generator/core/publish/flat_page.hpp"
#include "generator/core/publish/plain_content.hpp"
#include "generator/core/render/directive.hpp"

namespace primer {
namespace {
void report_shown(const FileSystem& files, const std::string& page, const std::string& file,
                  bool is_there, Diagnostics& diagnostics) {
  const Source source(page, files.read(page).value_or(""));
  const auto found = source.text().find(file);
  const std::size_t at = found == source.text().npos ? 0 : found;
  if (is_there) {
    diagnostics.warning(Rule::private_source, source, at, file.size(),
                        in_quotes(file) + " has uncommitted changes, which would be published");
    return;
  }
  diagnostics.error(Rule::private_source, source, at, file.size(),
                    in_quotes(file) + " is not committed; only committed files are published");
  diagnostics.hint("commit it and build again");
}

}  // namespace

void check_committed(const Loaded& loaded, const RenderedBook& rendered, Diagnostics& diagnostics) {
  const auto shows = [](const RenderedPage& page) { return !page.listed.empty(); };
  if (!loaded.is_public() || std::ranges::none_of(rendered.pages, shows)) return;
  const auto tracked = loaded.inputs.tracked();
  if (!tracked) return;
  const FileSystem& files = loaded.files();
  for (std::size_t i = 0; i < rendered.pages.size(); ++i) {
    for (const auto& file : rendered.pages[i].listed) {
      const auto committed = tracked->find(file);
      const bool is_there = committed != tracked->end();
      if (is_there && is_committed(files.read(file).value_or(""), committed->second)) continue;
      report_shown(files, rendered.reports[i].file, file, is_there, diagnostics);
    }
  }
}

namespace {
// Adds images as clean_image() rewrites them. The page that shows an image has already checked it,
// so clean_image() fails here only if the file changed during the build.
void add_images(const Loaded& loaded, const std::string& root, const RenderedPage& page,
                LazyFiles& site) {
  const FileSystem& files = loaded.files();
  Cache* cache = loaded.inputs.cache;
  for (const auto& name : page.images) {
    const auto make = [&files, cache, name] {
      auto image = clean_image(name, files.read(name).value_or(""), cache);
      return image ? std::move(image->bytes) : std::string();
    };
    site.insert_or_assign(root + published_image(name),
                          LazyFile{files.digest_of(Dependency::file(name)), make});
  }
}

// Adds files next to chapters that a page offers for download.
void add_downloads(const Loaded& loaded, const std::string& root, const RenderedPage& page,
                   LazyFiles& site) {
  const FileSystem& files = loaded.files();
  for (const auto& name : page.offered) {
    site.insert_or_assign(root + published_download(name),
                          LazyFile{files.digest_of(Dependency::file(name)),
                                   [&files, name] { return files.read(name).value_or(""); }});
  }
}

// What the collections of one language are made from.
CollectContext collected(const Loaded& loaded, const LanguageTree& tree,
                         const RenderedBook& rendered, const History& history) {
  CollectContext book{tree.book,
                      loaded.library,
                      *loaded.values,
                      history,
                      loaded.files(),
                      tree.words,
                      loaded.gallery,
                      loaded.gallery_summary ? &*loaded.gallery_summary : nullptr,
                      loaded.inputs.cache,
                      loaded.errata,
                      {}};
  for (std::size_t i = 0; i < tree.pages.size(); ++i) {
    const ChapterIndex& chapter = tree.index.all()[i];
    const RenderedPage& page = rendered.pages[tree.pages[i]];
    const bool is_own = chapter.entry->language == tree.book.language;
    const std::string data = chapter.entry->url + page.data_name;
    book.parts.push_back(
        {&chapter, &page.excerpt, page.data_name.empty() ? "" : (is_own ? "" : "../") + data});
  }
  return book;
}

// The home page's entries for files that are not collections: renditions and the feed.
std::vector<CollectionPage> offers(const LanguageTree& tree, bool renditions,
                                   const SiteContent& content) {
  const std::string& root = tree.book.root;
  const auto offer = [&](const std::string& file, const char* title, const char* summary) {
    return CollectionPage{file, tree.words(title), tree.words(summary), "", {}};
  };
  std::vector<CollectionPage> all;
  if (content.contains(root + print_url + "index.html")) {
    all.push_back(offer(print_url, "The book on one page", "For printing."));
  }
  if (content.contains(root + "book.epub"))
    all.push_back(offer("book.epub", "E-book", "EPUB, for e-readers."));
  if (renditions) all.push_back(offer("book.pdf", "PDF", "For printing or saving."));
  if (content.contains(root + "feed.xml")) {
    all.push_back(offer("feed.xml", "Feed", "Atom: new and changed chapters."));
  }
  return all;
}

void add_collection(const CollectionPage& page, const LanguageTree& tree, const Pages& frames,
                    SiteContent& content, Diagnostics& diagnostics) {
  for (const auto& id : repeated_ids(page.body, frame_ids(false))) {
    diagnostics.error(Rule::duplicate_id, book_file,
                      "duplicate id " + in_quotes(id) + " on the page /" + page.url);
  }
  const std::string root = tree.book.root + page.url;
  content.lazy.insert_or_assign(root + "index.html",
                                frames.plain(page.url, page.heading, page.summary, page.body,
                                             page.in_all_languages, page.data));
  for (const auto& [path, bytes] : page.files) content.files[root + path] = bytes;
  for (const auto& [path, file] : page.lazy) content.lazy.insert_or_assign(root + path, file);
}

void add_embeds(const LanguageTree& tree, const RenderedBook& rendered, const Pages& frames,
                LazyFiles& site) {
  for (std::size_t i = 0; i < tree.pages.size(); ++i) {
    const ChapterIndex& chapter = tree.index.all()[i];
    const RenderedPage& page = rendered.pages[tree.pages[i]];
    const auto embeds = embeds_of(chapter, page, tree.words);
    const Digest text = embeds.empty() ? Digest() : version_of(page.text);
    for (const auto& embed : embeds) {
      const std::string place = embed_url + tree.book.root + chapter.entry->url + embed.id;
      site.insert_or_assign(place + "/index.html",
                            frames.embed(chapter, embed, text, page.data_name));
    }
  }
}

// Adds the files of one language other than its pages.
void add_language(const Loaded& loaded, const LanguageTree& tree, const RenderedBook& rendered,
                  const Assembled& site, std::size_t number, SiteContent& content,
                  Diagnostics& diagnostics) {
  const Pages& frames = site.pages[number];
  const bool renditions = frames.renditions();
  if (renditions)
    add_renditions(site.publications[number], site.assets, content.files, diagnostics);
  const CollectContext book = collected(loaded, tree, rendered, site.history);
  auto collections = collection_pages(book);
  const auto named = offers(tree, renditions, content);
  for (const auto& page : collections) add_collection(page, tree, frames, content, diagnostics);
  for (const auto& page : problem_pages(book))
    add_collection(page, tree, frames, content, diagnostics);
  add_embeds(tree, rendered, frames, content.lazy);
  collections.insert(collections.end(), named.begin(), named.end());
  const std::string& list = content.chapter_lists.emplace_back(home_list(book, collections));
  for (const auto page : tree.pages) {
    add_images(loaded, tree.book.root, rendered.pages[page], content.lazy);
    add_downloads(loaded, tree.book.root, rendered.pages[page], content.lazy);
  }
  const bool has_home = std::ranges::any_of(
      tree.index.all(), [](const ChapterIndex& chapter) { return chapter.entry->url.empty(); });
  if (!has_home) content.lazy[tree.book.root + "index.html"] = frames.home(list);
}

// Adds the pages for contributors: the rules and, if wanted, the review pages.
void add_makers_pages(const Loaded& loaded, const Pages& frames, SiteContent& content,
                      Diagnostics& diagnostics) {
  Cache* cache = loaded.inputs.cache;
  std::string rules = kept_or_made(cache, Cache::Kind::page, "the page of rules", rules_page);
  if (loaded.book->language != language_of_messages) rules = "<div lang=\"en\">" + rules + "</div>";
  content.lazy.insert_or_assign(
      rules_url + std::string("index.html"),
      frames.plain(rules_url, "Rules", "What primer's errors mean and how to fix them.", rules));
  if (!loaded.options.review || !loaded.book->review) return;
  for (auto& page : review_pages(loaded.files(), *loaded.book, *loaded.values, cache,
                                 *loaded.inputs.tasks, diagnostics)) {
    content.lazy.insert_or_assign(
        page.url + "index.html",
        frames.review(page.url, page.heading, page.summary, std::move(page.body)));
  }
}

std::string flat_notice(const Book& book, const Messages& words) {
  Html out;
  out.open("p", {{"class", "label"}, {"lang", book.language}});
  out.text(
      words("A copy for reading from a disk, without measurements, answer checks and search."));
  if (!book.base_url.empty())
    out.text(" ").element("a", {{"href", book.base_url}}, words("The whole book"));
  return out.close().line().take();
}

// Hands pages on as flat_page() rewrites them.
SiteSink flat_sink(const std::vector<LanguageTree>& trees, const SiteSink& sink) {
  const auto is_page = [](const std::string& path) { return path.ends_with(".html"); };
  const auto notice = [&trees](const std::string& path) {
    // The book's first language has the root "".
    const auto tree = std::ranges::find_if(trees.rbegin(), trees.rend(), [&](const auto& one) {
      return path.starts_with(one.book.root);
    });
    return flat_notice(tree->book, tree->words);
  };
  return {[=, &sink](const std::string& path, const std::string& bytes) {
            sink.add(path, is_page(path) ? flat_page(bytes, notice(path)) : bytes);
          },
          [=, &sink](const std::string& path, const Digest& inputs) {
            return sink.keep(path, is_page(path) ? digest(pack(inputs, notice(path))) : inputs);
          }};
}

std::vector<std::string> paths_of(const SiteContent& content) {
  std::vector<std::string> paths;
  for (const auto& [path, bytes] : content.files) paths.push_back(path);
  for (const auto& [path, file] : content.lazy) paths.push_back(path);
  return paths;
}

void offer(const std::string& path, const LazyFile& file, const SiteSink& sink) {
  if (!sink.keep(path, file.inputs_digest)) sink.add(path, file.make());
}

// Writes the page and its data. An untranslated page is the original in this language's frame, so
// it uses the data next to the original.
void write_page(const Pages& frames, const LanguageTree& tree, std::size_t at,
                const RenderedBook& rendered, const std::string& chapter_list,
                const SiteSink& sink) {
  const ChapterIndex& chapter = tree.index.all()[at];
  const Entry& entry = *chapter.entry;
  const RenderedPage& page = rendered.pages[tree.pages[at]];
  std::string data = page.data_name;
  if (!data.empty() && entry.language == tree.book.language) {
    const auto make = [&page] { return page.text.data; };
    offer(tree.book.root + entry.url + data, {version_of(page.text), make}, sink);
  } else if (!data.empty()) {
    data = (entry.url.empty() ? "../" : "../../") + entry.url + data;
  }
  offer(file_of(tree, entry), frames.page(chapter, page.text, data, chapter_list), sink);
}

}  // namespace

Made<SiteContent> publish(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                          const RenderedBook& rendered, const Assembled& site,
                          SiteContent content) {
  Diagnostics diagnostics;
  for (const auto& publication : site.publications)
    publish_files(publication, content.files, content.lazy);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    add_language(loaded, trees[i], rendered, site, i, content, diagnostics);
  }
  add_makers_pages(loaded, site.pages.front(), content, diagnostics);
  check_owners(paths_of(content), trees, site.addresses, diagnostics);
  return {std::move(content), std::move(diagnostics)};
}

void write(const Loaded& loaded, const std::vector<LanguageTree>& trees,
           const RenderedBook& rendered, const Assembled& site, const SiteContent& content,
           const SiteSink& given_sink) {
  const SiteSink sink = loaded.options.flat ? flat_sink(trees, given_sink) : given_sink;
  std::vector<std::function<void()>> files;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    for (std::size_t page = 0; page < trees[i].pages.size(); ++page) {
      files.push_back([&, i, page] {
        write_page(site.pages[i], trees[i], page, rendered, content.chapter_lists[i], sink);
      });
    }
  }
  for (const auto& [path, file] : content.lazy) files.push_back([&] { offer(path, file, sink); });
  for (const auto& [path, bytes] : content.files) files.push_back([&] { sink.add(path, bytes); });
  loaded.inputs.tasks->each(files.size(), [&](std::size_t i) { files[i](); });
}

}  // namespace primer
