#include "generator/pipeline/assembled.hpp"

#include <algorithm>
#include <utility>

#include "generator/collect/redirect.hpp"
#include "generator/pipeline/published_site.hpp"

namespace primer {
namespace {

std::vector<std::uint64_t> minutes_of(const LanguageTree& tree, const RenderedBook& rendered) {
  std::vector<std::uint64_t> minutes;
  for (const std::size_t page : tree.pages)
    minutes.push_back(rendered.pages[page].excerpt.minutes());
  return minutes;
}

// The frames of each language; fewer after an error.
std::vector<Pages> load_frames(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                               const RenderedBook& rendered, const History& history,
                               const Assets& assets, Diagnostics& diagnostics) {
  std::vector<Locale> locales;
  for (const auto& tree : trees) locales.push_back({&tree.book, tree.words("English")});
  const bool renditions = loaded.options.renditions && loaded.is_public();
  std::vector<Made<Pages>> made(trees.size());
  loaded.inputs.tasks->each(trees.size(), [&](std::size_t i) {
    const LanguageTree& tree = trees[i];
    auto pages = Pages::load(*loaded.inputs.assets.site, tree.book, tree.index, history, assets,
                             tree.words, locales, renditions, made[i].diagnostics);
    if (!pages) return;
    pages->set_minutes(minutes_of(tree, rendered));
    made[i].value.emplace(std::move(*pages));
  });
  std::vector<Pages> frames;
  for (auto& one : made) {
    auto pages = take(std::move(one), diagnostics);
    if (!pages) break;
    frames.push_back(std::move(*pages));
  }
  return frames;
}

// A book that measures nothing and draws nothing anew has no use for what would.
void leave_out_modules(const Loaded& loaded, Assets& assets) {
  for (const auto& [path, module] : loaded.modules.all())
    assets.files.erase(assets.directory + path);
}

Assets shared_files(const Loaded& loaded, Diagnostics& diagnostics) {
  if (loaded.inputs.published) return loaded.inputs.published->assets;
  return *take(loaded.assets.get(), diagnostics);
}

Publication publication_of(const Loaded& loaded, const LanguageTree& tree,
                           const RenderedBook& rendered, const History& history) {
  Publication publication{tree.book,           tree.words,           history, loaded.files(),
                          loaded.inputs.cache, *loaded.inputs.tasks, {}};
  for (std::size_t i = 0; i < tree.pages.size(); ++i) {
    publication.pages.push_back({&tree.index.all()[i], &rendered.pages[tree.pages[i]]});
  }
  return publication;
}

}  // namespace

Made<std::unique_ptr<Assembled>> assemble(const Loaded& loaded,
                                          const std::vector<LanguageTree>& trees,
                                          const RenderedBook& rendered) {
  Made<std::unique_ptr<Assembled>> made;
  auto site = std::make_unique<Assembled>();
  if (loaded.is_public()) site->history = loaded.history.get();
  Assets assets = shared_files(loaded, made.diagnostics);
  const bool alive = std::ranges::any_of(rendered.pages, &RenderedPage::alive);
  if (!loaded.inputs.published && !alive) leave_out_modules(loaded, assets);
  site->assets = assets.directory;
  auto addresses =
      loaded.inputs.tasks->start([&] { return claim_addresses(trees, rendered, assets); });
  site->pages = load_frames(loaded, trees, rendered, site->history, assets, made.diagnostics);
  site->addresses = *take(addresses.get(), made.diagnostics);
  SiteFiles& files = site->content.files;
  std::vector<RedirectedTree> redirected;
  for (const auto& tree : trees) redirected.push_back({tree.book, tree.index, tree.words});
  add_redirects(redirected, loaded.files(), site->addresses, files, made.diagnostics);
  if (site->pages.size() < trees.size()) return made;
  files.merge(std::move(assets.files));
  site->content.lazy["404.html"] = site->pages.front().not_found(site->pages);
  files[".nojekyll"] = "";
  for (const auto& tree : trees) {
    if (loaded.is_public())
      site->publications.push_back(publication_of(loaded, tree, rendered, site->history));
  }
  made.value = std::move(site);
  return made;
}

}  // namespace primer
