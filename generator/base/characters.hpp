// Characters that a reader does not see, or that make a text read otherwise than it is written:
// controls of direction, invisible ones, noncharacters, C1. No text that can reach a page, a feed or
// a terminal may hold them, however they are written ("\u202e", "&#x202e;").
//
// What some scripts and emoji need is allowed where they need it: U+200C and U+200D between letters
// that join, beside a virama and between emoji, variation selectors after what has variants, tags in
// flags; and, in languages that are written right to left, marks of direction and isolates that are
// closed in their line. Code and addresses need none of them. Data: Unicode 14.0, DerivedJoiningType,
// DerivedCombiningClass, emoji-data, Scripts; rules after UAX #31 (A1, A2, B) and UTS #39, simplified
// to ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

enum class TextKind { prose, right_to_left, code };

// A place in a text, in bytes, and what stands there: "U+202E (right-to-left override)".
struct NamedCharacter {
  std::size_t offset = 0, length = 0;
  std::string name;
};

// The first such character at `from` or after it. Bytes that are no UTF-8 are passed over.
std::optional<NamedCharacter> first_hidden_character(std::string_view text,
                                                     TextKind kind = TextKind::prose,
                                                     std::size_t from = 0);

// The first character that is a digit or a number in any script: "5", "٥", "²", "⑤", "½", "Ⅻ". Letters that
// stand for numbers ("five", "五") are none.
std::optional<NamedCharacter> first_digit(std::string_view text);

// For terminals and logs: the same text with hidden and control characters (line breaks and tabs too)
// as "<U+202E>", and what is no UTF-8 as U+FFFD.
std::string visible(std::string_view text);

// Words (letters, digits, '_') that mix letters of scripts that look alike, such as a Cyrillic "а" in
// "pаypal"; Greek beside Latin only where the Greek letter looks like a Latin one. `name` lists the
// letters of the rarer script: "а U+0430 (Cyrillic)".
std::vector<NamedCharacter> mixed_scripts(std::string_view text);

// A host's name as it is asked for: "xn--ggle-55da.com" for "gооgle.com" (RFC 3492). Lower case
// ASCII stays; the name is not normalised.
std::string punycode_host(std::string_view host);

// The character in UTF-8.
std::string in_utf8(char32_t point);

// Code points; what is no UTF-8 is U+FFFD for each byte.
std::u32string code_points(std::string_view text);

}  // namespace primer
