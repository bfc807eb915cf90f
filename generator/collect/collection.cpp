#include "generator/collect/collection.hpp"

namespace primer {

std::string PageView::title() const { return index->entry->before_title() + index->front.title; }

std::vector<CollectionPage> collection_pages(const CollectContext& book) {
  std::vector<CollectionPage> pages;
  for (const auto make : {figures_page, machines_page, references_page, changes_page}) {
    if (auto page = make(book)) pages.push_back(std::move(*page));
  }
  return pages;
}

}  // namespace primer
