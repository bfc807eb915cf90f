#include "generator/pipeline/owners.hpp"

#include <algorithm>
#include <set>

#include "generator/base/text.hpp"
#include "generator/publish/usual_addresses.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

void claim_page(const LanguageTree& tree, const Entry& entry, const RenderedPage& page,
                Addresses& addresses, Diagnostics& diagnostics) {
  const std::string& root = tree.book.root;
  addresses.claim(file_of(tree, entry), {entry.file, entry.file}, diagnostics);
  if (!page.data_name.empty()) {
    addresses.claim(root + entry.url + page.data_name, {entry.file, entry.file}, diagnostics);
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
      diagnostics.error(Rule::output_error, path, "nobody has claimed this address");
  }
  const std::set<std::string_view> taken(files.begin(), files.end());
  for (const auto& tree : trees) {
    for (const auto& chapter : tree.index.all()) {
      const std::string path = file_of(tree, *chapter.entry);
      if (!taken.contains(path)) continue;
      diagnostics.error(Rule::address_taken, chapter.entry->file, "another file is at /" + path);
    }
  }
}

}  // namespace primer
