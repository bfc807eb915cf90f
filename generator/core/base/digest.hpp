// 128-bit digests that decide whether a cached value is still valid. XXH3 is fast but not
// cryptographic, so somebody could construct two texts with the same digest. That is acceptable
// here, because the author of a text is also the author of whatever is cached under its digest.
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

// Stands for a file that does not exist.
inline constexpr Digest absent{};

Digest digest(std::string_view bytes);

// 32 hexadecimal digits.
std::string to_text(const Digest& digest);

// Two digits per byte.
std::string hexadecimal(const unsigned char* bytes, std::size_t size);

// Standard base64 with padding (RFC 4648, section 4).
std::string base64(std::string_view bytes);

}  // namespace primer
