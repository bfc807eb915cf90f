#include "figures/draw/text_metrics.hpp"

#include <algorithm>
#include <iterator>

namespace figures {
namespace {

constexpr char32_t not_utf8 = 0xfffd;

// Removes the next code point from the front. A byte that starts no valid sequence is removed
// alone.
char32_t next_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 1) {
    text.remove_prefix(1);
    return lead;
  }
  char32_t code = length == 0 ? 0 : lead & (0x7f >> length);
  bool valid = length != 0 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xc0) == 0x80;
    code = code << 6 | (byte(i) & 0x3f);
  }
  text.remove_prefix(valid ? length : 1);
  return valid ? code : not_utf8;
}

const table::Glyph* find_glyph(char32_t code) {
  const auto before = [](const table::Glyph& glyph, char32_t c) { return glyph.code < c; };
  const auto* found =
      std::lower_bound(std::begin(table::glyphs), std::end(table::glyphs), code, before);
  return found != std::end(table::glyphs) && found->code == code ? found : nullptr;
}

}  // namespace

double text_width(std::string_view utf8, double size, Weight weight) {
  long units = 0;
  while (!utf8.empty()) {
    const table::Glyph* glyph = find_glyph(next_code_point(utf8));
    if (glyph == nullptr) glyph = find_glyph(U'0');
    units += weight == Weight::regular ? glyph->regular : glyph->semibold;
  }
  return static_cast<double>(units) * size / table::units_per_em;
}

std::optional<char32_t> missing_glyph(std::string_view utf8) {
  while (!utf8.empty()) {
    const char32_t code = next_code_point(utf8);
    if (find_glyph(code) == nullptr) return code;
  }
  return std::nullopt;
}

}  // namespace figures
