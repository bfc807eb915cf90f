#include "generator/workshop/workshop.hpp"

#include <algorithm>
#include <utility>

#include "generator/load/front_matter.hpp"
#include "generator/load/gallery.hpp"
#include "generator/pipeline/page_job.hpp"

namespace primer {
namespace {

constexpr std::size_t cache_bytes = std::size_t{64} << 20;

}  // namespace

Workshop::Workshop(BookPack pack, Typesetting::Convert convert)
    : pages_(std::move(pack.pages)),
      published_(std::move(pack.published)),
      site_(in_memory(std::move(pack.site))),
      files_(std::move(pack.book), std::move(pack.apart), std::move(pack.named)),
      cache_(cache_bytes),
      convert_(std::move(convert)),
      maths_("", site_->read(repertoire_file).value_or(""), cache_, {}) {
  inputs_.assets.site = site_.get();
  inputs_.published = &published_;
  inputs_.cache = &cache_;
  inputs_.typesetter = maths_.version();
  inputs_.typeset = [this](const auto& formulas) { return maths_.render(formulas, convert_); };
  options_.base_url = no_base_url;
  for (auto& [key, index] : pack.indexes) cache_.store(Cache::Kind::index, key, std::move(index));
}

bool Workshop::is_current() const {
  return loaded_ && std::ranges::all_of(load_reads_, [&](const auto& read) {
           return files_.digest_of(read.first) == read.second;
         });
}

void Workshop::load_what_changed() {
  if (is_current()) return;
  const auto recorded = watched(files_);
  inputs_.book = recorded.get();  // for what loading asks for
  loaded_.reset();
  load_diagnostics_ = {};
  if (auto loaded = take(load(inputs_, options_), load_diagnostics_)) loaded_ = std::move(*loaded);
  load_reads_ = recorded->reads();
  inputs_.book = &files_;
}

void Workshop::run(const SiteSink& sink, Diagnostics& diagnostics) {
  if (loaded_) diagnostics.judge_by(loaded_->book->severities);
  diagnostics.append(Diagnostics(load_diagnostics_));
  if (!loaded_) return;
  BuildReport report;
  make_site(*loaded_, sink, diagnostics, report);
}

std::optional<std::string> Workshop::address_of(const std::string& file) const {
  for (const Book* book : loaded_->locales()) {
    for (const auto* entries : {&book->chapters, &book->pages}) {
      for (const auto& entry : *entries) {
        if (entry.file == file && entry.language == book->language) return book->root + entry.url;
      }
    }
  }
  return std::nullopt;
}

std::vector<PackedPage> Workshop::pages() {
  auto all = pages_;
  load_what_changed();
  for (const Book* book : loaded_ ? loaded_->locales() : std::vector<const Book*>()) {
    for (const auto& entry : book->chapters) {
      if (entry.language != book->language || !files_.is_new(entry.file)) continue;
      Diagnostics reported_by_make;
      const Source source(entry.file, files_.read(entry.file).value_or(""));
      const auto front = parse_front_matter(source, reported_by_make);
      all.push_back({entry.file, front.title.empty() ? entry.slug : front.title, entry.language,
                     book->root + entry.url, entry.original, true});
    }
  }
  for (const auto& path : files_.edited()) {
    auto name = profile_name(path);
    if (name && files_.is_new(path)) all.push_back({path, std::move(*name), "", "", "", false});
  }
  return all;
}

Made<WorkshopPage> Workshop::make(const std::string& file) {
  Made<WorkshopPage> made;
  options_.only = files_.edited();
  options_.only->insert(file);
  options_.first = {file};
  load_what_changed();
  const auto address = loaded_ ? address_of(file) : std::nullopt;
  WorkshopPage page;
  SiteSink sink;
  const auto place_of = [&](const std::string& path) -> std::string* {
    if (!address || !path.starts_with(*address)) return nullptr;
    const auto name = std::string_view(path).substr(address->size());
    if (name == "index.html") return &page.html;
    return name.starts_with("page.") && name.ends_with(".json") ? &page.data : nullptr;
  };
  sink.keep = [&](const std::string& path, const Digest&) { return !place_of(path); };
  sink.add = [&](const std::string& path, const std::string& bytes) {
    if (std::string* const text = place_of(path)) *text = bytes;
  };
  run(sink, made.diagnostics);
  made.value = std::move(page);
  return made;
}

const BookNames& Workshop::names() {
  names_.read(files_, [this](const Entry& entry) {
    PageJob page;
    page.entry = &entry;
    KeptTrees none;
    index_page(files_, &cache_, none, page, identify(files_, &cache_, page));
    return std::move(page.index);
  });
  return names_;
}

Diagnostics Workshop::check() {
  files_.need_all();
  options_.only.reset();
  options_.first = files_.edited();
  load_what_changed();
  SiteSink sink{[](const auto&, const auto&) {}, [](const auto&, const auto&) { return true; }};
  Diagnostics diagnostics;
  run(sink, diagnostics);
  return diagnostics;
}

}  // namespace primer
