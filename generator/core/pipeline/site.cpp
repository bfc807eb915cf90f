#include "generator/core/pipeline/site.hpp"

#include <mutex>
#include <utility>

#include "generator/core/pipeline/stages.hpp"

namespace primer {

void make_site(const SiteInputs& inputs, const SiteOptions& options, const SiteSink& sink,
               Diagnostics& diagnostics, BuildReport* report) {
  BuildReport unread;
  if (!report) report = &unread;
  StageClock clock(*report);

  const auto given = take(load(inputs, options), diagnostics);
  if (!given) return;
  clock.finished("load");
  make_site(**given, sink, diagnostics, *report);
}

void make_site(const Loaded& loaded, const SiteSink& sink, Diagnostics& diagnostics,
               BuildReport& report) {
  StageClock clock(report);
  const SiteInputs& inputs = loaded.inputs;
  diagnostics.judge_by(loaded.book->severities);
  auto [jobs, trees] = *take(index(loaded), diagnostics);
  clock.finished("index");

  jobs = render(loaded, trees, std::move(jobs));
  clock.finished("render");
  jobs = typeset(inputs.typeset, std::move(jobs));
  clock.finished("typeset");
  const RenderedBook rendered = *take(keep(loaded, trees, std::move(jobs)), diagnostics);
  report.pages = rendered.reports;
  if (inputs.cache) report.cache = inputs.cache->tallies();
  check_committed(loaded, rendered, diagnostics);

  const auto site = take(assemble(loaded, trees, rendered), diagnostics);
  if (!site || diagnostics.has_errors()) return;
  const auto content =
      take(publish(loaded, trees, rendered, **site, std::move((*site)->content)), diagnostics);
  if (diagnostics.has_errors()) return;
  write(loaded, trees, rendered, **site, *content, sink);
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
