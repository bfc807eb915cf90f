#include "generator/publish/usual_addresses.hpp"

#include <utility>

#include "generator/assemble/page.hpp"
#include "generator/collect/rule_page.hpp"
#include "generator/publish/print_page.hpp"

namespace primer {

void claim_usual(const std::vector<std::string>& roots, Addresses& addresses,
                 Diagnostics& diagnostics) {
  const std::pair<const char*, const char*> once[] = {
      {"_/", "the site's scripts, styles and fonts"},
      {"search/", "the search"},
      {rules_url, "the page of rules"},
      {changes_url, "the list of changes"}};
  const std::pair<const char*, const char*> in_each_language[] = {
      {"cards/", "the pictures for shared links"},
      {print_url, "the book on one page"},
      {"figures/", "the figures"},
      {"references/", "the list of references"},
      {"machines/", "the list of machines"},
      {"images/", "the images of chapters"},
      {"files/", "the files of chapters"}};
  for (const auto& [directory, name] : once) addresses.reserve(directory, {name}, diagnostics);
  for (const char* file : {"404.html", ".nojekyll"}) {
    addresses.claim(file, {"every book's " + std::string(file)}, diagnostics);
  }
  for (const auto& root : roots) {
    for (const auto& [directory, name] : in_each_language) {
      addresses.reserve(root + directory, {name}, diagnostics);
    }
    for (const char* file : {"sitemap.xml", "feed.xml", "feed.json", "book.epub", "book.pdf"}) {
      addresses.claim(root + file, {"every book's " + std::string(file)}, diagnostics);
    }
  }
}

}  // namespace primer
