#include "generator/pipeline/indexed.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "generator/index/index_record.hpp"
#include "generator/index/translation.hpp"

namespace primer {
namespace {

using JobNumbers = std::map<std::string_view, std::size_t>;  // by file

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

// A translation knows what has changed in its original since.
void align_with_original(const FileSystem& files, PageJob& job, PageJob& original,
                         Diagnostics& diagnostics) {
  const auto late = [&](PageJob& page) {
    return LateSource(page.entry->file, [&files, &page] {
      return read_text(files, page) ? std::optional(page.text) : std::nullopt;
    });
  };
  align(job.index, original.index, late(job), late(original), diagnostics);
}

LanguageTree make_tree(const FileSystem& files, const Book& book, const Messages& words,
                       const JobNumbers& by_file, std::vector<PageJob>& jobs,
                       Diagnostics& diagnostics) {
  std::vector<std::size_t> pages;
  std::vector<ChapterIndex> chapters;
  for (const auto* list : {&book.chapters, &book.pages}) {
    for (const auto& entry : *list) {
      PageJob& job = jobs[pages.emplace_back(by_file.at(entry.file))];
      if (!entry.original.empty())
        align_with_original(files, job, jobs[by_file.at(entry.original)], diagnostics);
      chapters.push_back(job.index);
    }
  }
  return {book, words, std::move(pages), Index(std::move(chapters))};
}

Dependencies known_inputs(const Loaded& loaded, const PageJob& job) {
  Packer place;
  pack(place, *job.entry);
  Dependencies known = loaded.known[job.locale];
  known[Dependency::given("its place in the book")] = digest(place.bytes);
  known[Dependency::file(job.entry->file)] = job.text_digest;
  const std::string& original = job.entry->original;
  if (!original.empty()) {
    known[Dependency::given("the text that it translates")] =
        loaded.files().digest_of(Dependency::file(original));
  }
  return known;
}

}  // namespace

Made<Indexed> index(const Loaded& loaded) {
  const SiteInputs& inputs = loaded.inputs;
  Made<Indexed> made{Indexed{make_jobs(loaded), {}}, {}};
  made.diagnostics.judge_by(loaded.book->severities);
  auto& [jobs, trees] = *made.value;
  KeptTrees kept;
  inputs.tasks->each(
      jobs.size(), [&](std::size_t i) { index_page(loaded.files(), inputs.cache, kept, jobs[i]); });
  if (std::ranges::any_of(jobs, [](const PageJob& job) { return job.index.has_formulas; }))
    inputs.expect_formulas();
  JobNumbers by_file;
  for (std::size_t i = 0; i < jobs.size(); ++i) by_file.emplace(jobs[i].entry->file, i);
  const auto locales = loaded.locales();
  for (std::size_t i = 0; i < locales.size(); ++i) {
    trees.push_back(
        make_tree(loaded.files(), *locales[i], loaded.words[i], by_file, jobs, made.diagnostics));
  }
  for (auto& job : jobs) job.known = known_inputs(loaded, job);
  return made;
}

}  // namespace primer
