#include "generator/core/diagnostic/text_check.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <string>

#include "generator/core/base/language_rules.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
bool report_unreadable(const FileSystem& files, const std::string& path, Diagnostics& diagnostics,
                       const std::string& root) {
  const Unreadable reason = files.why_unreadable(path);
  if (reason.message.empty()) return false;
  diagnostics.error(reason.too_large ? Rule::file_too_large : Rule::file_unreadable, root + path,
                    reason.message);
  return true;
}

namespace {
std::string_view advice_on(TextKind kind) {
  return kind == TextKind::code
             ? "remove it: code and addresses cannot contain invisible characters"
             : "remove it, or, where the text speaks of it, write its name";
}

// Describes a byte that is not allowed in text.
std::string name_of_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  std::array<char, 3> digits{};
  std::snprintf(digits.data(), digits.size(), "%02X", unsigned{byte});
  if (byte == 0) return "a zero byte";
  return byte < 0x20 ? "the control character U+00" + std::string(digits.data())
                     : "the byte 0x" + std::string(digits.data()) + ", which is not UTF-8";
}

}  // namespace

TextKind prose_of(std::string_view path) {
  constexpr std::string_view chapters = "chapters/", words = "locales/", json = ".json",
                             site = "site/";
  if (path.starts_with(site)) path.remove_prefix(site.size());
  std::string_view language;
  if (path.starts_with(chapters) && path.find('/', chapters.size()) != path.npos) {
    language = path.substr(chapters.size(), path.find('/', chapters.size()) - chapters.size());
  } else if (path.starts_with(words) && path.ends_with(json)) {
    language = path.substr(words.size(), path.size() - words.size() - json.size());
  }
  return is_right_to_left(language) ? TextKind::right_to_left : TextKind::prose;
}

void refuse_hidden(const Source& source, std::size_t offset, std::size_t length,
                   const NamedCharacter& character, TextKind kind, Diagnostics& diagnostics) {
  diagnostics.error(Rule::hidden_character, source, offset, length,
                    "here is " + character.name + ", which readers do not see");
  diagnostics.hint(std::string(advice_on(kind)));
}

bool check_text(const Source& source, TextKind kind, Diagnostics& diagnostics) {
  constexpr int most = 20;
  if (const auto bad = first_bad_byte(source.text()); bad != std::string::npos) {
    diagnostics.error(Rule::file_not_utf8, source, bad, 1,
                      "here is " + name_of_byte(source.text()[bad]));
    diagnostics.hint("save the file as UTF-8 text without control characters");
    return false;
  }
  auto found = first_hidden_character(source.text(), kind, source.line_start(1));
  if (!found) return true;
  for (int count = 0; found && count < most; ++count) {
    refuse_hidden(source, found->offset, found->length, *found, kind, diagnostics);
    found = first_hidden_character(source.text(), kind, found->offset + found->length);
  }
  return false;
}

}  // namespace primer
