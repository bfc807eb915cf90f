#include "generator/base/slug.hpp"

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

}  // namespace primer
