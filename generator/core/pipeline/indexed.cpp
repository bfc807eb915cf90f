#include "generator/core/pipeline/stages.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "generator/core/index/index_record.hpp"
#include "generator/core/index/translation.hpp"

namespace primer {
namespace {

using JobNumbers = std::map<std::string_view, std::size_t>;  // indexes of jobs by file

std::vector<PageJob> make_jobs(const Loaded& loaded) {
  std::vector<PageJob> jobs;
  const auto locales = loaded.locales();
  for (std::size_t number = 0; number < locales.size(); ++number) {
    for (const auto* list : {&locales[number]->chapters, &locales[number]->pages}) {
      for (const auto& entry : *list) {
        if (entry.language != locales[number]->language) continue;
        jobs.emplace_back().entry = &entry;
        jobs.back().locale = number;
        jobs.back().diagnostics.judge_by(loaded.book->severities);
      }
    }
  }
  return jobs;
}

// Records in the translation's index what has changed in the original since it was translated.
void align_with_original(const FileSystem& files, PageJob& job, PageJob& original,
                         Diagnostics& diagnostics) {
  const auto late = [&](PageJob& page) {
    return LateSource(page.entry->file, [&files, &page] {
      return read_text(files, page) ? std::optional(page.text) : std::nullopt;
    });
  };
  align(job.index, original.index, late(job), late(original), diagnostics);
}

// Key of the index of a translation that is up to date. It saves comparing the two texts.
std::string key_of_aligned(const PageJob& job, const PageJob& original) {
  return pack(*job.entry, job.text_digest, *original.entry, original.text_digest);
}

bool find_aligned(const Cache* cache, PageJob& job, const PageJob& original) {
  const auto kept =
      cache ? cache->find(Cache::Kind::aligned, key_of_aligned(job, original)) : std::nullopt;
  if (!kept || !unpack(*kept, job.index)) return false;
  job.index.entry = job.entry;
  return true;
}

void keep_aligned(Cache* cache, const PageJob& job, const PageJob& original) {
  const bool good = job.text_digest != absent && original.text_digest != absent &&
                    job.diagnostics.empty() && original.diagnostics.empty();
  if (cache && good && job.index.notices.empty() && job.index.untranslated.empty())
    cache->store(Cache::Kind::aligned, key_of_aligned(job, original), pack(job.index));
}

// A chapter and its translations, as indexes of jobs.
struct Family {
  std::size_t original = 0;
  std::vector<std::size_t> translations = {};
};

std::vector<Family> families_of(const std::vector<PageJob>& jobs, const JobNumbers& by_file) {
  std::vector<Family> families;
  std::vector<std::size_t> family_of(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::string& original = jobs[i].entry->original;
    family_of[i] = original.empty() ? families.size() : family_of[by_file.at(original)];
    if (original.empty()) families.push_back({i});
    else families[family_of[i]].translations.push_back(i);
  }
  return families;
}

// Identifies and indexes the pages of one family. An original whose translations are all up to date
// needs no blocks. What comparing a translation finds goes to `found`, by job.
void index_family(const Loaded& loaded, const Family& family, KeptTrees& kept,
                  std::vector<PageJob>& jobs, std::vector<Diagnostics>& found) {
  const FileSystem& files = loaded.files();
  Cache* cache = loaded.inputs.cache;
  PageJob& original = jobs[family.original];
  auto text = identify(files, cache, original);
  bool is_indexed = false;
  const auto index_original = [&](Blocks wanted) {
    if (!std::exchange(is_indexed, true))
      index_page(files, cache, kept, original, std::move(text), wanted);
  };
  for (const std::size_t i : family.translations) {
    PageJob& job = jobs[i];
    auto its_text = identify(files, cache, job);
    if (!find_aligned(cache, job, original)) {
      index_original(Blocks::taken);
      index_page(files, cache, kept, job, std::move(its_text));
      align_with_original(files, job, original, found[i]);
      job.index.blocks = {};  // they were needed only for the comparison
      if (found[i].empty()) keep_aligned(cache, job, original);
    }
    job.visible = visible_part(job.index);
  }
  index_original(Blocks::left_out);
  original.index.blocks = {};
  original.visible = visible_part(original.index);
}

// Numbers what the whole book counts through. `families` is in the order of the book.
void number_consecutively(const std::vector<Family>& families, std::vector<PageJob>& jobs) {
  Counts counted;
  for (const auto& [first, translations] : families) {
    PageJob& original = jobs[first];
    if (!original.entry->label.empty()) continue;
    number_consecutively(original.index, counted);
    original.visible = visible_part(original.index);
    for (const std::size_t i : translations) {
      take_numbers(jobs[i].index, original.index);
      jobs[i].visible = visible_part(jobs[i].index);
    }
  }
}

LanguageTree make_tree(const Book& book, const Messages& words, const JobNumbers& by_file,
                       const std::vector<PageJob>& jobs) {
  std::vector<std::size_t> pages;
  std::vector<ChapterIndex> chapters;
  std::vector<Digest> visible;
  for (const auto* list : {&book.chapters, &book.pages}) {
    for (const auto& entry : *list) {
      const PageJob& job = jobs[pages.emplace_back(by_file.at(entry.file))];
      chapters.push_back(job.index);
      visible.push_back(job.visible);
    }
  }
  return {book, words, std::move(pages), Index(std::move(chapters), std::move(visible))};
}

KnownInputs known_inputs(const Loaded& loaded, const PageJob& job) {
  Packer place;
  place.add(*job.entry);
  if (job.entry->label.empty())
    place.add(job.visible);  // numbers depend on the chapters before this one
  KnownInputs inputs{&loaded.known[job.locale]};
  Dependencies& known = inputs.own;
  known[Dependency::given("its place in the book")] = digest(place.bytes);
  known[Dependency::file(job.entry->file)] = job.text_digest;
  const std::string& original = job.entry->original;
  if (!original.empty()) {
    known[Dependency::given("the text that it translates")] =
        loaded.files().digest_of(Dependency::file(original));
  }
  if (!job.index.untranslated.empty())
    known[Dependency::given("the words and terms of the original")] = loaded.known.front().version;
  return inputs;
}

}  // namespace

Made<Indexed> index(const Loaded& loaded) {
  const SiteInputs& inputs = loaded.inputs;
  Made<Indexed> made{Indexed{make_jobs(loaded), {}}, {}};
  made.diagnostics.judge_by(loaded.book->severities);
  auto& [jobs, trees] = *made.value;
  JobNumbers by_file;
  for (std::size_t i = 0; i < jobs.size(); ++i) by_file.emplace(jobs[i].entry->file, i);
  const auto families = families_of(jobs, by_file);
  std::vector<Diagnostics> found(jobs.size(), made.diagnostics);
  KeptTrees kept;
  inputs.tasks->each(families.size(),
                     [&](std::size_t i) { index_family(loaded, families[i], kept, jobs, found); });
  for (auto& diagnostics : found) made.diagnostics.append(std::move(diagnostics));
  number_consecutively(families, jobs);
  if (std::ranges::any_of(jobs, [](const PageJob& job) { return job.index.has_formulas; }))
    inputs.expect_formulas();
  const auto locales = loaded.locales();
  std::vector<std::optional<LanguageTree>> in_order(locales.size());
  inputs.tasks->each(locales.size(), [&](std::size_t i) {
    in_order[i].emplace(make_tree(*locales[i], loaded.words[i], by_file, jobs));
  });
  for (auto& tree : in_order) trees.push_back(std::move(*tree));
  inputs.tasks->each(jobs.size(),
                     [&](std::size_t i) { jobs[i].known = known_inputs(loaded, jobs[i]); });
  return made;
}

}  // namespace primer
