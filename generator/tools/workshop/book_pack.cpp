#include "generator/tools/workshop/book_pack.hpp"

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/pipeline/stages.hpp"

namespace primer {
namespace {
// Wraps a cache and records the page indexes that pass through it.

class IndexKeeper final : public Cache {
 public:
  // `below` may be null.
  explicit IndexKeeper(Cache* below) : below_(below) {}

  bool was_empty() const override { return !below_ || below_->was_empty(); }
  std::optional<std::string> find(Kind kind, std::string_view key) const override {
    if (kind == Kind::aligned) return std::nullopt;  // forces a look at the index itself
    auto found = below_ ? below_->find(kind, key) : std::nullopt;
    if (found) remember(kind, key, *found);
    return found;
  }
  void store(Kind kind, std::string_view key, std::string value) override {
    remember(kind, key, value);
    if (below_) below_->store(kind, key, std::move(value));
  }
  std::map<Kind, Tally> tallies() const override {
    return below_ ? below_->tallies() : std::map<Kind, Tally>();
  }

  // Indexes by their keys.
  const std::map<std::string, std::string>& kept() const { return kept_; }

 private:
  void remember(Kind kind, std::string_view key, const std::string& value) const {
    if (kind != Kind::index) return;
    const std::lock_guard lock(mutex_);
    kept_.insert_or_assign(std::string(key), value);
  }

  Cache* below_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> kept_;
};

constexpr std::string_view version = "a book for the workshop, 5\n";
static_assert(version.starts_with(pack_mark));

// Keeps only the names.
Assets without_bytes(Assets assets) {
  for (auto& [path, bytes] : assets.files) bytes.clear();
  return assets;
}

Modules without_bytes(const Modules& modules) {
  std::map<std::string, Module> known;
  for (const auto& [path, module] : modules.all())
    known[path] = {module.name, "", module.size, module.short_checksum()};
  return Modules::known(std::move(known));
}

// Keeps what other pages show of this one. Of its figures, that is only the one on the home page.
RenderedPage without_text(RenderedPage page, const std::string& shown) {
  page.text = {};
  std::erase_if(page.excerpt.figures, [&](const auto& figure) { return figure.id != shown; });
  return page;
}

std::vector<PackedPage> pages_of(const std::vector<LanguageTree>& trees) {
  std::vector<PackedPage> pages;
  for (const auto& tree : trees) {
    for (const auto& chapter : tree.index.all()) {
      const Entry& entry = *chapter.entry;
      if (entry.language != tree.book.language) continue;
      pages.push_back({entry.file, chapter.front.title, entry.language, tree.book.root + entry.url,
                       entry.original, entry.kind == PageKind::chapter});
    }
  }
  return pages;
}

// Makes the whole site once. False after errors.
bool make_published(const SiteInputs& inputs, const SiteOptions& options, BookPack& pack,
                    Diagnostics& diagnostics) {
  const auto given = take(load(inputs, options), diagnostics);
  if (!given) return false;
  const Loaded& loaded = **given;
  diagnostics.judge_by(loaded.book->severities);
  auto [jobs, trees] = *take(index(loaded), diagnostics);
  std::vector<std::string> files, shown;  // `shown`: each page's figure on the home page
  for (const auto& job : jobs) {
    files.push_back(job.entry->file);
    shown.push_back(job.index.front.figure);
  }
  jobs = typeset(inputs.typeset, render(loaded, trees, std::move(jobs)));
  RenderedBook rendered = *take(keep(loaded, trees, std::move(jobs)), diagnostics);
  pack.published.assets = without_bytes(*take(loaded.assets.get(), diagnostics));
  pack.published.modules = without_bytes(loaded.modules);
  pack.published.gallery = loaded.gallery;
  for (std::size_t i = 0; i < files.size(); ++i)
    pack.published.pages[files[i]] = without_text(std::move(rendered.pages[i]), shown[i]);
  pack.pages = pages_of(trees);
  return !diagnostics.has_errors();
}

// Collects the texts of files that were read and the names of files that were listed.
void take_files(const FileSystem& read, std::map<std::string, std::string>& texts,
                std::set<std::string>& names) {
  for (const auto& [asked, found] : read.reads()) {
    if (asked.kind == Dependency::Kind::directory) {
      for (auto& path : read.list(asked.what)) names.insert(std::move(path));
    } else if (asked.kind == Dependency::Kind::file && found != absent) {
      texts[asked.what] = read.read(asked.what).value_or("");
    }
  }
  for (const auto& [path, text] : texts) names.erase(path);
}

// Makes the site again as the browser editor does, to record what it reads.
void take_inputs(SiteInputs inputs, const SiteOptions& options, BookPack& pack,
                 Diagnostics& diagnostics) {
  const auto book = watched(*inputs.book), site = watched(*inputs.assets.site);
  inputs.book = book.get();
  inputs.assets = {};
  inputs.assets.site = site.get();
  inputs.published = &pack.published;
  IndexKeeper indexes(inputs.cache);
  inputs.cache = &indexes;
  SiteSink sink{[](const auto&, const auto&) {}, [](const auto&, const auto&) { return true; }};
  make_site(inputs, options, sink, diagnostics);
  site->read(repertoire_file);
  pack.indexes = indexes.kept();
  take_files(*book, pack.book, pack.named);
  std::set<std::string> ignored;
  take_files(*site, pack.site, ignored);
}

// What a pack holds, in its order. `modules` are those of the site, which are not a member of it.
auto contents_of(auto& pack, auto& modules) {
  auto& [book, apart, indexes, named, site, published, pages] = pack;
  auto& [assets, site_modules, gallery, rendered] = published;
  return std::tie(book, apart, indexes, named, site, assets, modules, gallery, rendered, pages);
}

}  // namespace

auto packed_members(Is<Assets> auto& assets) {
  auto& [directory, search_languages, reference, frame_script, files] = assets;
  return std::tie(directory, search_languages, reference, frame_script, files);
}

// Without bytes, which a pack does not have.
auto packed_members(Is<Module> auto& module) {
  auto& [name, bytes, size, checksum] = module;
  return std::tie(name, size, checksum);
}

auto packed_members(Is<PackedPage> auto& page) {
  auto& [file, title, language, address, original, is_chapter] = page;
  return std::tie(file, title, language, address, original, is_chapter);
}

Made<BookPack> pack_book(const SiteInputs& inputs, const SiteOptions& options) {
  Made<BookPack> made;
  BookPack pack;
  if (!make_published(inputs, options, pack, made.diagnostics)) return made;
  Diagnostics twice;  // drops repeated diagnostics
  take_inputs(inputs, options, pack, twice);
  made.value = std::move(pack);
  return made;
}

std::map<std::string, std::string> take_apart(BookPack& pack) {
  std::map<std::string, std::string> texts;
  for (const auto& page : pack.pages) {
    auto text = pack.book.extract(page.file);
    if (text.empty()) continue;
    const Digest its_digest = digest(text.mapped());
    pack.apart[page.file] = its_digest;
    texts[text_file(its_digest)] = std::move(text.mapped());
  }
  return texts;
}

std::string text_file(const Digest& text) { return "text-" + to_text(text) + ".pack"; }

std::string to_bytes(const BookPack& pack) {
  return std::string(version) + primer::pack(contents_of(pack, pack.published.modules.all()));
}

figures::Result<BookPack> book_pack_of(std::string_view bytes) {
  if (!bytes.starts_with(version))
    return figures::Error{
        "this is not a book for this editor, or another version of primer packed it"};
  BookPack pack;
  std::map<std::string, Module> modules;
  auto contents = contents_of(pack, modules);
  if (!unpack(bytes.substr(version.size()), contents))
    return figures::Error{"this packed book is damaged"};
  pack.published.modules = Modules::known(std::move(modules));
  return pack;
}

}  // namespace primer
