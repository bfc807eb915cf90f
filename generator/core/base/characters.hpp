// Finds characters that are invisible or that make text read differently from how it is written:
// direction controls, invisible characters, noncharacters and C1 controls. They must not get into a
// page, a feed or a terminal, in whichever form they are written ("\u202e", "&#x202e;").
//
// Some scripts and emoji need such characters, so they are allowed in those places only. U+200C and
// U+200D are allowed between joining letters, next to a virama and between emoji; variation
// selectors, after characters that have variants; tags, in flags. Right-to-left languages may also
// use direction marks, and isolates that are closed on the same line. Code and addresses may use
// none of these. The rules are a simplification of UAX #31 (A1, A2, B) and UTS #39.
// scripts/unicode_tables generates the tables from the Unicode Character Database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

enum class TextKind { prose, right_to_left, code };

// A position in a text, in bytes, and a description: "U+202E (right-to-left override)".
struct NamedCharacter {
  std::size_t offset = 0, length = 0;
  std::string name;
};

// The first forbidden character at or after `from`. Invalid UTF-8 bytes are skipped.
std::optional<NamedCharacter> first_hidden_character(std::string_view text,
                                                     TextKind kind = TextKind::prose,
                                                     std::size_t from = 0);

// The first digit or number in any script: "5", "٥", "²", "⑤", "½", "Ⅻ". Words and ideographs for
// numbers ("five", "五") do not count.
std::optional<NamedCharacter> first_digit(std::string_view text);

// Makes text safe for terminals and logs: hidden and control characters, including line breaks and
// tabs, become "<U+202E>", and invalid UTF-8 becomes U+FFFD.
std::string visible(std::string_view text);

// Words (letters, digits, '_') that mix letters of look-alike scripts, such as a Cyrillic "а" in
// "pаypal". Greek next to Latin counts only if the Greek letter looks like a Latin one. `name`
// lists the letters of the rarer script: "а U+0430 (Cyrillic)".
std::vector<NamedCharacter> mixed_scripts(std::string_view text);

// The host name as sent to DNS: "xn--ggle-55da.com" for "gооgle.com" (RFC 3492). Lower-case ASCII
// is unchanged, and the name is not normalized.
std::string punycode_host(std::string_view host);

// UTF-8 encodes one code point.
std::string in_utf8(char32_t point);

// Decodes UTF-8. Each invalid byte becomes U+FFFD.
std::u32string code_points(std::string_view text);

}  // namespace primer
