#include "generator/base/slug.hpp"

#include <algorithm>
#include <cctype>

#include "generator/base/text.hpp"

namespace primer {
namespace {

// Typographic punctuation that GitHub drops and that headings here may hold.
constexpr std::string_view dropped[] = {"–", "—", "‘", "’", "“", "”", "…", "×", "·", "÷", "→"};

}  // namespace

std::string github_slug(std::string_view heading) {
  std::string text(trim(heading));
  for (const auto mark : dropped) text = replace_all(std::move(text), mark, "");
  std::string slug;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) || c == '-' || c == '_') {
      slug += byte < 0x80 ? static_cast<char>(std::tolower(byte)) : c;
    } else if (c == ' ') {
      slug += '-';
    }
  }
  return slug;
}

std::string Slugs::unique(std::string_view heading) {
  std::string slug = github_slug(heading);
  if (slug.empty()) slug = "section";
  const int seen = used_[slug]++;
  return seen == 0 ? slug : slug + '-' + std::to_string(seen);
}

std::string title_of_slug(std::string slug) {
  std::replace_if(slug.begin(), slug.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  if (!slug.empty() && slug[0] >= 'a' && slug[0] <= 'z')
    slug[0] = static_cast<char>(slug[0] - 'a' + 'A');
  return slug;
}

}  // namespace primer
