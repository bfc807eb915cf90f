#include "generator/core/pipeline/stages.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "generator/core/base/text.hpp"
#include "generator/core/collect/redirect.hpp"
#include "generator/core/publish/publication.hpp"
#include "generator/core/render/directive.hpp"

namespace primer {
namespace {
void claim_page(const LanguageTree& tree, const Entry& entry, const RenderedPage& page,
                Addresses& addresses, Diagnostics& diagnostics) {
  const std::string& root = tree.book.root;
  const Addresses::Owner owner{entry.file, entry.file};
  if (addresses.claim(file_of(tree, entry), owner, diagnostics))
    addresses.claim(markdown_of(tree.book, entry), owner, diagnostics);
  if (!page.data_name.empty()) {
    addresses.claim(root + entry.url + page.data_name, {entry.file, entry.file}, diagnostics);
  }
  if (entry.kind == PageKind::chapter && !page.excerpt.questions.empty()) {
    addresses.claim(root + entry.url + problems_url + "index.html",
                    {"the problems of " + entry.file, entry.file}, diagnostics);
  }
  for (const auto& file : page.offered) {
    addresses.claim(root + published_download(file), {file, file, "the files of chapters"},
                    diagnostics);
  }
  for (const auto& image : page.images) {
    addresses.claim(root + published_image(image), {image, image, "the images of chapters"},
                    diagnostics);
  }
}

void claim_pages(const LanguageTree& tree, const RenderedBook& rendered, Addresses& addresses,
                 Diagnostics& diagnostics) {
  bool has_home = false;
  for (std::size_t i = 0; i < tree.pages.size(); ++i) {
    const Entry& entry = *tree.index.all()[i].entry;
    has_home = has_home || entry.url.empty();
    claim_page(tree, entry, rendered.pages[tree.pages[i]], addresses, diagnostics);
  }
  if (!has_home) addresses.claim(tree.book.root + "index.html", {"the home page"}, diagnostics);
}

}  // namespace

std::string file_of(const LanguageTree& tree, const Entry& entry) {
  return tree.book.root + entry.url + "index.html";
}

Made<Addresses> claim_addresses(const std::vector<LanguageTree>& trees,
                                const RenderedBook& rendered, const Assets& assets) {
  Made<Addresses> made{Addresses(), {}};
  std::vector<std::string> roots;
  for (const auto& tree : trees) roots.push_back(tree.book.root);
  claim_usual(roots, *made.value, made.diagnostics);
  for (const auto& [path, bytes] : assets.files) {
    if (path.starts_with("_/") || path.starts_with("search/")) continue;
    const std::string file = "site/static/" + path;
    made.value->claim(path, {file, file, path.starts_with("figures/") ? "the figures" : ""},
                      made.diagnostics);
  }
  for (const auto& tree : trees) claim_pages(tree, rendered, *made.value, made.diagnostics);
  return made;
}

void check_owners(const std::vector<std::string>& files, const std::vector<LanguageTree>& trees,
                  const Addresses& addresses, Diagnostics& diagnostics) {
  for (const auto& path : files) {
    if (!addresses.owner_of(path))
      diagnostics.error(Rule::output_error, path, "no page or file of the book has this address");
  }
  const std::set<std::string_view> taken(files.begin(), files.end());
  for (const auto& tree : trees) {
    for (const auto& chapter : tree.index.all()) {
      const std::string path = file_of(tree, *chapter.entry);
      if (!taken.contains(path)) continue;
      diagnostics.error(Rule::address_taken, chapter.entry->file,
                        "address conflict: another file is already published at /" + path);
    }
  }
}

namespace {
std::vector<std::uint64_t> minutes_of(const LanguageTree& tree, const RenderedBook& rendered) {
  std::vector<std::uint64_t> minutes;
  for (const std::size_t page : tree.pages)
    minutes.push_back(rendered.pages[page].excerpt.minutes());
  return minutes;
}

// The templates of each language. Fewer than trees after an error.
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

// Drops the modules from a site without any page that needs them.
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
