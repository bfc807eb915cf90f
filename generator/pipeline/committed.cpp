#include "generator/pipeline/committed.hpp"

#include <algorithm>

#include "generator/base/text.hpp"

namespace primer {
namespace {

void report_shown(const FileSystem& files, const std::string& page, const std::string& file,
                  bool is_there, Diagnostics& diagnostics) {
  const Source source(page, files.read(page).value_or(""));
  const auto found = source.text().find(file);
  const std::size_t at = found == source.text().npos ? 0 : found;
  if (is_there) {
    diagnostics.warning(
        Rule::private_source, source, at, file.size(),
        in_quotes(file) + " has changes that are not committed, and readers would see them");
    return;
  }
  diagnostics.error(Rule::private_source, source, at, file.size(),
                    in_quotes(file) + " is not committed, so it is not for readers");
  diagnostics.hint("commit it before it is published");
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

}  // namespace primer
