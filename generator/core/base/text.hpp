// Helpers for text that several stages share: UTF-8, splitting and joining, shortened excerpts,
// "did you mean" suggestions, heading ids, and parsing of real numbers.
#pragma once

#include <charconv>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

// Counts code points of UTF-8 text. An invalid byte counts as one.
int character_count(std::string_view text);
// Whether the text is valid UTF-8 without control characters other than tabs and line breaks.
bool is_utf8(std::string_view text);

// The first byte that is invalid UTF-8 or a control character; npos if there is none.
std::size_t first_bad_byte(std::string_view text);

// Some editors write it at the start of a file.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> split_lines(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string replace_all(std::string text, std::string_view from, std::string_view to);
// Percent-encodes every byte except letters, digits and the bytes of `plain`.
std::string percent_encoded(std::string_view text, std::string_view plain = "-_.~");
std::string in_quotes(std::string_view text);               // "text", for messages
std::string counted(std::size_t n, std::string_view noun);  // "1 page", "2 pages"

using Names = std::initializer_list<std::string_view>;
bool is_one_of(std::string_view name, const Names& names);

// Whether the text is an id or slug: lower-case letters, digits and hyphens, starting with a
// letter.
bool is_identifier(std::string_view text);

// A short name for content: 16 hexadecimal digits (64-bit FNV-1a). Not safe against forgery.
std::string content_hash(std::string_view text);

// Whether nothing of the text is visible: only spaces of any width, the empty Braille cell, soft
// hyphens, joiners and the like.
bool is_blank(std::string_view text);

// A diagnostic's excerpt of a line, whose length is limited because the input may be arbitrarily
// long.

struct CutLine {
  std::string text;  // at most `most` bytes; "…" marks each omission
  int column = 1;    // of the position, in characters, 1-based
};

// Cuts out the part of a line around the byte `at`, on character boundaries.
CutLine cut_around(std::string_view line, std::size_t at, std::size_t most = 300);

// Shortens a text to at most `most` bytes. Keeps the start and the end, cut on character
// boundaries, with "…" between them.
std::string shortened(std::string text, std::size_t most = 600);

// The best "did you mean" suggestion for `name`: the first of the nearest candidates, or "" if none
// is close enough. Allows one edit for up to five letters and one more for every three further
// letters, up to four. Failing that, one name may contain the other if it covers at least half of
// it.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// The id of a heading as GitHub computes it, so that a fragment works both there and on our page:
// lower case, punctuation dropped, spaces to hyphens. "Écrire ici" → "écrire-ici".
std::string github_slug(std::string_view heading);
// The id that we used before November 2026: letters beyond ASCII kept their case. Old links with
// such ids still work.
std::string former_slug(std::string_view heading);
// Lower-cases letters of every script, one code point at a time.
std::string lower_case(std::string_view text);
// A title derived from a file name or slug: "on-your_own" → "On your own".
std::string title_of_slug(std::string slug);

// Makes heading ids unique within a chapter: the second "setup" becomes "setup-1".
class Slugs {
 public:
  std::string unique(std::string_view heading);

 private:
  std::map<std::string, int> used_;
};

// Works like std::from_chars for double, which libc++ lacks before version 20 (we compile to
// WebAssembly with it). Independent of the locale, accepts no plus sign, rounds correctly, and
// leaves `value` unchanged on failure.
std::from_chars_result read_real(const char* first, const char* last, double& value);

}  // namespace primer
