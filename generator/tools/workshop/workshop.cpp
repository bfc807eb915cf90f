#include "generator/tools/workshop/workshop.hpp"

#include <algorithm>
#include <utility>

#include "generator/core/load/front_matter.hpp"
#include "generator/core/load/gallery.hpp"
#include "generator/core/pipeline/page_job.hpp"
#include "generator/tools/translate/stamp.hpp"

namespace primer {
namespace {
std::string name_of(Cache::Kind kind, std::string_view key) {
  std::string name(1, static_cast<char>(kind));
  return name.append(key);
}

}  // namespace

std::optional<std::string> MemoryCache::find(Kind kind, std::string_view key) const {
  Tally& tally = tallies_[kind];
  std::string name = name_of(kind, key);
  if (const auto found = young_.find(name); found != young_.end()) {
    ++tally.found;
    return found->second;
  }
  auto found = old_.extract(name);
  if (found.empty()) {
    ++tally.missed;
    return std::nullopt;
  }
  ++tally.found;
  std::string value = found.mapped();
  keep(std::move(name), std::move(found.mapped()));
  return value;
}

void MemoryCache::store(Kind kind, std::string_view key, std::string value) {
  std::string name = name_of(kind, key);
  if (const auto before = young_.find(name); before != young_.end()) {
    young_bytes_ -= name.size() + before->second.size();
    young_.erase(before);
  }
  keep(std::move(name), std::move(value));
}

void MemoryCache::keep(std::string name, std::string value) const {
  const std::size_t bytes = name.size() + value.size();
  if (young_bytes_ + bytes > most_ / 2) {
    old_ = std::exchange(young_, {});
    young_bytes_ = 0;
  }
  young_bytes_ += bytes;
  young_.emplace(std::move(name), std::move(value));
}

EditedFiles::EditedFiles(std::map<std::string, std::string> files,
                         std::map<std::string, Digest> apart, std::set<std::string> named)
    : files_(std::move(files)), apart_(std::move(apart)), names_(std::move(named)) {
  for (const auto& [path, text] : files_) names_.insert(path);
  for (const auto& [path, digest] : apart_) names_.insert(path);
}

bool EditedFiles::bring(const std::string& path, std::string text) {
  const auto wanted = apart_.find(path);
  if (wanted == apart_.end() || digest(text) != wanted->second) return false;
  files_[path] = std::move(text);
  apart_.erase(wanted);
  return true;
}

void EditedFiles::need(const std::string& path) const {
  const auto wanted = apart_.find(path);
  if (wanted != apart_.end()) throw TextsNeeded{{*wanted}};
}

void EditedFiles::need_all() const {
  if (!apart_.empty()) throw TextsNeeded{apart_};
}

bool EditedFiles::write(const std::string& path, std::string text) {
  if (normal_path(path) != path || text.size() > largest_file(path)) return false;
  need(path);
  const auto before = files_.find(path);
  if (before != files_.end() && edited_.insert(path).second) originals_[path] = before->second;
  edited_.insert(path);
  files_[path] = std::move(text);
  names_.insert(path);
  forget(path);
  return true;
}

void EditedFiles::revert(const std::string& path) {
  if (edited_.erase(path) == 0) return;
  if (auto original = originals_.extract(path)) {
    files_[path] = std::move(original.mapped());
  } else {
    files_.erase(path);
    names_.erase(path);
  }
  forget(path);
}

std::optional<std::string> EditedFiles::published(const std::string& path) const {
  const auto original = originals_.find(path);
  if (original != originals_.end()) return original->second;
  return edited_.contains(path) ? std::nullopt : read(path);
}

std::optional<Digest> EditedFiles::known_digest_of(const Dependency& asked) const {
  const auto file = asked.kind == Dependency::Kind::file ? apart_.find(asked.what) : apart_.end();
  return file == apart_.end() ? FileSystem::known_digest_of(asked) : std::optional(file->second);
}

std::optional<std::string> EditedFiles::load(const std::string& path) const {
  const auto file = files_.find(path);
  if (file != files_.end()) return file->second;
  need(path);
  return std::nullopt;
}

std::vector<std::string> EditedFiles::walk(const std::string& directory) const {
  std::vector<std::string> found;
  for (const auto& path : names_) {
    if (directory == "." || path.starts_with(directory + '/')) found.push_back(path);
  }
  return found;
}

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
  inputs_.book = recorded.get();  // records what loading reads
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

Diagnostics Workshop::fix() {
  Diagnostics found = check();
  std::map<std::string, std::string> originals;
  std::set<std::string> changed;
  for (auto before = std::string::npos; found.count(Severity::error) < before;) {
    before = found.count(Severity::error);
    const auto old = in_memory(originals);
    auto fixed = fixed_alike(*layered(*old, files_), files_, found.sorted(), changed);
    if (fixed.empty()) break;
    for (auto& [file, text] : fixed) {
      originals.try_emplace(file, files_.read(file).value_or(""));
      files_.write(file, std::move(text));
    }
    found = check();
  }
  return found;
}

}  // namespace primer
