#include "generator/core/pipeline/stages.hpp"

#include <map>
#include <utility>

#include "generator/core/base/html.hpp"

namespace primer {
namespace {

std::vector<PageCache> page_caches(const Loaded& loaded, const std::vector<LanguageTree>& trees) {
  std::vector<PageCache> caches;
  caches.reserve(trees.size());  // translations point to the first one
  for (const auto& tree : trees) {
    const Library library(loaded.library, loaded.terms[caches.size()]);
    const RenderContext* original = caches.empty() ? nullptr : &caches.front().shared();
    caches.emplace_back(RenderContext{tree.book, tree.index, *loaded.values, library,
                                      loaded.modules, loaded.files(), loaded.inputs.cache,
                                      tree.words, original});
  }
  return caches;
}

// Whether SiteOptions::only leaves the page out.
bool stays(const Loaded& loaded, const PageJob& job) {
  const auto& only = loaded.options.only;
  return only && !only->contains(job.entry->file);
}

// The page as another build published it; an empty page if it does not exist.
RenderedPage published_page(const Loaded& loaded, const PageJob& job) {
  if (!loaded.inputs.published) return {};
  const auto& pages = loaded.inputs.published->pages;
  const auto page = pages.find(job.entry->file);
  return page == pages.end() ? RenderedPage() : page->second;
}

// All formulas of the book without duplicates, in the order of the pages.
class Wanted {
 public:
  explicit Wanted(const std::vector<PageJob>& jobs) {
    for (const auto& job : jobs) {
      for (const auto& use : job.formulas) {
        const bool is_new =
            numbers_.emplace(std::pair(use.tex, use.display), formulas_.size()).second;
        if (is_new) formulas_.push_back({use.tex, use.display});
      }
    }
  }
  const std::vector<Formula>& formulas() const { return formulas_; }
  std::size_t number_of(const FormulaUse& use) const { return numbers_.at({use.tex, use.display}); }

 private:
  std::map<std::pair<std::string, bool>, std::size_t> numbers_;
  std::vector<Formula> formulas_;
};

void report_formula(const FormulaUse& use, const figures::Error& error, PageJob& job) {
  if (use.offset == std::string::npos) return;
  // If the parser changed the formula, offsets inside it do not match the source.
  const bool placed =
      error.length > 0 && job.source->text().substr(use.offset).starts_with(use.tex);
  job.diagnostics.error(Rule::bad_maths, *job.source, use.offset + (placed ? error.offset : 0),
                        placed ? error.length : use.length, error.message, error.suggestion);
}

// Replaces mark i (formula_mark) by formulas[i].
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

void set_formulas(const std::vector<std::string>& formulas, PageJob& job) {
  PageText& parts = *job.made;
  std::size_t bytes = parts.body.size();
  for (const auto& formula : formulas) bytes += formula.size();
  if (bytes > page_limit) {
    job.diagnostics.error(Rule::page_too_large, job.entry->file, page_limit_message());
    return;
  }
  for (std::string* html : {&parts.body, &parts.heading, &parts.prerequisites, &parts.d2l}) {
    *html = with_formulas(*html, formulas);
  }
}

constexpr const char* inputs_key = "inputs of pages";

InputVersions last_inputs(const Loaded& loaded) {
  InputVersions versions;
  Cache* cache = loaded.inputs.cache;
  if (const auto bytes = cache ? cache->find(Cache::Kind::build, inputs_key) : std::nullopt)
    Unpacker(*bytes).take(versions);
  return versions;
}

// Records the versions for the next build. Pages that this build left out keep theirs.
void keep_inputs(const Loaded& loaded, const InputVersions& before,
                 const std::vector<PageReport>& reports) {
  if (!loaded.inputs.cache) return;
  InputVersions now = loaded.options.only ? before : InputVersions();
  for (const auto& report : reports) {
    if (!report.file.empty()) now[report.file] = report.inputs_version;
  }
  if (now == before) return;
  loaded.inputs.cache->store(Cache::Kind::build, inputs_key, pack(now));
}

}  // namespace

std::vector<PageJob> render(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                            std::vector<PageJob> jobs) {
  const auto caches = page_caches(loaded, trees);
  loaded.inputs.tasks->each(jobs.size(), [&](std::size_t i) {
    PageJob& job = jobs[i];
    if (stays(loaded, job)) return;
    const auto* words = loaded.options.prose ? &loaded.avoided[job.locale] : nullptr;
    render_or_find(caches[job.locale], words, job);
  });
  return jobs;
}

std::vector<PageJob> typeset(const Typesetter& typesetter, std::vector<PageJob> jobs) {
  const Wanted wanted(jobs);
  if (wanted.formulas().empty()) return jobs;
  const auto made = typesetter(wanted.formulas());
  for (auto& job : jobs) {
    if (job.formulas.empty()) continue;
    std::vector<std::string> formulas;
    for (const auto& use : job.formulas) {
      const auto& result = made.at(wanted.number_of(use));
      // A formula that cannot be converted is shown as source, since its error may be downgraded.
      formulas.push_back(result ? result.value() : "<code>" + escape(use.tex) + "</code>");
      if (!result) report_formula(use, result.error(), job);
    }
    set_formulas(formulas, job);
  }
  return jobs;
}

Made<RenderedBook> keep(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                        std::vector<PageJob> jobs) {
  Made<RenderedBook> made{
      RenderedBook{std::vector<RenderedPage>(jobs.size()), std::vector<PageReport>(jobs.size())},
      {}};
  const auto caches = page_caches(loaded, trees);
  const InputVersions before = last_inputs(loaded);
  loaded.inputs.tasks->each(jobs.size(), [&](std::size_t i) {
    if (stays(loaded, jobs[i])) {
      made.value->pages[i] = published_page(loaded, jobs[i]);
      return;
    }
    made.value->reports[i] = finish(caches[jobs[i].locale], before, jobs[i]);
    made.value->pages[i] = std::move(jobs[i].page);
  });
  keep_inputs(loaded, before, made.value->reports);
  made.diagnostics.judge_by(loaded.book->severities);
  // Diagnostics are limited, so files that were asked for come first.
  for (const bool asked_for : {true, false}) {
    for (auto& job : jobs) {
      if (loaded.options.first.contains(job.entry->file) != asked_for) continue;
      job.diagnostics.found_on(job.entry->file);
      made.diagnostics.append(std::move(job.diagnostics));
    }
  }
  for (const auto& tree : trees) {
    for (std::size_t i = 0; i < tree.pages.size(); ++i) {
      const ChapterIndex& chapter = tree.index.all()[i];
      if (chapter.entry->language == tree.book.language)
        made.value->pages[tree.pages[i]].chapter = &chapter;
    }
  }
  return made;
}

}  // namespace primer
