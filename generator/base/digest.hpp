// Names for content that decide whether something is still true: 128 bits, so that two different
// texts share one only if somebody made them to (XXH3 is fast and no defence against forgery; what
// is cached under a digest comes from the same author as what it is a digest of).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace primer {

struct Digest {
  std::uint64_t high = 0, low = 0;
  auto operator<=>(const Digest&) const = default;
};

// What a file that is not there has in place of a digest.
inline constexpr Digest absent{};

Digest digest(std::string_view bytes);

// Hexadecimal, 32 digits.
std::string to_text(const Digest& digest);

// Two digits a byte.
std::string hexadecimal(const unsigned char* bytes, std::size_t size);

// Four characters of A-Z a-z 0-9 + / for three bytes, filled up with = (RFC 4648, section 4).
std::string base64(std::string_view bytes);

}  // namespace primer
