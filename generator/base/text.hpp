// Small questions about text that several stages ask.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

// Characters (code points) of UTF-8 text; a malformed byte counts as one.
int character_count(std::string_view text);
// Whether text is well-formed UTF-8 without control characters (tabs and line breaks are none).
bool is_utf8(std::string_view text);

// The first byte that belongs to no UTF-8 text, or is a control character; npos when none does.
std::size_t first_bad_byte(std::string_view text);

// What some editors write at the beginning of a file.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string_view trim(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::vector<std::string_view> split_lines(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string replace_all(std::string text, std::string_view from, std::string_view to);
// Letters, digits and the bytes of `plain` stay, others become "%2F".
std::string percent_encoded(std::string_view text, std::string_view plain = "-_.~");
std::string in_quotes(std::string_view text);  // "text", for messages

using Names = std::initializer_list<std::string_view>;
bool is_one_of(std::string_view name, const Names& names);

// Lower-case letters, digits and hyphens, beginning with a letter: ids, slugs.
bool is_identifier(std::string_view text);

// 16 hexadecimal digits (FNV-1a, 64 bit). Names content; it is not a defence against forgery.
std::string content_hash(std::string_view text);

}  // namespace primer
